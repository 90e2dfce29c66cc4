import { JuryError } from '../common/errors.ts';

/** `items` equal items have this `value`. */
export interface Bin<T> {
  value: T;
  items: number;
}

export const itemsIn = (bins: readonly Bin<unknown>[]): number =>
  bins.reduce((total, { items }) => total + items, 0);

/** Each item as a bin of its own. */
export function* singly<T>(items: Iterable<T>): Generator<Bin<T>> {
  for (const value of items) yield { value, items: 1 };
}

/** Merges bins of equal values: the cost of intervals grows with their number. @param keyOf equal for equal values */
export function mergedBins<T>(
  bins: Iterable<Bin<T>>,
  keyOf: (value: T) => string = (value) => JSON.stringify(value),
): Bin<T>[] {
  const found = new Map<string, Bin<T>>();
  for (const { value, items } of bins) {
    const key = keyOf(value);
    const bin = found.get(key);
    if (bin === undefined) found.set(key, { value, items });
    else bin.items += items;
  }
  return [...found.values()];
}

/** Maps categories to positions; throws for anything else. */
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

/** Number of raters of one item per category, such as 3 agree, 1 disagree. What counts as a missing rating, such as unsure, is left out. */
export type Tally = readonly number[];

/**
 * Number of items per distinct tally. Sufficient for agreement, and independent of the number of items: statistics of a million votes
 * take as long as those of a hundred.
 */
export type TallyHistogram = readonly Bin<Tally>[];

/**
 * Counts the tallies of items.
 *
 * @param units the ratings of each item in any order; `null` if missing
 * @param categories all possible ratings, in order if they are ordinal
 */
export function tallyHistogram<C extends string | number>(
  units: Iterable<readonly (C | null)[]>,
  categories: readonly C[],
): TallyHistogram {
  const position = indexOfCategories(categories);
  const tallies = Array.from(units, (ratings): Tally => {
    const tally = categories.map(() => 0);
    for (const rating of ratings)
      if (rating !== null) tally[position(rating)] = (tally[position(rating)] ?? 0) + 1;
    return tally;
  });
  return mergedBins(singly(tallies), (tally) => tally.join());
}

export const ratingsIn = (tally: Tally): number => tally.reduce((total, count) => total + count, 0);

/** The bins of items with at least two ratings. */
export const pairable = (histogram: TallyHistogram): TallyHistogram =>
  histogram.filter(({ value, items }) => items > 0 && ratingsIn(value) >= 2);
