import { type Estimate, estimateOfBins, mergedBins } from './estimate.ts';
import { isDecided } from './judges-and-people.ts';
import { type Bin, itemsIn } from './metrics/bin.ts';
import { fleissKappa } from './metrics/fleiss-kappa.ts';
import { gwetAc1 } from './metrics/gwet-ac1.ts';
import { krippendorffAlpha } from './metrics/krippendorff-alpha.ts';
import { pairwiseAgreement } from './metrics/percent-agreement.ts';
import { pairable, type Tally, type TallyHistogram } from './metrics/tally-histogram.ts';
import { verdictsIn } from './verdicts-in.ts';
import type { CountRow } from './vote-counts.ts';

/**
 * How far people say the same among themselves. A vote on a pass or a fail says which of the two is right; a vote on a score or
 * on what was left undecided does not, and does not enter. "Unsure" is a missing vote.
 */
export interface AmongPeople {
  /** Subjects with two such votes or more. */
  compared: number;
  /** Share of the pairs of votes on one subject that say the same, averaged over subjects. */
  pairs: Estimate;
  /** Fleiss' kappa: defined only where all subjects have the same number of votes. */
  kappa: Estimate;
  /** Krippendorff's alpha, nominal: beyond chance like kappa, with votes missing here and there. */
  alpha: Estimate;
  /** Gwet's AC1. */
  ac1: Estimate;
}

/** How many say pass and how many say fail. */
function sayingBin({ key: { decision }, tally: { agree, disagree }, items }: CountRow): Bin<Tally>[] {
  if (!isDecided(decision)) return [];
  return [{ value: decision === 'pass' ? [agree, disagree] : [disagree, agree], items }];
}

export function amongPeople(rows: readonly CountRow[]): AmongPeople {
  const bins: TallyHistogram = mergedBins(rows.flatMap(sayingBin));
  const units = verdictsIn(rows.filter(({ key }) => isDecided(key.decision)));
  return {
    compared: itemsIn(pairable(bins)),
    pairs: estimateOfBins(bins, pairwiseAgreement, units),
    kappa: estimateOfBins(bins, fleissKappa, units),
    alpha: estimateOfBins(bins, (drawn) => krippendorffAlpha(drawn, { scale: 'nominal' }), units),
    ac1: estimateOfBins(bins, gwetAc1, units),
  };
}
