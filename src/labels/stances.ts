import type { Verdict } from '../judging/verdict.ts';
import { type Subject, valueOn } from './subject.ts';
import { type Ballot, noVotes, type VoteTally, type VoteValue } from './vote.ts';

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
