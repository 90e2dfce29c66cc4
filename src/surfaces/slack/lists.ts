import type { App, RespondFn } from '@slack/bolt';
import { RULES } from '../../judges/rules/rules-judge.ts';
import { readVoteQueue, type VoteQueue } from '../../labels/read-queue.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import { suggestedPrompts } from '../examples.ts';
import { agreementOf, listedFor, queueItemOf, queuePage, readQueueCommand } from '../lists.ts';
import { ownChannel, slackError } from './clients.ts';
import { type SlackContext, showTo, voterOf } from './context.ts';
import { kindOf, SLACK } from './ids.ts';
import { type Click, type Command, HomeEvent } from './payloads.ts';
import type { SlackMessage } from './render/blocks.ts';
import { homeView, queueMessage, queueOfBlock } from './render/lists.ts';

/**
 * Verdicts of conversations that somebody is in; nobody sees a case of others.
 *
 * @param own their conversation with the app
 */
async function readLists(context: SlackContext, user: string, own: string): Promise<VoteQueue> {
  const { store, members, now } = context;
  const voter = voterOf(context, { user, team: null });
  const sees = async ({ source: { surface, channel } }: VerdictRecord): Promise<boolean> =>
    surface === SLACK && (channel === own || (await members.isIn(user, channel)) === true);
  return readVoteQueue(store, { voter, maySee: sees }, now());
}

/** @throws JuryError `store-unavailable` */
async function queueFor(
  context: SlackContext,
  user: string,
  own: string,
  asked: number,
): Promise<SlackMessage> {
  const read = await readLists(context, user, own);
  const items = read.queue.slice(0, asked).map((queued) => queueItemOf(context.library.rubrics, queued));
  const { lookedAt, queue } = read;
  return queueMessage({ items, waiting: queue.length, asked, lookedAt, page: queuePage(context) });
}

/** `/jury queue [n]`: what needs the vote of who asks, for them alone. `false` where the text is about something else. */
export async function onQueueCommand(context: SlackContext, asker: Command): Promise<boolean> {
  const asked = readQueueCommand(asker.text);
  if (asked === null) return false;
  const { channel, user } = asker;
  const own = kindOf(channel) === 'direct' ? channel : await ownOf(context, user);
  await showTo(context, asker, await queueFor(context, user, own, asked));
  return true;
}

/** A person's conversation with the app; none that is known without the scope `im:write`. */
const ownOf = ({ clients }: SlackContext, user: string): Promise<string> =>
  ownChannel(clients.now, user).catch((thrown) => {
    if (slackError(thrown) === 'missing_scope') return '';
    throw thrown;
  });

/**
 * Makes somebody's App Home anew.
 *
 * @param known their conversation with the app; looked up where it is not known
 */
async function publishHome(context: SlackContext, user: string, known?: string): Promise<void> {
  const { clients, store } = context;
  const own = known ?? (await ownOf(context, user));
  const [read, settings] = await Promise.all([readLists(context, user, own), store.channelSettings(own)]);
  const view = homeView({
    recent: read.recent.map((one) => listedFor(read, one)),
    needVotes: read.queue.map((queued) => listedFor(read, queued)),
    lookedAt: read.lookedAt,
    agreement: await agreementOf(context, read),
    own: read.own,
    settings,
  });
  await clients.now.views.publish({ user_id: user, view });
}

/** Shows anew the list that a person has voted in or from: App Home, or their queue. */
export async function showLists(
  context: SlackContext,
  { view, user, block }: Click,
  respond: RespondFn,
): Promise<void> {
  if (view !== null) await publishHome(context, user);
  const asked = queueOfBlock(block);
  if (view !== null || asked === null) return;
  const queue = await queueFor(context, user, await ownOf(context, user), asked);
  await respond({ ...queue, replace_original: true, response_type: 'ephemeral' });
}

/** Where a model judges, more can be tried than the manifest offers. */
async function offerPrompts({ clients, store, models }: SlackContext, channel: string): Promise<void> {
  const { wish } = await store.channelSettings(channel);
  if ((wish.models ?? models.slice(0, 1)).every((model) => model === RULES)) return;
  const offered = { channel_id: channel, prompts: suggestedPrompts(true) };
  // A nicety, and not everywhere; those of the manifest stay.
  await clients.now.assistant.threads.setSuggestedPrompts(offered).catch(() => {});
}

/** App Home: made anew whenever it is opened. Beside it the conversation with the app, with what can be tried there. */
export function registerHome(app: App, context: SlackContext): void {
  app.event('app_home_opened', async ({ event }) => {
    const { tab, user, channel } = HomeEvent.parse(event);
    if (tab === 'home') await publishHome(context, user, channel);
    if (tab === 'messages') await offerPrompts(context, channel);
  });
}
