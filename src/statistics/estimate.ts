import { type BootstrapInterval, type BootstrapOptions, bootstrapBins } from './bootstrap.ts';
import { type Measure, type Result, ratio, unmeasured } from './measure.ts';
import { wilsonInterval } from './proportions.ts';
import type { Bin } from './tallies.ts';

/** A statistic with its interval and the interval's method. */
export interface Estimate {
  measure: Measure;
  interval: Result<{ low: number; high: number; level: number; by: 'bootstrap' | 'wilson' }>;
}

/** A fixed seed, so that the same votes give the same numbers. */
export const resampling = { seed: 20261121, resamples: 1000 } as const satisfies BootstrapOptions;

/** Floating-point error of equal values. */
const ROUNDING = 1e-9;

/** If all items are alike, resampling gives an interval of one point, which would claim certainty. */
export function resampled(measure: Measure, interval: BootstrapInterval): Estimate {
  if (!measure.defined) return { measure, interval: measure };
  if (!interval.defined) return { measure, interval };
  const { n, low, high, level } = interval;
  if (high - low < ROUNDING)
    return { measure, interval: unmeasured('every resample gives the same value', n) };
  return { measure, interval: { defined: true, n, low, high, level, by: 'bootstrap' } };
}

/** A share of items with Wilson's interval. @param units how many of the items are independent of each other */
export function estimateOfShare(hits: number, n: number, units: number, why: string): Estimate {
  const measure = ratio(hits, n, n, why);
  const interval = wilsonInterval(n === 0 ? 0 : (hits / n) * units, units);
  return { measure, interval: interval.defined ? { ...interval, by: 'wilson' } : interval };
}

/**
 * A statistic of counted items.
 *
 * @param units how many of the items are independent of each other
 * @param whyNot why there is no interval if there are no items
 */
export function estimateOfBins<T>(
  bins: readonly Bin<T>[],
  statistic: (bins: readonly Bin<T>[]) => Measure,
  units: number,
  whyNot: string,
): Estimate {
  const measure = bins.length === 0 ? unmeasured(whyNot, 0) : statistic(bins);
  if (!measure.defined) return { measure, interval: measure };
  return resampled(measure, bootstrapBins(bins, statistic, resampling, units));
}
