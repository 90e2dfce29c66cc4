import { type Bin, itemsIn } from './bin.ts';
import { type Measure, measured, unmeasured } from './measure.ts';
import { sum } from './sum.ts';

/** A score that was given where another one is known to be right. */
export interface ScorePair {
  given: number;
  known: number;
}

/** So many items have this value. */
type Counted = Bin<number>;

/** Distinct values ascending, each with how many items have it. */
function totalsOf(values: Iterable<Counted>): { value: number; items: number }[] {
  const totals = new Map<number, number>();
  for (const { value, items } of values) totals.set(value, (totals.get(value) ?? 0) + items);
  return [...Float64Array.from(totals.keys()).sort()].map((value) => ({
    value,
    items: totals.get(value) ?? 0,
  }));
}

/** The middle of the places that items of each value take in their order, counted from 0. */
function middles(values: Iterable<Counted>): Map<number, number> {
  let below = 0;
  return new Map(
    totalsOf(values).map(({ value, items }) => {
      below += items;
      return [value, below - items / 2] as const;
    }),
  );
}

const givenOf = (bins: readonly Bin<ScorePair>[]): Counted[] =>
  bins.map(({ value, items }) => ({ value: value.given, items }));

const knownOf = (bins: readonly Bin<ScorePair>[]): Counted[] =>
  bins.map(({ value, items }) => ({ value: value.known, items }));

const weightedMean = (values: readonly Counted[], n: number): number =>
  sum(values.map(({ value, items }) => value * items)) / n;

/** Squared distances from the mean, added up. */
const spreadOf = (values: readonly Counted[], mean: number): number =>
  sum(values.map(({ value, items }) => items * (value - mean) ** 2));

const isConstant = (values: readonly Counted[]): boolean =>
  values.every(({ value }) => value === values[0]?.value);

/** Pearson's correlation of counted pairs. @param bins so many items have this pair, each more than none */
export function countedPearson(bins: readonly Bin<ScorePair>[]): Measure {
  const n = itemsIn(bins);
  if (n < 2) return unmeasured('a correlation takes at least two items', n);
  const [given, known] = [givenOf(bins), knownOf(bins)];
  if (isConstant(given) || isConstant(known))
    return unmeasured('one of the series is the same everywhere', n);
  const [givenMean, knownMean] = [weightedMean(given, n), weightedMean(known, n)];
  const scale = Math.sqrt(spreadOf(given, givenMean)) * Math.sqrt(spreadOf(known, knownMean));
  const together = sum(
    bins.map(({ value, items }) => items * (value.given - givenMean) * (value.known - knownMean)),
  );
  return measured(Math.max(-1, Math.min(1, together / scale)), n);
}

/**
 * Spearman's rank correlation of counted pairs, the same as `spearman` of the items one by one; its cost grows with the
 * distinct pairs.
 */
export function countedSpearman(bins: readonly Bin<ScorePair>[]): Measure {
  const [given, known] = [middles(givenOf(bins)), middles(knownOf(bins))];
  return countedPearson(
    bins.map(({ value, items }) => ({
      value: { given: given.get(value.given) ?? 0, known: known.get(value.known) ?? 0 },
      items,
    })),
  );
}

/**
 * Krippendorff's alpha of two raters who both rated every item, from counted pairs: the same as `krippendorffAlpha` with
 * the ordinal or the interval distance, for any number of distinct scores. On both scales the distance is a squared
 * difference, of the scores or of the middle places of all ratings, so that the expected one is twice a variance.
 */
export function countedAlpha(bins: readonly Bin<ScorePair>[], scale: 'ordinal' | 'interval'): Measure {
  const n = itemsIn(bins);
  if (n === 0) return unmeasured('no item has two ratings', 0);
  const ratings = [...givenOf(bins), ...knownOf(bins)];
  const places = scale === 'ordinal' ? middles(ratings) : null;
  const placeOf = (value: number): number => places?.get(value) ?? value;
  if (isConstant(ratings)) return unmeasured('every rating is the same', n);
  const placed = ratings.map(({ value, items }) => ({ value: placeOf(value), items }));
  const expected = 2 * n * spreadOf(placed, weightedMean(placed, 2 * n));
  const observed = sum(
    bins.map(({ value, items }) => items * (placeOf(value.given) - placeOf(value.known)) ** 2),
  );
  return measured(1 - ((2 * n - 1) * observed) / expected, n);
}
