import { isScored } from '../judging/judgement.ts';
import type { Verdict } from '../judging/verdict.ts';
import { bootstrap } from '../statistics/bootstrap.ts';
import { kendallTau, spearman } from '../statistics/correlation.ts';
import { type Estimate, resampled, resampling } from '../statistics/estimate.ts';
import { scoreAlpha } from '../statistics/krippendorff-alpha.ts';
import type { Measure } from '../statistics/measure.ts';
import { type Agreement, agreementOf } from './agreement.ts';
import type { VoteStore } from './cast-vote.ts';
import { countGroups, type Grouping, judgeGroup, kindOf, periodOf } from './count-groups.ts';
import { medianOf, type Voted } from './label.ts';
import type { CountRow, CountStore } from './verdict-record.ts';
import { judgeKey, rightOf } from './vote.ts';

/** How far given scores and those that people hold right are the same. */
export interface ScoreAgreement {
  group: string;
  rubric: string;
  verdicts: number;
  /** Votes that say a score, and how many of them name one of their own. */
  votes: number;
  corrected: number;
  /** Of the score and the median of what people say. */
  spearman: Estimate;
  kendall: Estimate;
  alphaOrdinal: Estimate;
  alphaInterval: Estimate;
  /** Krippendorff's alpha of people among themselves. */
  people: { alphaOrdinal: Estimate; alphaInterval: Estimate };
}

/** One score of a verdict, and what people hold right. */
interface Compared {
  judged: number;
  people: number;
  said: readonly number[];
}

/** Verdicts that a resample draws at most, and in all resamples together: what an interval costs at most. */
const DRAWN = 500;
const DRAWN_IN_ALL = 200_000;

const byName = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function agreementOfScores(items: readonly ScoredItem[]): Omit<ScoreAgreement, 'group' | 'rubric'> {
  const verdicts = new Map<string, Compared[]>();
  const votes = new Map<string, { said: number; corrected: number }>();
  for (const { verdictId, judged, said, corrected } of items) {
    const cluster = verdicts.get(verdictId) ?? [];
    verdicts.set(verdictId, cluster);
    // What people say of a verdict counts once, however many of its judges are in the group.
    cluster.push({ judged, people: medianOf(said), said: cluster.length === 0 ? said : [] });
    votes.set(verdictId, { said: said.length, corrected });
  }
  const clusters = [...verdicts.values()];
  const drawn = Math.min(DRAWN, clusters.length);
  const options = {
    ...resampling,
    resamples: Math.min(resampling.resamples, Math.round(DRAWN_IN_ALL / drawn)),
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

/** Agreement of scores by group and rubric, in the order of their names; intervals resample whole verdicts. */
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

/** A score that was given, beside what people say it should be. */
interface ScoredItem {
  /** Name of the group that it belongs to, and its rubric: scores of different rubrics mean different things. */
  group: string;
  rubric: string;
  verdictId: string;
  judged: number;
  /** What each vote says is right: its correction, or the panel's own score where it agrees. At least one. */
  said: readonly number[];
  /** How many of those are corrections. */
  corrected: number;
}

/** The scores of single judges in the round that decided, those of several samples of one judge as their mean. */
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
  switch (by) {
    case 'rubric':
      return [{ group: rubric, judged: score }];
    case 'method':
      return [{ group: method, judged: score }];
    case 'model':
    case 'persona':
      return judgesScores(verdict).map((one) => ({ group: judgeGroup(one.key, by), judged: one.score }));
    case 'criterion':
      return [];
    case 'day':
    case 'week':
    case 'month':
      return [{ group: periodOf(new Date(at).toISOString().slice(0, 10), by), judged: score }];
  }
}

/** The scores of a verdict that people have said something of; none where it has no score. */
function scoredItems(voted: Omit<Voted, 'adjudication'>, by: Grouping, least = 0): ScoredItem[] {
  const { id, verdict } = voted.record;
  if (verdict.decision !== 'scored') return [];
  const rights = voted.votes.map((vote) => ({ vote, right: rightOf(vote, verdict) }));
  const said = rights.flatMap(({ right }) => (right?.kind === 'score' ? [right.score] : []));
  if (said.length === 0 || said.length < least) return [];
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

export interface AgreementWish {
  by: Grouping;
  /** Of one rubric or one channel alone. */
  rubric?: string;
  channel?: string;
  /** Of verdicts from this day on (UTC), `2026-11-21`. */
  since?: string;
  /** Votes that agree or disagree without which a verdict does not enter. */
  minVotes?: number;
}

export interface AgreementReport {
  by: Grouping;
  /** Verdicts that are kept or counted in all, with and without votes. */
  verdicts: number;
  /** Days by their order, others by how many verdicts they have. Groups without a vote are left out. */
  groups: { name: string; agreement: Agreement }[];
  /** All verdicts together; null where the groups are of single judges or criteria, or there is only one. */
  all: Agreement | null;
  /** Of rubrics that give scores. */
  scores: ScoreAgreement[];
}

async function readScores(
  store: Pick<VoteStore, 'allVotes'>,
  { by, rubric, channel, since, minVotes }: AgreementWish,
): Promise<ScoredItem[]> {
  const items: ScoredItem[] = [];
  for await (const { record, votes } of store.allVotes()) {
    const { verdict, source, at } = record;
    if (rubric !== undefined && verdict.rubric !== rubric) continue;
    if (channel !== undefined && source.channel !== channel) continue;
    if (since !== undefined && new Date(at).toISOString().slice(0, 10) < since) continue;
    items.push(...scoredItems({ record, votes }, by, minVotes));
  }
  return items;
}

const isTime = (by: Grouping): boolean => by === 'day' || by === 'week' || by === 'month';

const hasVotes = ({ tally: { agree, disagree, unsure } }: CountRow): boolean => agree + disagree + unsure > 0;

/**
 * How far people agree with the judges and among themselves, from counts alone: costs by groups and distinct tallies. Only where
 * somebody voted on scores are votes read one by one, since only they say which score is right.
 */
export async function readAgreement(
  store: CountStore & Pick<VoteStore, 'allVotes'>,
  wish: AgreementWish,
): Promise<AgreementReport> {
  const { by, rubric, channel, since = '0000-01-01', minVotes } = wish;
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
    scores: scored.length === 0 ? [] : scoreAgreement(await readScores(store, wish)),
  };
}
