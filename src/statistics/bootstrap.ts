import { quantileOfSorted, sum } from './descriptive.ts';
import { drawBinomial, normalCdf, normalQuantile } from './distributions.ts';
import { type Measure, type Result, unmeasured } from './measure.ts';
import { createRandom } from './random.ts';
import { type Bin, itemsIn } from './tallies.ts';

/** `percentile`: quantiles of the resampled values; `bca`: corrected for bias and skew. */
type IntervalMethod = 'percentile' | 'bca';

export interface BootstrapOptions {
  /** Makes the resampling repeatable; the same seed and data give the same interval. */
  seed: number;
  /** Number of resamples, default 2000. */
  resamples?: number;
  /** Default 0.95. */
  level?: number;
  /** Default percentile. */
  method?: IntervalMethod;
}

/**
 * An interval from resampling. It shrinks to a point if all cases are alike (all right, all wrong), although the true value is less
 * certain: use Wilson's interval for plain shares.
 */
export type BootstrapInterval = Result<{
  low: number;
  high: number;
  level: number;
  /** The method used: falls back to `percentile` if BCa is not defined, such as with all values on one side. */
  method: IntervalMethod;
  resamples: number;
  /** Resamples in which the statistic is not defined, which are left out. */
  undefinedResamples: number;
}>;

/** A statistic without one item (or cluster), and how many items give this value when left out. */
export interface LeftOut {
  value: number;
  items: number;
}

/** BCa's levels in place of (1 − level) / 2 and (1 + level) / 2; undefined if bias or skew cannot be computed. */
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
  // Under extreme skew the corrected levels can swap, which makes them useless.
  return levels[0] < levels[1] ? levels : undefined;
}

/**
 * The interval from resampled values of a statistic. Efron and Tibshirani, An Introduction to the Bootstrap, 13.3
 * (percentile) and 14.3 (BCa).
 *
 * @param units what was resampled: cases or clusters
 * @param replicates the statistic of each resample
 * @param leaveOneOut called for BCa only
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

const RESAMPLES = 2000;

/** Resamples clusters with replacement and yields their items together. @param drawn clusters per resample */
export function* resample<T>(
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

/** The statistic without each cluster in turn, where it is defined. */
function leaveClustersOut<T>(
  clusters: readonly (readonly T[])[],
  statistic: (items: readonly T[]) => Measure,
): LeftOut[] {
  return clusters.flatMap((_, left) => {
    const rest = statistic(clusters.filter((_cluster, index) => index !== left).flat());
    return rest.defined ? [{ value: rest.value, items: 1 }] : [];
  });
}

/**
 * A seeded bootstrap interval of any statistic. Resamples whole clusters: items that belong together, such as the trials
 * of one case or the cases made from one request, are drawn together, because they are not independent. Davison and
 * Hinkley, Bootstrap Methods and Their Application, 3.8. With one item per cluster this is the plain bootstrap.
 * BCa also evaluates the statistic once per cluster.
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
  return bootstrapInterval(
    estimate,
    clusters.length,
    replicates,
    () => leaveClustersOut(clusters, statistic),
    options,
  );
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

/** The bins without one item, once per bin, since all items of a bin give the same. */
function leaveItemsOut<T>(
  bins: readonly Bin<T>[],
  statistic: (bins: readonly Bin<T>[]) => Measure,
): LeftOut[] {
  return bins.flatMap((left) => {
    const rest = bins.flatMap((bin) => {
      const items = bin === left ? bin.items - 1 : bin.items;
      return items === 0 ? [] : [{ value: bin.value, items }];
    });
    const value = statistic(rest);
    return value.defined ? [{ value: value.value, items: left.items }] : [];
  });
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
  return bootstrapInterval(
    statistic(filled),
    wanted,
    replicates,
    () => leaveItemsOut(filled, statistic),
    options,
  );
}
