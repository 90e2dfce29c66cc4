import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signTest } from '../../src/statistics/comparison.ts';
import { distributionOf } from '../../src/statistics/measure.ts';
import { wilsonInterval } from '../../src/statistics/proportions.ts';
import { type Confusion, calibrationOf, classify } from '../../src/statistics/raters/classification.ts';

const none = { pass: 0, fail: 0, undecided: 0, 'no-quorum': 0, unanswered: 0 };
const confusion = (pass: Partial<Confusion['pass']>, fail: Partial<Confusion['fail']>): Confusion => ({
  pass: { ...none, ...pass },
  fail: { ...none, ...fail },
});
const about = (value: number, n: number) => ({ defined: true, value: expect.closeTo(value, 12), n });

describe('cases without a decision', () => {
  // 10 correct cases: 6 found, 2 missed, 1 undecided, 1 unanswered. 20 incorrect: 16 found, 2 let through, 2 undecided.
  const counted = confusion(
    { pass: 6, fail: 2, undecided: 1, unanswered: 1 },
    { fail: 16, pass: 2, undecided: 2 },
  );

  test('are left out by default, counted beside, and lower the coverage', () => {
    expect(classify(counted)).toMatchObject({
      n: 30,
      undecided: 3,
      'no-quorum': 0,
      unanswered: 1,
      gaps: 'exclude',
      coverage: about(26 / 30, 30),
      counts: { tp: 6, fn: 2, fp: 2, tn: 16 },
      precision: about(6 / 8, 26),
      recall: about(6 / 8, 26),
      f1: about(12 / 16, 26),
      accuracy: about(22 / 26, 26),
      balancedAccuracy: about((6 / 8 + 16 / 18) / 2, 26),
      mcc: about((6 * 16 - 2 * 2) / Math.sqrt(8 * 8 * 18 * 18), 26),
    });
  });

  test('count as the wrong answer where that is asked for', () => {
    expect(classify(counted, 'wrong')).toMatchObject({
      undecided: 3,
      'no-quorum': 0,
      unanswered: 1,
      coverage: about(26 / 30, 30),
      counts: { tp: 6, fn: 4, fp: 4, tn: 16 },
      precision: about(6 / 10, 30),
      recall: about(6 / 10, 30),
      accuracy: about(22 / 30, 30),
    });
  });

  test('never make a metric better when they count as wrong', () => {
    const counts = fc.record({
      pass: fc.nat(50),
      fail: fc.nat(50),
      undecided: fc.nat(9),
      'no-quorum': fc.nat(9),
      unanswered: fc.nat(9),
    });
    fc.assert(
      fc.property(counts, counts, (pass, fail) => {
        const [left, wrong] = [classify({ pass, fail }), classify({ pass, fail }, 'wrong')];
        for (const metric of ['precision', 'recall', 'f1', 'accuracy'] as const) {
          const [a, b] = [left[metric], wrong[metric]];
          if (a.defined && b.defined) expect(b.value).toBeLessThanOrEqual(a.value);
        }
      }),
    );
  });
});

describe('a metric that is not defined says why', () => {
  test.each([
    ['precision', confusion({ fail: 3 }, { fail: 4 }), 'no case was judged correct', 7],
    ['recall', confusion({}, { fail: 4 }), 'no case is correct', 4],
    ['f1', confusion({}, { fail: 4 }), 'no case is correct and none was judged so', 4],
    ['accuracy', confusion({ undecided: 2 }, {}), 'no case was decided', 0],
    ['balancedAccuracy', confusion({ pass: 2 }, {}), 'no case is incorrect', 2],
    ['mcc', confusion({ pass: 2 }, { pass: 3 }), 'truth or decision is the same in every case', 5],
    ['coverage', confusion({}, {}), 'there is no case', 0],
  ] as const)('%s', (metric, counts, why, n) => {
    expect(classify(counts)[metric]).toEqual({ defined: false, why, n });
  });

  test('but F1 is 0, not undefined, where correct cases exist and none was found', () => {
    expect(classify(confusion({ fail: 3 }, { fail: 4 })).f1).toEqual({ defined: true, value: 0, n: 7 });
  });
});

describe("Wilson's interval", () => {
  test('has a width where every case succeeds: 10 of 10 is 72 % to 100 %', () => {
    // Low bound n / (n + z²) = 10 / (10 + 3.8415).
    expect(wilsonInterval(10, 10)).toMatchObject({
      defined: true,
      low: expect.closeTo(10 / (10 + 1.959963984540054 ** 2), 12),
      high: 1,
    });
  });

  test('of nothing is not defined', () => {
    expect(wilsonInterval(0, 0)).toMatchObject({ defined: false, n: 0 });
  });
});

describe('the sign test', () => {
  // scipy.stats.binomtest(k, n, 0.5).pvalue
  test.each([
    [2, 8, 0.109375],
    [5, 15, 0.04138946533203125],
    [24, 7, 0.003326892852783203],
    [0, 6, 0.03125],
    [40, 61, 0.046044066929342806],
  ])('of %d against %d equals its reference to 1e-9', (first, second, p) => {
    const found = signTest(first, second);
    expect(Math.abs((found.defined ? found.value : Number.NaN) - p)).toBeLessThan(1e-9);
    expect(signTest(second, first)).toEqual(found);
  });
});

describe("McNemar's test", () => {
  test('by hand: 1 against 5', () => {
    // Exact: 2·(C(6,0) + C(6,1))/2⁶ = 14/64.
    expect(signTest(1, 5)).toMatchObject(about(14 / 64, 6));
  });

  test.each([
    [0, 0],
    [7, 7],
  ])('finds no difference between %d and %d', (b, c) => {
    expect(signTest(b, c)).toMatchObject({ defined: true, value: 1 });
  });

  test('is exact for large counts too', () => {
    // The normal approximation is good to 4 digits here.
    expect(signTest(500_000, 502_000)).toMatchObject({ defined: true, value: expect.closeTo(0.0459, 3) });
  });
});

describe('calibration', () => {
  test('by hand, in two bins', () => {
    const found = calibrationOf(
      [
        { confidence: 0.2, correct: false },
        { confidence: 0.4, correct: true },
        { confidence: 0.5, correct: true }, // the upper bin: bounds belong to the bin above
        { confidence: 1, correct: false },
        { confidence: null, correct: true },
      ],
      2,
    );
    // Brier (0.04 + 0.36 + 0.25 + 1) / 4. Bins: accuracy 0.5 at confidence 0.3, and 0.5 at 0.75; (0.2 + 0.25) / 2.
    expect(found).toMatchObject({ missing: 1, brier: about(0.4125, 4), ece: about(0.225, 4) });
    expect(found.bins).toMatchObject([
      { from: 0, to: 0.5, n: 2, accuracy: about(0.5, 2), meanConfidence: about(0.3, 2) },
      { from: 0.5, to: 1, n: 2, accuracy: about(0.5, 2), meanConfidence: about(0.75, 2) },
    ]);
  });

  test('without a stated confidence there is none', () => {
    expect(calibrationOf([{ confidence: null, correct: true }])).toMatchObject({
      missing: 1,
      brier: { defined: false },
      ece: { defined: false },
    });
  });
});

test('a distribution leaves unknown costs out and counts them', () => {
  const found = distributionOf([3, null, 1, 2, null]);
  expect(found).toMatchObject({ missing: 2, mean: about(2, 3), median: about(2, 3), p95: about(2.9, 3) });
  expect(distributionOf([null]).median).toEqual({ defined: false, n: 0, why: 'no value is known' });
});
