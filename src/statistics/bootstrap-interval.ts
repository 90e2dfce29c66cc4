import { type Measure, type Result, unmeasured } from './measure.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { quantileOfSorted } from './quantile.ts';
import { sum } from './sum.ts';

/** `percentile`: between the quantiles of the resampled values; `bca`: those corrected for bias and skew. */
type IntervalMethod = 'percentile' | 'bca';

export interface BootstrapOptions {
  /** Makes the resampling repeatable; the same seed and data give the same interval. */
  seed: number;
  /** How often to resample, default 2000. */
  resamples?: number;
  /** Default 0.95. */
  level?: number;
  /** Default percentile. */
  method?: IntervalMethod;
}

/**
 * An interval from resampling. It shrinks to a point where every case counts the same (all right, all wrong), although the
 * true value is not known so well: for a plain share take Wilson's interval.
 */
export type BootstrapInterval = Result<{
  low: number;
  high: number;
  level: number;
  /** What was done: `percentile` also where BCa was asked for and has no answer, such as all values on one side. */
  method: IntervalMethod;
  resamples: number;
  /** Resamples in which the statistic is not defined; left out. */
  undefinedResamples: number;
}>;

/** What a statistic comes to without one item (or one cluster), and how many items leave exactly that. */
export interface LeftOut {
  value: number;
  items: number;
}

/** BCa's levels in place of (1 − level) / 2 and (1 + level) / 2; undefined where bias or skew cannot be told. */
function correctedLevels(
  estimate: number,
  sorted: readonly number[],
  leftOut: readonly LeftOut[],
  level: number,
): readonly [number, number] | undefined {
  const below = sorted.filter((value) => value < estimate).length;
  const equal = sorted.filter((value) => value === estimate).length;
  const share = (below + equal / 2) / sorted.length;
  if (share <= 0 || share >= 1 || leftOut.length === 0) return undefined;
  const bias = normalQuantile(share);
  const mean = sum(leftOut.map(({ value, items }) => value * items)) / sum(leftOut.map(({ items }) => items));
  const power = (exponent: number) =>
    sum(leftOut.map(({ value, items }) => items * (mean - value) ** exponent));
  const spread = power(2);
  const skew = spread === 0 ? 0 : power(3) / (6 * spread ** 1.5);
  const corrected = (p: number): number => {
    const z = bias + normalQuantile(p);
    return normalCdf(bias + z / (1 - skew * z));
  };
  const levels = [corrected((1 - level) / 2), corrected((1 + level) / 2)] as const;
  // Where the skew is so strong that the correction turns round, it corrects nothing.
  return levels[0] < levels[1] ? levels : undefined;
}

/**
 * The interval that resampled values of a statistic give. Efron and Tibshirani, An Introduction to the Bootstrap, 13.3
 * (percentile) and 14.3 (BCa).
 *
 * @param units what was resampled: cases or clusters
 * @param replicates the statistic of each resample
 * @param leaveOneOut asked for BCa only
 */
export function bootstrapInterval(
  estimate: Measure,
  units: number,
  replicates: readonly Measure[],
  leaveOneOut: () => readonly LeftOut[],
  options: BootstrapOptions,
): BootstrapInterval {
  if (!estimate.defined) return estimate;
  if (units < 2) return unmeasured('an interval takes at least two cases', estimate.n);
  const level = options.level ?? 0.95;
  const sorted = replicates
    .flatMap((replicate) => (replicate.defined ? [replicate.value] : []))
    .sort((a, b) => a - b);
  if (sorted.length * 2 <= replicates.length)
    return unmeasured('the statistic is not defined in most resamples', estimate.n);
  const corrected =
    options.method === 'bca' ? correctedLevels(estimate.value, sorted, leaveOneOut(), level) : undefined;
  const [lower, upper] = corrected ?? [(1 - level) / 2, (1 + level) / 2];
  return {
    defined: true,
    n: estimate.n,
    low: quantileOfSorted(sorted, lower),
    high: quantileOfSorted(sorted, upper),
    level,
    method: corrected === undefined ? 'percentile' : 'bca',
    resamples: replicates.length,
    undefinedResamples: replicates.length - sorted.length,
  };
}
