import { tQuantile } from './distributions.ts';
import { type Bin, type Interval, itemsIn, type Measure, type Result, ratio, unmeasured } from './measure.ts';
import { wilsonInterval } from './proportions.ts';

/** The range of a statistic: 0 to 1, −1 to 1, above 0, or any value. */
export type Range = 'share' | 'correlation' | 'positive' | 'any';

/** Maps the range to the whole real line, where a symmetric interval fits; the map's slope; and its inverse. */
const lines: Record<
  Range,
  { to: (x: number) => number; slope: (x: number) => number; back: (y: number) => number }
> = {
  share: {
    to: (x) => Math.log(x / (1 - x)),
    slope: (x) => 1 / (x * (1 - x)),
    back: (y) => 1 / (1 + Math.exp(-y)),
  },
  correlation: { to: Math.atanh, slope: (x) => 1 / (1 - x * x), back: Math.tanh },
  positive: { to: Math.log, slope: (x) => 1 / x, back: Math.exp },
  any: { to: (x) => x, slope: () => 1, back: (y) => y },
};

/** Maximum number of parts left out one at a time. With more units, several are left out together (delete-a-group jackknife). */
const MAX_PARTS = 400;
/** With very many units, fewer parts are left out, so that an interval reads about this many units; with 50, t is 2.01 instead of 1.96. */
const MAX_READ = 500_000;
const MIN_PARTS = 50;

/** The items without one part, how many equivalent deletions this stands for, and what share of a full part was removed. */
interface Deletion<T> {
  rest: Bin<T>[];
  times: number;
  had: number;
}

/** Called hundreds of times with all units, so untouched bins are not copied. */
function without<T>(bins: readonly Bin<T>[], taken: (bin: Bin<T>, at: number) => number): Bin<T>[] {
  const rest: Bin<T>[] = [];
  for (const [at, bin] of bins.entries()) {
    const gone = taken(bin, at);
    if (gone === 0) rest.push(bin);
    else if (gone < bin.items) rest.push({ value: bin.value, items: bin.items - gone });
  }
  return rest;
}

/** @param size number of items in a part */
function* binByBin<T>(bins: readonly Bin<T>[], size: number): Generator<Deletion<T>> {
  for (const [at, { items }] of bins.entries()) {
    const taken = Math.min(size, items);
    const rest = without(bins, (_, other) => (other === at ? taken : 0));
    yield { rest, times: items / size, had: taken / size };
  }
}

/** Unit number u belongs to part u modulo the number of parts. */
function* inGroups<T>(bins: readonly Bin<T>[], parts: number): Generator<Deletion<T>> {
  let total = 0;
  const starts = bins.map(({ items }) => {
    total += items;
    return total - items;
  });
  for (let part = 0; part < parts; part += 1) {
    const before = (unit: number): number => Math.floor((unit - part + parts - 1) / parts);
    const rest = without(bins, ({ items }, at) => {
      const start = starts[at] ?? 0;
      return before(start + items) - before(start);
    });
    yield { rest, times: 1, had: 1 };
  }
}

/** Differences below this are floating-point error between equal values. */
const ROUNDING = 1e-9;

/**
 * The interval of any smooth statistic of independent units (cases, or clusters of related cases), by leaving out one unit at a time.
 * Tukey's jackknife, with Student's t at the number of units minus one, on the scale of log-odds for shares, Fisher's z for
 * correlations, and logarithms for positive values. Efron and Tibshirani, An Introduction to the Bootstrap, 11; for clusters Shao and
 * Tu, The Jackknife and Bootstrap, 6.2; for more than 400 distinct units, in up to 400 groups, Kott, Journal of Official Statistics
 * 17, 2001.
 * @param bins units with equal values, binned
 * @param independent number of independent units, if some belong together in unknown ways; default all
 * @returns undefined if all units are alike, as a point would claim certainty, or if the value rests on a single unit
 */
export function jackknifeInterval<T>(
  bins: readonly Bin<T>[],
  statistic: (bins: readonly Bin<T>[]) => Measure,
  range: Range,
  independent = Number.POSITIVE_INFINITY,
  level = 0.95,
): Interval {
  const filled = bins.filter(({ items }) => items > 0);
  const estimate = statistic(filled);
  if (!estimate.defined) return estimate;
  const { value, n } = estimate;
  const units = itemsIn(filled);
  const alone = Math.min(units, independent);
  if (alone < 2) return unmeasured('an interval needs at least two independent cases', n);
  const isFew = filled.length <= MAX_PARTS;
  const deletions = isFew
    ? binByBin(filled, units / alone)
    : inGroups(filled, Math.max(MIN_PARTS, Math.min(MAX_PARTS, Math.floor(MAX_READ / filled.length))));
  const replicates: Bin<number>[] = [];
  for (const { rest, times, had } of deletions) {
    const left = statistic(rest);
    if (!left.defined) return unmeasured('it rests on a single case', n);
    replicates.push({ value: (left.value - value) / had, items: times });
  }
  const parts = itemsIn(replicates);
  const total = (of: (change: number) => number): number =>
    replicates.reduce((sum, one) => sum + of(one.value) * one.items, 0);
  const mean = total((change) => change) / parts;
  const variance = ((parts - 1) / parts) * total((change) => (change - mean) ** 2);
  const error = Math.sqrt(isFew ? variance : (variance * units) / alone);
  const { to, slope, back } = lines[range];
  const [center, half] = [
    to(value),
    tQuantile((1 + level) / 2, Math.floor(Math.min(Math.round(parts), alone)) - 1) * error * slope(value),
  ];
  if (error < ROUNDING || !Number.isFinite(center) || !Number.isFinite(half))
    return unmeasured('the cases are all alike', n);
  return { defined: true, n, low: back(center - half), high: back(center + half), level };
}

/** A statistic with its interval and the method used for the interval. */
export interface Estimate {
  measure: Measure;
  interval: Result<{ low: number; high: number; level: number; by: 'jackknife' | 'wilson' }>;
}

/** A statistic of binned items with its {@link jackknifeInterval}. */
export function jackknifeEstimate<T>(
  bins: readonly Bin<T>[],
  statistic: (bins: readonly Bin<T>[]) => Measure,
  range: Range,
  independent?: number,
  level?: number,
): Estimate {
  const interval = jackknifeInterval(bins, statistic, range, independent, level);
  return {
    measure: statistic(bins.filter(({ items }) => items > 0)),
    interval: interval.defined ? { ...interval, by: 'jackknife' } : interval,
  };
}

/** A share of items with Wilson's interval. @param units number of independent items among them */
export function estimateOfShare(hits: number, n: number, units: number, why: string): Estimate {
  const measure = ratio(hits, n, n, why);
  const interval = wilsonInterval(n === 0 ? 0 : (hits / n) * units, units);
  return { measure, interval: interval.defined ? { ...interval, by: 'wilson' } : interval };
}
