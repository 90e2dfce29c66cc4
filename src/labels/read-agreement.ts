import { dayOf } from '../common/text.ts';
import { isScored } from '../judging/judgement.ts';
import type { Verdict } from '../judging/verdict.ts';
import { bootstrap } from '../statistics/bootstrap.ts';
import { kendallTau, spearman } from '../statistics/correlation.ts';
import { type Estimate, resampled, resampling } from '../statistics/estimate.ts';
import { scoreAlpha } from '../statistics/krippendorff-alpha.ts';
import type { Measure } from '../statistics/measure.ts';
import { type Agreement, agreementOf } from './agreement.ts';
import type { VoteStore } from './cast-vote.ts';
import { medianOf, type Voted } from './label.ts';
import { type CountKey, type CountRow, type CountStore, isTwoSided } from './verdict-record.ts';
import { judgeKey, rightOf } from './vote.ts';

/** Monday of a day's week, `2026-11-16`. @param day `2026-11-21` */
export function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return dayOf(date);
}

/** Group of judges without a persona. */
const NEUTRAL = '(neutral)';

type GroupedKey = Pick<CountKey, 'day' | 'rubric' | 'method' | 'subject'>;

/** What agreement can be grouped by. `persona` and `model` group single judges, the others whole panels or criteria. */
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

/** What is counted, and the group of a count. The subject of a judge is a `judgeKey`, in which a persona's id has no `@`. */
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

/** The counts of each group. Subjects that votes can only agree with are left out. */
export function countGroups(rows: readonly CountRow[], grouping: Grouping): Map<string, CountRow[]> {
  const groups = new Map<string, CountRow[]>();
  for (const row of rows) {
    if (row.key.kind !== kindOf(grouping) || !isTwoSided(row.key)) continue;
    const name = groupOf(row.key, grouping);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return groups;
}

/** How far the judges' scores agree with people's. */
export interface ScoreAgreement {
  group: string;
  rubric: string;
  verdicts: number;
  /** Votes that imply a score, and how many of them correct it. */
  votes: number;
  corrected: number;
  /** Of the judges' score and the median of people's. */
  spearman: Estimate;
  kendall: Estimate;
  alphaOrdinal: Estimate;
  alphaInterval: Estimate;
  /** Krippendorff's alpha between people. */
  people: { alphaOrdinal: Estimate; alphaInterval: Estimate };
}

/** The judges' score, the median of people's, and each of theirs. */
interface Compared {
  judged: number;
  people: number;
  said: readonly number[];
}

/** Verdicts drawn per resample and in total, at most: limits the cost of an interval. */
const MAX_DRAWN = 500;
const MAX_DRAWN_IN_TOTAL = 200_000;

const byName = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function agreementOfScores(items: readonly ScoredItem[]): Omit<ScoreAgreement, 'group' | 'rubric'> {
  const verdicts = new Map<string, Compared[]>();
  const votes = new Map<string, { said: number; corrected: number }>();
  for (const { verdictId, judged, said, corrected } of items) {
    const cluster = verdicts.get(verdictId) ?? [];
    verdicts.set(verdictId, cluster);
    // People's scores of a verdict count once, however many of its judges are in the group.
    cluster.push({ judged, people: medianOf(said), said: cluster.length === 0 ? said : [] });
    votes.set(verdictId, { said: said.length, corrected });
  }
  const clusters = [...verdicts.values()];
  const drawn = Math.min(MAX_DRAWN, clusters.length);
  const options = {
    ...resampling,
    resamples: Math.min(resampling.resamples, Math.round(MAX_DRAWN_IN_TOTAL / drawn)),
  };
  const estimate = (statistic: (compared: readonly Compared[]) => Measure): Estimate =>
    resampled(statistic(clusters.flat()), bootstrap(clusters, statistic, options, drawn));
  const alphas = (units: (compared: readonly Compared[]) => readonly number[][]) => ({
    alphaOrdinal: estimate((compared) => scoreAlpha(units(compared), 'ordinal')),
    alphaInterval: estimate((compared) => scoreAlpha(units(compared), 'interval')),
  });
  const both = (compared: readonly Compared[]) =>
    [compared.map(({ judged }) => judged), compared.map(({ people }) => people)] as const;
  const all = [...votes.values()];
  return {
    verdicts: clusters.length,
    votes: all.reduce((sum, { said }) => sum + said, 0),
    corrected: all.reduce((sum, { corrected }) => sum + corrected, 0),
    spearman: estimate((compared) => spearman(...both(compared))),
    kendall: estimate((compared) => kendallTau(...both(compared))),
    ...alphas((compared) => compared.map(({ judged, people }) => [judged, people])),
    people: alphas((compared) => compared.map(({ said }) => [...said])),
  };
}

/** By group and rubric, sorted by name; intervals resample whole verdicts. */
function scoreAgreement(items: readonly ScoredItem[]): ScoreAgreement[] {
  const groups = new Map<string, { group: string; rubric: string; items: ScoredItem[] }>();
  for (const item of items) {
    const name = JSON.stringify([item.group, item.rubric]);
    const found = groups.get(name) ?? { group: item.group, rubric: item.rubric, items: [] };
    groups.set(name, found);
    found.items.push(item);
  }
  return [...groups.values()]
    .sort((a, b) => byName(a.group, b.group) || byName(a.rubric, b.rubric))
    .map((one) => ({ group: one.group, rubric: one.rubric, ...agreementOfScores(one.items) }));
}

/** A judge's or panel's score with people's scores. */
interface ScoredItem {
  /** Scores of different rubrics mean different things, so each group is split by rubric. */
  group: string;
  rubric: string;
  verdictId: string;
  judged: number;
  /** The score that each vote implies: its correction, or the panel's if it agrees. At least one. */
  said: readonly number[];
  /** How many of those are corrections. */
  corrected: number;
}

/** The judges' scores in the deciding round; samples of one judge are averaged. */
function judgesScores(verdict: Verdict): { key: string; score: number }[] {
  const scores = new Map<string, number[]>();
  for (const judgement of verdict.judgements) {
    if (judgement.round !== verdict.decidedInRound || !isScored(judgement) || judgement.score === null)
      continue;
    const key = judgeKey(judgement.judge);
    scores.set(key, [...(scores.get(key) ?? []), judgement.score]);
  }
  return [...scores].map(([key, all]) => ({
    key,
    score: all.reduce((sum, score) => sum + score, 0) / all.length,
  }));
}

function judgedScores(
  { record: { at, verdict } }: Pick<Voted, 'record'>,
  by: Grouping,
): { group: string; judged: number }[] {
  const { score, rubric, method } = verdict;
  if (score === null) return [];
  const groupFor = (subject: string) => groupOf({ day: dayOf(at), rubric, method, subject }, by);
  switch (kindOf(by)) {
    case 'verdict':
      return [{ group: groupFor(''), judged: score }];
    case 'judge':
      return judgesScores(verdict).map((one) => ({ group: groupFor(one.key), judged: one.score }));
    case 'criterion':
      return [];
  }
}

/** The scores of a verdict; none without votes that imply a score. */
function scoredItems(voted: Omit<Voted, 'adjudication'>, by: Grouping, minVotes = 0): ScoredItem[] {
  const { id, verdict } = voted.record;
  if (verdict.decision !== 'scored') return [];
  const rights = voted.votes.map((vote) => ({ vote, right: rightOf(vote, verdict) }));
  const said = rights.flatMap(({ right }) => (right?.kind === 'score' ? [right.score] : []));
  if (said.length === 0 || said.length < minVotes) return [];
  const corrected = rights.filter(
    ({ vote, right }) => right !== null && vote.correction?.score !== undefined,
  ).length;
  return judgedScores(voted, by).map(({ group, judged }) => ({
    group,
    rubric: verdict.rubric,
    verdictId: id,
    judged,
    said,
    corrected,
  }));
}

export interface AgreementQuery {
  by: Grouping;
  /** Only verdicts by this rubric, or in this channel. */
  rubric?: string;
  channel?: string;
  /** Only verdicts from this day on (UTC), `2026-11-21`. */
  since?: string;
  /** Leaves out subjects with fewer votes that agree or disagree. */
  minVotes?: number;
}

export interface AgreementReport {
  by: Grouping;
  /** All verdicts, with and without votes. */
  verdicts: number;
  /** Periods in order, other groups by their number of verdicts. Groups without votes are left out. */
  groups: { name: string; agreement: Agreement }[];
  /** All verdicts together; null if the groups are of judges or criteria, or there is only one. */
  all: Agreement | null;
  /** For rubrics with scores. */
  scores: ScoreAgreement[];
}

async function readScores(
  store: Pick<VoteStore, 'allVotes'>,
  { by, rubric, channel, since, minVotes }: AgreementQuery,
): Promise<ScoredItem[]> {
  const items: ScoredItem[] = [];
  for await (const { record, votes } of store.allVotes()) {
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
 * How far people agree with the judges and with each other, from counts alone: the cost grows with groups and distinct tallies.
 * Single votes are read only if there are votes on scores, because counts do not contain scores.

 */
export async function readAgreement(
  store: CountStore & Pick<VoteStore, 'allVotes'>,
  query: AgreementQuery,
): Promise<AgreementReport> {
  const { by, rubric, channel, since = '0000-01-01', minVotes } = query;
  const rows = (await store.counts({ from: since, to: '9999-12-31' })).filter(
    ({ key }) =>
      (rubric === undefined || key.rubric === rubric) && (channel === undefined || key.channel === channel),
  );
  const groups = [...countGroups(rows, by)]
    .map(([name, counts]) => ({ name, agreement: agreementOf(counts, minVotes) }))
    .filter(({ agreement }) => agreement.verdicts > 0)
    .sort(
      (a, b) =>
        (isTime(by) ? 0 : b.agreement.verdicts - a.agreement.verdicts) ||
        (a.name < b.name ? -1 : Number(a.name > b.name)),
    );
  const verdictRows = rows.filter(({ key }) => key.kind === 'verdict');
  const scored = verdictRows.filter((row) => row.key.decision === 'scored' && hasVotes(row));
  return {
    by,
    verdicts: verdictRows.reduce((total, { items }) => total + items, 0),
    groups,
    all: kindOf(by) === 'verdict' && groups.length > 1 ? agreementOf(verdictRows, minVotes) : null,
    scores: scored.length === 0 ? [] : scoreAgreement(await readScores(store, query)),
  };
}
