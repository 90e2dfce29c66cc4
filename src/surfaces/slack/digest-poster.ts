import type { WebClient } from '@slack/web-api';
import * as z from 'zod';
import type { Digest } from '../../core/digest.ts';
import { JuryError, messageOf } from '../../core/errors.ts';
import type { DigestPoster, DigestTarget, PostKey } from '../../digest/digest-poster.ts';
import { type SlackClients, slackError } from './clients.ts';
import { digestDetails, digestMessage } from './render/digest-message.ts';
import { quietPost } from './render/message.ts';
import { errorMessage } from './render/notice-message.ts';

const EVENT_TYPE = 'jury_digest';
const PAGE = 200;
/** Machines' clocks and Slack's differ. */
const CLOCKS_DIFFER_MS = 600_000;

const Posted = z.object({ ts: z.string() });
const Marked = z.object({
  ts: z.string(),
  metadata: z.object({ event_type: z.literal(EVENT_TYPE), event_payload: z.object({ key: z.string() }) }),
});
const Page = z.object({
  messages: z.array(z.unknown()).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

const textOf = ({ schedule, slot, part }: PostKey): string => `${schedule}/${slot}/${part}`;

/** What went wrong, in words that help whoever reads them. */
function reasonOf(thrown: unknown): string {
  const error = slackError(thrown);
  if (error === 'not_in_channel' || error === 'channel_not_found')
    return `Slack does not let the app write there (${error}): invite it to the channel`;
  return error === null ? messageOf(thrown) : `Slack refuses it (${error})`;
}

/** Posts digests to Slack. Each post carries its key as metadata, by which it is found again. */
export function createSlackDigestPoster({ now, once }: Pick<SlackClients, 'now' | 'once'>): DigestPoster {
  async function send(
    client: WebClient,
    { channel }: DigestTarget,
    digest: Digest,
    key: PostKey,
    thread: string | null,
  ): Promise<string> {
    const render = key.part === 'main' ? digestMessage : digestDetails;
    const post = (style: 'native' | 'classic') =>
      client.chat.postMessage({
        channel,
        ...(thread === null ? {} : { thread_ts: thread }),
        ...quietPost,
        ...render(digest, style),
        metadata: { event_type: EVENT_TYPE, event_payload: { key: textOf(key) } },
      });
    try {
      return Posted.parse(await post('native')).ts;
    } catch (thrown) {
      // A refusal is an answer: nothing was posted.
      if (!['invalid_blocks', 'invalid_blocks_format'].includes(slackError(thrown) ?? '')) throw thrown;
      return Posted.parse(await post('classic')).ts;
    }
  }

  async function find(
    { channel }: DigestTarget,
    key: PostKey,
    thread: string | null,
  ): Promise<string | null> {
    const oldest = String((key.slot - CLOCKS_DIFFER_MS) / 1000);
    let cursor: string | undefined;
    do {
      const options = {
        channel,
        oldest,
        limit: PAGE,
        include_all_metadata: true,
        ...(cursor === undefined ? {} : { cursor }),
      };
      const page = Page.parse(
        thread === null
          ? await now.conversations.history(options)
          : await now.conversations.replies({ ...options, ts: thread }),
      );
      for (const message of page.messages) {
        const marked = Marked.safeParse(message);
        if (marked.success && marked.data.metadata.event_payload.key === textOf(key)) return marked.data.ts;
      }
      cursor = page.response_metadata?.next_cursor;
    } while (cursor !== undefined && cursor !== '');
    return null;
  }

  const explained = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      throw new JuryError('usage', reasonOf(thrown), { cause: thrown, retryable: true });
    }
  };
  return {
    post: (target, digest, key, thread) => explained(() => send(once, target, digest, key, thread)),
    find: (target, key, thread) => explained(() => find(target, key, thread)),
    tell: (_, person, problem) =>
      explained(async () => {
        await now.chat.postMessage({ channel: person, ...quietPost, ...errorMessage(problem) });
      }),
  };
}
