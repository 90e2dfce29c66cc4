import * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import { type SlackClients, slackError } from './clients.ts';
import { MessagePayload } from './message-payload.ts';

const PAGE = 200;
/** Most pages of a thread; 2,000 messages are more than anyone looks back over. */
const MAX_PAGES = 10;

const UNREADABLE = new Set(['not_in_channel', 'channel_not_found', 'missing_scope', 'thread_not_found']);

const Page = z.object({
  messages: z.array(z.unknown()).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** What it takes to read there, said instead of Slack's code. */
function unreadable(thrown: unknown): never {
  const error = slackError(thrown);
  if (error === null || !UNREADABLE.has(error)) throw thrown;
  throw new JuryError(
    'bad-input',
    `I may not read this thread (${error}): invite me (/invite), or mention me with the paste itself.`,
    { cause: thrown },
  );
}

/**
 * The messages of a thread above one of them, oldest first, without the app's own.
 *
 * @throws JuryError `bad-input` where Slack does not let the app read there, or what Slack answered
 */
export async function messagesAbove(
  client: SlackClients['now'],
  channel: string,
  thread: string,
  below: string,
  self: string,
): Promise<MessagePayload[]> {
  const found: MessagePayload[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const options = {
      channel,
      ts: thread,
      limit: PAGE,
      latest: below,
      ...(cursor === undefined ? {} : { cursor }),
    };
    const answer = Page.parse(await client.conversations.replies(options).catch(unreadable));
    for (const message of answer.messages) {
      const parsed = MessagePayload.safeParse(message);
      if (parsed.success && parsed.data.ts < below && parsed.data.user !== self) found.push(parsed.data);
    }
    cursor = answer.response_metadata?.next_cursor;
    if (cursor === undefined || cursor === '') break;
  }
  return found.sort((a, b) => (a.ts < b.ts ? -1 : 1));
}
