import { JuryError } from '../../common/errors.ts';
import type { SlackContext } from './context.ts';
import { quietPost, type SlackMessage } from './render/blocks.ts';
import { QUEUE_SHOWN, queueMessage } from './render/queue-message.ts';
import { STORE_AWAY, tell } from './tell.ts';
import { ownChannel, queueItemOf, readLists } from './vote-lists.ts';

/** How many verdicts `/jury queue [n]` asks for; null where the text is about something else. */
export function readQueueCommand(text: string): number | null {
  const found = /^queue(?:\s+(\d{1,6}))?$/i.exec(text.trim());
  if (found === null) return null;
  const [, count] = found;
  return count === undefined ? QUEUE_SHOWN.usual : Math.min(QUEUE_SHOWN.most, Math.max(1, Number(count)));
}

/** @throws JuryError `store-unavailable` */
export async function queueFor(
  context: SlackContext,
  user: string,
  own: string,
  asked: number,
): Promise<SlackMessage> {
  const read = await readLists(context, user, own);
  const items = read.queue.slice(0, asked).map((queued) => queueItemOf(context, queued));
  return queueMessage({ items, waiting: read.queue.length, asked, lookedAt: read.lookedAt });
}

/** `/jury queue [n]`: what needs the vote of who asks, for them alone. `false` where the text is about something else. */
export async function onQueueCommand(
  context: SlackContext,
  { channel, user }: { channel: string; user: string },
  text: string,
): Promise<boolean> {
  const asked = readQueueCommand(text);
  if (asked === null) return false;
  const { chat } = context.clients.now;
  try {
    const own = channel.startsWith('D') ? channel : await ownChannel(context, user);
    const answer = { ...quietPost, ...(await queueFor(context, user, own, asked)) };
    if (channel.startsWith('D')) await chat.postMessage({ channel, ...answer });
    else
      await chat
        .postEphemeral({ channel, user, ...answer })
        // It works where the app is no member, but the app cannot write there.
        .catch(() => chat.postMessage({ channel: own, ...answer }));
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    await tell(context, { channel, user }, STORE_AWAY);
  }
  return true;
}
