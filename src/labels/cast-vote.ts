import { createHash } from 'node:crypto';
import type { KeyValue } from '../common/key-value.ts';
import type { VerdictRecord } from './verdict-record.ts';
import type { Ballot, Vote, VoteTally, VoteValue } from './vote.ts';

/** Where votes are kept. Every call is atomic and rejects with a `JuryError` `store-unavailable`. */
export interface VoteStore {
  /**
   * Casts, changes or takes back a vote, with all counts, in one atomic step. Idempotent; the newest `at` wins; the
   * same `at` again changes nothing.
   */
  castVote(ballot: Ballot): Promise<CastOutcome>;
  tally(verdictId: string): Promise<VoteTally>;
  votes(verdictId: string): Promise<Vote[]>;
  /** Every standing vote with the verdict it is about, oldest verdict first; verdicts without one are left out. Read in pages. */
  allVotes(): AsyncIterable<{ record: VerdictRecord; votes: Vote[] }>;
}

/**
 * What became of a ballot. `outdated`: a newer one of the same person stands. `unchanged`: it stood already.
 * `unknown-verdict`: the verdict is not (or no longer) kept; nothing was counted.
 */
export type CastOutcome =
  | { status: 'counted' | 'unchanged' | 'outdated'; tally: VoteTally; standing: Vote | null }
  | { status: 'unknown-verdict' };

/** What became of a vote. `gone`: the verdict is not kept any more. */
export type VoteOutcome = { kind: 'kept'; changed: boolean; tally: VoteTally } | { kind: 'gone' };

/**
 * Keeps a vote. What resolved is kept; only then may it be shown as counted.
 *
 * @throws JuryError `store-unavailable`: nothing was counted
 */
export async function castVote(store: VoteStore, ballot: Ballot): Promise<VoteOutcome> {
  const outcome = await store.castVote(ballot);
  if (outcome.status === 'unknown-verdict') return { kind: 'gone' };
  return { kind: 'kept', changed: outcome.status === 'counted', tally: outcome.tally };
}

/** The vote that a person has standing on a verdict. */
export async function standingVote(store: VoteStore, verdictId: string, voter: string): Promise<Vote | null> {
  const votes = await store.votes(verdictId);
  return votes.find((vote) => vote.voter === voter) ?? null;
}

/** A ballot's parts beside what it says. */
export type Voter = Pick<Ballot, 'verdictId' | 'voter' | 'surface' | 'at'>;

/** How long a sign that went may come to be known before the one that it takes back, ms. */
const OVERTAKEN_MS = 26 * 3_600_000;

const goneKey = ({ verdictId, voter }: Voter, sign: VoteValue): string =>
  `gone:${createHash('sha256').update(`${verdictId}\n${voter}\n${sign}`).digest('hex').slice(0, 32)}`;

async function takeBackStanding(store: VoteStore, who: Voter, sign: VoteValue): Promise<VoteOutcome> {
  const standing = await standingVote(store, who.verdictId, who.voter);
  if (standing === null || standing.value !== sign)
    return { kind: 'kept', changed: false, tally: await store.tally(who.verdictId) };
  return castVote(store, { ...who, value: null });
}

/** Keeps when a sign went; of several times the latest. */
async function noteGone(store: KeyValue, who: Voter, sign: VoteValue, now: number): Promise<void> {
  const key = goneKey(who, sign);
  for (;;) {
    const kept = await store.setIfAbsent(key, String(who.at), now, OVERTAKEN_MS);
    if (kept.set || Number(kept.value) >= who.at) return;
    if (await store.compareAndSet(key, kept.value, String(who.at), now, OVERTAKEN_MS)) return;
  }
}

/**
 * Takes back a vote by the sign that it was given with: a reaction that goes takes its own vote along, not another one that
 * the same person has given since.
 *
 * @param now ms, of this machine; the ballot's own time is the surface's
 */
export async function takeBack(
  store: VoteStore & KeyValue,
  who: Voter,
  sign: VoteValue,
  now: number,
): Promise<VoteOutcome> {
  await noteGone(store, who, sign, now);
  return takeBackStanding(store, who, sign);
}

/**
 * Casts a vote by a sign that can be taken back. Where it is known already that the sign has gone since, since events come in
 * any order, it goes at once.
 */
export async function castBySign(
  store: VoteStore & KeyValue,
  who: Voter,
  sign: VoteValue,
  now: number,
): Promise<VoteOutcome> {
  const outcome = await castVote(store, { ...who, value: sign });
  const gone = await store.get(goneKey(who, sign), now);
  if (outcome.kind === 'gone' || gone === null || Number(gone) <= who.at) return outcome;
  return takeBackStanding(store, { ...who, at: Number(gone) }, sign);
}
