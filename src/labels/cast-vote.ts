import { createHash } from 'node:crypto';
import type { KeyValue } from '../common/key-value.ts';
import type { Voted } from './label.ts';
import type { Ballot, Vote, VoteTally, VoteValue } from './vote.ts';

/** Every call is atomic and rejects with a `JuryError` `store-unavailable`. */
export interface VoteStore {
  /**
   * Casts, changes or takes back a vote and updates all counts, in one atomic step. Idempotent: the newest `at` wins, and the
   * same `at` again changes nothing. Show it as counted only after this has resolved.
   */
  castVote(ballot: Ballot): Promise<CastOutcome>;
  tally(verdictId: string): Promise<VoteTally>;
  votes(verdictId: string): Promise<Vote[]>;
  /** The same of several verdicts at once, in their order. */
  votesOn(verdictIds: readonly string[]): Promise<Vote[][]>;
  /** Every verdict with a vote or a ruling, oldest first, read in pages. */
  allVoted(): AsyncIterable<Voted>;
}

/**
 * What became of a ballot. `outdated`: the voter has cast a newer one. `unchanged`: it was counted before.
 * `unknown-verdict`: there is no such verdict (any more); nothing was counted.
 */
export type CastOutcome =
  | { status: 'counted' | 'unchanged' | 'outdated'; tally: VoteTally; standing: Vote | null }
  | { status: 'unknown-verdict' };

/** A voter's current vote on a verdict. */
export async function standingVote(store: VoteStore, verdictId: string, voter: string): Promise<Vote | null> {
  const votes = await store.votes(verdictId);
  return votes.find((vote) => vote.voter === voter) ?? null;
}

/** Who votes on what, where and when. */
export type Voter = Pick<Ballot, 'verdictId' | 'voter' | 'surface' | 'at'>;

/** As long as a card is known: a reaction counts again when the one that took its place goes. */
const REACTION_KEPT_MS = 400 * 86_400_000;

type Moment = 'on' | 'gone';

const reactionKey = (moment: Moment, { verdictId, voter }: Voter, reaction: VoteValue): string =>
  `${moment}:${createHash('sha256').update(`${verdictId}\n${voter}\n${reaction}`).digest('hex').slice(0, 32)}`;

/** Keeps the latest time at which a reaction was added or removed, since events arrive in any order. */
async function recordMoment(
  store: KeyValue,
  moment: Moment,
  who: Voter,
  reaction: VoteValue,
  now: number,
): Promise<void> {
  const key = reactionKey(moment, who, reaction);
  for (;;) {
    const kept = await store.setIfAbsent(key, String(who.at), now, REACTION_KEPT_MS);
    if (kept.set || Number(kept.value) >= who.at) return;
    if (await store.compareAndSet(key, kept.value, String(who.at), now, REACTION_KEPT_MS)) return;
  }
}

/** A person's reactions on a card. */
interface Reactions {
  /** The reaction that a person's vote stands for: of those that are on the card, the last one added. */
  standing: VoteValue | null;
  /** When any of them changed last. */
  last: number;
}

async function reactionsOf(store: KeyValue, who: Voter, now: number): Promise<Reactions> {
  const timeOf = async (moment: Moment, reaction: VoteValue) =>
    Number((await store.get(reactionKey(moment, who, reaction), now)) ?? 0);
  const known = await Promise.all(
    (['agree', 'disagree'] as const).map(async (reaction) => ({
      reaction,
      on: await timeOf('on', reaction),
      gone: await timeOf('gone', reaction),
    })),
  );
  const standing = known.filter(({ on, gone }) => on > gone).sort((a, b) => b.on - a.on);
  return {
    standing: standing[0]?.reaction ?? null,
    last: Math.max(...known.flatMap(({ on, gone }) => [on, gone])),
  };
}

/** Less than the times of two events differ by, ms. */
const INSTANT_MS = 0.0005;

/**
 * Removing a reaction takes back its own vote, not another one that the same person has cast since. If they left another
 * reaction on the card, that one is their vote again.
 *
 * @param now ms by this machine's clock; the ballot's own time is the surface's
 */
export async function takeBackReaction(
  store: VoteStore & KeyValue,
  who: Voter,
  reaction: VoteValue,
  now: number,
): Promise<{ status: CastOutcome['status']; value: VoteValue | null }> {
  await recordMoment(store, 'gone', who, reaction, now);
  const vote = await standingVote(store, who.verdictId, who.voter);
  const { standing: value } = await reactionsOf(store, who, now);
  // Voted otherwise since, or added again after this removal, which arrives late.
  if (vote === null || vote.value !== reaction || value === reaction)
    return { status: 'unchanged', value: null };
  return { status: (await store.castVote({ ...who, value })).status, value };
}

/**
 * Casts a vote by a reaction. Events arrive in any order: what counts is the reaction that is left in the end.
 */
export async function castByReaction(
  store: VoteStore & KeyValue,
  who: Voter,
  reaction: VoteValue,
  now: number,
): Promise<{ status: CastOutcome['status']; value: VoteValue | null }> {
  await recordMoment(store, 'on', who, reaction, now);
  const { status } = await store.castVote({ ...who, value: reaction });
  const { standing, last } = await reactionsOf(store, who, now);
  if (status === 'unknown-verdict' || last === who.at) return { status, value: reaction };
  const vote = await standingVote(store, who.verdictId, who.voter);
  // It stays after another one that came and went, or it was removed since.
  const stays = standing === reaction && vote === null;
  const isRemoved = standing !== reaction && vote?.value === reaction && vote.at === who.at;
  if (!stays && !isRemoved) return { status, value: reaction };
  const at = stays ? last + INSTANT_MS : last;
  return { status: (await store.castVote({ ...who, at, value: standing })).status, value: standing };
}
