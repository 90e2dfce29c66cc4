import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import * as z from 'zod';
import { JuryError, messageOf } from '../../common/errors.ts';
import {
  type DigestPoster,
  type DigestTarget,
  LeaseLostError,
  type PostJournal,
  type PostKey,
} from '../../digests/delivery.ts';
import type { Digest } from '../../digests/digest.ts';
import type { StudyPoster } from '../../studies/manage-studies.ts';
import type { OpenSurface } from '../surface.ts';
import {
  isPassing,
  isUnshowable,
  messagesSince,
  ownChannel,
  Posted,
  type SlackClients,
  slackError,
} from './clients.ts';
import { kindOf, SLACK } from './ids.ts';
import { createMessages, type Messages } from './messages.ts';
import { quietPost } from './render/blocks.ts';
import { type DigestStyle, digestDetails, digestMessage, nativeStyle, textStyle } from './render/digest.ts';
import { errorMessage, linesMessage } from './render/notices.ts';
import { studyMessage } from './render/study.ts';

/** What it takes to upload a file. */
type Uploading = Pick<SlackClients, 'now' | 'fetch'>;

/** What to try when Slack refuses its own charts, or tables: less of its own each time. */
function otherStyles(blocks: Digest['blocks'], picture: string | null): DigestStyle[] {
  const has = (kind: Digest['blocks'][number]['kind']) => blocks.some((block) => block.kind === kind);
  const chart = picture === null ? textStyle.chart : ({ kind: 'picture', file: picture } as const);
  return [
    ...(has('trend') && has('table') ? [{ tables: 'native', chart } as const] : []),
    { tables: 'text', chart },
    ...(picture === null ? [] : [textStyle]),
  ];
}

const EVENT_TYPE = 'jury_digest';
/** Machines' clocks and Slack's differ. */
const CLOCKS_DIFFER_MS = 600_000;

const Made = z.object({ channel: z.object({ creator: z.string() }) });
const Marked = z.object({
  ts: z.string(),
  metadata: z.object({ event_type: z.literal(EVENT_TYPE), event_payload: z.object({ key: z.string() }) }),
});

const textOf = ({ schedule, slot, part }: PostKey): string => `${schedule}/${slot}/${part}`;

/** What went wrong, in words that help whoever reads them. */
function reasonOf(thrown: unknown): string {
  const error = slackError(thrown);
  if (error === 'not_in_channel' || error === 'channel_not_found')
    return `the app may not post there (${error}): invite it to the channel`;
  return error === null ? messageOf(thrown) : `Slack refuses it (${error})`;
}

/** The chart as a picture; null where there is none, or it cannot be uploaded: then the digest says it in words. */
async function pictureFor(
  clients: Uploading,
  blocks: Digest['blocks'],
  key: PostKey,
): Promise<string | null> {
  const trend = blocks.find((block) => block.kind === 'trend');
  if (trend === undefined) return null;
  try {
    const { trendPng } = await import('../charts/trend-png.ts');
    const name = `digest-${key.schedule}-${key.slot}.png`;
    return await uploadPicture(clients, await trendPng(trend), { name, title: trend.title });
  } catch {
    return null;
  }
}

/** Posts digests to Slack. Each post carries its key as metadata, by which it is found again. */
export function createSlackDigestPoster(clients: Uploading & Pick<SlackClients, 'once'>): DigestPoster {
  const { now, once } = clients;
  async function send(
    { channel }: DigestTarget,
    digest: Digest,
    key: PostKey,
    thread: string | null,
    journal: PostJournal,
  ): Promise<string> {
    const [render, blocks] =
      key.part === 'main' ? [digestMessage, digest.blocks] : [digestDetails, digest.details];
    /** Null where Slack refuses what it looks like. */
    async function post(style: DigestStyle): Promise<string | null> {
      try {
        const posted = await once.chat.postMessage({
          channel,
          ...(thread === null ? {} : { thread_ts: thread }),
          ...quietPost,
          ...render(digest, style),
          metadata: { event_type: EVENT_TYPE, event_payload: { key: textOf(key) } },
        });
        return Posted.parse(posted).ts;
      } catch (thrown) {
        if (isUnshowable(thrown) || slackError(thrown) === 'msg_blocks_too_long') return null;
        throw thrown;
      }
    }
    const plain = await post(nativeStyle);
    if (plain !== null) return plain;
    const picture = journal.picture ?? (await pictureFor(clients, blocks, key));
    for (const style of otherStyles(blocks, picture)) {
      await journal.keep(picture);
      const posted = await post(style);
      if (posted !== null) return posted;
    }
    throw new JuryError('usage', 'Slack refuses the digest even as plain text (invalid_blocks)');
  }

  async function find(
    { channel }: DigestTarget,
    key: PostKey,
    thread: string | null,
  ): Promise<string | null> {
    const place = { channel, thread, since: key.slot - CLOCKS_DIFFER_MS };
    for await (const message of messagesSince(now, place)) {
      const marked = Marked.safeParse(message);
      if (marked.success && marked.data.metadata.event_payload.key === textOf(key)) return marked.data.ts;
    }
    return null;
  }

  const explained = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      // What is not Slack's is told as it is.
      if (thrown instanceof LeaseLostError || thrown instanceof JuryError) throw thrown;
      throw new JuryError('usage', reasonOf(thrown), { cause: thrown, retryable: true });
    }
  };
  return {
    surface: SLACK,
    command: '/jury',
    post: (target, digest, key, thread, journal) =>
      explained(() => send(target, digest, key, thread, journal)),
    find: (target, key, thread) => explained(() => find(target, key, thread)),
    notify: ({ channel }, person, problem) =>
      explained(async () => {
        const whom = person ?? Made.parse(await now.conversations.info({ channel })).channel.creator;
        await now.chat.postMessage({ channel: whom, ...quietPost, ...errorMessage(problem) });
      }),
  };
}

/** Invites annotators in Slack, in private. Each message carries its key as metadata, by which it is found again. */
export function createSlackStudyPoster(
  { now, once }: Pick<SlackClients, 'now' | 'once'>,
  messages: Messages = createMessages(now, once),
): StudyPoster {
  return {
    surface: SLACK,
    invite: async ({ user }, study, key) => {
      try {
        const place = { channel: await ownChannel(now, user), thread: null, at: study.at };
        await messages.postOnce(
          place,
          studyMessage(study, { done: 0, total: study.cases }),
          { text: key },
          true,
        );
      } catch (thrown) {
        const error = slackError(thrown);
        if (thrown instanceof JuryError || error === null || isPassing(thrown)) throw thrown;
        throw new JuryError(
          'usage',
          error === 'user_not_found' || error === 'users_not_found'
            ? 'no one in the workspace has this id (in Slack: profile, ⋮, Copy member ID).'
            : `Slack refuses it (${error}).`,
          { cause: thrown },
        );
      }
    },
  };
}

const UPLOAD_MS = 10_000;
/** Slack takes a moment to look at a picture, and refuses messages with it before. */
const LOOKS = 10;
const LOOK_MS = 500;

const Slot = z.object({ upload_url: z.url(), file_id: z.string() });
const Looked = z.object({ file: z.object({ mimetype: z.string().optional() }) });

/** Whether Slack knows by now that it is a picture. */
async function isReady(client: WebClient, file: string): Promise<boolean> {
  const looked = Looked.safeParse(await client.files.info({ file }));
  return looked.success && (looked.data.file.mimetype ?? '') !== '';
}

interface FileParts {
  name: string;
  title: string;
  /** Where it is shown; without one nowhere, until a message has it. */
  channel?: string;
}

/**
 * Uploads a file.
 *
 * @returns its id
 * @throws where Slack refuses it, such as without the scope `files:write`
 */
export async function uploadFile(
  { now: client, fetch }: Uploading,
  bytes: Uint8Array,
  { name, title, channel }: FileParts,
): Promise<string> {
  const slot = await client.files.getUploadURLExternal({ filename: name, length: bytes.byteLength });
  const { upload_url: url, file_id: id } = Slot.parse(slot);
  const sent = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: Uint8Array.from(bytes),
    signal: AbortSignal.timeout(UPLOAD_MS),
  });
  if (!sent.ok) throw new Error(`Slack refused the file (status ${sent.status})`);
  const files: [{ id: string; title: string }] = [{ id, title }];
  await client.files.completeUploadExternal({
    files,
    ...(channel === undefined ? {} : { channel_id: channel }),
  });
  return id;
}

/** Uploads a PNG for an image block's `slack_file`; doing so twice leaves a file that nobody sees. */
async function uploadPicture(clients: Uploading, picture: Uint8Array, parts: FileParts): Promise<string> {
  const id = await uploadFile(clients, picture, parts);
  for (let look = 0; look < LOOKS && !(await isReady(clients.now, id)); look += 1) await sleep(LOOK_MS);
  return id;
}

/** Tells a channel of a change that was made for all of it. */
export const createSlackAnnouncer =
  ({ now }: Pick<SlackClients, 'now'>): OpenSurface['announce'] =>
  async (channel, line) => {
    if (kindOf(channel) === 'direct') return;
    await now.chat.postMessage({ channel, ...quietPost, ...linesMessage([line]) });
  };
