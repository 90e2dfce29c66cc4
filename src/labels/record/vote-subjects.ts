import * as z from 'zod';
import { groupedBy } from '../../common/index.ts';
import { betterOf, type Judge, scoredOf, type Verdict } from '../../judging/verdict/index.ts';
import {
  asCounted,
  type Ballot,
  isUnsure,
  noVotes,
  rightDecision,
  type Said,
  type VoteTally,
  VoteValue,
  valueIn,
} from './vote.ts';

/**
 * What a vote on a verdict can be about: the verdict itself, a judge's last answer, or the finding on a criterion.
 * Counting votes by subject gives the agreement with each method, judge and criterion.
 */
export const Subject = z.strictObject({
  kind: z.enum(['verdict', 'judge', 'criterion']),
  /** Empty for the verdict, a `judgeKey` for a judge, the criterion's id for a criterion. */
  id: z.string(),
  /** Its outcome: pass, fail, scored or undecided; for two answers, which is better: A, B or same. */
  decision: z.string(),
});
export type Subject = z.infer<typeof Subject>;

/** Whether a subject is undecided, so that no vote can agree or disagree with it. */
export const isSilent = ({ decision }: Pick<Subject, 'decision'>): boolean => decision === 'undecided';

/**
 * Identifies a judge in votes and counts: `auditor@openai/gpt-4o-mini`, or `@rules` without a persona. Samples of a
 * judge count as one.
 */
export const judgeKey = ({ persona, model }: Pick<Judge, 'persona' | 'model'>): string =>
  `${persona ?? ''}@${model}`;

/** What a vote on this verdict is about, in a fixed order, without judges that gave no answer. */
export function subjectsOf(verdict: Verdict): Subject[] {
  const outcomeOf = ({ decision, score }: { decision: string; score: number | null }): string =>
    verdict.preference !== undefined && decision === 'scored' ? betterOf(score ?? 0) : decision;
  const deciding = scoredOf(verdict.judgements.filter(({ round }) => round === verdict.decidedInRound));
  const judges = groupedBy(deciding, ({ judge }) => judgeKey(judge));
  return [
    { kind: 'verdict', id: '', decision: outcomeOf(verdict) },
    ...[...judges].flatMap(([id, [first]]): Subject[] =>
      first === undefined ? [] : [{ kind: 'judge', id, decision: outcomeOf(first) }],
    ),
    ...verdict.criteria
      .filter(({ decision }) => decision !== 'not-judged' && decision !== 'not-relevant')
      .map((one): Subject => ({ kind: 'criterion', id: one.id, decision: outcomeOf(one) })),
  ];
}

/**
 * What a vote says about a subject; null if nothing, as for every undecided subject. It agrees with a judge whose
 * decision is the one it implies, unless it names that judge as wrong. It agrees with all criteria if it agrees with
 * the verdict, and disagrees with those it names.
 */
export function valueOn(subject: Subject, vote: Said, decided: string): VoteValue | null {
  const { correction } = vote;
  if (isSilent(subject)) return null;
  switch (subject.kind) {
    case 'verdict':
      return valueIn(vote);
    case 'judge': {
      if (correction?.judges.includes(subject.id)) return 'disagree';
      if (isUnsure(vote)) return 'unsure';
      const right = rightDecision(vote, decided);
      if (right === null) return null;
      return right === subject.decision ? 'agree' : 'disagree';
    }
    case 'criterion':
      if (correction?.criteria.includes(subject.id)) return 'disagree';
      if (isUnsure(vote)) return 'unsure';
      return valueIn(vote) === 'agree' ? 'agree' : null;
  }
}

const letters: Readonly<Record<VoteValue, string>> = { agree: 'a', disagree: 'd', unsure: 'u' };
/** The letter of a vote that answers the case itself; tallies of agree, disagree and unsure do not count it. */
const ANSWERS = 'r';
const valueOfLetter = (letter: string): VoteValue | undefined =>
  VoteValue.options.find((value) => letters[value] === letter);

/**
 * A ballot as a string of letters: one for the vote itself, then one per subject in order. `-`: says nothing about it.
 */
export function stancesOf(
  subjects: readonly Subject[],
  decided: Verdict['decision'],
  ballot: Ballot,
): string {
  const vote = asCounted(ballot, decided);
  if (vote === null) return noStances(subjects);
  // The verdict's own subject holds which of two answers is better.
  const outcome = subjects.find(({ kind }) => kind === 'verdict')?.decision ?? decided;
  const letterOf = (value: VoteValue | null) => (value === null ? '-' : letters[value]);
  const verdictLetter = 'right' in vote ? ANSWERS : letters[vote.value];
  return verdictLetter + subjects.map((subject) => letterOf(valueOn(subject, vote, outcome))).join('');
}

/** A voter's stances before their first vote. */
export const noStances = (subjects: readonly unknown[]): string => '-'.repeat(subjects.length + 1);

/**
 * The tallies that change with a voter's stances, by position (0: the vote itself, n: subject n − 1). Tallies and
 * stances have the same length.
 */
export function tallyMoves(tallies: readonly VoteTally[], before: string, after: string) {
  return tallies.flatMap((from, place) => {
    const [old = '-', now = '-'] = [before[place], after[place]];
    if (old === now) return [];
    const to = { ...from };
    const [without, added] = [valueOfLetter(old), valueOfLetter(now)];
    if (without !== undefined) to[without] -= 1;
    if (added !== undefined) to[added] += 1;
    return [{ place, from, to }];
  });
}

/** The tallies of a verdict without votes: its own, then one per subject. */
export const emptyTallies = (subjects: readonly unknown[]): VoteTally[] => [
  noVotes,
  ...subjects.map(() => noVotes),
];
