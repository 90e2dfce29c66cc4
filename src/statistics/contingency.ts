import { type Bin, singly } from './bin.ts';
import { indexOfCategories } from './categories.ts';

/** How often one rater gave the row's category and the other the column's. */
export type Contingency = readonly (readonly number[])[];

/** What two raters said of an item; `null` where one did not rate it. */
export type RatedPair<C> = readonly [C | null, C | null];

/**
 * Counts what two raters said of the same items. Items that one of them did not rate are left out.
 *
 * @param categories all that could be said, in their order where they have one
 */
export const contingencyOf = <C extends string | number>(
  pairs: Iterable<RatedPair<C>>,
  categories: readonly C[],
): Contingency => contingencyOfBins(singly(pairs), categories);

/** The same of items that were counted before: so many items with this pair. */
export function contingencyOfBins<C extends string | number>(
  bins: Iterable<Bin<RatedPair<C>>>,
  categories: readonly C[],
): Contingency {
  const position = indexOfCategories(categories);
  const counts = categories.map(() => categories.map(() => 0));
  for (const { value, items } of bins) {
    const [first, second] = value;
    if (first === null || second === null) continue;
    const row = counts[position(first)];
    const column = position(second);
    if (row !== undefined) row[column] = (row[column] ?? 0) + items;
  }
  return counts;
}
