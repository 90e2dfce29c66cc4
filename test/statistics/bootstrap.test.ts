import { describe, expect, test } from 'vitest';
import { cohenKappa, contingencyOfBins, krippendorffAlpha } from '../../src/statistics/agreement.ts';
import { type BootstrapInterval, bootstrap, bootstrapBins } from '../../src/statistics/bootstrap.ts';
import { classify, confusionOfBins, type Judged } from '../../src/statistics/classification.ts';
import { drawBinomial } from '../../src/statistics/distributions.ts';
import { type Measure, ratio, sum, unmeasured } from '../../src/statistics/measure.ts';
import { createRandom } from '../../src/statistics/random.ts';
import type { Bin, TallyHistogram } from '../../src/statistics/tallies.ts';

const mean = (values: readonly number[]): Measure =>
  ratio(sum(values), values.length, values.length, 'nothing');
const singly = <T>(items: readonly T[]): T[][] => items.map((item) => [item]);
const boundsOf = (interval: BootstrapInterval): { low: number; high: number } => {
  if (!interval.defined) throw new Error(interval.why);
  return interval;
};
const widthOf = (interval: BootstrapInterval) => boundsOf(interval).high - boundsOf(interval).low;

/** So many ones, then so many zeros. */
const shares = (ones: number, zeros: number): number[] => [...Array(ones).fill(1), ...Array(zeros).fill(0)];

describe('the bootstrap', () => {
  const data = shares(70, 30);

  test('gives the same interval for the same seed, and another for another', () => {
    const of = (seed: number) => bootstrap(singly(data), mean, { seed });
    expect(of(7)).toEqual(of(7));
    expect(new Set([1, 2, 3, 4].map((seed) => JSON.stringify(of(seed)))).size).toBeGreaterThan(1);
  });

  test('of a share is as wide as the normal approximation says', () => {
    // 2·1.96·√(0.7·0.3/100) = 0.1796
    expect(widthOf(bootstrap(singly(data), mean, { seed: 1, resamples: 4000 }))).toBeCloseTo(0.18, 1.5);
  });

  test('that draws only some of the items is as wide as one that draws all, about the same estimate', () => {
    const many = shares(2100, 900);
    const all = boundsOf(bootstrap(singly(many), mean, { seed: 1, resamples: 2000 }));
    const some = boundsOf(bootstrap(singly(many), mean, { seed: 1, resamples: 2000 }, 100));
    // 2·1.96·√(0.7·0.3/3000) = 0.0328; a hundred alone would give 0.18.
    for (const { low, high } of [all, some]) {
      expect(high - low).toBeCloseTo(0.0328, 2);
      expect((low + high) / 2).toBeCloseTo(0.7, 2);
    }
    expect(bootstrap(singly(data), mean, { seed: 1 }, 100)).toEqual(
      bootstrap(singly(data), mean, { seed: 1 }),
    );
  });

  test('of counted items that are not all independent is as wide as that of so many independent ones', () => {
    const bins = (times: number): Bin<number>[] => [
      { value: 1, items: 70 * times },
      { value: 0, items: 30 * times },
    ];
    const share = (drawn: readonly Bin<number>[]) =>
      mean(drawn.flatMap(({ value, items }) => Array<number>(items).fill(value)));
    const alone = boundsOf(bootstrapBins(bins(1), share, { seed: 1 }));
    expect(boundsOf(bootstrapBins(bins(3), share, { seed: 1 }, 100))).toMatchObject({
      low: alone.low,
      high: alone.high,
    });
    expect(widthOf(bootstrapBins(bins(3), share, { seed: 1 }))).toBeLessThan(0.7 * (alone.high - alone.low));
  });

  test('covers the true value about as often as it says', () => {
    const random = createRandom(5).fraction;
    let covered = 0;
    for (let study = 0; study < 300; study += 1) {
      const drawn = Array.from({ length: 60 }, () => (random() < 0.6 ? 1 : 0));
      const { low, high } = boundsOf(bootstrap(singly(drawn), mean, { seed: study, resamples: 300 }));
      if (low <= 0.6 && 0.6 <= high) covered += 1;
    }
    // 95 % of 300 is 285; the percentile bootstrap of a share covers a little less; 265 is 5 standard deviations below.
    expect(covered).toBeGreaterThan(265);
    expect(covered).toBeLessThan(300);
  });

  test('resamples clusters whole: five copies of each case tell no more than one', () => {
    const single = boundsOf(bootstrap(singly(data), mean, { seed: 3 }));
    const copied = boundsOf(
      bootstrap(
        data.map((value) => Array(5).fill(value)),
        mean,
        { seed: 3 },
      ),
    );
    expect(copied.low).toBeCloseTo(single.low, 12);
    expect(copied.high).toBeCloseTo(single.high, 12);
  });

  test('counts resamples in which the statistic is not defined', () => {
    // Defined only where a one was drawn: 1 − (1 − 1/3)³ = 70 % of resamples of three.
    const share = (values: readonly number[]): Measure =>
      values.includes(1) ? mean(values) : unmeasured('no one', values.length);
    const found = bootstrap(singly([1, 0, 0]), share, { seed: 1, resamples: 1000 });
    expect(found).toMatchObject({ defined: true, resamples: 1000 });
    if (found.defined) expect(Math.abs(found.undefinedResamples - 296)).toBeLessThan(75);
  });

  test('has no interval for one case, or where the statistic has no value', () => {
    expect(bootstrap([[1]], mean, { seed: 1 })).toMatchObject({
      defined: false,
      why: expect.stringContaining('two cases'),
    });
    expect(bootstrap([], mean, { seed: 1 })).toEqual({ defined: false, n: 0, why: 'nothing' });
  });

  test('has no interval where most resamples leave the statistic without a value', () => {
    // Three different items are drawn in 3!/3³ = 22 % of resamples.
    const ofAll = (values: readonly number[]): Measure =>
      new Set(values).size === 3 ? mean(values) : unmeasured('not all are there', values.length);
    expect(bootstrap(singly([1, 2, 3]), ofAll, { seed: 1 })).toMatchObject({
      defined: false,
      why: expect.stringContaining('most resamples'),
    });
  });
});

describe('the bootstrap of counted items', () => {
  const share = (bins: readonly Bin<number>[]): Measure =>
    ratio(
      sum(bins.map(({ value, items }) => value * items)),
      sum(bins.map(({ items }) => items)),
      1,
      'nothing',
    );
  const counted = (ones: number, zeros: number): Bin<number>[] => [
    { value: 1, items: ones },
    { value: 0, items: zeros },
  ];

  test('agrees with the bootstrap of the items themselves', () => {
    const one = boundsOf(bootstrap(singly(shares(30, 170)), mean, { seed: 1, resamples: 4000 }));
    const other = boundsOf(bootstrapBins(counted(30, 170), share, { seed: 2, resamples: 4000 }));
    expect(Math.abs(one.low - other.low)).toBeLessThan(0.011);
    expect(Math.abs(one.high - other.high)).toBeLessThan(0.011);
  });

  test('takes a million items in as many steps as a hundred, and the interval narrows with their root', () => {
    const narrow = widthOf(bootstrapBins(counted(300_000, 700_000), share, { seed: 1 }));
    // 2·1.96·√(0.3·0.7/10⁶)
    expect(narrow).toBeCloseTo(0.001796, 4);
    let steps = 0;
    const counting = (bins: readonly Bin<number>[]): Measure => {
      steps += bins.length;
      return share(bins);
    };
    bootstrapBins(counted(300_000, 700_000), counting, { seed: 1, resamples: 500 });
    expect(steps).toBe(2 * 501);
  });

  test('gives an interval to alpha of a million votes', () => {
    const histogram: TallyHistogram = [
      { value: [3, 0, 0], items: 200_000 },
      { value: [2, 1, 0], items: 80_000 },
      { value: [0, 3, 0], items: 40_000 },
      { value: [1, 1, 1], items: 13_333 },
    ];
    const alpha = (bins: TallyHistogram) => krippendorffAlpha(bins, { scale: 'nominal' });
    const estimate = alpha(histogram);
    const { low, high } = boundsOf(bootstrapBins(histogram, alpha, { seed: 1, resamples: 500 }));
    expect(estimate).toMatchObject({ defined: true, n: 333_333 });
    if (!estimate.defined) return;
    expect(low).toBeLessThan(estimate.value);
    expect(high).toBeGreaterThan(estimate.value);
    expect(high - low).toBeLessThan(0.01);
  });
});

describe('a million counted judgements', () => {
  test('give kappa its interval', () => {
    // 0.4·10⁶ + 0.3·10⁶ agree; by chance 0.5·0.6 + 0.5·0.4 = 0.5; kappa (0.7 − 0.5) / 0.5 = 0.4.
    const cells: Bin<readonly ['agree' | 'disagree', 'agree' | 'disagree']>[] = [
      { value: ['agree', 'agree'], items: 400_000 },
      { value: ['agree', 'disagree'], items: 100_000 },
      { value: ['disagree', 'agree'], items: 200_000 },
      { value: ['disagree', 'disagree'], items: 300_000 },
    ];
    const kappa = (bins: typeof cells) => cohenKappa(contingencyOfBins(bins, ['agree', 'disagree']));
    expect(kappa(cells)).toMatchObject({ defined: true, value: expect.closeTo(0.4, 12), n: 1_000_000 });
    const { low, high } = boundsOf(
      bootstrapBins(cells, (bins) => kappa([...bins]), { seed: 1, resamples: 500 }),
    );
    // The standard error of kappa is close to √(0.7·0.3)/(0.5·10³) = 0.0009.
    expect(low).toBeCloseTo(0.4 - 1.96 * 0.0009, 3);
    expect(high).toBeCloseTo(0.4 + 1.96 * 0.0009, 3);
  });

  test('give F1 its interval, with cases that got no decision', () => {
    const judged = (truth: Judged['truth'], outcome: Judged['outcome'], items: number): Bin<Judged> => ({
      value: { truth, outcome },
      items,
    });
    const cases = [
      judged('pass', 'pass', 150_000),
      judged('pass', 'fail', 20_000),
      judged('fail', 'pass', 30_000),
      judged('fail', 'fail', 790_000),
      judged('pass', 'undecided', 10_000),
    ];
    // 300/(300 + 20 + 30)
    const f1 = (bins: readonly Bin<Judged>[]) => classify(confusionOfBins(bins)).f1;
    const { low, high } = boundsOf(bootstrapBins(cases, f1, { seed: 1, resamples: 500 }));
    expect(low).toBeLessThan(300 / 350);
    expect(high).toBeGreaterThan(300 / 350);
    expect(high - low).toBeLessThan(0.004);
  });
});

describe('binomial draws', () => {
  test.each([
    [20, 0.3],
    [1000, 0.004],
    [1000, 0.4],
    [1_000_000, 0.25],
    [50, 0.9],
  ])('of %d trials at %d have the right mean and spread', (n, p) => {
    const random = createRandom(11).fraction;
    const draws = Array.from({ length: 20_000 }, () => drawBinomial(n, p, random));
    const average = sum(draws) / draws.length;
    const variance = sum(draws.map((draw) => (draw - average) ** 2)) / draws.length;
    // Five standard errors of the mean; the variance's relative standard error is about √(2/20000) = 1 %.
    expect(Math.abs(average - n * p)).toBeLessThan(5 * Math.sqrt((n * p * (1 - p)) / draws.length));
    expect(variance / (n * p * (1 - p))).toBeGreaterThan(0.95);
    expect(variance / (n * p * (1 - p))).toBeLessThan(1.05);
  });

  test('follow the distribution itself: 30 trials at a half, by chi-square', () => {
    const random = createRandom(3).fraction;
    const counts = new Map<number, number>();
    const total = 40_000;
    for (let draw = 0; draw < total; draw += 1) {
      const successes = drawBinomial(30, 0.5, random);
      counts.set(successes, (counts.get(successes) ?? 0) + 1);
    }
    let chance = 0.5 ** 30;
    let statistic = 0;
    let cells = 0;
    for (let k = 0; k <= 30; k += 1) {
      if (chance * total >= 5) {
        statistic += ((counts.get(k) ?? 0) - chance * total) ** 2 / (chance * total);
        cells += 1;
      }
      chance *= (30 - k) / (k + 1);
    }
    // 21 cells of 5 or more; 46.8 is the 99.9 % quantile of chi-square with 21 degrees of freedom.
    expect(cells).toBe(21);
    expect(statistic).toBeLessThan(46.8);
  });

  test('at the ends are certain', () => {
    const random = createRandom(1).fraction;
    expect([drawBinomial(9, 0, random), drawBinomial(9, 1, random), drawBinomial(0, 0.5, random)]).toEqual([
      0, 9, 0,
    ]);
  });
});
