import { groupedBy } from '../../common/index.ts';
import {
  type Bin,
  type Estimate,
  estimateOfShare,
  itemsIn,
  jackknifeEstimate,
  type Measure,
  mergedBins,
  type Range,
  sum,
  unmeasured,
} from '../../statistics/index.ts';
import {
  type Contingency,
  cohenKappa,
  contingencyOfBins,
  fleissKappa,
  gwetAc1,
  krippendorffAlpha,
  pairable,
  pairwiseAgreement,
  ratingsIn,
  type Tally,
  type TallyHistogram,
} from '../../statistics/raters/index.ts';
import { type SettledSide, settledSide, settledSides, usualRule } from '../index.ts';
import { type CountRow, votesIn } from '../record/index.ts';

/**
 * A lower bound on the number of verdicts behind some counts: for each panel, day and channel, the count of its most
 * frequent subject. Exact unless one verdict has several of the subjects, such as three judges of one model. Their
 * answers are correlated, so intervals are based on this number.
 */
function verdictsIn(rows: readonly CountRow[]): number {
  const cells = groupedBy(rows, ({ key: { day, channel, rubric, method, models } }) =>
    JSON.stringify([day, channel, rubric, method, models]),
  );
  const items = (same: readonly CountRow[]) => sum(same.map((row) => row.items));
  return sum(
    [...cells.values()].map((cell) =>
      Math.max(...[...groupedBy(cell, ({ key }) => key.subject).values()].map(items)),
    ),
  );
}

type Decided = 'pass' | 'fail';
const decided = ['pass', 'fail'] as const;
const isDecided = (decision: string): decision is Decided => decision === 'pass' || decision === 'fail';
const other: Record<Decided, Decided> = { pass: 'fail', fail: 'pass' };

const isSettled = (side: SettledSide): boolean => side === 'agree' || side === 'disagree';

/** The panel's decision, and what votes settled on. */
type Labeled = readonly [Decided, Decided];

function labeledBin({ key: { decision }, tally: { agree, disagree }, items }: CountRow): Bin<Labeled>[] {
  if (!isDecided(decision)) return [];
  const right = agree > disagree ? decision : other[decision];
  return [{ value: [decision, right], items }];
}

const tableOf = (bins: readonly Bin<Labeled>[]): Contingency => contingencyOfBins(bins, decided);

/** Treats the judges and what votes settled on as two raters of each subject. */
const twoRaters = (bins: readonly Bin<Labeled>[]): TallyHistogram =>
  bins.map(({ value, items }) => ({
    value: decided.map((decision) => value.filter((answer) => answer === decision).length),
    items,
  }));

/**
 * How far people agree with the judges, by verdict, judge or criterion.
 *
 * @param rows counts of subjects with votes
 * @param minVotes how many votes for or against settle a subject
 */
function judgeAgreement(rows: readonly CountRow[], minVotes: number) {
  const sides = settledSides(rows, { minVotes });
  const { agree: agreed, disagree: disagreed, split: tied } = sides;
  const n = agreed + disagreed;
  const unsure = sum(
    rows.filter(({ tally }) => tally.agree + tally.disagree === 0).map(({ items }) => items),
  );
  const decided = rows.filter(({ tally }) => isSettled(settledSide(tally, { minVotes })));
  const units = verdictsIn(decided);
  const labeled = decided.filter(({ key }) => isDecided(key.decision));
  const bins = mergedBins(labeled.flatMap(labeledBin));
  const labeledUnits = verdictsIn(labeled);
  const estimate = (statistic: (some: readonly Bin<Labeled>[]) => Measure): Estimate =>
    jackknifeEstimate(
      bins,
      (some) => (some.length === 0 ? unmeasured('no pass or fail is settled', 0) : statistic(some)),
      'correlation',
      labeledUnits,
    );
  return {
    /**
     * Number of subjects by what their votes settle. `tied`: enough votes, but split; `open`: too few for or against; `unsure`: none.
     */
    agreed,
    disagreed,
    tied,
    open: sides.open - unsure,
    unsure,
    /** agreed / (agreed + disagreed), with Wilson's interval, which has a width even if all votes agree. */
    share: estimateOfShare(agreed, n, units, 'none is settled'),
    /** Settled subjects that were judged pass or fail, so that votes imply the right decision. */
    labeled: itemsIn(bins),
    /** Cohen's kappa and Gwet's AC1 between the panel's decision and what votes settled on. */
    kappa: estimate((some) => cohenKappa(tableOf(some))),
    ac1: estimate((some) => gwetAc1(twoRaters(some))),
  };
}

/** The votes for pass and for fail. */
function peopleBin({ key: { decision }, tally: { agree, disagree }, items }: CountRow): Bin<Tally>[] {
  if (!isDecided(decision)) return [];
  return [{ value: decision === 'pass' ? [agree, disagree] : [disagree, agree], items }];
}

/**
 * How far people agree with each other. Only votes on a pass or fail count, because only they imply a decision. An
 * unsure vote counts as missing.
 */
function peopleAgreement(rows: readonly CountRow[]) {
  const bins: TallyHistogram = mergedBins(rows.flatMap(peopleBin)).filter(
    ({ value }) => ratingsIn(value) > 0,
  );
  const units = verdictsIn(
    rows.filter(({ key, tally }) => isDecided(key.decision) && tally.agree + tally.disagree > 0),
  );
  const estimate = (statistic: (some: TallyHistogram) => Measure, range: Range = 'correlation'): Estimate =>
    jackknifeEstimate(
      bins,
      (some) => (some.length === 0 ? unmeasured('no vote implies pass or fail', 0) : statistic(some)),
      range,
      units,
    );
  return {
    /** Votes that imply pass or fail, and subjects with at least two of them. */
    votes: bins.reduce((total, { value, items }) => total + items * ratingsIn(value), 0),
    compared: itemsIn(pairable(bins)),
    /** Share of agreeing pairs of votes on a subject, averaged over subjects. */
    pairs: estimate(pairwiseAgreement, 'share'),
    /** Fleiss' kappa; defined only if all subjects have the same number of votes. */
    kappa: estimate(fleissKappa),
    /** Krippendorff's alpha, nominal: corrected for chance like kappa, but tolerates missing votes. */
    alpha: estimate((some) => krippendorffAlpha(some, { scale: 'nominal' })),
    ac1: estimate(gwetAc1),
  };
}

/** How far people agree with the judges and with each other. */
export type Agreement = ReturnType<typeof agreementOf>;

/**
 * Agreement from counts of one kind of subject, with intervals by verdict. Subjects without votes are left out. The
 * cost grows with distinct tallies, not with votes.
 *
 * @param minVotes subjects with fewer votes for or against are left out, and this many settle one; default: none is left out, and the
 * usual rule settles
 */
export function agreementOf(rows: readonly CountRow[], minVotes?: number) {
  const voted = rows.filter(({ tally: { agree, disagree, unsure }, items }) => {
    const takingSides = agree + disagree;
    return items > 0 && takingSides + unsure > 0 && takingSides >= (minVotes ?? 0);
  });
  return {
    /** Verdicts with a vote; a lower bound if several judges of the group share a verdict. */
    verdicts: verdictsIn(voted),
    votes: votesIn(voted),
    judges: judgeAgreement(voted, minVotes ?? usualRule.minVotes),
    people: peopleAgreement(voted),
  };
}
