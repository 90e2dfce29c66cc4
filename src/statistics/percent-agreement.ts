import { itemsIn } from './bin.ts';
import type { Contingency } from './contingency.ts';
import { type Measure, ratio } from './measure.ts';
import { sum } from './sum.ts';
import { pairable, ratingsIn, type Tally, type TallyHistogram } from './tally-histogram.ts';

/** Share of items of which two raters said the same. Friedl et al., Rethinking In-Car Conversational System Assessment, 3.6. */
export function percentAgreement(counts: Contingency): Measure {
  const n = sum(counts.flat());
  const same = sum(counts.map((row, index) => row[index] ?? 0));
  return ratio(same, n, n, 'no item was rated by both');
}

/** Share of the pairs of ratings of one item that say the same; the item needs two ratings. */
export function pairAgreement(tally: Tally): number {
  const ratings = ratingsIn(tally);
  return tally.reduce((same, count) => same + count * (count - 1), 0) / (ratings * (ratings - 1));
}

/**
 * The same for any number of raters: the share of agreeing pairs of ratings, averaged over the items with at least two.
 * Fleiss, Psychological Bulletin 76, 1971, eq. 1 and 2; for two raters it is the plain share.
 */
export function pairwiseAgreement(histogram: TallyHistogram): Measure {
  const bins = pairable(histogram);
  const n = itemsIn(bins);
  return ratio(
    sum(bins.map(({ value, items }) => items * pairAgreement(value))),
    n,
    n,
    'no item has two ratings',
  );
}
