/** A quantity to compare items by (null: unknown), and which direction is better. */
export interface Objective<T> {
  of: (item: T) => number | null;
  direction: 'max' | 'min';
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
  const known: { item: T; goods: number[] }[] = [];
  for (const item of items) {
    const values = objectives.map(({ of, direction }) => {
      const value = of(item);
      return value === null || direction === 'max' ? value : -value;
    });
    const goods = values.filter((value) => value !== null);
    if (goods.length < values.length) result.incomparable.push(item);
    else known.push({ item, goods });
  }
  for (const { item, goods } of known)
    (known.some((other) => beats(other.goods, goods)) ? result.dominated : result.front).push(item);
  return result;
}

const beats = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((value, index) => value >= (b[index] ?? 0)) && a.some((value, index) => value > (b[index] ?? 0));
