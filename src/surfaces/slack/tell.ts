import type { Block, KnownBlock } from '@slack/types';
import type { SlackContext } from './context.ts';
import { quietPost } from './render/blocks.ts';
import { errorMessage } from './render/notice-message.ts';

interface Where {
  /** Null: in person. */
  channel: string | null;
  thread?: string | null | undefined;
  user: string;
}

export const STORE_GONE = {
  check:
    'The store cannot be reached at the moment, so your request was not kept and will not be judged. Ask again in a minute.',
  annotation:
    'The store cannot be reached at the moment, so your answers were not kept. Send them again in a minute.',
  vote: 'The store cannot be reached at the moment, so your vote was not kept and does not count. Vote again in a minute.',
} as const;

/** Where somebody votes on what was pruned. */
export const VERDICT_GONE = 'This verdict is not kept any more, so that nothing can be counted on it.';

export const STORE_AWAY = 'The store cannot be reached at the moment. Try again in a minute.';

/**
 * Shows one person something that the others need not read.
 * @throws what Slack answered
 */
export async function showTo(
  { clients }: Pick<SlackContext, 'clients'>,
  { channel, thread, user }: Where,
  shown: { text: string; blocks: (Block | KnownBlock)[] },
): Promise<void> {
  const message = { ...quietPost, ...shown };
  const inThread = thread === null || thread === undefined ? {} : { thread_ts: thread };
  // Slack shows such messages at once but keeps none in a conversation with the app.
  if (channel === null || channel.startsWith('D'))
    await clients.now.chat.postMessage({ channel: channel ?? user, ...inThread, ...message });
  else
    await clients.now.chat
      .postEphemeral({ channel, user, ...inThread, ...message })
      // Commands, forms and shortcuts work where the app is no member, but it cannot write there.
      .catch(() => clients.now.chat.postMessage({ channel: user, ...message }));
}

/** Tells one person of a problem. Never rejects: there is nobody else to tell. */
export async function tell(context: SlackContext, where: Where, what: string): Promise<void> {
  try {
    await showTo(context, where, errorMessage(what));
  } catch {
    context.log.warn('slack: somebody could not be told of a problem');
  }
}
