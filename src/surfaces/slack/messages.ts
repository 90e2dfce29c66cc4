import { setTimeout as wait } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import * as z from 'zod';
import { messagesSince, Posted, type SlackClients } from './clients.ts';
import { actions } from './ids.ts';
import { quietPost, quietUpdate, type SlackMessage } from './render/blocks.ts';
import { isPassing, notDelivered, rateLimitMs, slackError } from './slack-errors.ts';

const EVENT_TYPE = 'jury_check';
const TRIES = 5;
const FIRST_WAIT_MS = 250;
/** Longer rate limits are left to the caller to retry. */
const LONGEST_WAIT_MS = 30_000;
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

/** How a message is recognized. */
interface Marker {
  text: string;
  /** The check that its Stop button belongs to: native streams, as posted by version 0.1, take no marker. */
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

interface Place {
  channel: string;
  thread: string | null;
  /** When it was requested, in milliseconds: nothing posted for it is older. */
  at: number;
}

export interface Messages {
  /**
   * Posts a message once. If an earlier attempt may have arrived, looks for its marker first.
   *
   * @param isRetry whether it may have been posted before
   * @returns the message's timestamp
   * @throws JuryError `usage` or `undelivered`
   */
  postOnce: (place: Place, message: SlackMessage, marker: Marker, isRetry: boolean) => Promise<string>;
  /** @throws JuryError `usage` or `undelivered` */
  update: (channel: string, ts: string, message: SlackMessage, client?: WebClient) => Promise<void>;
}

/**
 * Slack's rate limit in milliseconds; null for other errors, after which the message may have been posted.
 * @throws JuryError if retrying now is pointless
 */
function waitAfter(thrown: unknown, attempt: number): number | null {
  const waitMs = rateLimitMs(thrown);
  if (!isPassing(thrown) || attempt === TRIES || (waitMs ?? 0) > LONGEST_WAIT_MS) throw notDelivered(thrown);
  return waitMs;
}

/** Where it cannot be looked for, such as without a scope, it is posted. A passing fault is waited out: it may be there. */
function unlessPassing(thrown: unknown): null {
  if (isPassing(thrown)) throw notDelivered(thrown);
  return null;
}

/** @param once a client without retries */
export function createMessages(now: WebClient, once: WebClient): Messages {
  async function find({ channel, thread, at }: Place, marker: Marker): Promise<string | null> {
    const place = { channel, thread, since: at - CLOCKS_DIFFER_MS };
    for await (const message of messagesSince(now, place, 1)) {
      const posted = Posted.safeParse(message);
      if (posted.success && isMarked(message, marker)) return posted.data.ts;
    }
    return null;
  }

  async function postOnce(
    place: Place,
    message: SlackMessage,
    marker: Marker,
    isRetry: boolean,
  ): Promise<string> {
    const posting = {
      channel: place.channel,
      ...(place.thread === null ? {} : { thread_ts: place.thread }),
      ...quietPost,
      ...message,
      metadata: { event_type: EVENT_TYPE, event_payload: { marker: marker.text } },
    };
    let mayHaveArrived = isRetry;
    for (let attempt = 1; ; attempt++) {
      const arrived = mayHaveArrived ? await find(place, marker).catch(unlessPassing) : null;
      if (arrived !== null) return arrived;
      try {
        return Posted.parse(await once.chat.postMessage(posting)).ts;
      } catch (thrown) {
        const waitMs = waitAfter(thrown, attempt);
        mayHaveArrived ||= waitMs === null;
        await wait(waitMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1));
      }
    }
  }

  async function update(
    channel: string,
    ts: string,
    message: SlackMessage,
    client: WebClient = now,
  ): Promise<void> {
    const change = async (): Promise<void> => {
      await client.chat.update({ channel, ts, ...quietUpdate, ...message });
    };
    try {
      await change();
    } catch (thrown) {
      if (/streaming/.test(slackError(thrown) ?? '')) {
        // A crash left this stream open.
        await client.chat.stopStream({ channel, ts }).catch(() => {});
        return change().catch((again) => Promise.reject(notDelivered(again)));
      }
      throw notDelivered(thrown);
    }
  }
  return { postOnce, update };
}

/**
 * A message's permalink, built as Slack does, without an API call.
 *
 * @param workspaceUrl such as `https://acme.slack.com/`
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

/** What an upload needs. */
export type Uploading = Pick<SlackClients, 'now' | 'fetch'>;

const UPLOAD_MS = 10_000;
/** Slack takes a moment to process a picture, and refuses messages with it until then. */
const LOOKS = 10;
const LOOK_MS = 500;

const Slot = z.object({ upload_url: z.url(), file_id: z.string() });
const Looked = z.object({ file: z.object({ mimetype: z.string().optional() }) });

/** Whether Slack has recognized the file as a picture. */
async function isReady(client: WebClient, file: string): Promise<boolean> {
  const looked = Looked.safeParse(await client.files.info({ file }));
  return looked.success && (looked.data.file.mimetype ?? '') !== '';
}

interface FileParts {
  name: string;
  title: string;
  /** Where to show the file; if omitted, only in a message that refers to it. */
  channel?: string;
}

/** Uploads the bytes. Safe to repeat: only the last upload is kept. */
async function send(fetch: Uploading['fetch'], url: string, bytes: Uint8Array): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const sent = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: Uint8Array.from(bytes),
      signal: AbortSignal.timeout(UPLOAD_MS),
    }).catch((thrown: unknown) => {
      if (attempt === TRIES) throw thrown;
      return null;
    });
    if (sent?.ok === true) return;
    if (sent !== null && (attempt === TRIES || (sent.status < 500 && sent.status !== 429)))
      throw new Error(`Slack refused the file (status ${sent.status})`);
    await wait(FIRST_WAIT_MS * 2 ** (attempt - 1));
  }
}

/**
 * Uploads a file.
 *
 * @returns its id
 * @throws if Slack refuses it, for example without the scope `files:write`
 */
export async function uploadFile(
  { now: client, fetch }: Uploading,
  bytes: Uint8Array,
  { name, title, channel }: FileParts,
): Promise<string> {
  const slot = await client.files.getUploadURLExternal({ filename: name, length: bytes.byteLength });
  const { upload_url: url, file_id: id } = Slot.parse(slot);
  await send(fetch, url, bytes);
  const files: [{ id: string; title: string }] = [{ id, title }];
  await client.files.completeUploadExternal({
    files,
    ...(channel === undefined ? {} : { channel_id: channel }),
  });
  return id;
}

/** Uploads a PNG for an image block's `slack_file`. Repeating it only leaves an unused file. */
export async function uploadPicture(
  clients: Uploading,
  picture: Uint8Array,
  parts: FileParts,
): Promise<string> {
  const id = await uploadFile(clients, picture, parts);
  for (let look = 0; look < LOOKS && !(await isReady(clients.now, id)); look += 1) await wait(LOOK_MS);
  return id;
}
