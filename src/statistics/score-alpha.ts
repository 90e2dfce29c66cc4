import { type Measure, measured, unmeasured } from './measure.ts';
import { ranks } from './ranks.ts';
import { sum } from './sum.ts';

/** Sum of the squared differences of all ordered pairs of values. */
function spread(values: readonly number[]): number {
  const mean = sum(values) / values.length;
  return 2 * values.length * sum(values.map((value) => (value - mean) ** 2));
}

/**
 * Krippendorff's alpha of scores, of which any number may be distinct: {@link krippendorffAlpha} without a table of categories.
 * Interval: squared differences. Ordinal: the same of ranks, since its distance of two categories is how far their middle ranks
 * lie apart. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011.
 *
 * @param units the scores that each item was given; items with one do not enter
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
