import {
  type Contingency,
  cohenKappa,
  contingencyOfBins,
  fleissKappa,
  gwetAc1,
  pairwiseAgreement,
} from '../statistics/agreement.ts';
import { type Estimate, estimateOfBins, estimateOfShare, mergedBins } from '../statistics/estimate.ts';
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
import type { CountRow } from './verdict-record.ts';
import { settledSide, type VoteTally } from './vote.ts';

/**
 * Verdicts that counts are of, at least: of each panel, day and channel, as many as the subject that is counted most often
 * there. Exact where a verdict has no two of the subjects. Where it has, such as three judges of one model, their answers
 * belong together, and so many verdicts are what an interval can rest on.
 */
function verdictsIn(rows: readonly CountRow[]): number {
  const cells = new Map<string, Map<string, number>>();
  for (const { key, items } of rows) {
    const { day, channel, rubric, method, models, subject } = key;
    const name = JSON.stringify([day, channel, rubric, method, models]);
    const cell = cells.get(name) ?? new Map<string, number>();
    cells.set(name, cell);
    cell.set(subject, (cell.get(subject) ?? 0) + items);
  }
  return [...cells.values()].reduce((total, cell) => total + Math.max(...cell.values()), 0);
}

/** How far what judges decided and what people say are the same. Subjects: verdicts, or single judges, or criteria. */
interface JudgesAndPeople {
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

type Decided = 'pass' | 'fail';
const decided = ['pass', 'fail'] as const;
const isDecided = (decision: string): decision is Decided => decision === 'pass' || decision === 'fail';
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
function judgesAndPeople(rows: readonly CountRow[]): JudgesAndPeople {
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

/**
 * How far people say the same among themselves. A vote on a pass or a fail says which of the two is right; a vote on a score or
 * on what was left undecided does not, and does not enter. "Unsure" is a missing vote.
 */
interface AmongPeople {
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

function amongPeople(rows: readonly CountRow[]): AmongPeople {
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

/** How far people agree with the judges and among themselves. */
export interface Agreement {
  /** With a vote; at least so many, where several judges of the group sit on one verdict. */
  verdicts: number;
  votes: VoteTally;
  judges: JudgesAndPeople;
  people: AmongPeople;
}

/**
 * Agreement from counts of one kind of subject, with intervals by verdict. Costs by the distinct tallies, not by the votes. What
 * nobody voted on does not enter.
 *
 * @param least votes that agree or disagree without which a subject does not enter
 */
export function agreementOf(rows: readonly CountRow[], least = 0): Agreement {
  const voted = rows.filter(({ tally: { agree, disagree, unsure }, items }) => {
    const said = agree + disagree;
    return items > 0 && said + unsure > 0 && said >= least;
  });
  const votes = { agree: 0, disagree: 0, unsure: 0 };
  for (const { tally, items } of voted) {
    votes.agree += items * tally.agree;
    votes.disagree += items * tally.disagree;
    votes.unsure += items * tally.unsure;
  }
  return {
    verdicts: verdictsIn(voted),
    votes,
    judges: judgesAndPeople(voted),
    people: amongPeople(voted),
  };
}
