import * as z from 'zod';
import { reasonsText } from '../../labels/queue-reasons.ts';
import { type QueuedVerdict, readVoteQueue, type VoteQueue } from '../../labels/read-queue.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import { tallyOf } from '../../labels/vote.ts';
import type { VotedVerdict } from '../../labels/vote-queue.ts';
import { standardOf, titleOf, wordsOf } from '../wording.ts';
import type { SlackContext } from './context.ts';
import type { ListedVerdict, QueueItem } from './render/verdict-lists.ts';
import { voterOf } from './voter-of.ts';

const Opened = z.object({ channel: z.object({ id: z.string() }) });

/** Somebody's own conversation with the app. */
export const ownChannel = async ({ clients }: SlackContext, user: string): Promise<string> =>
  Opened.parse(await clients.now.conversations.open({ users: user })).channel.id;

/**
 * Verdicts of conversations that somebody is in; nobody sees a case of others.
 *
 * @param own their conversation with the app
 */
export async function readLists(context: SlackContext, user: string, own: string): Promise<VoteQueue> {
  const { store, maySee, now } = context;
  const voter = voterOf(context, { user: { id: user } });
  const sees = async ({ source: { surface, channel } }: VerdictRecord): Promise<boolean> =>
    surface === 'slack' && (channel === own || (await maySee(user, channel)));
  return readVoteQueue(store, { voter, maySee: sees }, now());
}

/** A verdict as its viewer may see it: hidden for as long as they have not answered. */
export function listedFor(
  { hidden }: Pick<VoteQueue, 'hidden'>,
  { record, votes }: VotedVerdict,
): ListedVerdict {
  const { id, at, verdict, source, evalCase } = record;
  const permalink = source.permalink ?? null;
  if (hidden.has(id)) return { kind: 'hidden', at, permalink, title: wordsOf(evalCase) };
  const { decision, why } = verdict;
  return { kind: 'open', at, permalink, title: titleOf(evalCase), decision, why, tally: tallyOf(votes) };
}

/** Nobody has voted on what is in their queue, so what is blind is hidden; why it is there would tell of the verdict. */
export function queueItemOf({ library }: SlackContext, { record, reasons }: QueuedVerdict): QueueItem {
  const { id, verdict, evalCase, source, blind } = record;
  if (blind === true) return { kind: 'hidden', record, standard: standardOf(verdict, library.rubrics) };
  const { decision, why } = verdict;
  const permalink = source.permalink ?? null;
  return {
    kind: 'open',
    id,
    decision,
    why,
    permalink,
    title: titleOf(evalCase),
    reason: reasonsText(reasons),
  };
}
