/** A quantity to compare items by (null: unknown), and which direction is better. */
export interface Objective<T> {
  of: (item: T) => number | null;
  direction: 'max' | 'min';
  /** Two items that are no further apart than this are equal in it; default: 0. */
  noise?: (a: T, b: T) => number;
}

export interface ParetoFront<T> {
  /** Items that no other dominates, by being at least as good in everything and better in something. */
  front: T[];
  dominated: T[];
  /** Items with an unknown objective. */
  incomparable: T[];
}

/**
 * Splits items by Pareto dominance, such as configurations by F1, cost and latency; each list in the given order. Giebisch
 * et al., Automated Factual Benchmarking, III-F (relevance and consistency).
 */
export function paretoFront<T>(items: readonly T[], objectives: readonly Objective<T>[]): ParetoFront<T> {
  const result: ParetoFront<T> = { front: [], dominated: [], incomparable: [] };
  const known = items.filter((item) => objectives.every(({ of }) => of(item) !== null));
  result.incomparable.push(...items.filter((item) => !known.includes(item)));
  for (const item of known)
    (known.some((other) => beats(other, item, objectives)) ? result.dominated : result.front).push(item);
  return result;
}

function beats<T>(a: T, b: T, objectives: readonly Objective<T>[]): boolean {
  const leads = objectives.map(({ of, direction, noise }) => {
    const lead = (direction === 'max' ? 1 : -1) * ((of(a) ?? 0) - (of(b) ?? 0));
    return noise !== undefined && Math.abs(lead) <= noise(a, b) ? 0 : lead;
  });
  return leads.every((lead) => lead >= 0) && leads.some((lead) => lead > 0);
}
