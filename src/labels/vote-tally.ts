import { noVotes, type Vote, type VoteTally } from './vote.ts';

/** How many of some votes say what. */
export function tallyOf(votes: readonly Pick<Vote, 'value'>[]): VoteTally {
  const tally = { ...noVotes };
  for (const { value } of votes) tally[value] += 1;
  return tally;
}
