import { isScored } from '../judging/judgement.ts';
import type { Verdict } from '../judging/verdict.ts';
import { type Grouping, judgeGroup } from './count-groups.ts';
import type { Voted } from './label.ts';
import { periodOf } from './period.ts';
import { judgeKey } from './subject.ts';
import { rightOf } from './vote.ts';

/** A score that was given, beside what people say it should be. */
export interface ScoredItem {
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
export function scoredItems(voted: Omit<Voted, 'adjudication'>, by: Grouping, least = 0): ScoredItem[] {
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
