import { JuryError } from '../errors.ts';

/** How often one rater gave the row's category and the other the column's. */
export type Contingency = readonly (readonly number[])[];

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

/**
 * Counts what two raters said of the same items. Items that one of them did not rate (`null`) are left out.
 *
 * @param categories all that could be said, in their order where they have one
 */
export function contingencyOf<C extends string | number>(
  pairs: Iterable<readonly [C | null, C | null]>,
  categories: readonly C[],
): Contingency {
  const position = indexOfCategories(categories);
  const counts = categories.map(() => categories.map(() => 0));
  for (const [first, second] of pairs) {
    if (first === null || second === null) continue;
    const row = counts[position(first)];
    const column = position(second);
    if (row !== undefined) row[column] = (row[column] ?? 0) + 1;
  }
  return counts;
}
