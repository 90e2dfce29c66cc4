import { itemsIn } from './bin.ts';
import { type Measure, measured, unmeasured } from './measure.ts';
import { pairwiseAgreement } from './percent-agreement.ts';
import { sum } from './sum.ts';
import { ratingsIn, type TallyHistogram } from './tally-histogram.ts';

/**
 * Fleiss' kappa: agreement beyond chance of the same number of ratings for each item, not necessarily by the same
 * raters. Fleiss, Psychological Bulletin 76, 1971. Items rated by different numbers of raters: Krippendorff's alpha.
 */
export function fleissKappa(histogram: TallyHistogram): Measure {
  const bins = histogram.filter(({ items }) => items > 0);
  const n = itemsIn(bins);
  if (new Set(bins.map(({ value }) => ratingsIn(value))).size > 1)
    return unmeasured("items have different numbers of ratings; Krippendorff's alpha takes those", n);
  const agreement = pairwiseAgreement(bins);
  if (!agreement.defined) return agreement;
  const ratings = sum(bins.map(({ value, items }) => items * ratingsIn(value)));
  const shares = (bins[0]?.value ?? []).map(
    (_, k) => sum(bins.map(({ value, items }) => items * (value[k] ?? 0))) / ratings,
  );
  const used = shares.filter((share) => share > 0);
  if (used.length < 2) return unmeasured('every rating is the same', n);
  const chance = sum(used.map((share) => share * share));
  return measured((agreement.value - chance) / (1 - chance), n);
}
