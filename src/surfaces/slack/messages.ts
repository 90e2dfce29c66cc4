import { setTimeout as wait } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import { messagesSince, Posted, rateLimitMs, slackError } from './clients.ts';
import { actions } from './ids.ts';
import { quietPost, quietUpdate, type SlackMessage } from './render/blocks.ts';

/** What no repetition mends: the place is gone, or the app may not write there. */
const PERMANENT = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'channel_is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_locked',
  'message_not_found',
  'thread_not_found',
  'cant_update_message',
  'edit_window_closed',
  'user_not_found',
  'cannot_reply_to_message',
]);

const EVENT_TYPE = 'jury_check';
const TRIES = 5;
const FIRST_WAIT_MS = 250;
const CLOCKS_DIFFER_MS = 60_000;

const Marked = z.object({
  metadata: z.object({
    event_type: z.literal(EVENT_TYPE),
    event_payload: z.object({ marker: z.string() }),
  }),
});
const Stoppable = z.object({
  blocks: z.array(z.looseObject({ elements: z.array(z.unknown()).optional() })),
});
const StopButton = z.object({ action_id: z.literal(actions.stop), value: z.string() });

/** What a message is known again by. */
interface Marker {
  text: string;
  /** The check that its Stop button is about: native streams, which version 0.1 posted, take no marker. */
  stops?: string;
}

function isMarked(message: unknown, { text, stops }: Marker): boolean {
  if (Marked.safeParse(message).data?.metadata.event_payload.marker === text) return true;
  if (stops === undefined) return false;
  const blocks = Stoppable.safeParse(message).data?.blocks ?? [];
  return blocks
    .flatMap(({ elements = [] }) => elements)
    .some((element) => StopButton.safeParse(element).data?.value === stops);
}

interface Again {
  /** What Slack asks for; null where it gave no answer. */
  waitMs: number | null;
  mayHaveArrived: boolean;
  thrown: unknown;
}

interface Place {
  channel: string;
  thread: string | null;
  /** When it was asked for, ms: nothing that was posted for it is older. */
  at: number;
}

export interface Messages {
  /**
   * Posts a message once: where it is not known whether an earlier try arrived, it is looked for by its marker first.
   *
   * @param isRetry whether somebody may have posted it before
   * @throws JuryError `usage` where it can never be posted
   */
  postOnce: (place: Place, message: SlackMessage, marker: Marker, isRetry: boolean) => Promise<string>;
  /** @throws JuryError `usage` where the message can never be changed */
  update: (channel: string, ts: string, message: SlackMessage, client?: WebClient) => Promise<void>;
}

const permanent = (thrown: unknown): JuryError | null => {
  const error = slackError(thrown);
  return error !== null && PERMANENT.has(error)
    ? new JuryError('usage', `Slack refuses to show it there (${error}).`, { cause: thrown })
    : null;
};

/** @param once a client that tries each call once */
export function createMessages(now: WebClient, once: WebClient): Messages {
  async function find({ channel, thread, at }: Place, marker: Marker): Promise<string | null> {
    const place = { channel, thread, since: at - CLOCKS_DIFFER_MS };
    for await (const message of messagesSince(now, place, 1)) {
      const posted = Posted.safeParse(message);
      if (posted.success && isMarked(message, marker)) return posted.data.ts;
    }
    return null;
  }

  /** One try: the message's ts, or how long to wait before the next one and whether this one may have arrived. */
  async function tryPost(place: Place, message: SlackMessage, marker: Marker): Promise<string | Again> {
    try {
      const answer = await once.chat.postMessage({
        channel: place.channel,
        ...(place.thread === null ? {} : { thread_ts: place.thread }),
        ...quietPost,
        ...message,
        metadata: { event_type: EVENT_TYPE, event_payload: { marker: marker.text } },
      });
      return Posted.parse(answer).ts;
    } catch (thrown) {
      const never = permanent(thrown);
      if (never !== null) throw never;
      if (slackError(thrown) !== null) throw thrown;
      const waitMs = rateLimitMs(thrown);
      return { waitMs, mayHaveArrived: waitMs === null, thrown };
    }
  }

  async function postOnce(
    place: Place,
    message: SlackMessage,
    marker: Marker,
    isRetry: boolean,
  ): Promise<string> {
    let mayHaveArrived = isRetry;
    for (let attempt = 1; ; attempt++) {
      const found = mayHaveArrived ? await find(place, marker).catch(() => null) : null;
      if (found !== null) return found;
      const tried = await tryPost(place, message, marker);
      if (typeof tried === 'string') return tried;
      if (attempt === TRIES) throw tried.thrown;
      mayHaveArrived ||= tried.mayHaveArrived;
      await wait(tried.waitMs ?? FIRST_WAIT_MS * 2 ** attempt);
    }
  }

  async function update(
    channel: string,
    ts: string,
    message: SlackMessage,
    client: WebClient = now,
  ): Promise<void> {
    const change = () => client.chat.update({ channel, ts, ...quietUpdate, ...message });
    try {
      await change();
    } catch (thrown) {
      if (/streaming/.test(slackError(thrown) ?? '')) {
        // A stream that a crash left open.
        await client.chat.stopStream({ channel, ts }).catch(() => {});
        await change();
        return;
      }
      throw permanent(thrown) ?? thrown;
    }
  }
  return { postOnce, update };
}

/**
 * The address of a message, put together as Slack does, without asking for it.
 *
 * @param workspaceUrl `https://acme.slack.com/`
 */
export function permalinkOf(
  workspaceUrl: string,
  channel: string,
  ts: string,
  thread: string | null,
): string {
  const link = new URL(`archives/${channel}/p${ts.replace('.', '')}`, workspaceUrl);
  if (thread !== null && thread !== ts) {
    link.searchParams.set('thread_ts', thread);
    link.searchParams.set('cid', channel);
  }
  return link.href;
}
