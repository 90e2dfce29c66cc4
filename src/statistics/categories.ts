import { JuryError } from '../common/errors.ts';

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
