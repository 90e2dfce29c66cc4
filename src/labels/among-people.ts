import { fleissKappa, gwetAc1, pairwiseAgreement } from '../statistics/agreement.ts';
import { type Estimate, estimateOfBins, mergedBins } from '../statistics/estimate.ts';
import { krippendorffAlpha } from '../statistics/krippendorff-alpha.ts';
import type { Measure } from '../statistics/measure.ts';
import {
  type Bin,
  itemsIn,
  pairable,
  ratingsIn,
  type Tally,
  type TallyHistogram,
} from '../statistics/tallies.ts';
import { isDecided } from './judges-and-people.ts';
import { verdictsIn } from './verdicts-in.ts';
import type { CountRow } from './vote-counts.ts';

/**
 * How far people say the same among themselves. A vote on a pass or a fail says which of the two is right; a vote on a score or
 * on what was left undecided does not, and does not enter. "Unsure" is a missing vote.
 */
export interface AmongPeople {
  /** Votes that say pass or fail, and subjects with two of them or more. */
  votes: number;
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
  const bins: TallyHistogram = mergedBins(rows.flatMap(sayingBin)).filter(
    ({ value }) => ratingsIn(value) > 0,
  );
  const units = verdictsIn(
    rows.filter(({ key, tally }) => isDecided(key.decision) && tally.agree + tally.disagree > 0),
  );
  const estimate = (statistic: (drawn: TallyHistogram) => Measure): Estimate =>
    estimateOfBins(bins, statistic, units, 'no vote says pass or fail');
  return {
    votes: bins.reduce((total, { value, items }) => total + items * ratingsIn(value), 0),
    compared: itemsIn(pairable(bins)),
    pairs: estimate(pairwiseAgreement),
    kappa: estimate(fleissKappa),
    alpha: estimate((drawn) => krippendorffAlpha(drawn, { scale: 'nominal' })),
    ac1: estimate(gwetAc1),
  };
}
