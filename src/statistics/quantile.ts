import { type Measure, measured, ratio, unmeasured } from './measure.ts';
import { sum } from './sum.ts';

/**
 * The value below which a share p of sorted numbers lies, between neighbors by linear interpolation. Hyndman and Fan, The
 * American Statistician 50, 1996, type 7, which is what NumPy and R do unless told otherwise.
 *
 * @param sorted ascending, at least one
 */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number {
  const place = (sorted.length - 1) * p;
  const below = Math.floor(place);
  const low = sorted[below] ?? 0;
  return low + (place - below) * ((sorted[below + 1] ?? low) - low);
}

/** What tokens, cost or latency of many calls come to. */
export interface Distribution {
  /** Values that are not known, such as a cost without a price; they enter nothing else. */
  missing: number;
  mean: Measure;
  median: Measure;
  p95: Measure;
  least: Measure;
  most: Measure;
}

/** Mean, median, 95th percentile and bounds of the values that are known. */
export function distributionOf(values: readonly (number | null)[]): Distribution {
  const sorted = Float64Array.from(values.filter((value) => value !== null)).sort();
  const n = sorted.length;
  const at = (p: number): Measure =>
    n === 0 ? unmeasured('no value is known', 0) : measured(quantileOfSorted(sorted, p), n);
  return {
    missing: values.length - n,
    mean: ratio(sum(sorted), n, n, 'no value is known'),
    median: at(0.5),
    p95: at(0.95),
    least: at(0),
    most: at(1),
  };
}
