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
