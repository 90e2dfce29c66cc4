import { JuryError } from '../common/errors.ts';

/** So many items look the same: `items` of them have this `value`. */
export interface Bin<T> {
  value: T;
  items: number;
}

/** Items in all bins. */
export const itemsIn = (bins: readonly Bin<unknown>[]): number =>
  bins.reduce((total, { items }) => total + items, 0);

/** Each item as a bin of its own. */
export function* singly<T>(items: Iterable<T>): Generator<Bin<T>> {
  for (const value of items) yield { value, items: 1 };
}

/** Position of each category; what is not a category is a defect of the caller. */
export function indexOfCategories<C extends string | number>(
  categories: readonly C[],
): (category: C) => number {
  const positions = new Map(categories.map((category, index) => [category, index]));
  return (category) => {
    const position = positions.get(category);
    if (position === undefined)
      throw new JuryError('internal', `"${category}" is none of the categories ${categories.join(', ')}.`);
    return position;
  };
}

/** How many raters of one item chose each category, in the order of the categories; such as 3 agree, 1 disagree, 0 unsure. What shall count as no rating (unsure, perhaps) is left out of the tally. */
export type Tally = readonly number[];

/**
 * "n items had this tally", once for each distinct tally. All that agreement needs to know of who rated what, in a size
 * that does not grow with the items: the statistics of a million votes take as long as those of a hundred.
 */
export type TallyHistogram = readonly Bin<Tally>[];

/**
 * Counts the tallies of items.
 *
 * @param units the ratings of each item in any order; `null` where a rater gave none
 * @param categories all that could be said, in their order where they have one
 */
export function tallyHistogram<C extends string | number>(
  units: Iterable<readonly (C | null)[]>,
  categories: readonly C[],
): TallyHistogram {
  const position = indexOfCategories(categories);
  const bins = new Map<string, Bin<Tally>>();
  for (const ratings of units) {
    const tally = categories.map(() => 0);
    for (const rating of ratings)
      if (rating !== null) tally[position(rating)] = (tally[position(rating)] ?? 0) + 1;
    const key = tally.join();
    bins.set(key, { value: tally, items: (bins.get(key)?.items ?? 0) + 1 });
  }
  return [...bins.values()];
}

/** Ratings in a tally. */
export const ratingsIn = (tally: Tally): number => tally.reduce((total, count) => total + count, 0);

/** The bins whose items can be compared at all: at least two ratings. */
export const pairable = (histogram: TallyHistogram): TallyHistogram =>
  histogram.filter(({ value, items }) => items > 0 && ratingsIn(value) >= 2);
