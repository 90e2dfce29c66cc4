import { basename, extname } from 'node:path';
import * as z from 'zod';
import type { CaseFormat } from '../../case/case-format.ts';
import { decodeInput, type Parsed, parseInput } from '../../case/paste/parse-input.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import type { Reading } from '../../requests/presenter.ts';
import type { SpotCheck, SpotCheckInput } from '../../requests/spot-check.ts';
import { type SlackClients, slackError } from './clients.ts';
import { inputOf, MessagePayload } from './payloads.ts';

/** Largest file that is read, bytes. */
const MAX_FILE_BYTES = 2_000_000;
const DOWNLOAD_MS = 15_000;
const MAX_REDIRECTS = 3;

/** Slack's own hosts for files; the token goes nowhere else but to the server that is set in Slack's place. */
const SLACK_HOSTS = /^(?:[a-z0-9-]+\.)*(?:slack\.com|slack-gov\.com|slack-files\.com)$/;

interface Download {
  token: string;
  apiUrl: string | undefined;
}

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

async function fetched(address: string, { token, apiUrl }: Download, signal: AbortSignal): Promise<Response> {
  let at = address;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    if (!isSlackHost(at, apiUrl)) throw new JuryError('bad-input', 'it does not lie on a server of Slack');
    const response = await fetch(at, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]),
    });
    const next = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || next === null) return response;
    await response.body?.cancel();
    at = new URL(next, at).href;
  }
  throw new JuryError('bad-input', 'Slack sends it in circles');
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
  const tooLarge = () =>
    new JuryError(
      'bad-input',
      `it is larger than ${MAX_FILE_BYTES / 1_000_000} MB: split it, or use the command line`,
    );
  if (file.size > MAX_FILE_BYTES) throw tooLarge();
  let address = file.url;
  if (address === '') {
    // Files from other workspaces come without an address and have to be asked for.
    const info = FileInfo.safeParse(await client.files.info({ file: file.id }));
    address = info.data?.file.url_private_download ?? info.data?.file.url_private ?? '';
  }
  let response: Response;
  try {
    response = await fetched(address, download, signal);
  } catch (thrown) {
    if (thrown instanceof JuryError || signal.aborted) throw thrown;
    throw new JuryError('bad-input', `it could not be fetched (${messageOf(thrown)}): try again`);
  }
  if (!response.ok || response.body === null)
    throw new JuryError(
      'bad-input',
      `Slack answered ${response.status}: does the app have the scope files:read?`,
    );
  if (
    response.headers.get('content-type')?.startsWith('text/html') === true &&
    !/\.html?$/i.test(file.name)
  ) {
    await response.body.cancel();
    throw new JuryError(
      'bad-input',
      'Slack gave a page to sign in at instead: the app needs the scope files:read',
    );
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

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
async function messagesAbove(
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

type MessageInput = Extract<SpotCheckInput, { kind: 'message' }>;

export interface ReaderParts {
  clients: SlackClients;
  download: Download;
  maxCaseChars: number;
  /** What a case may look like. */
  format: CaseFormat;
  /** The app's own user id. */
  self: string;
}

const READABLE = /\.(?:txt|json|jsonl|ndjson|md|log|yaml|yml)$/i;
const MAX_FILES = 10;

/** Whether a text means to be a case, be it an incomplete one, and not only a request to judge what stands above. */
const looksLikePaste = (text: string): boolean =>
  /^[[{]/.test(text) ||
  text.includes('```') ||
  /^[>\s*_]{0,5}(?:user|system|assistant|bot|agent|customer|human|ai|response|answer|driver|car)\b[^\n:]{0,20}:/im.test(
    text,
  );

const isShort = (text: string): boolean => text.length <= 80 && !text.includes('\n');

const hasCase = (items: readonly Parsed[]): boolean => items.some((item) => 'case' in item);

function named(parsed: Parsed, file: string, index: number, count: number): Parsed {
  if ('problem' in parsed) return { ...parsed, problem: `${file}: ${parsed.problem}` };
  if (parsed.case.id !== undefined) return parsed;
  const name = basename(file, extname(file)).slice(0, 150);
  return { ...parsed, case: { id: count === 1 ? name : `${name}-${index + 1}`, ...parsed.case } };
}

async function readFile(
  file: MessageInput['files'][number],
  { clients, download, maxCaseChars, format }: ReaderParts,
  signal: AbortSignal,
): Promise<Parsed[]> {
  const unread = (why: string): Parsed[] => [
    { problem: `${file.name} was not read: ${why}.`, missing: [], understood: {} },
  ];
  if (!READABLE.test(file.name)) return unread('it is no .txt, .json or .jsonl file');
  try {
    const decoded = decodeInput(await downloadFile(file, clients.now, download, signal));
    if ('problem' in decoded) return unread(decoded.problem.replace(/\.$/, ''));
    const items = parseInput(decoded.text, { maxCaseChars, format });
    return items.map((item, index) => named(item, file.name, index, items.length));
  } catch (thrown) {
    if (thrown instanceof JuryError && thrown.code === 'bad-input') return unread(thrown.message);
    throw thrown;
  }
}

/** The cases of one message: of its files, and of its text where that holds any. */
async function readOne(input: MessageInput, parts: ReaderParts, signal: AbortSignal): Promise<Parsed[]> {
  const own = input.text === '' ? [] : parseInput(input.text, parts);
  if (input.files.length === 0) return own;
  if (input.files.length > MAX_FILES)
    return [
      {
        problem: `There are ${input.files.length} files; one request takes ${MAX_FILES}. Nothing was judged.`,
        missing: [],
        understood: {},
      },
    ];
  const items: Parsed[] = hasCase(own) ? own : [];
  for (const file of input.files) items.push(...(await readFile(file, parts, signal)));
  return items;
}

/** The thread's first message, else the nearest one above that holds a case; else what was wrong with the first. */
async function readAbove(
  check: SpotCheck,
  input: MessageInput,
  thread: string,
  parts: ReaderParts,
  signal: AbortSignal,
): Promise<Parsed[]> {
  const above = await messagesAbove(parts.clients.now, check.channel, thread, input.message, parts.self);
  const [first, ...later] = above;
  if (first === undefined) return [];
  const root = await readOne(inputOf(first, parts.self), parts, signal);
  if (hasCase(root)) return root;
  for (const message of later.reverse()) {
    const items = await readOne(inputOf(message, parts.self), parts, signal);
    if (hasCase(items)) return items;
  }
  return root;
}

/** Reads what somebody asked to judge. A message without a paste in a thread means what stands above it. */
export async function readMessage(
  check: SpotCheck,
  parts: ReaderParts,
  signal: AbortSignal,
): Promise<Reading> {
  const { input } = check;
  if (input.kind === 'cases') return { kind: 'nothing' };
  const own = await readOne(input, parts, signal);
  const isPaste = hasCase(own) || input.files.length > 0 || looksLikePaste(input.text);
  // In a direct message people also just talk; only a mention elsewhere means what stands above it.
  const isTalk = check.channel.startsWith('D');
  if (!isPaste && !isTalk && check.thread !== null && check.thread !== input.message) {
    const above = await readAbove(check, input, check.thread, parts, signal);
    if (above.length > 0) return { kind: 'items', items: above };
  }
  if (!isPaste && isShort(input.text)) return { kind: 'nothing' };
  return { kind: 'items', items: own };
}
