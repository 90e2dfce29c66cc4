import { groupedBy } from '../../common/index.ts';
import { dayOf } from '../../common/text/index.ts';
import { scoredOf, type Verdict } from '../../judging/verdict/index.ts';
import { type Estimate, jackknifeEstimate, type Measure, singly, sum } from '../../statistics/index.ts';
import { kendallTau, scoreAlpha, spearman } from '../../statistics/raters/index.ts';
import { medianOf, usualRule } from '../index.ts';
import {
  type CountKey,
  type CountRow,
  type CountStore,
  isTwoSided,
  judgeKey,
  rightOf,
} from '../record/index.ts';
import type { Voted, VoteStore } from '../voting/index.ts';
import { agreementOf } from './agreement.ts';

/**
 * The Monday of a day's week, `2026-11-16`.
 *
 * @param day `2026-11-21`
 */
export function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return dayOf(date);
}

/** The group of judges without a persona. */
const NEUTRAL = '(neutral)';

type GroupedKey = Pick<CountKey, 'day' | 'rubric' | 'method' | 'subject'>;

/** Ways to group agreement. `persona` and `model` group single judges, the others whole panels or criteria. */
export const groupings = [
  'rubric',
  'criterion',
  'method',
  'model',
  'persona',
  'day',
  'week',
  'month',
] as const;
export type Grouping = (typeof groupings)[number];

/**
 * Which kind of count each grouping uses, and the group of a count. A judge's subject is a `judgeKey`, whose persona id
 * never contains `@`.
 */
const by: Record<Grouping, [kind: CountKey['kind'], groupOf: (key: GroupedKey) => string]> = {
  rubric: ['verdict', ({ rubric }) => rubric],
  criterion: ['criterion', ({ rubric, subject }) => `${rubric}: ${subject}`],
  method: ['verdict', ({ method }) => method],
  model: ['judge', ({ subject }) => subject.slice(subject.indexOf('@') + 1)],
  persona: ['judge', ({ subject }) => subject.slice(0, subject.indexOf('@')) || NEUTRAL],
  day: ['verdict', ({ day }) => day],
  week: ['verdict', ({ day }) => mondayOf(day)],
  month: ['verdict', ({ day }) => day.slice(0, 7)],
};

export const kindOf = (grouping: Grouping): CountKey['kind'] => by[grouping][0];
const groupOf = (key: GroupedKey, grouping: Grouping): string => by[grouping][1](key);

/** The counts of each group, without subjects that votes can only agree with. */
export const countGroups = (rows: readonly CountRow[], grouping: Grouping): Map<string, CountRow[]> =>
  groupedBy(
    rows.filter(({ key }) => key.kind === kindOf(grouping) && isTwoSided(key)),
    ({ key }) => groupOf(key, grouping),
  );

export type ScoreAgreement = ReturnType<typeof scoreAgreement>[number];

/** The judges' score, the median of people's scores, and each of those. */
interface Compared {
  judged: number;
  people: number;
  said: readonly number[];
}

const byName = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** How well the judges' scores agree with people's. */
function agreementOfScores(items: readonly ScoredItem[]) {
  const verdicts = [...groupedBy(items, ({ verdictId }) => verdictId).values()];
  // Count people's scores once per verdict, however many of its judges are in the group.
  const clusters = verdicts.map((judges) =>
    judges.map(({ judged, said }, n): Compared => {
      return { judged, people: medianOf(said), said: n === 0 ? said : [] };
    }),
  );
  const bins = [...singly(clusters)];
  const estimate = (statistic: (compared: readonly Compared[]) => Measure): Estimate =>
    jackknifeEstimate(bins, (some) => statistic(some.flatMap(({ value }) => value)), 'correlation');
  const alphas = (units: (compared: readonly Compared[]) => readonly number[][]) => ({
    alphaOrdinal: estimate((compared) => scoreAlpha(units(compared), 'ordinal')),
    alphaInterval: estimate((compared) => scoreAlpha(units(compared), 'interval')),
  });
  const both = (compared: readonly Compared[]) =>
    [compared.map(({ judged }) => judged), compared.map(({ people }) => people)] as const;
  const total = (countOf: (item: ScoredItem) => number) =>
    sum(verdicts.flatMap(([first]) => (first === undefined ? [] : [countOf(first)])));
  return {
    verdicts: clusters.length,
    /** Votes that imply a score, and how many of those correct the panel's. */
    votes: total(({ said }) => said.length),
    corrected: total(({ corrected }) => corrected),
    /** Spearman's rho between the judges' score and the median of people's. */
    spearman: estimate((compared) => spearman(...both(compared))),
    kendall: estimate((compared) => kendallTau(...both(compared))),
    ...alphas((compared) => compared.map(({ judged, people }) => [judged, people])),
    /** Krippendorff's alpha between people. */
    people: alphas((compared) => compared.map(({ said }) => [...said])),
  };
}

/** By group and rubric, sorted by name; intervals are by verdict. */
const scoreAgreement = (items: readonly ScoredItem[]) =>
  [...groupedBy(items, ({ group, rubric }) => JSON.stringify([group, rubric])).values()]
    .flatMap((same) => {
      const [first] = same;
      return first === undefined
        ? []
        : [{ group: first.group, rubric: first.rubric, ...agreementOfScores(same) }];
    })
    .sort((a, b) => byName(a.group, b.group) || byName(a.rubric, b.rubric));

/** A judge's or panel's score with people's scores. */
interface ScoredItem {
  /** Scores mean different things under different rubrics, so each group is split by rubric. */
  group: string;
  rubric: string;
  verdictId: string;
  judged: number;
  /** The score that each vote implies: its correction, or the panel's if it agrees. At least one. */
  said: readonly number[];
  /** How many of those are corrections. */
  corrected: number;
}

/**
 * The scores to group: the panel's, or those of its judges in the deciding round, with samples of one judge averaged.
 */
function judgedScores(verdict: Verdict, kind: CountKey['kind']): { subject: string; judged: number }[] {
  if (kind === 'criterion') return [];
  if (kind === 'verdict') return verdict.score === null ? [] : [{ subject: '', judged: verdict.score }];
  const deciding = scoredOf(verdict.judgements.filter(({ round }) => round === verdict.decidedInRound));
  return [...groupedBy(deciding, ({ judge }) => judgeKey(judge))].flatMap(([subject, ofJudge]) => {
    const scores = ofJudge.flatMap(({ score }) => score ?? []);
    return scores.length === 0 ? [] : [{ subject, judged: sum(scores) / scores.length }];
  });
}

/** A verdict's scores; none unless votes imply a score. */
function scoredItems(
  { record, votes }: Pick<Voted, 'record' | 'votes'>,
  by: Grouping,
  minVotes = 0,
): ScoredItem[] {
  const { id, at, verdict } = record;
  const { rubric, method } = verdict;
  // Which of two answers people prefer is in the counts already.
  if (verdict.decision !== 'scored' || verdict.preference !== undefined) return [];
  const scoring = votes.flatMap((vote) => {
    const right = rightOf(vote, verdict);
    return right?.kind === 'score' ? [{ vote, score: right.score }] : [];
  });
  if (scoring.length < Math.max(1, minVotes)) return [];
  const voteScores = scoring.map(({ score }) => score);
  const corrected = scoring.filter(
    ({ vote }) => 'value' in vote && vote.correction?.score !== undefined,
  ).length;
  return judgedScores(verdict, kindOf(by)).map(({ subject, judged }) => {
    const group = groupOf({ day: dayOf(at), rubric, method, subject }, by);
    return { group, rubric, verdictId: id, judged, said: voteScores, corrected };
  });
}

export interface AgreementQuery {
  by: Grouping;
  /** Only verdicts by this rubric or in this channel. */
  rubric?: string;
  channel?: string;
  /** Only verdicts from this day (UTC), `2026-11-21`. */
  since?: string;
  /** Leaves out subjects with fewer votes for or against, and lets this many settle one; default: the usual rule settles. */
  minVotes?: number;
}

export type AgreementReport = Awaited<ReturnType<typeof readAgreement>>;

async function readScores(
  store: Pick<VoteStore, 'allVoted'>,
  { by, rubric, channel, since, minVotes }: AgreementQuery,
): Promise<ScoredItem[]> {
  const items: ScoredItem[] = [];
  for await (const { record, votes } of store.allVoted()) {
    const { verdict, source, at } = record;
    if (rubric !== undefined && verdict.rubric !== rubric) continue;
    if (channel !== undefined && source.channel !== channel) continue;
    if (since !== undefined && dayOf(at) < since) continue;
    items.push(...scoredItems({ record, votes }, by, minVotes));
  }
  return items;
}

const isTime = (by: Grouping): boolean => by === 'day' || by === 'week' || by === 'month';

const hasVotes = ({ tally: { agree, disagree, unsure } }: CountRow): boolean => agree + disagree + unsure > 0;

/**
 * How far people agree with the judges and with each other, from counts alone: the cost grows with groups and distinct
 * tallies. Counts do not contain scores, so single votes are read if there are votes on scores.
 */
export async function readAgreement(store: CountStore & Pick<VoteStore, 'allVoted'>, query: AgreementQuery) {
  const { by, rubric, channel, since = '0000-01-01', minVotes } = query;
  const rows = (await store.counts({ from: since, to: '9999-12-31' })).filter(
    ({ key }) =>
      (rubric === undefined || key.rubric === rubric) && (channel === undefined || key.channel === channel),
  );
  const groups = [...countGroups(rows, by)]
    .map(([name, counts]) => ({ name, agreement: agreementOf(counts, minVotes) }))
    .filter(({ agreement }) => agreement.verdicts > 0)
    .sort((a, b) => (isTime(by) ? 0 : b.agreement.verdicts - a.agreement.verdicts) || byName(a.name, b.name));
  const verdictRows = rows.filter(({ key }) => key.kind === 'verdict');
  const scored = verdictRows.filter((row) => row.key.decision === 'scored' && hasVotes(row));
  return {
    by,
    /** How many votes for or against settle a verdict, answer or finding. */
    settledFrom: minVotes ?? usualRule.minVotes,
    /** All verdicts, with and without votes. */
    verdicts: verdictRows.reduce((total, { items }) => total + items, 0),
    /** Periods in order, other groups by their number of verdicts. Groups without votes are left out. */
    groups,
    /** All verdicts together; null if the groups are of judges or criteria, or there is only one group. */
    all: kindOf(by) === 'verdict' && groups.length > 1 ? agreementOf(verdictRows, minVotes) : null,
    /** For rubrics with scores. */
    scores: scored.length === 0 ? [] : scoreAgreement(await readScores(store, query)),
  };
}
