import { describe, expect, test } from 'vitest';
import {
  carriedShare,
  correctedDifference,
  type JudgedAnswer,
  type Known,
  type PartlyKnown,
  postStratifiedShare,
} from '../../src/statistics/corrected-share.ts';
import { clusteredShareInterval, wilsonInterval } from '../../src/statistics/proportions.ts';

type Decision = 'pass' | 'fail';

const times = <T>(n: number, one: T): T[] => Array.from({ length: n }, () => one);

/** So many answers of a stratum, the first of them known: right, then wrong ones. */
const stratum = (
  decision: Decision,
  isSplit: boolean,
  n: number,
  { right = 0, wrong = 0, weight = 1 }: { right?: number; wrong?: number; weight?: number } = {},
): Omit<PartlyKnown, 'unit'>[] =>
  [
    ...times<Known | null>(right, { right: 'pass', weight }),
    ...times<Known | null>(wrong, { right: 'fail', weight }),
    ...times<Known | null>(n - right - wrong, null),
  ].map((known) => ({ decision, isSplit, known }));

/** @param together how many answers in a row belong together */
const inUnits = <T>(answers: readonly T[], together = 1): (T & { unit: number })[] =>
  answers.map((one, at) => ({ ...one, unit: Math.floor(at / together) }));

const limitsOf = ({ interval }: Pick<ReturnType<typeof postStratifiedShare>, 'interval'>) => {
  if (!interval.defined) throw new Error(interval.why);
  return [interval.low, interval.high] as const;
};

describe('the share of right answers from labels of some of them', () => {
  test('is that of each stratum times its share of all answers', () => {
    const found = postStratifiedShare(
      inUnits([
        ...stratum('pass', false, 60, { right: 5 }),
        ...stratum('pass', true, 20, { right: 3, wrong: 2 }),
        ...stratum('fail', true, 12, { right: 1, wrong: 4 }),
        ...stratum('fail', false, 8, { wrong: 5 }),
      ]),
    );
    // 0.6 · 1 + 0.2 · 0.6 + 0.12 · 0.2 + 0.08 · 0 by hand; worth 23.344 answers, by the formulas apart from this code.
    expect(found.measure).toMatchObject({ defined: true, n: 20 });
    expect(found.measure).toMatchObject({ value: expect.closeTo(0.744, 12) });
    const [low, high] = limitsOf(found);
    expect(low).toBeCloseTo(0.54188453577, 10);
    expect(high).toBeCloseTo(0.877158790276, 10);
    expect(found.influence.reduce((total, one) => total + one, 0)).toBeCloseTo(0, 12);
  });

  test('is that of the labels alone where all are labeled, with the same interval', () => {
    const all = [
      ...stratum('pass', false, 60, { right: 55, wrong: 5 }),
      ...stratum('fail', true, 20, { right: 4, wrong: 16 }),
    ];
    const found = postStratifiedShare(inUnits(all));
    expect(found).toMatchObject({ measure: { value: 59 / 80 }, interval: wilsonInterval(59, 80) });
    const users = inUnits(all, 4);
    const clusters = Array.from({ length: 20 }, (_, user) => {
      const own = users.filter(({ unit }) => unit === user);
      const successes = own.filter(({ known }) => known?.right === 'pass').length;
      return { value: { successes, n: own.length }, items: 1 };
    });
    expect(postStratifiedShare(users).interval).toEqual(clusteredShareInterval(clusters));
  });

  test('merges strata of which fewer than two answers are known, and then weighs them', () => {
    const merged = postStratifiedShare(
      inUnits([
        ...stratum('pass', false, 60, { right: 8, wrong: 2, weight: 6 }),
        ...stratum('pass', true, 20, { wrong: 1, weight: 20 }),
        ...stratum('fail', false, 20, { right: 2, wrong: 8, weight: 2 }),
      ]),
    );
    // 0.8 · 48/80 + 0.2 · 0.2, by hand.
    expect(merged.measure).toMatchObject({ value: expect.closeTo(0.52, 12) });
    const whole = postStratifiedShare(
      inUnits([
        ...stratum('pass', false, 80, { right: 8, wrong: 2, weight: 8 }),
        ...stratum('fail', false, 20, { right: 1, weight: 20 }),
      ]),
    );
    // (64 + 20) / 100, by hand.
    expect(whole.measure).toMatchObject({ value: expect.closeTo(0.84, 12) });
  });

  test('never claims to be certain, and is not more certain than all labels would be', () => {
    const [low, high] = limitsOf(
      postStratifiedShare(
        inUnits([...stratum('pass', false, 90, { right: 20 }), ...stratum('fail', false, 10, { wrong: 5 })]),
      ),
    );
    const all = wilsonInterval(90, 100);
    expect(low).toBeLessThan(all.defined ? all.low : 0);
    expect(high).toBeGreaterThan(all.defined ? all.high : 1);
  });

  test('says less where answers belong together', () => {
    const answers = [
      ...stratum('pass', false, 40, { right: 16 }),
      ...stratum('pass', false, 40, { wrong: 8, right: 8 }),
      ...stratum('fail', false, 40, { wrong: 16 }),
    ];
    const width = ([low, high]: readonly [number, number]) => high - low;
    const alone = limitsOf(postStratifiedShare(inUnits(answers)));
    const together = limitsOf(postStratifiedShare(inUnits(answers, 4)));
    expect(width(together)).toBeGreaterThan(1.2 * width(alone));
  });

  test.each([
    { what: 'no answer is known to be right or wrong', answers: inUnits(stratum('pass', false, 10)) },
    {
      what: 'an interval needs at least two independent answers',
      answers: inUnits(stratum('pass', false, 10, { right: 5 }), 10),
    },
  ])('is not defined where $what', ({ what, answers }) => {
    expect(postStratifiedShare(answers)).toMatchObject({
      measure: { defined: false, why: what },
      interval: { defined: false, why: what },
    });
  });
});

describe('the share of right answers from samples of other answers', () => {
  const judged: JudgedAnswer[] = inUnits([
    ...times(194, { decision: 'pass' as const, isSplit: false }),
    ...times(46, { decision: 'fail' as const, isSplit: false }),
  ]);
  const sampled = (
    cells: readonly [decision: Decision, isSplit: boolean, weight: number, right: number, wrong: number][],
    together = 1,
  ) =>
    inUnits(
      cells.flatMap(([decision, isSplit, weight, right, wrong]) =>
        stratum(decision, isSplit, right + wrong, { right, wrong, weight }).flatMap(({ known, ...one }) =>
          known === null ? [] : [{ ...one, ...known, draw: `of weight ${known.weight}` }],
        ),
      ),
      together,
    );
  const atRandom = sampled([
    ['pass', false, 6, 20, 1],
    ['pass', true, 6, 6, 3],
    ['fail', true, 6, 3, 4],
    ['fail', false, 6, 0, 3],
  ]);
  const stratified = sampled([
    ['pass', false, 7, 18, 2],
    ['pass', true, 3, 6, 4],
    ['fail', true, 2.5, 3, 7],
    ['fail', false, 4, 0, 10],
  ]);

  test.each([
    // 26 of 29 right ones passed, 7 of 11 wrong ones failed: (194/240 + 7/11 − 1) / (26/29 + 7/11 − 1), by hand.
    { how: 'at random', sample: atRandom, value: 0.834460784314, low: 0.621119091419, high: 1 },
    // 144 of 151.5 and 57.5 of 83.5 by weight; 62.8 % of the variance is left. Limits: the formulas, apart from this code.
    {
      how: 'by strata',
      sample: stratified,
      value: 0.777565708101,
      low: 0.660543382952,
      high: 0.965142744152,
    },
  ])('weighs answers that were drawn $how', ({ sample, value, low, high }) => {
    const { measure, interval } = carriedShare(judged, sample);
    expect(measure).toMatchObject({ n: 240, value: expect.closeTo(value, 10) });
    expect(interval).toMatchObject({ low: expect.closeTo(low, 10), high: expect.closeTo(high, 10) });
  });

  test('says less where answers belong together, those of this run or the sampled ones', () => {
    const width = (answers: readonly JudgedAnswer[], sample: typeof stratified): number => {
      const { interval } = carriedShare(answers, sample);
      return interval.defined ? interval.high - interval.low : 0;
    };
    const alone = width(judged, stratified);
    expect(width(inUnits(judged, 6), stratified)).toBeGreaterThan(1.1 * alone);
    expect(width(judged, inUnits(stratified, 2))).toBeGreaterThan(1.05 * alone);
  });

  test.each([
    { why: 'no answer is known to be wrong', sample: sampled([['pass', false, 6, 40, 0]]) },
    { why: 'no answer is known to be right', sample: sampled([['fail', false, 6, 0, 40]]) },
    {
      why: 'the judges are no better than chance',
      sample: sampled([
        ['pass', false, 6, 10, 10],
        ['fail', false, 6, 10, 10],
      ]),
    },
  ])('is not defined where $why', ({ why, sample }) => {
    expect(carriedShare(judged, sample).interval).toMatchObject({ defined: false, why });
  });
});

describe('the difference between two shares', () => {
  const of = (successes: number, n: number) => ({
    measure: { defined: true as const, value: successes / n, n },
    interval: wilsonInterval(successes, n),
  });

  test('has Newcombe’s interval where both are independent, and a narrower one where they are alike', () => {
    // Newcombe 1998, example (a): 56/70 and 48/80, 0.0524 to 0.3339.
    const { measure, interval } = correctedDifference(of(56, 70), of(48, 80));
    expect(measure).toMatchObject({ n: 70, value: expect.closeTo(0.2, 12) });
    expect(interval).toMatchObject({ low: expect.closeTo(0.0524, 4), high: expect.closeTo(0.3339, 4) });
    const alike = correctedDifference(of(56, 70), of(48, 80), 0.5).interval;
    expect(alike.defined && alike.low).toBeGreaterThan(0.09);
    expect(alike.defined && alike.high).toBeLessThan(0.3);
  });

  test('is not defined where one of them is not', () => {
    const none = { defined: false as const, n: 0, why: 'nothing is known' };
    expect(correctedDifference(of(5, 10), { measure: none, interval: none }).measure).toEqual({
      defined: false,
      n: 0,
      why: 'nothing is known',
    });
  });
});
