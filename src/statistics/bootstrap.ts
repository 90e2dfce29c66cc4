import { drawBinomial } from './distributions.ts';
import { type Measure, quantileOfSorted, type Result, ratio, unmeasured } from './measure.ts';
import { wilsonInterval } from './proportions.ts';
import { createRandom } from './random.ts';
import { type Bin, itemsIn } from './tallies.ts';

export interface BootstrapOptions {
  /** Makes the resampling repeatable; the same seed and data give the same interval. */
  seed: number;
  /** Number of resamples, default 2000. */
  resamples?: number;
  /** Default 0.95. */
  level?: number;
}

/**
 * An interval from resampling. It shrinks to a point if all cases are alike (all right, all wrong), although the true value is less
 * certain: use Wilson's interval for plain shares.
 */
export type BootstrapInterval = Result<{
  low: number;
  high: number;
  level: number;
  resamples: number;
  /** Resamples in which the statistic is not defined, which are left out. */
  undefinedResamples: number;
}>;

/**
 * The percentile interval from resampled values of a statistic. Efron and Tibshirani, An Introduction to the Bootstrap, 13.3.
 *
 * @param units what was resampled: cases or clusters
 * @param replicates the statistic of each resample
 */
export function bootstrapInterval(
  estimate: Measure,
  units: number,
  replicates: readonly Measure[],
  level = 0.95,
): BootstrapInterval {
  if (!estimate.defined) return estimate;
  if (units < 2) return unmeasured('an interval takes at least two cases', estimate.n);
  const sorted = replicates
    .flatMap((replicate) => (replicate.defined ? [replicate.value] : []))
    .sort((a, b) => a - b);
  if (sorted.length * 2 <= replicates.length)
    return unmeasured('the statistic is not defined in most resamples', estimate.n);
  return {
    defined: true,
    n: estimate.n,
    low: quantileOfSorted(sorted, (1 - level) / 2),
    high: quantileOfSorted(sorted, (1 + level) / 2),
    level,
    resamples: replicates.length,
    undefinedResamples: replicates.length - sorted.length,
  };
}

const RESAMPLES = 2000;

/** Resamples clusters with replacement and yields their items together. @param drawn clusters per resample */
function* resample<T>(
  clusters: readonly (readonly T[])[],
  { seed, resamples = RESAMPLES }: BootstrapOptions,
  drawn = clusters.length,
): Generator<T[]> {
  const random = createRandom(seed).fraction;
  for (let round = 0; round < resamples; round += 1) {
    const items: T[] = [];
    for (let n = 0; n < drawn; n += 1)
      for (const item of clusters[Math.floor(random() * clusters.length)] ?? []) items.push(item);
    yield items;
  }
}

/**
 * A seeded bootstrap interval of any statistic. Resamples whole clusters: items that belong together, such as the trials
 * of one case or the cases made from one request, are drawn together, because they are not independent. Davison and
 * Hinkley, Bootstrap Methods and Their Application, 3.8. With one item per cluster this is the plain bootstrap.
 *
 * @param maxDrawn clusters per resample, default all. With fewer, resamples vary too much, so their deviation from the estimate is
 *   scaled by √(drawn / all): the m out of n bootstrap, whose cost does not grow with the clusters (Bickel, Götze and van Zwet,
 *   Statistica Sinica 7, 1997).
 */
export function bootstrap<T>(
  clusters: readonly (readonly T[])[],
  statistic: (items: readonly T[]) => Measure,
  options: BootstrapOptions,
  maxDrawn = clusters.length,
): BootstrapInterval {
  const estimate = statistic(clusters.flat());
  const drawn = Math.min(maxDrawn, clusters.length);
  const nearer = Math.sqrt(drawn / clusters.length);
  const replicates = Array.from(resample(clusters, options, drawn), (items): Measure => {
    const found = statistic(items);
    if (nearer === 1 || !found.defined || !estimate.defined) return found;
    return { ...found, value: estimate.value + (found.value - estimate.value) * nearer };
  });
  return bootstrapInterval(estimate, clusters.length, replicates, options.level);
}

/** Draws items with replacement: one binomial draw per bin, from the items that remain to be drawn. */
function drawBins<T>(bins: readonly Bin<T>[], total: number, wanted: number, random: () => number): Bin<T>[] {
  let toDraw = wanted;
  let among = total;
  const drawn: Bin<T>[] = [];
  for (const { value, items } of bins) {
    const times = drawBinomial(toDraw, among === 0 ? 0 : items / among, random);
    toDraw -= times;
    among -= items;
    if (times > 0) drawn.push({ value, items: times });
  }
  return drawn;
}

/** Resamples the items of bins. */
export function* resampleBins<T>(
  bins: readonly Bin<T>[],
  { seed, resamples = RESAMPLES }: BootstrapOptions,
  wanted?: number,
): Generator<Bin<T>[]> {
  const total = itemsIn(bins);
  const random = createRandom(seed).fraction;
  for (let round = 0; round < resamples; round += 1) yield drawBins(bins, total, wanted ?? total, random);
}

/**
 * A seeded bootstrap interval of a statistic of counted items ("n items had this tally", "n cases fell into this cell"),
 * resampled by item. The same as resampling the items one by one (a multinomial draw of the bins), at a cost that grows
 * with the distinct values and not with the items.
 *
 * @param units number of independent items, default all. If unknown groups of items depend on each other, give the number of groups:
 *   only that many are drawn, as if groups were homogeneous, so the interval is wide enough.
 */
export function bootstrapBins<T>(
  bins: readonly Bin<T>[],
  statistic: (bins: readonly Bin<T>[]) => Measure,
  options: BootstrapOptions,
  units = Number.POSITIVE_INFINITY,
): BootstrapInterval {
  const filled = bins.filter(({ items }) => items > 0);
  const wanted = Math.min(units, itemsIn(filled));
  const replicates = Array.from(resampleBins(filled, options, wanted), statistic);
  return bootstrapInterval(statistic(filled), wanted, replicates, options.level);
}

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
