import { FOREVER_MS, type KeyValue } from '../common/key-value.ts';
import { hasSeen } from './blind-vote.ts';
import { standingVote, type VoteStore } from './cast-vote.ts';
import type { VerdictRecord, VerdictStore } from './verdict-record.ts';
import type { Vote } from './vote.ts';

/** A person who looks at verdicts: their pseudonym, and what they may see at all. */
export interface Viewer {
  voter: string;
  maySee: (record: VerdictRecord) => Promise<boolean>;
}

/**
 * What one person may see and do. `open`: the verdict, with votes that anyone changes as they like. `hidden`: the case alone; they
 * answer first. `answered`: the verdict, with the answer that they can add to. `seen`: the verdict; they took their answer
 * back, and another one would not be blind.
 */
export type VisibleVerdict = { record: VerdictRecord } & (
  | { kind: 'open' | 'hidden' | 'seen' }
  | { kind: 'answered'; vote: Vote }
);

/** Whether a conversation may see a verdict as a whole, as on a card. */
export const isOpenToAll = ({ blind }: Pick<VerdictRecord, 'blind'>): boolean => blind !== true;

/** Where the store keeps that a verdict was withdrawn; it is deleted with the verdict. */
export const withdrawnKey = (verdictId: string): string => `withdrawn:${verdictId}`;

/** Shows a verdict to no one any more: the person who asked for it deleted the request. Its votes still count. */
export const withdrawVerdict = (store: KeyValue, verdictId: string, now: number): Promise<unknown> =>
  store.setIfAbsent(withdrawnKey(verdictId), 'withdrawn', now, FOREVER_MS);

export const isWithdrawn = async (store: Pick<KeyValue, 'get'>, verdictId: string, now: number) =>
  (await store.get(withdrawnKey(verdictId), now)) !== null;

/**
 * Call it before showing any part of a verdict and before taking a vote on it. Null if there is no such verdict or the viewer may not
 * see it; a viewer cannot tell which.
 *
 * @param now ms since the epoch
 * @throws JuryError `store-unavailable`
 */
export async function visibleVerdict(
  store: Pick<VerdictStore, 'verdict'> & VoteStore & Parameters<typeof hasSeen>[0],
  verdictId: string,
  { voter, maySee }: Viewer,
  now: number,
): Promise<VisibleVerdict | null> {
  const record = await store.verdict(verdictId);
  if (record === null || !(await maySee(record)) || (await isWithdrawn(store, verdictId, now))) return null;
  if (isOpenToAll(record)) return { kind: 'open', record };
  const vote = await standingVote(store, verdictId, voter);
  if (vote !== null) return { kind: 'answered', record, vote };
  return { kind: (await hasSeen(store, verdictId, voter, now)) ? 'seen' : 'hidden', record };
}
