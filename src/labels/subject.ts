import * as z from 'zod';
import type { Judge } from '../judging/judgement.ts';
import type { Verdict } from '../judging/verdict.ts';
import { type Ballot, noVotes, rightDecision, type VoteTally, type VoteValue } from './vote.ts';

/**
 * Something that a vote on a verdict speaks about: the verdict itself, one judge's last answer, or what was found on one
 * criterion. Votes are counted by subject, so that agreement is known per method, judge and criterion.
 */
export const Subject = z.strictObject({
  kind: z.enum(['verdict', 'judge', 'criterion']),
  /** Empty for the verdict, `judgeKey` for a judge, the criterion's id. */
  id: z.string(),
  /** What was decided about it: pass, fail, scored, undecided. */
  decision: z.string(),
});
export type Subject = z.infer<typeof Subject>;

/** Names a judge in votes and counts: `auditor@openai/gpt-4o-mini`, `@rules` for a neutral one; samples are one judge. */
export const judgeKey = ({ persona, model }: Pick<Judge, 'persona' | 'model'>): string =>
  `${persona ?? ''}@${model}`;

/** What a vote on this verdict can speak about, in a fixed order; judges that gave no answer are left out. */
export function subjectsOf(verdict: Verdict): Subject[] {
  const deciding = verdict.judgements.filter(
    ({ round, status }) => round === verdict.decidedInRound && status === 'scored',
  );
  const judges = new Map<string, Subject>();
  for (const judgement of deciding) {
    if (judgement.status !== 'scored') continue;
    const id = judgeKey(judgement.judge);
    if (!judges.has(id)) judges.set(id, { kind: 'judge', id, decision: judgement.decision });
  }
  return [
    { kind: 'verdict', id: '', decision: verdict.decision },
    ...judges.values(),
    ...verdict.criteria
      .filter(({ decision }) => decision !== 'not-judged' && decision !== 'not-relevant')
      .map(({ id, decision }): Subject => ({ kind: 'criterion', id, decision })),
  ];
}

/**
 * What a ballot on a verdict says of one of its subjects; null where it says nothing. A judge is agreed with when it gave
 * the decision that the voter holds right, unless the voter named it as wrong; a criterion when the voter agrees with
 * the verdict, disagreed with when the voter names it.
 */
export function valueOn(
  subject: Subject,
  ballot: Pick<Ballot, 'value' | 'correction'>,
  decided: Verdict['decision'],
): VoteValue | null {
  const { value, correction } = ballot;
  if (value === null) return null;
  switch (subject.kind) {
    case 'verdict':
      return value;
    case 'judge': {
      if (correction?.judges.includes(subject.id)) return 'disagree';
      if (value === 'unsure') return 'unsure';
      const right = rightDecision(ballot, decided);
      if (right === null) return null;
      return right === subject.decision ? 'agree' : 'disagree';
    }
    case 'criterion':
      if (correction?.criteria.includes(subject.id)) return 'disagree';
      return value === 'disagree' ? null : value;
  }
}

const letters = { agree: 'a', disagree: 'd', unsure: 'u' } as const satisfies Record<VoteValue, string>;
const values = { a: 'agree', d: 'disagree', u: 'unsure' } as const satisfies Record<string, VoteValue>;
const isLetter = (letter: string): letter is keyof typeof values => letter in values;

/** What a ballot says, one letter a place: first of the vote itself, then of each subject in order. `-` says nothing. */
export function stancesOf(
  subjects: readonly Subject[],
  decided: Verdict['decision'],
  ballot: Pick<Ballot, 'value' | 'correction'>,
): string {
  const said = [ballot.value, ...subjects.map((subject) => valueOn(subject, ballot, decided))];
  return said.map((value) => (value === null ? '-' : letters[value])).join('');
}

/** The stances of somebody who has not voted. */
export const noStances = (subjects: readonly unknown[]): string => '-'.repeat(subjects.length + 1);

/** A tally that changes, by its place in the stances (0: the vote itself, n: the subject n − 1). */
export interface TallyMove {
  place: number;
  from: VoteTally;
  to: VoteTally;
}

/** The tallies that change where one person's stances change, before and after. Tallies and stances have the same length. */
export function tallyMoves(tallies: readonly VoteTally[], before: string, after: string): TallyMove[] {
  return tallies.flatMap((from, place) => {
    const [old = '-', now = '-'] = [before[place], after[place]];
    if (old === now) return [];
    const to = { ...from };
    if (isLetter(old)) to[values[old]] -= 1;
    if (isLetter(now)) to[values[now]] += 1;
    return [{ place, from, to }];
  });
}

/** The tallies of a verdict that nobody has voted on: its own, then one a subject. */
export const emptyTallies = (subjects: readonly unknown[]): VoteTally[] => [
  noVotes,
  ...subjects.map(() => noVotes),
];
