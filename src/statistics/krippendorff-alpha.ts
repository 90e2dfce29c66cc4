import { ranks, sum } from './descriptive.ts';
import { type Measure, measured, unmeasured } from './measure.ts';
import { itemsIn, pairable, ratingsIn, type TallyHistogram } from './tallies.ts';

/**
 * The distance of two categories: same or different; the ratings between them; or the difference of their levels, the numbers that they
 * stand for.
 */
export type Distance =
  | { scale: 'nominal' }
  | { scale: 'ordinal' }
  | { scale: 'interval'; levels: readonly number[] };

/** Squared distances, given how many pairable ratings each category has. */
function distances(distance: Distance, totals: readonly number[]): (c: number, k: number) => number {
  switch (distance.scale) {
    case 'nominal':
      return (c, k) => (c === k ? 0 : 1);
    case 'interval':
      return (c, k) => ((distance.levels[c] ?? 0) - (distance.levels[k] ?? 0)) ** 2;
    case 'ordinal': {
      // Middle ranks: their difference is the number of ratings between two categories, including half of both.
      let below = 0;
      const middle = totals.map((total) => {
        below += total;
        return below - total / 2;
      });
      return (c, k) => ((middle[c] ?? 0) - (middle[k] ?? 0)) ** 2;
    }
  }
}

/**
 * Krippendorff's alpha: agreement of any number of raters with missing ratings; 1 is full agreement, 0 is chance. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011. `n` counts
 * items with at least two ratings; others do not count.
 */
export function krippendorffAlpha(histogram: TallyHistogram, distance: Distance): Measure {
  const bins = pairable(histogram);
  const n = itemsIn(bins);
  if (n === 0) return unmeasured('no item has two ratings', 0);
  const categories = bins[0]?.value.map((_, k) => k) ?? [];
  const totals = categories.map((k) => sum(bins.map(({ value, items }) => items * (value[k] ?? 0))));
  const ratings = sum(totals);
  const apart = distances(distance, totals);
  const expected = sum(
    categories.flatMap((c) => categories.map((k) => (totals[c] ?? 0) * (totals[k] ?? 0) * apart(c, k))),
  );
  if (expected === 0) return unmeasured('every rating is the same', n);
  const observed = sum(
    bins.map(({ value, items }) => {
      const used = categories.filter((k) => (value[k] ?? 0) > 0);
      const pairs = sum(
        used.flatMap((c) => used.map((k) => (value[c] ?? 0) * (value[k] ?? 0) * apart(c, k))),
      );
      return (items * pairs) / (ratingsIn(value) - 1);
    }),
  );
  return measured(1 - ((ratings - 1) * observed) / expected, n);
}

/** Sum of the squared differences of all ordered pairs of values. */
function spread(values: readonly number[]): number {
  const mean = sum(values) / values.length;
  return 2 * values.length * sum(values.map((value) => (value - mean) ** 2));
}

/**
 * Krippendorff's alpha of scores with any number of distinct values: {@link krippendorffAlpha} without a table of categories.
 * Interval: squared differences. Ordinal: squared differences of middle ranks. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011.
 *
 * @param units the scores of each item; items with only one do not count
 */
export function scoreAlpha(units: readonly (readonly number[])[], scale: 'ordinal' | 'interval'): Measure {
  const compared = units.filter((unit) => unit.length >= 2);
  const n = compared.length;
  if (n === 0) return unmeasured('no item has two ratings', 0);
  const given = compared.flat();
  const values = scale === 'ordinal' ? ranks(given) : given;
  if (values.every((value) => value === values[0])) return unmeasured('every rating is the same', n);
  let from = 0;
  const within = compared.map(({ length }) => {
    from += length;
    return spread(values.slice(from - length, from)) / (length - 1);
  });
  return measured(1 - ((values.length - 1) * sum(within)) / spread(values), n);
}
