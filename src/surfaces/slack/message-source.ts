import * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import type { MessageSource } from '../../requests/read-message.ts';
import { downloadSignal, readDownload, requireFileSize } from '../download.ts';
import { messagesOf, type SlackClients, slackError } from './clients.ts';
import type { SlackParts } from './context.ts';
import { kindOf } from './ids.ts';
import { inputOf, MessagePayload } from './message-text.ts';

const MAX_REDIRECTS = 3;

/** Slack's own hosts for files; the token goes nowhere else but to the server that is set in Slack's place. */
const SLACK_HOSTS = /^(?:[a-z0-9-]+\.)*(?:slack\.com|slack-gov\.com|slack-files\.com)$/;

type Download = SlackParts['download'];

const FileInfo = z.object({
  file: z.object({ url_private_download: z.string().optional(), url_private: z.string().optional() }),
});

/** Whether the bot's token may be sent to an address. */
export function isSlackHost(address: string, apiUrl: string | undefined): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, host } = new URL(address);
  if (apiUrl !== undefined && URL.canParse(apiUrl) && new URL(apiUrl).host === host) return true;
  return protocol === 'https:' && SLACK_HOSTS.test(hostname);
}

async function fetched(
  address: string,
  { token, apiUrl, fetch }: Download,
  signal: AbortSignal,
): Promise<Response> {
  let at = address;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    if (!isSlackHost(at, apiUrl)) throw new JuryError('bad-input', 'it is not on a Slack server');
    const response = await fetch(at, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: downloadSignal(signal),
    });
    const next = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || next === null) return response;
    await response.body?.cancel();
    at = new URL(next, at).href;
  }
  throw new JuryError('bad-input', 'Slack redirects it in a loop');
}

/**
 * The bytes of a file that somebody attached.
 *
 * @throws JuryError `bad-input` that says why it cannot be read
 */
async function downloadFile(
  file: { id: string; name: string; size: number; url: string },
  client: SlackClients['now'],
  download: Download,
  signal: AbortSignal,
): Promise<Uint8Array> {
  requireFileSize(file.size);
  let address = file.url;
  if (address === '') {
    // Files from other workspaces come without an address and have to be asked for.
    const info = FileInfo.safeParse(await client.files.info({ file: file.id }));
    address = info.data?.file.url_private_download ?? info.data?.file.url_private ?? '';
  }
  const respond = async () => {
    const response = await fetched(address, download, signal);
    const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
    if (!isPage || /\.html?$/i.test(file.name)) return response;
    await response.body?.cancel();
    throw new JuryError('bad-input', 'Slack sent a sign-in page instead: the app needs the scope files:read');
  };
  return readDownload(
    respond,
    signal,
    (status) => `Slack answered ${status}: does the app have the scope files:read?`,
  );
}

const PAGE = 200;
/** Most pages of a thread; 2,000 messages are more than anyone looks back over. */
const MAX_PAGES = 10;

const UNREADABLE = new Set(['not_in_channel', 'channel_not_found', 'missing_scope', 'thread_not_found']);

/** What it takes to read there, said instead of Slack's code. */
function unreadable(thrown: unknown): never {
  const error = slackError(thrown);
  if (error === null || !UNREADABLE.has(error)) throw thrown;
  throw new JuryError(
    'bad-input',
    `I cannot read this thread (${error}): invite me (/invite), or mention me with the paste itself.`,
    { cause: thrown },
  );
}

/**
 * The messages of a thread above one of them, oldest first, without the app's own.
 *
 * @throws JuryError `bad-input` where Slack does not let the app read there, or what Slack answered
 */
async function messagesAbove(
  client: SlackClients['now'],
  channel: string,
  thread: string,
  below: string,
  self: string,
): Promise<MessagePayload[]> {
  const found: MessagePayload[] = [];
  const ask = (cursor: { cursor?: string }) =>
    client.conversations
      .replies({ channel, ts: thread, limit: PAGE, latest: below, ...cursor })
      .catch(unreadable);
  for await (const message of messagesOf(ask, MAX_PAGES)) {
    const parsed = MessagePayload.safeParse(message);
    if (parsed.success && parsed.data.ts < below && parsed.data.user !== self) found.push(parsed.data);
  }
  return found.sort((a, b) => (a.ts < b.ts ? -1 : 1));
}

/** What people wrote in Slack, to be read. */
export const slackMessages = ({ clients, download, paste, identity }: SlackParts): MessageSource => ({
  kindOf,
  paste,
  download: (file, signal) => downloadFile(file, clients.now, download, signal),
  above: async (channel, thread, below) =>
    (await messagesAbove(clients.now, channel, thread, below, identity.self)).map((message) =>
      inputOf(message, identity.self),
    ),
});
