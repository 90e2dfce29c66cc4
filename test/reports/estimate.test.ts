import { describe, expect, test } from 'vitest';
import { type Both, differenceOf, estimate } from '../../src/reports/estimates/case-statistics.ts';
import { scores } from '../../src/reports/metrics/classification.ts';
import { signTest } from '../../src/statistics/comparison.ts';
import { type Bin, itemsIn, type Measure, ratio } from '../../src/statistics/measure.ts';
import { wilsonInterval } from '../../src/statistics/proportions.ts';
import { type Confusion, confusionOf, type Judged } from '../../src/statistics/raters/classification.ts';
import { exactCoverage } from '../support/coverage.ts';

const cases = (items: number, ...judged: Judged[]): { value: Confusion; items: number } => ({
  items,
  value: confusionOf(judged),
});
const tp: Judged = { truth: 'pass', outcome: 'pass' };
const fn: Judged = { truth: 'pass', outcome: 'fail' };
const fp: Judged = { truth: 'fail', outcome: 'pass' };
const tn: Judged = { truth: 'fail', outcome: 'fail' };

describe('an estimate of cases that were judged once', () => {
  test("has Wilson's interval where it is a share", () => {
    // 90 of 100 right. Wilson 1927 by hand: center 0.8852, half width 0.0593 (Newcombe 1998 has 0.8256 to 0.9448).
    const { measure, interval } = estimate(scores.accuracy, [cases(90, tn), cases(10, fp)]);
    expect(measure).toMatchObject({ defined: true, value: 0.9, n: 100 });
    expect(interval).toMatchObject({ defined: true, by: 'wilson', n: 100, level: 0.95 });
    if (interval.defined)
      expect([interval.low, interval.high].map((x) => x.toFixed(4))).toEqual(['0.8256', '0.9448']);
  });

  test('of F1 is the interval of Jaccard’s share, bent as F1 bends it', () => {
    // 8 true positives, 1 false positive, 1 false negative: F1 = 16 / 18, Jaccard's share 8 of 10.
    const { measure, interval } = estimate(scores.f1, [
      cases(8, tp),
      cases(1, fp),
      cases(1, fn),
      cases(90, tn),
    ]);
    expect(measure.defined && measure.value).toBeCloseTo(16 / 18, 12);
    const share = wilsonInterval(8, 10);
    expect(share.defined && interval.defined).toBe(true);
    if (share.defined && interval.defined) {
      expect(interval.low).toBeCloseTo((2 * share.low) / (1 + share.low), 12);
      expect(interval.high).toBeCloseTo((2 * share.high) / (1 + share.high), 12);
      expect(interval.low).toBeLessThan(16 / 18);
    }
  });

  test('is no point where all are right, and MCC then has none', () => {
    const bins = [cases(10, tp), cases(10, tn)];
    expect(estimate(scores.f1, bins).interval).toMatchObject({ defined: true, high: 1, by: 'wilson' });
    expect(estimate(scores.mcc, bins).measure).toMatchObject({ value: expect.closeTo(1, 12) });
    expect(estimate(scores.mcc, bins).interval).toMatchObject({ defined: false });
  });

  test('is not defined where the score is not, with the reason', () => {
    const { measure, interval } = estimate(scores.precision, [cases(5, tn)]);
    expect(measure).toEqual({ defined: false, n: 5, why: 'no case was judged correct' });
    expect(interval).toEqual(measure);
  });
});

describe('an estimate of cases that were judged several times', () => {
  test('counts cases, so that a repeat that says the same again does not narrow it', () => {
    const once = estimate(scores.accuracy, [cases(90, tn), cases(10, fp)]).interval;
    const thrice = estimate(scores.accuracy, [cases(90, tn, tn, tn), cases(10, fp, fp, fp)]);
    expect(thrice.measure).toMatchObject({ value: 0.9, n: 300 });
    expect(thrice.interval).toMatchObject({ by: 'wilson', n: 300 });
    if (once.defined && thrice.interval.defined) {
      const width = (interval: { low: number; high: number }) => interval.high - interval.low;
      // Binomial of 100: 1.96 × sqrt(0.9 × 0.1 / 100) × 2 = 0.118; of 300 it would be 0.068.
      expect(width(thrice.interval)).toBeGreaterThan(0.1);
      expect(width(thrice.interval)).toBeLessThan(0.13);
    }
  });

  test('counts cases and not trials where all are right', () => {
    const { interval } = estimate(scores.accuracy, [cases(20, tn, tn)]);
    const ofCases = wilsonInterval(20, 20);
    expect(interval.defined && ofCases.defined && interval.low).toBeCloseTo(
      ofCases.defined ? ofCases.low : 0,
      12,
    );
  });

  test('holds the truth as often as it says for a judge that is nearly always right, however alike repeats are', () => {
    for (const cases of [100, 150, 200, 240, 300, 400, 500])
      for (const alike of [0, 0.5, 0.8]) {
        const coverage = exactCoverage(cases, 0.99, 3, alike);
        expect(coverage, `${cases} cases, ${alike} alike`).toBeGreaterThan(0.93);
        expect(coverage, `${cases} cases, ${alike} alike`).toBeLessThan(0.97);
      }
  });

  test('is the same every time', () => {
    const bins = [cases(30, tp, fn), cases(70, tn, tn)];
    expect(estimate(scores.mcc, bins)).toEqual(estimate(scores.mcc, bins));
  });
});

describe('the difference of two setups on the same cases', () => {
  const mean = (bins: readonly Bin<number>[]): Measure => {
    const n = itemsIn(bins);
    return ratio(
      bins.reduce((total, { value, items }) => total + value * items, 0),
      n,
      n,
      'nothing',
    );
  };
  const cases = (both: number, onlyFirst: number, onlySecond: number, none: number): Bin<Both<number>>[] =>
    [
      { value: { first: 1, second: 1 }, items: both },
      { value: { first: 1, second: 0 }, items: onlyFirst },
      { value: { first: 0, second: 1 }, items: onlySecond },
      { value: { first: 0, second: 0 }, items: none },
    ].filter(({ items }) => items > 0);
  const boundsOf = ({ interval }: ReturnType<typeof differenceOf>) => {
    if (!interval.defined) throw new Error(interval.why);
    return interval;
  };

  test('is found where it is there', () => {
    const found = differenceOf(cases(60, 5, 25, 10), mean);
    expect(found.first).toMatchObject({ value: 0.65 });
    expect(found.second).toMatchObject({ value: 0.85 });
    expect(found.difference).toMatchObject({ defined: true, value: expect.closeTo(0.2, 12) });
    expect(boundsOf(found).low).toBeGreaterThan(0);
    expect(signTest(5, 25)).toMatchObject({ value: expect.closeTo(0.0003, 3) });
  });

  test('is none between equals, and the order only turns the sign', () => {
    const same = boundsOf(differenceOf(cases(60, 10, 10, 20), mean));
    expect(same.low).toBeLessThan(0);
    expect(same.high).toBeGreaterThan(0);
    const turned = cases(60, 25, 5, 10).map(({ value: { first, second }, items }) => ({
      value: { first: second, second: first },
      items,
    }));
    const [one, other] = [differenceOf(cases(60, 25, 5, 10), mean), differenceOf(turned, mean)];
    expect(boundsOf(other).low).toBeCloseTo(-boundsOf(one).high, 12);
    expect(signTest(25, 5)).toEqual(signTest(5, 25));
  });

  test('of two that never differ is 0, without an interval', () => {
    expect(differenceOf(cases(70, 0, 0, 30), mean)).toMatchObject({
      difference: { value: 0 },
      interval: { defined: false },
    });
  });

  test('of nothing says why', () => {
    expect(differenceOf([], mean)).toMatchObject({ difference: { defined: false, why: 'nothing' } });
  });
});
