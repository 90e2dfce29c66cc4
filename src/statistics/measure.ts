import { JuryError } from '../common/index.ts';
import { logFactorial, tQuantile } from './distributions.ts';

/**
 * The result of a statistic: its value, or why it is undefined, with `n`, the number of items that counted. Every statistic here returns
 * one: nothing is ever NaN, and 0 always means zero.
 */
export type Result<T> = ({ defined: true; n: number } & T) | { defined: false; n: number; why: string };

export type Measure = Result<{ value: number }>;

/** A confidence interval; `level` is its coverage, such as 0.95. */
export type Interval = Result<{ low: number; high: number; level: number }>;

/** @throws JuryError `internal` if the value is not finite, which means that the data is invalid */
export function measured(value: number, n: number): Measure {
  if (!Number.isFinite(value))
    throw new JuryError(
      'internal',
      `A statistic came to ${value}: check that every value is a finite number.`,
    );
  return { defined: true, value, n };
}

/** @param why completes "not defined: …" */
export const unmeasured = (why: string, n: number): { defined: false; n: number; why: string } => ({
  defined: false,
  n,
  why,
});

/** A quotient; undefined if the divisor is 0. */
export const ratio = (dividend: number, divisor: number, n: number, why: string): Measure =>
  divisor === 0 ? unmeasured(why, n) : measured(dividend / divisor, n);

/**
 * Adds up numbers one by one, so that they need not be kept. Compensated (Neumaier 1974), which makes the result nearly independent of
 * the order of a million values.
 */
export function createSum() {
  const so = { far: 0, lost: 0 };
  return {
    add(value: number): void {
      const next = so.far + value;
      so.lost += Math.abs(so.far) >= Math.abs(value) ? so.far - next + value : value - next + so.far;
      so.far = next;
    },
    total: (): number => so.far + so.lost,
  };
}

/** See `createSum`. */
export function sum(values: Iterable<number>): number {
  const { add, total } = createSum();
  for (const value of values) add(value);
  return total();
}

/** Sample standard deviation, with n − 1. */
export function standardDeviation(values: readonly number[]): Measure {
  const n = values.length;
  if (n < 2) return unmeasured('there are fewer than two values', n);
  const mean = sum(values) / n;
  return measured(Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (n - 1)), n);
}

/**
 * The p-quantile of sorted numbers, with linear interpolation. Hyndman and Fan, The American Statistician 50, 1996, type 7, the default in
 * NumPy and R.
 * @param sorted ascending, not empty
 */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number {
  const place = (sorted.length - 1) * p;
  const below = Math.floor(place);
  const low = sorted[below] ?? 0;
  return low + (place - below) * ((sorted[below + 1] ?? low) - low);
}

/**
 * Confidence interval of the median: from the k-th smallest to the k-th largest value, where k is the largest rank that a sign test would
 * still reject. Conover, Practical Nonparametric Statistics, 3rd edition, 1999, section 3.2. Valid for any distribution.
 * @param sorted ascending
 */
export function medianInterval(sorted: readonly number[], level = 0.95): Interval {
  const n = sorted.length;
  let rank = 0;
  let tail = 0;
  for (;;) {
    tail += Math.exp(logFactorial(n) - logFactorial(rank) - logFactorial(n - rank) - n * Math.LN2);
    if (tail > (1 - level) / 2 || 2 * rank >= n) break;
    rank += 1;
  }
  const [low, high] = [sorted[rank - 1], sorted[n - rank]];
  if (rank === 0 || low === undefined || high === undefined) return unmeasured('there are too few values', n);
  return { defined: true, n, low, high, level };
}

/** Half the width of the 95 % interval of a mean, by Student's t; 0 for a single value. */
export function meanNoise(values: readonly number[]): number {
  const deviation = standardDeviation(values);
  const { length: n } = values;
  return deviation.defined ? (tQuantile(0.975, n - 1) * deviation.value) / Math.sqrt(n) : 0;
}

/** Half the width of the 95 % interval of a median; half the range if there are too few values for an interval. */
export function medianNoise(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const interval = medianInterval(sorted);
  const [low, high] = interval.defined ? [interval.low, interval.high] : [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  return (high - low) / 2;
}

export function distributionOf(values: readonly (number | null)[]) {
  const sorted = Float64Array.from(values.filter((value) => value !== null)).sort();
  const n = sorted.length;
  const at = (p: number): Measure =>
    n === 0 ? unmeasured('no value is known', 0) : measured(quantileOfSorted(sorted, p), n);
  return {
    /** Unknown values, such as a cost without a price, which are otherwise ignored. */
    missing: values.length - n,
    mean: ratio(sum(sorted), n, n, 'no value is known'),
    median: at(0.5),
    p95: at(0.95),
    least: at(0),
    most: at(1),
  };
}

/** Ranks from 1; equal values share the mean of their ranks. */
export function ranks(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks: number[] = new Array(values.length).fill(0);
  for (let start = 0; start < order.length; ) {
    let end = start;
    while (end < order.length && values[order[end] ?? 0] === values[order[start] ?? 0]) end += 1;
    for (const index of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}

/** `items` equal items with this `value`. */
export interface Bin<T> {
  value: T;
  items: number;
}

export const itemsIn = (bins: readonly Bin<unknown>[]): number =>
  bins.reduce((total, { items }) => total + items, 0);

/** A bin for each item. */
export function* singly<T>(items: Iterable<T>): Generator<Bin<T>> {
  for (const value of items) yield { value, items: 1 };
}

/** Merges bins with equal values, as the cost of intervals grows with the number of bins. @param keyOf same key for equal values */
export function mergedBins<T>(
  bins: Iterable<Bin<T>>,
  keyOf: (value: T) => string = (value) => JSON.stringify(value),
): Bin<T>[] {
  const byKey = new Map<string, Bin<T>>();
  for (const { value, items } of bins) {
    const key = keyOf(value);
    const bin = byKey.get(key);
    if (bin === undefined) byKey.set(key, { value, items });
    else bin.items += items;
  }
  return [...byKey.values()];
}

/** Maps categories to positions. The mapping throws a JuryError `internal` for an unknown category. */
export function indexOfCategories<C extends string | number>(
  categories: readonly C[],
): (category: C) => number {
  const positions = new Map(categories.map((category, index) => [category, index]));
  return (category) => {
    const position = positions.get(category);
    if (position === undefined)
      throw new JuryError('internal', `"${category}" is not one of the categories ${categories.join(', ')}.`);
    return position;
  };
}
