import type { Bin } from './metrics/bin.ts';
import { bootstrapBins } from './metrics/bootstrap-bins.ts';
import type { BootstrapOptions } from './metrics/bootstrap-interval.ts';
import { type Interval, type Measure, unmeasured } from './metrics/measure.ts';

/** A statistic with the interval that it is known within. */
export interface Estimate {
  measure: Measure;
  interval: Interval;
}

/** Always the same draws, so that the same votes give the same numbers. */
export const resampling = { seed: 20261121, resamples: 1000 } as const satisfies BootstrapOptions;

/** Resampling says nothing where every item counts the same: an interval of one point would claim certainty. */
export function estimateOf(measure: Measure, interval: Interval): Estimate {
  if (!interval.defined || interval.low < interval.high) return { measure, interval };
  return { measure, interval: unmeasured('every resample comes to the same', interval.n) };
}

/** A statistic of counted items. @param units how many of the items are independent of each other */
export const estimateOfBins = <T>(
  bins: readonly Bin<T>[],
  statistic: (bins: readonly Bin<T>[]) => Measure,
  units: number,
): Estimate => estimateOf(statistic(bins), bootstrapBins(bins, statistic, resampling, units));

/** Equal bars as one: what the cost of resampling grows with. */
export function mergedBins<T>(bins: readonly Bin<T>[]): Bin<T>[] {
  const found = new Map<string, Bin<T>>();
  for (const { value, items } of bins) {
    const name = JSON.stringify(value);
    found.set(name, { value, items: items + (found.get(name)?.items ?? 0) });
  }
  return [...found.values()];
}
