import { describe, expect, test } from 'vitest';
import { jackknifeInterval } from '../../src/statistics/jackknife.ts';
import {
  type Bin,
  type Interval,
  itemsIn,
  type Measure,
  ratio,
  singly,
  sum,
  unmeasured,
} from '../../src/statistics/measure.ts';
import { createRandom } from '../../src/statistics/random.ts';
import {
  cohenKappa,
  contingencyOfBins,
  krippendorffAlpha,
  type TallyHistogram,
} from '../../src/statistics/raters/agreement.ts';
import { classify, confusionOfBins, type Judged } from '../../src/statistics/raters/classification.ts';

const mean = (bins: readonly Bin<readonly number[]>[]): Measure => {
  const values = bins.flatMap(({ value, items }) => Array<readonly number[]>(items).fill(value).flat());
  return ratio(sum(values), values.length, values.length, 'nothing');
};
const share = (bins: readonly Bin<number>[]): Measure =>
  ratio(sum(bins.map(({ value, items }) => value * items)), itemsIn(bins), itemsIn(bins), 'nothing');
const boundsOf = (interval: Interval): { low: number; high: number } => {
  if (!interval.defined) throw new Error(interval.why);
  return interval;
};
const widthOf = (interval: Interval) => boundsOf(interval).high - boundsOf(interval).low;
const counted = (ones: number, zeros: number): Bin<number>[] => [
  { value: 1, items: ones },
  { value: 0, items: zeros },
];

describe('the jackknife', () => {
  test('of a mean is its standard error times Student’s t', () => {
    // Mean 3, standard deviation √2.5, so 3 ± 2.7764 · √(2.5 / 5).
    const interval = jackknifeInterval([...singly([[1], [2], [3], [4], [5]])], mean, 'any');
    expect(interval).toMatchObject({ defined: true, n: 5, level: 0.95 });
    expect(boundsOf(interval).low).toBeCloseTo(3 - 2.776445 * Math.sqrt(0.5), 5);
    expect(boundsOf(interval).high).toBeCloseTo(3 + 2.776445 * Math.sqrt(0.5), 5);
  });

  test('leaves out at most 400 groups, and fewer of very many units', () => {
    const readsOf = (units: number): number => {
      let reads = 0;
      const counting = (bins: readonly Bin<number>[]): Measure => {
        reads += 1;
        return ratio(bins[0]?.value ?? 0, 1, bins.length, 'nothing');
      };
      jackknifeInterval([...singly(Array.from({ length: units }, (_, at) => at))], counting, 'any');
      // Once with all units.
      return reads - 1;
    };
    expect([10, 400, 500, 5_000, 50_000].map(readsOf)).toEqual([10, 400, 400, 100, 50]);
  });

  test('of groups has the freedom of independent units, if these are fewer than the groups', () => {
    const values = [...singly(Array.from({ length: 500 }, (_, at) => [at]))];
    const all = widthOf(jackknifeInterval(values, mean, 'any'));
    const ten = widthOf(jackknifeInterval(values, mean, 'any', 10));
    // Student's t at 9 and at 399; the variance of 500 units as if they were 10.
    expect(ten / all).toBeCloseTo((2.262157 / 1.965927) * Math.sqrt(500 / 10), 4);
  });

  test('of a share is as wide as the normal approximation says, and stays within 0 and 1', () => {
    // 2·1.96·√(0.7·0.3/1000) = 0.0568
    expect(widthOf(jackknifeInterval(counted(700, 300), share, 'share'))).toBeCloseTo(0.0568, 3);
    const { low, high } = boundsOf(jackknifeInterval(counted(38, 2), share, 'share'));
    expect(low).toBeGreaterThan(0.7);
    expect(high).toBeLessThan(1);
  });

  test('covers the true value about as often as it says, with 60 cases and with 10', () => {
    for (const cases of [60, 10]) {
      const random = createRandom(5, cases).fraction;
      let covered = 0;
      for (let study = 0; study < 1000; study += 1) {
        const right = Array.from({ length: cases }, () => random()).filter((x) => x < 0.6).length;
        const interval = jackknifeInterval(counted(right, cases - right), share, 'share');
        if (interval.defined && interval.low <= 0.6 && 0.6 <= interval.high) covered += 1;
      }
      // 950 with a standard deviation of 7; ten cases give only eleven different intervals.
      expect(covered).toBeGreaterThan(925);
      expect(covered).toBeLessThan(990);
    }
  });

  test('leaves out clusters whole: five copies of each case tell no more than one', () => {
    const data = [...Array(70).fill(1), ...Array(30).fill(0)];
    const single = boundsOf(jackknifeInterval([...singly(data.map((value) => [value]))], mean, 'share'));
    const copies = data.map((value): number[] => Array(5).fill(value));
    const copied = boundsOf(jackknifeInterval([...singly(copies)], mean, 'share'));
    expect(copied.low).toBeCloseTo(single.low, 12);
    expect(copied.high).toBeCloseTo(single.high, 12);
  });

  test('of counted items that are not all independent is as wide as that of so many independent ones', () => {
    const alone = boundsOf(jackknifeInterval(counted(70, 30), share, 'share'));
    const tripled = boundsOf(jackknifeInterval(counted(210, 90), share, 'share', 100));
    expect(tripled.low).toBeCloseTo(alone.low, 3);
    expect(tripled.high).toBeCloseTo(alone.high, 3);
    expect(widthOf(jackknifeInterval(counted(210, 90), share, 'share'))).toBeLessThan(
      0.7 * (alone.high - alone.low),
    );
  });

  test('of more different units than it leaves out one by one agrees with that of all', () => {
    const random = createRandom(3).fraction;
    const values = Array.from({ length: 3000 }, () => [random()]);
    const { low, high } = boundsOf(jackknifeInterval([...singly(values)], mean, 'any'));
    // Uniform on 0 to 1: standard deviation 0.2887, so 2·1.96·0.2887/√3000 = 0.0207.
    expect(high - low).toBeCloseTo(0.0207, 2);
    const found = mean([...singly(values)]);
    expect(found.defined && found.value).toBeCloseTo((low + high) / 2, 12);
    let steps = 0;
    jackknifeInterval(
      [...singly(values)],
      (bins) => {
        steps += 1;
        return mean(bins);
      },
      'any',
    );
    expect(steps).toBeLessThan(410);
  });

  test('has no interval for one case, or where the statistic has no value', () => {
    expect(jackknifeInterval([...singly([[1]])], mean, 'any')).toMatchObject({
      defined: false,
      why: expect.stringContaining('two independent cases'),
    });
    expect(jackknifeInterval(counted(3, 4), share, 'share', 1)).toMatchObject({ defined: false, n: 7 });
    expect(jackknifeInterval([], mean, 'any')).toEqual({ defined: false, n: 0, why: 'nothing' });
  });

  test('has no interval where all are alike, because a point would claim certainty', () => {
    expect(jackknifeInterval(counted(20, 0), share, 'share')).toMatchObject({
      defined: false,
      why: 'the cases are all alike',
    });
    expect(jackknifeInterval([{ value: [2], items: 9 }], mean, 'any')).toMatchObject({ defined: false });
  });

  test('has no interval where the value rests on a single case', () => {
    const ofOnes = (bins: readonly Bin<number>[]): Measure =>
      bins.some(({ value }) => value === 1) ? share(bins) : unmeasured('no one', 0);
    expect(jackknifeInterval(counted(1, 9), ofOnes, 'share')).toMatchObject({
      defined: false,
      why: 'it rests on a single case',
    });
  });
});

describe('a million counted judgements', () => {
  test('take as many steps as a hundred, and the interval narrows with their root', () => {
    let steps = 0;
    const counting = (bins: readonly Bin<number>[]): Measure => {
      steps += 1;
      return share(bins);
    };
    // 2·1.96·√(0.3·0.7/10⁶)
    expect(widthOf(jackknifeInterval(counted(300_000, 700_000), counting, 'share'))).toBeCloseTo(0.001796, 6);
    expect(steps).toBe(3);
  });

  test('give alpha its interval', () => {
    const histogram: TallyHistogram = [
      { value: [3, 0, 0], items: 200_000 },
      { value: [2, 1, 0], items: 80_000 },
      { value: [0, 3, 0], items: 40_000 },
      { value: [1, 1, 1], items: 13_333 },
    ];
    const alpha = (bins: TallyHistogram) => krippendorffAlpha(bins, { scale: 'nominal' });
    const estimate = alpha(histogram);
    const { low, high } = boundsOf(jackknifeInterval(histogram, alpha, 'correlation'));
    expect(estimate).toMatchObject({ defined: true, n: 333_333 });
    if (!estimate.defined) return;
    expect(low).toBeLessThan(estimate.value);
    expect(high).toBeGreaterThan(estimate.value);
    expect(high - low).toBeLessThan(0.01);
  });

  test('give kappa its interval', () => {
    // 0.4·10⁶ + 0.3·10⁶ agree; by chance 0.5·0.6 + 0.5·0.4 = 0.5; kappa (0.7 − 0.5) / 0.5 = 0.4.
    const cells: Bin<readonly ['agree' | 'disagree', 'agree' | 'disagree']>[] = [
      { value: ['agree', 'agree'], items: 400_000 },
      { value: ['agree', 'disagree'], items: 100_000 },
      { value: ['disagree', 'agree'], items: 200_000 },
      { value: ['disagree', 'disagree'], items: 300_000 },
    ];
    const kappa = (bins: readonly (typeof cells)[number][]) =>
      cohenKappa(contingencyOfBins(bins, ['agree', 'disagree']));
    expect(kappa(cells)).toMatchObject({ defined: true, value: expect.closeTo(0.4, 12), n: 1_000_000 });
    const { low, high } = boundsOf(jackknifeInterval(cells, kappa, 'correlation'));
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
    const { low, high } = boundsOf(jackknifeInterval(cases, f1, 'share'));
    expect(low).toBeLessThan(300 / 350);
    expect(high).toBeGreaterThan(300 / 350);
    expect(high - low).toBeLessThan(0.004);
  });
});
