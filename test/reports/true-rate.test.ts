import { describe, expect, test } from 'vitest';
import type { Answers } from '../../src/reports/assistant/answers.ts';
import { closingLines } from '../../src/reports/assistant/assistant-words.ts';
import { assistantReport } from '../../src/reports/assistant/make-assistant-report.ts';
import { correctedChange, type ReviewedRun } from '../../src/reports/assistant/true-rate.ts';
import { answersOf, aRunMade, type MadeAnswer } from '../support/judged-answers.ts';

type Decision = 'pass' | 'fail';

const noStore = {
  async *readCases() {},
  async *readTrials() {},
  async *readVerdicts() {},
};

/** So many answers of one kind. */
type Kind = [n: number, decision: Decision, isSplit: boolean, right: Decision];

const made = (...kinds: readonly Kind[]): MadeAnswer[] =>
  kinds
    .flatMap(([n, decision, isSplit, right]) =>
      Array.from({ length: n }, () => ({ decision, isSplit, right })),
    )
    .map((one, place) => ({ ...one, place, unit: place }));

/** 100 answers, of which judges pass 80. */
const answers = made(
  [60, 'pass', false, 'pass'],
  [12, 'pass', true, 'pass'],
  [8, 'pass', true, 'fail'],
  [3, 'fail', true, 'pass'],
  [9, 'fail', true, 'fail'],
  [8, 'fail', false, 'fail'],
);

const everyFourth = answers.filter(({ place }) => place % 4 === 0);

/** A run of which these were drawn as one; those at some places of the sample are not checked. */
function reviewed(
  run: string,
  drawn: readonly MadeAnswer[] = everyFourth,
  unchecked: readonly number[] = [],
) {
  const answers = drawn
    .filter((_, at) => !unchecked.includes(at))
    .map(({ place, decision, isSplit, right }) => ({
      place,
      unit: `${run} ${place}`,
      rubric: 'plain',
      decision,
      split: isSplit,
      stratum: 'all',
      right,
    }));
  const size = 4 * drawn.length;
  const strata: ReviewedRun['design']['strata'] = [
    {
      name: 'all',
      decision: 'pass',
      split: null,
      size,
      checked: answers.length,
    },
  ];
  return {
    made: aRunMade(),
    design: { run, strata },
    answers,
    unchecked: unchecked.map(() => ({ rubric: 'plain', stratum: 'all', isUnsure: false })),
  } satisfies ReviewedRun;
}

const reportOf = (runs: readonly ReviewedRun[], labeled = false) =>
  assistantReport(noStore, answersOf('now', answers, { labeled }), [], runs);

const linesOf = async (runs: readonly ReviewedRun[]) => closingLines(await reportOf(runs));

const UNKNOWN =
  'How sure is this: not known yet; have people check 20 answers drawn by chance, or label all of them';

describe('how many answers truly pass', () => {
  test('follows from answers of the run that were drawn and checked', async () => {
    // 15 of 15, 3 of 5, 1 of 3 and 0 of 2 pass by stratum: 0.6 + 0.2 · 0.6 + 0.12 / 3 = 0.76, by hand.
    const report = await reportOf([reviewed('now')]);
    expect(report.truth).toMatchObject({
      source: 'sample',
      n: 25,
      unchecked: 0,
      measure: { value: expect.closeTo(0.76, 12) },
    });
    expect(closingLines(report)).toEqual([
      expect.stringMatching(
        /^Judges pass 80 %\. People checked 25 of these answers, drawn by chance; allowing for judges’ errors, 76 % \(6\d–8\d\)\.$/,
      ),
    ]);
  });

  test('names answers that were drawn and not checked if they are more than a tenth', async () => {
    const [few] = await linesOf([reviewed('now', everyFourth, [0, 1])]);
    expect(few).toContain('People checked 23 of these answers, drawn by chance; allowing for');
    const [many] = await linesOf([reviewed('now', everyFourth, [0, 1, 2])]);
    expect(many).toContain(
      'People checked 22 of these answers, drawn by chance; 3 of the 25 drawn were not checked; allowing for',
    );
  });

  test('names how many people were not sure about, and kinds of verdicts of which none was checked', async () => {
    const own = reviewed('now', everyFourth, [0, 1]);
    const [one] = await linesOf([
      { ...own, unchecked: own.unchecked.map((entry) => ({ ...entry, isUnsure: true })) },
    ]);
    expect(one).toContain('People checked 23 of these answers, drawn by chance; 2 not sure; allowing for');
    const kinds = [
      { decision: 'fail', split: true, size: 12 },
      { decision: 'fail', split: false, size: 1_234 },
      { decision: 'pass', split: null, size: 7 },
    ] as const;
    const unseen = kinds.map((kind, at) => ({ ...kind, name: `kind ${at}`, checked: 0 }));
    const [many] = await linesOf([
      { ...own, design: { ...own.design, strata: [...own.design.strata, ...unseen] } },
    ]);
    expect(many).toContain(
      'drawn by chance; none of the 12 that judges failed and split on was checked; none of the 1,234 that judges failed unanimously was checked; none of the 7 that judges passed was checked; allowing for',
    );
  });

  test('follows from samples of other runs by the same judges, where the run has too few of its own', async () => {
    const others = [reviewed('last-week'), reviewed('the-week-before')];
    const report = await reportOf([reviewed('now', everyFourth.slice(0, 19)), ...others]);
    expect(report.truth).toMatchObject({ source: 'other-samples', n: 50, runs: 2 });
    expect(closingLines(report)).toEqual([
      expect.stringMatching(
        /^Judges pass 80 %\. People checked 50 answers of 2 other runs with the same judges, drawn by chance; allowing for judges’ errors, 76 % \(\d+–\d+\)\.$/,
      ),
    ]);
    const [one] = await linesOf(others.slice(0, 1));
    expect(one).toContain('People checked 25 answers of 1 other run with the same judges, drawn by chance;');
  });

  test('counts of a sample by several rubrics what was not checked by the rubric of these answers alone', async () => {
    const [other] = [reviewed('last-week', everyFourth, [0, 1, 2, 3, 4])];
    const by = (rubric: string, isUnsure: boolean, n: number, stratum = 'all') =>
      Array.from({ length: n }, () => ({ rubric, stratum, isUnsure }));
    const seen = { name: 'fail', decision: 'fail' as const, split: true, size: 50, checked: 4 };
    const several: ReviewedRun = {
      ...other,
      design: { ...other.design, strata: [...other.design.strata, seen] },
      unchecked: [
        ...by('plain', false, 3),
        ...by('plain', true, 1),
        ...by('plain', false, 2, 'fail'),
        ...by('another', false, 30),
        ...by('another', true, 9),
      ],
    };
    const { truth } = await reportOf([several]);
    expect(truth).toMatchObject({ source: 'other-samples', n: 20, unchecked: 6, unsure: 1 });
    const [line] = await linesOf([several]);
    expect(line).toContain(
      'People checked 20 answers of 1 other run with the same judges, drawn by chance; 6 of the 26 drawn were not checked; 1 not sure; none of the 2 that judges failed and split on was checked; allowing for',
    );
  });

  test('lets checked answers stand for those of their stratum that were drawn and not checked', async () => {
    const drawn = made(
      [9, 'pass', false, 'pass'],
      [1, 'pass', false, 'fail'],
      [2, 'fail', false, 'pass'],
      [8, 'fail', false, 'fail'],
    );
    const other: ReviewedRun = {
      made: aRunMade(),
      design: {
        run: 'last-week',
        strata: [
          { name: 'pass', decision: 'pass', split: null, size: 80, checked: 10 },
          { name: 'fail', decision: 'fail', split: null, size: 20, checked: 10 },
        ],
      },
      unchecked: Array.from({ length: 10 }, () => ({ rubric: 'plain', stratum: 'pass', isUnsure: false })),
      answers: drawn.map(({ place, decision, right }) => ({
        place,
        unit: `${place}`,
        rubric: 'plain',
        decision,
        split: false,
        stratum: decision,
        right,
      })),
    };
    // 72 of 76 right ones passed, 16 of 24 wrong ones failed: (0.8 + 2/3 − 1) / (72/76 + 2/3 − 1) = 0.76, by hand.
    const { truth } = await reportOf([other]);
    expect(truth).toMatchObject({ unchecked: 10, measure: { value: expect.closeTo(0.76, 12) } });
  });

  /** The run, with what is changed of each answer. */
  const changed = (to: (answer: Answers['answers'][number]) => Partial<Answers['answers'][number]>) => {
    const plain = answersOf('now', answers);
    return { ...plain, answers: plain.answers.map((one) => ({ ...one, ...to(one) })) };
  };
  const ofRuns = (now: Answers, runs: readonly ReviewedRun[]) => assistantReport(noStore, now, [], runs);

  test('does not follow from other runs where several rubrics judge, of which some were never checked', async () => {
    const two = changed(({ place }) => ({ rubric: place % 2 === 0 ? 'plain' : 'never checked' }));
    const { truth } = await ofRuns(two, [reviewed('last-week')]);
    expect(truth).toEqual({
      source: null,
      why: '2 rubrics judge these answers, so the 25 checked of 1 other run cannot be used',
      because: { kind: 'severalRubrics', rubrics: 2, checked: 25, runs: 1 },
    });
    // Its own sample is of all its rubrics.
    expect((await ofRuns(two, [reviewed('now')])).truth).toMatchObject({ source: 'sample', n: 25 });
  });

  test('follows only from those answers of other runs that the same rubric judged', async () => {
    const [one, other] = [reviewed('last-week'), reviewed('the-week-before')];
    const foreign = { ...other, answers: other.answers.map((own) => ({ ...own, rubric: 'another' })) };
    expect((await reportOf([one, foreign])).truth).toMatchObject({ n: 25, runs: 1 });
  });

  test('is not that of another run of the same name, whose sample counts like those of other runs', async () => {
    const own = reviewed('now');
    for (const made of [
      { ...own.made, createdAt: '2020-01-01T00:00:00.000Z' },
      { ...own.made, dataset: 'another' },
    ])
      expect((await reportOf([{ ...own, made }])).truth).toMatchObject({ source: 'other-samples', n: 25 });
  });

  test('takes the decisions of the first repeat, which samples are drawn from', async () => {
    const repeated = changed(({ facts }) => ({
      facts: facts.flatMap((fact) => [
        fact,
        ...[2, 3].map((repeat) => ({ ...fact, repeat, outcome: 'fail' as const, isSplit: true })),
      ]),
    }));
    for (const samples of [[reviewed('now')], [reviewed('last-week')]])
      expect((await ofRuns(repeated, samples)).truth).toEqual((await reportOf(samples)).truth);
  });

  test('counts what belongs together across runs as one', async () => {
    const widthOf = async (units: (week: number, place: number) => string) => {
      const weeks = [1, 2, 3].map((week) => {
        const one = reviewed(`week-${week}`);
        return { ...one, answers: one.answers.map((own) => ({ ...own, unit: units(week, own.place) })) };
      });
      const { truth } = await reportOf(weeks);
      if (truth.source === null || !truth.interval.defined) throw new Error('it is known');
      return truth.interval.high - truth.interval.low;
    };
    const apart = await widthOf((week, place) => `${week} ${place}`);
    expect(await widthOf((_, place) => `${place}`)).toBeGreaterThan(1.2 * apart);
  });

  test('is not known from few checks, or where judges are no better than chance', async () => {
    expect(await linesOf([])).toEqual([UNKNOWN]);
    expect(await linesOf([reviewed('now', everyFourth.slice(0, 19))])).toEqual([
      `${UNKNOWN}; so far 19 are checked`,
    ]);
    const guessed = made(
      [10, 'pass', false, 'pass'],
      [10, 'pass', false, 'fail'],
      [10, 'fail', false, 'pass'],
      [10, 'fail', false, 'fail'],
    );
    expect(await linesOf([reviewed('other', guessed)])).toEqual([
      'How sure is this: not known yet; by 40 checked answers of 1 other run, the judges are no better than chance',
    ]);
  });

  test('follows from labels of all answers before anything else', async () => {
    const report = await reportOf([reviewed('now'), reviewed('last-week')], true);
    expect(report.truth).toMatchObject({ source: 'labels', n: 100, measure: { value: 0.75 } });
  });

  test('does not follow from votes, which stand on a line of their own', async () => {
    const report = await reportOf([]);
    expect(closingLines({ ...report, votes: { tp: 60, fp: 8, fn: 8, tn: 48 } })).toEqual([
      UNKNOWN,
      'People agreed with 87 % of the 124 such verdicts they voted on; not a random sample',
    ]);
  });
});

describe('the change of how many truly pass', () => {
  const worse = made(
    [50, 'pass', false, 'pass'],
    [12, 'pass', true, 'pass'],
    [8, 'pass', true, 'fail'],
    [3, 'fail', true, 'pass'],
    [9, 'fail', true, 'fail'],
    [18, 'fail', false, 'fail'],
  );
  const side = (name: string, all: readonly MadeAnswer[], asked?: string) =>
    answersOf(name, all, { labeled: true, ...(asked === undefined ? {} : { asked }) });

  test('is known from labels of both runs, more closely where they ask the same', () => {
    const now = side('now', worse);
    const same = correctedChange(now, side('then', answers));
    expect(same).toMatchObject({ value: expect.closeTo(-0.1, 12), n: 100 });
    const apart = correctedChange(now, side('then', answers, 'other request'));
    if (same?.interval.defined !== true || apart?.interval.defined !== true)
      throw new Error('they are known');
    // Newcombe's interval of 65 and 75 of 100, by the formula apart from this code.
    expect(apart.interval).toMatchObject({
      low: expect.closeTo(-0.222699, 6),
      high: expect.closeTo(0.026945, 6),
    });
    expect(apart.trend).toBe('unknown');
    expect(same.interval.high - same.interval.low).toBeLessThan(
      0.8 * (apart.interval.high - apart.interval.low),
    );
    expect(same.trend).toBe('worse');
  });

  test('is known from samples of both runs, and not from those of other runs', () => {
    const now = answersOf('now', worse);
    const then = answersOf('then', answers);
    const own = (name: string, all: readonly MadeAnswer[]) =>
      reviewed(
        name,
        all.filter(({ place }) => place % 4 === 0),
      );
    expect(correctedChange(now, then, [own('now', worse), own('then', answers)])?.value).toBeLessThan(0);
    expect(correctedChange(now, then, [own('now', worse), own('before', answers)])).toBeNull();
  });
});
