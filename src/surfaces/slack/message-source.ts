import * as z from 'zod';
import { JuryError } from '../../common/index.ts';
import { grouped } from '../../common/text/index.ts';
import type { MessageSource, SpotCheckInput, Thread, ThreadMessage } from '../../requests/index.ts';
import { downloadSignal, readDownload, requireFileSize } from '../chat/index.ts';
import { pagesOf, type SlackClients } from './clients.ts';
import { kindOf } from './ids.ts';
import { missingScope, notDelivered, slackError } from './slack-errors.ts';

/** An element of Slack's rich text, of any kind. */
const Element = z.object({
  type: z.string(),
  elements: z.array(z.unknown()).default([]),
  text: z.string().optional(),
  url: z.string().optional(),
  name: z.string().optional(),
  unicode: z.string().optional(),
  user_id: z.string().optional(),
  channel_id: z.string().optional(),
  usergroup_id: z.string().optional(),
  range: z.string().optional(),
  fallback: z.string().optional(),
  /** In a list, its kind; in text, its formatting. */
  style: z.unknown().optional(),
  indent: z.number().default(0),
  offset: z.number().default(0),
});
type Element = z.infer<typeof Element>;

/** An emoji from Slack's hyphenated code points, such as `1f44d-1f3fb`; its `:name:` without valid ones. */
function emojiOf({ name, unicode = '' }: Element): string {
  const points = unicode.split('-').map((part) => Number.parseInt(part, 16));
  const valid = points.every((point) => Number.isInteger(point) && point > 0 && point <= 0x10ffff);
  return valid ? String.fromCodePoint(...points) : `:${name}:`;
}

/** How to read each kind of element, given its joined inner text and the texts of its elements; unknown kinds are dropped. */
const KINDS: Readonly<
  Record<string, (element: Element, inside: string, each: readonly string[]) => string | undefined>
> = {
  text: ({ text }) => text,
  link: ({ text, url }) => text || url,
  emoji: emojiOf,
  user: ({ user_id }) => user_id && `@${user_id}`,
  channel: ({ channel_id }) => channel_id && `#${channel_id}`,
  usergroup: ({ usergroup_id }) => usergroup_id && `@${usergroup_id}`,
  broadcast: ({ range }) => range && `@${range}`,
  date: ({ fallback }) => fallback,
  rich_text_section: (_, inside) => inside,
  rich_text_preformatted: (_, inside) => `\`\`\`\n${inside}\n\`\`\``,
  rich_text_quote: (_, inside) => inside.replaceAll(/^/gm, '> '),
  rich_text_list: ({ style, indent, offset }, _, each) =>
    each
      .map(
        (item, index) =>
          `${'  '.repeat(indent)}${style === 'ordered' ? `${index + 1 + offset}.` : '•'} ${item}`,
      )
      .join('\n'),
};

function elementText(raw: unknown, self: string): string {
  const { data } = Element.safeParse(raw);
  if (data === undefined || (data.type === 'user' && data.user_id === self)) return '';
  const each = data.elements.map((element) => elementText(element, self));
  return KINDS[data.type]?.(data, each.join(''), each) ?? '';
}

const Block = z.object({
  type: z.literal('rich_text'),
  elements: z.array(
    z.looseObject({ type: z.string().regex(/^rich_text_(?:section|preformatted|quote|list)$/) }),
  ),
});

/**
 * The text of a message's blocks, without the formatting characters of Slack's `text`; null if they contain anything but rich
 * text, so that nothing is missed.
 *
 * @param self the app's own user id: mentions of it are left out
 */
export function richTextOf(blocks: readonly unknown[], self: string): string | null {
  const parsed = z.array(Block).min(1).safeParse(blocks);
  if (!parsed.success) return null;
  return parsed.data
    .flatMap(({ elements }) => elements)
    .map((element) => elementText(element, self))
    .join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** Slack's `text` as a reader sees it: resolves links, mentions and dates in `<…>`, and unescapes `&lt;`, `&gt;` and `&amp;`. */
export const plainText = (text: string, self: string): string =>
  text
    .replace(/<([^<>\n]{1,3000})>/g, (_, inside: string) => {
      const bar = inside.indexOf('|');
      const target = bar === -1 ? inside : inside.slice(0, bar);
      const shown = bar === -1 ? '' : inside.slice(bar + 1);
      if (target === `@${self}`) return '';
      if (target.startsWith('@')) return target;
      if (target.startsWith('#')) return `#${shown || target.slice(1)}`;
      if (target.startsWith('!')) return shown || `@${target.slice(1)}`;
      return shown || target;
    })
    .replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);

const File = z.object({
  id: z.string(),
  name: z.string().nullish(),
  size: z.number().nullish(),
  url_private: z.string().nullish(),
  url_private_download: z.string().nullish(),
});

/** A message from events, shortcuts and `conversations.replies`; other fields are ignored. */
export const MessagePayload = z.object({
  ts: z.string(),
  text: z.string().nullish(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  subtype: z.string().nullish(),
  thread_ts: z.string().nullish(),
  blocks: z.array(z.unknown()).nullish(),
  files: z.array(z.unknown()).nullish(),
  attachments: z.array(z.object({ text: z.string().nullish(), fallback: z.string().nullish() })).nullish(),
});
export type MessagePayload = z.infer<typeof MessagePayload>;

type MessageInput = Extract<SpotCheckInput, { kind: 'message' }>;

/** The text of a message for the paste parser; if it is empty, the text of the messages it shares. */
function textOf(message: MessagePayload, self: string): string {
  const ownText = richTextOf(message.blocks ?? [], self) ?? plainText(message.text ?? '', self);
  if (ownText.trim() !== '') return ownText.trim();
  return (message.attachments ?? [])
    .map(({ text, fallback }) => plainText(text ?? fallback ?? '', self))
    .join('\n\n')
    .trim();
}

const filesOf = (message: MessagePayload): MessageInput['files'] =>
  (message.files ?? []).flatMap((file) => {
    const parsed = File.safeParse(file);
    if (!parsed.success) return [];
    const { id, name, size, url_private, url_private_download } = parsed.data;
    return [{ id, name: name ?? id, size: size ?? 0, url: url_private_download ?? url_private ?? '' }];
  });

/** A message as recorded, before its files are downloaded. */
export const inputOf = (message: MessagePayload, self: string): MessageInput => ({
  kind: 'message',
  message: message.ts,
  text: textOf(message, self),
  files: filesOf(message),
});

const MAX_REDIRECTS = 3;

/** Slack's own file hosts. The token is sent only to these and to the configured API server. */
const SLACK_HOSTS = /^(?:[a-z0-9-]+\.)*(?:slack\.com|slack-gov\.com|slack-files\.com)$/;

/** How to download files: with the bot's token, from Slack's hosts or the configured API server. */
export interface Download {
  token: string;
  apiUrl: string | undefined;
  fetch: typeof globalThis.fetch;
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
 * Downloads an attached file.
 *
 * @throws JuryError `bad-input` with the reason why it cannot be read
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
    // Files from other workspaces come without a URL, so look it up.
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
/** The most pages read of a thread: 2,000 messages are more than people look back over. */
const MAX_PAGES = 10;

const UNREADABLE = new Set(['not_in_channel', 'channel_not_found', 'missing_scope', 'thread_not_found']);

/** Throws an error that says what is needed to read there, instead of Slack's code alone. */
function unreadable(thrown: unknown): never {
  const error = slackError(thrown);
  if (error === null || !UNREADABLE.has(error)) throw notDelivered(thrown);
  const scope = missingScope(thrown);
  const how =
    scope === null
      ? `(${error}): invite me (/invite)`
      : `since my app lacks the scope ${scope}: ask an admin to add it`;
  throw new JuryError('bad-input', `I cannot read this thread ${how}, or mention me with the paste itself.`, {
    cause: thrown,
  });
}

/** Subtypes of what people and apps write; excludes deleted messages and Slack's notices, such as about people joining. */
const SAID = new Set([undefined, null, 'file_share', 'thread_broadcast', 'bot_message', 'me_message']);

/** A message as part of a conversation; null for the app's own messages and Slack's notices. */
export function saidIn(raw: unknown, { self, botId }: Self): ThreadMessage | null {
  const message = MessagePayload.safeParse(raw).data;
  if (message === undefined || !SAID.has(message.subtype)) return null;
  const { user, bot_id: bot } = message;
  if (user === self || (bot && bot === botId)) return null;
  return {
    input: inputOf(message, self),
    author: user || bot || '',
    isByApp: Boolean(bot),
    isToUs: message.text?.includes(`<@${self}>`) === true || message.text?.includes(`<@${self}|`) === true,
  };
}

const inOrder = (messages: ThreadMessage[]): ThreadMessage[] =>
  messages.sort((a, b) => (a.input.message < b.input.message ? -1 : 1));

/**
 * The messages of a thread above a given one, oldest first, without the app's own.
 *
 * @param pages the most pages to request, of 200 messages each
 * @throws JuryError `bad-input` if the app may not read there, `undelivered` or `usage` for other errors
 */
export async function threadAbove(
  { clients, self }: Pick<Reading, 'clients' | 'self'>,
  channel: string,
  thread: string,
  below: string,
  pages = MAX_PAGES,
): Promise<Thread> {
  const above: ThreadMessage[] = [];
  let asked = 0;
  const ask = (cursor: { cursor?: string }) => {
    asked += 1;
    return clients.now.conversations
      .replies({ channel, ts: thread, limit: PAGE, latest: below, ...cursor })
      .catch(unreadable);
  };
  let hasMore = false;
  for await (const page of pagesOf(ask, pages)) {
    const { messages, has_more } = RepliesPage.parse(page);
    hasMore = has_more && asked === pages;
    for (const raw of messages) {
      const message = saidIn(raw, self);
      if (message !== null && message.input.message < below) above.push(message);
    }
  }
  const unread = hasMore
    ? `This thread is long: I read its first ${grouped(pages * PAGE)} messages, and not the newest.`
    : null;
  return { messages: inOrder(above), unread };
}

/** How many messages to fetch to find one that a person or an app wrote: Slack also lists its own notices and deleted messages. */
const NEAREST = 5;

/**
 * The nearest message above one that is not in a thread, if any.
 *
 * @throws JuryError `bad-input` if the app may not read there, `undelivered` or `usage` for other errors
 */
export async function messageAbove(
  { clients, self }: Pick<Reading, 'clients' | 'self'>,
  channel: string,
  below: string,
): Promise<Thread> {
  const page = await clients.now.conversations
    .history({ channel, latest: below, limit: NEAREST })
    .catch(unreadable);
  const { messages } = RepliesPage.parse(page);
  const messagesAbove = inOrder(
    messages.flatMap((raw) => saidIn(raw, self) ?? []).filter(({ input }) => input.message < below),
  );
  return { messages: messagesAbove.slice(-1), unread: null };
}

const RepliesPage = z.object({
  messages: z.array(z.unknown()).default([]),
  has_more: z.boolean().default(false),
});

/** The app's own ids, to leave its messages out of conversations. */
export interface Self {
  /** Its user id. */
  self: string;
  botId: string | undefined;
}

interface Reading {
  clients: SlackClients;
  download: Download;
  readPaste: MessageSource['readPaste'];
  methods: MessageSource['methods'];
  format: MessageSource['format'];
  self: Self;
}

/** Reads messages, threads and files from Slack. */
export const slackMessages = (reading: Reading): MessageSource => ({
  kindOf,
  readPaste: reading.readPaste,
  methods: reading.methods,
  format: reading.format,
  download: (file, signal) => downloadFile(file, reading.clients.now, reading.download, signal),
  above: ({ channel }, thread, below) => threadAbove(reading, channel, thread, below),
});
