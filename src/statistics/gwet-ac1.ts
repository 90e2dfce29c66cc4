import { itemsIn } from './bin.ts';
import { type Measure, measured, unmeasured } from './measure.ts';
import { pairwiseAgreement } from './percent-agreement.ts';
import { sum } from './sum.ts';
import { ratingsIn, type TallyHistogram } from './tally-histogram.ts';

/**
 * Gwet's AC1: agreement of two or more raters beyond chance, where chance is taken from how hard the categories are to
 * tell apart, so that it holds where one category is rare and kappa falls to 0. Gwet, British Journal of Mathematical
 * and Statistical Psychology 61, 2008; items with missing ratings as in his Handbook of Inter-Rater Reliability: items
 * with one rating tell how common a category is, those with two or more tell the agreement.
 */
export function gwetAc1(histogram: TallyHistogram): Measure {
  const agreement = pairwiseAgreement(histogram);
  if (!agreement.defined) return agreement;
  const rated = histogram.filter(({ value, items }) => items > 0 && ratingsIn(value) > 0);
  const categories = rated[0]?.value.length ?? 0;
  if (categories < 2) return unmeasured('there is only one category', agreement.n);
  const items = itemsIn(rated);
  const commonness = Array.from(
    { length: categories },
    (_, k) => sum(rated.map((bin) => (bin.items * (bin.value[k] ?? 0)) / ratingsIn(bin.value))) / items,
  );
  const chance = sum(commonness.map((share) => share * (1 - share))) / (categories - 1);
  return measured((agreement.value - chance) / (1 - chance), agreement.n);
}
