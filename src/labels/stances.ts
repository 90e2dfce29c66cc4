import * as z from 'zod';
import { groupedBy } from '../common/collections.ts';
import { type Judge, scoredOf } from '../judging/judgement.ts';
import { betterOf, type Verdict } from '../judging/verdict.ts';
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
 * What a vote on a verdict is about: the verdict itself, a judge's last answer, or the finding on a criterion. Votes are counted by
 * subject, which gives the agreement with each method, judge and criterion.
 */
export const Subject = z.strictObject({
  kind: z.enum(['verdict', 'judge', 'criterion']),
  /** Empty for the verdict, `judgeKey` for a judge, otherwise the criterion's id. */
  id: z.string(),
  /** Its outcome: pass, fail, scored, undecided; of two answers, which is better: A, B, same. */
  decision: z.string(),
});
export type Subject = z.infer<typeof Subject>;

/** Whether a subject came to nothing, so that no vote can agree or disagree with it. */
export const isSilent = ({ decision }: Pick<Subject, 'decision'>): boolean => decision === 'undecided';

/** A judge in votes and counts: `auditor@openai/gpt-4o-mini`, or `@rules` without a persona. Samples count as one judge. */
export const judgeKey = ({ persona, model }: Pick<Judge, 'persona' | 'model'>): string =>
  `${persona ?? ''}@${model}`;

/** The subjects of a vote on this verdict, in a fixed order, without judges that gave no answer. */
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
 * What a vote says about a subject; null if nothing, as of every subject that says nothing itself. It agrees with a judge that gave the
 * decision it implies, unless it names the judge as wrong. It agrees with all criteria if it agrees with the verdict, and disagrees with
 * those that it names.
 */
export function valueOn(subject: Subject, said: Said, decided: string): VoteValue | null {
  const { correction } = said;
  if (isSilent(subject)) return null;
  switch (subject.kind) {
    case 'verdict':
      return valueIn(said);
    case 'judge': {
      if (correction?.judges.includes(subject.id)) return 'disagree';
      if (isUnsure(said)) return 'unsure';
      const right = rightDecision(said, decided);
      if (right === null) return null;
      return right === subject.decision ? 'agree' : 'disagree';
    }
    case 'criterion':
      if (correction?.criteria.includes(subject.id)) return 'disagree';
      if (isUnsure(said)) return 'unsure';
      return valueIn(said) === 'agree' ? 'agree' : null;
  }
}

const letters: Readonly<Record<VoteValue, string>> = { agree: 'a', disagree: 'd', unsure: 'u' };
/** In place of a vote's own letter: it is about the case, and no tally of those who agree counts it. */
const ANSWERS = 'r';
const valueOfLetter = (letter: string): VoteValue | undefined =>
  VoteValue.options.find((value) => letters[value] === letter);

/** A ballot as one letter for the vote itself and one for each subject, in order. `-`: says nothing about it. */
export function stancesOf(
  subjects: readonly Subject[],
  decided: Verdict['decision'],
  ballot: Ballot,
): string {
  const vote = asCounted(ballot, decided);
  if (vote === null) return noStances(subjects);
  // The verdict's own subject says which of two answers is better.
  const outcome = subjects.find(({ kind }) => kind === 'verdict')?.decision ?? decided;
  const letterOf = (value: VoteValue | null) => (value === null ? '-' : letters[value]);
  const own = 'right' in vote ? ANSWERS : letters[vote.value];
  return own + subjects.map((subject) => letterOf(valueOn(subject, vote, outcome))).join('');
}

/** The stances of a voter before their first vote. */
export const noStances = (subjects: readonly unknown[]): string => '-'.repeat(subjects.length + 1);

/**
 * The tallies that change when a voter's stances change, by their place in the stances (0: the vote itself, n: subject n − 1). Tallies
 * and stances have the same length.
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
