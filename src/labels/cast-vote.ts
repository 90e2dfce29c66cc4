import { createHash } from 'node:crypto';
import type { KeyValue } from '../common/key-value.ts';
import type { VerdictRecord } from './verdict-record.ts';
import type { Ballot, Vote, VoteTally, VoteValue } from './vote.ts';

/** Every call is atomic and rejects with a `JuryError` `store-unavailable`. */
export interface VoteStore {
  /**
   * Casts, changes or takes back a vote and updates all counts, in one atomic step. Idempotent: the newest `at` wins, and the
   * same `at` again changes nothing.
   */
  castVote(ballot: Ballot): Promise<CastOutcome>;
  tally(verdictId: string): Promise<VoteTally>;
  votes(verdictId: string): Promise<Vote[]>;
  /** Verdicts that have votes, oldest first, read in pages. */
  allVotes(): AsyncIterable<{ record: VerdictRecord; votes: Vote[] }>;
}

/**
 * What became of a ballot. `outdated`: the voter has cast a newer one. `unchanged`: it was counted before.
 * `unknown-verdict`: there is no such verdict (any more); nothing was counted.
 */
export type CastOutcome =
  | { status: 'counted' | 'unchanged' | 'outdated'; tally: VoteTally; standing: Vote | null }
  | { status: 'unknown-verdict' };

/** What became of a vote. `gone`: the verdict has been deleted. */
export type VoteOutcome = { kind: 'kept'; changed: boolean; tally: VoteTally } | { kind: 'gone' };

/**
 * Casts a vote. Show it as counted only after this has resolved.
 *
 * @throws JuryError `store-unavailable`: nothing was counted
 */
export async function castVote(store: VoteStore, ballot: Ballot): Promise<VoteOutcome> {
  const outcome = await store.castVote(ballot);
  if (outcome.status === 'unknown-verdict') return { kind: 'gone' };
  return { kind: 'kept', changed: outcome.status === 'counted', tally: outcome.tally };
}

/** A voter's current vote on a verdict. */
export async function standingVote(store: VoteStore, verdictId: string, voter: string): Promise<Vote | null> {
  const votes = await store.votes(verdictId);
  return votes.find((vote) => vote.voter === voter) ?? null;
}

/** Who votes on what, where and when. */
export type Voter = Pick<Ballot, 'verdictId' | 'voter' | 'surface' | 'at'>;

/** How long a removal may arrive before the reaction that it removes, ms. */
const REMOVAL_KEPT_MS = 26 * 3_600_000;

const removalKey = ({ verdictId, voter }: Voter, reaction: VoteValue): string =>
  `gone:${createHash('sha256').update(`${verdictId}\n${voter}\n${reaction}`).digest('hex').slice(0, 32)}`;

async function takeBackStanding(store: VoteStore, who: Voter, reaction: VoteValue): Promise<VoteOutcome> {
  const standing = await standingVote(store, who.verdictId, who.voter);
  if (standing === null || standing.value !== reaction)
    return { kind: 'kept', changed: false, tally: await store.tally(who.verdictId) };
  return castVote(store, { ...who, value: null });
}

/** Keeps the latest time at which the reaction was removed. */
async function recordRemoval(store: KeyValue, who: Voter, reaction: VoteValue, now: number): Promise<void> {
  const key = removalKey(who, reaction);
  for (;;) {
    const kept = await store.setIfAbsent(key, String(who.at), now, REMOVAL_KEPT_MS);
    if (kept.set || Number(kept.value) >= who.at) return;
    if (await store.compareAndSet(key, kept.value, String(who.at), now, REMOVAL_KEPT_MS)) return;
  }
}

/**
 * Removing a reaction takes back its own vote, not another one that the same person has cast since.
 *
 * @param now ms by this machine's clock; the ballot's own time is the surface's
 */
export async function takeBackReaction(
  store: VoteStore & KeyValue,
  who: Voter,
  reaction: VoteValue,
  now: number,
): Promise<VoteOutcome> {
  await recordRemoval(store, who, reaction, now);
  return takeBackStanding(store, who, reaction);
}

/**
 * Casts a vote by a reaction. Events arrive in any order: if the reaction has been removed since, its vote is taken back at
 * once.
 */
export async function castByReaction(
  store: VoteStore & KeyValue,
  who: Voter,
  reaction: VoteValue,
  now: number,
): Promise<VoteOutcome> {
  const outcome = await castVote(store, { ...who, value: reaction });
  const gone = await store.get(removalKey(who, reaction), now);
  if (outcome.kind === 'gone' || gone === null || Number(gone) <= who.at) return outcome;
  return takeBackStanding(store, { ...who, at: Number(gone) }, reaction);
}
