import { type Contingency, cohenKappa, contingencyOfBins, gwetAc1 } from '../statistics/agreement.ts';
import { type Estimate, estimateOfBins, estimateOfShare, mergedBins } from '../statistics/estimate.ts';
import { type Bin, itemsIn, type TallyHistogram } from '../statistics/tallies.ts';
import { verdictsIn } from './verdicts-in.ts';
import { settledSide } from './vote.ts';
import type { CountRow } from './vote-counts.ts';

/** How far what judges decided and what people say are the same. Subjects: verdicts, or single judges, or criteria. */
export interface JudgesAndPeople {
  /** More votes agree than disagree; the other way round; as many of both; nobody says either. */
  agreed: number;
  disagreed: number;
  tied: number;
  unsure: number;
  /** agreed / (agreed + disagreed), with Wilson's interval: a bootstrap would be certain where all agree. */
  share: Estimate;
  /** Settled subjects that were judged pass or fail, of which it follows what most votes say is right. */
  labeled: number;
  /** Cohen's kappa and Gwet's AC1 of what was decided and what most votes say is right. */
  kappa: Estimate;
  ac1: Estimate;
}

export type Decided = 'pass' | 'fail';
const decided = ['pass', 'fail'] as const;
export const isDecided = (decision: string): decision is Decided =>
  decision === 'pass' || decision === 'fail';
const other: Record<Decided, Decided> = { pass: 'fail', fail: 'pass' };

/** What was decided and what most say is right. */
type Labeled = readonly [Decided, Decided];

function labeledBin({ key: { decision }, tally, items }: CountRow): Bin<Labeled>[] {
  if (!isDecided(decision)) return [];
  const right = settledSide(tally) === 'agree' ? decision : other[decision];
  return [{ value: [decision, right], items }];
}

const tableOf = (bins: readonly Bin<Labeled>[]): Contingency => contingencyOfBins(bins, decided);

/** The judges and the majority as two raters of each subject. */
const twoRaters = (bins: readonly Bin<Labeled>[]): TallyHistogram =>
  bins.map(({ value, items }) => ({
    value: decided.map((decision) => value.filter((said) => said === decision).length),
    items,
  }));

const NONE_LABELED = 'no vote tips one that was judged pass or fail';

/** @param rows counts of subjects that somebody voted on */
export function judgesAndPeople(rows: readonly CountRow[]): JudgesAndPeople {
  const sides = { agree: 0, disagree: 0, tied: 0, open: 0 };
  for (const { tally, items } of rows) sides[settledSide(tally)] += items;
  const { agree: agreed, disagree: disagreed, tied, open: unsure } = sides;
  const n = agreed + disagreed;
  const settled = rows.filter(({ tally }) => tally.agree !== tally.disagree);
  const units = verdictsIn(settled);
  const labeled = settled.filter(({ key }) => isDecided(key.decision));
  const bins = mergedBins(labeled.flatMap(labeledBin));
  const labeledUnits = verdictsIn(labeled);
  return {
    agreed,
    disagreed,
    tied,
    unsure,
    share: estimateOfShare(agreed, n, units, 'no vote tips one'),
    labeled: itemsIn(bins),
    kappa: estimateOfBins(bins, (drawn) => cohenKappa(tableOf(drawn)), labeledUnits, NONE_LABELED),
    ac1: estimateOfBins(bins, (drawn) => gwetAc1(twoRaters(drawn)), labeledUnits, NONE_LABELED),
  };
}
