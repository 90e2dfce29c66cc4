import type { Ballot, Vote, VoteTally, VoteValue } from '../core/vote.ts';
import type { Store } from '../store/store.ts';

/** What became of somebody's vote. `gone`: the verdict is not kept any more. */
export type VoteOutcome = { kind: 'kept'; changed: boolean; tally: VoteTally } | { kind: 'gone' };

/**
 * Keeps a vote. What resolved is kept; only then may it be shown as counted.
 *
 * @throws JuryError `store-unavailable`: nothing was counted
 */
export async function castVote(store: Store, ballot: Ballot): Promise<VoteOutcome> {
  const outcome = await store.castVote(ballot);
  if (outcome.status === 'unknown-verdict') return { kind: 'gone' };
  return { kind: 'kept', changed: outcome.status === 'counted', tally: outcome.tally };
}

/** The vote that a person has standing on a verdict. */
export async function standingVote(store: Store, verdictId: string, voter: string): Promise<Vote | null> {
  const votes = await store.votes(verdictId);
  return votes.find((vote) => vote.voter === voter) ?? null;
}

/** A ballot's parts beside what it says. */
export type Voter = Pick<Ballot, 'verdictId' | 'voter' | 'surface' | 'at'>;

/**
 * Takes back a vote by the sign that it was given with: a reaction that goes takes its own vote along, not another one that
 * the same person has given since.
 */
export async function takeBack(store: Store, who: Voter, sign: VoteValue): Promise<VoteOutcome> {
  const standing = await standingVote(store, who.verdictId, who.voter);
  if (standing === null || standing.value !== sign)
    return { kind: 'kept', changed: false, tally: await store.tally(who.verdictId) };
  return castVote(store, { ...who, value: null });
}
