import * as z from 'zod';
import { JuryError } from '../../common/index.ts';
import { isTimeZone } from '../../digests/index.ts';
import type { ConversationKind } from '../../labels/record/index.ts';
import type { MessageInput, MessageSource } from '../../requests/index.ts';
import { downloadSignal, readDownload } from '../chat/index.ts';
import { QUEUE_SHOWN } from '../views/index.ts';
import { kindOf, splitConversation } from './ids.ts';

const Account = z.object({
  id: z.string(),
  name: z.string().optional(),
  aadObjectId: z.string().optional(),
});

const Attachment = z.object({
  contentType: z.string(),
  name: z.string().optional(),
  contentUrl: z.string().optional(),
  content: z.unknown().optional(),
});

const Reaction = z.object({ type: z.string() });

/** What Teams posts: a message, reaction, click or form; only the fields in use. */
const Activity = z.object({
  type: z.string(),
  name: z.string().optional(),
  action: z.string().optional(),
  id: z.string().optional(),
  timestamp: z.string().optional(),
  serviceUrl: z.url({ protocol: /^https?$/ }),
  from: Account,
  recipient: Account,
  conversation: z.object({
    id: z.string(),
    conversationType: z.enum(['personal', 'groupChat', 'channel']).optional().catch(undefined),
    tenantId: z.string().optional(),
  }),
  text: z.string().optional(),
  locale: z.string().optional().catch(undefined),
  value: z.unknown().optional(),
  replyToId: z.string().optional(),
  attachments: z.array(Attachment).optional(),
  entities: z
    .array(
      z.looseObject({
        type: z.string(),
        text: z.string().optional(),
        mentioned: Account.optional(),
        quotedReply: z.object({ messageId: z.string() }).optional(),
        timezone: z.string().optional(),
        locale: z.string().optional().catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
  channelData: z
    .object({
      tenant: z.object({ id: z.string() }).optional(),
      team: z.object({ id: z.string(), aadGroupId: z.string().optional() }).optional().catch(undefined),
      eventType: z.string().optional(),
    })
    .optional()
    .catch(undefined),
  reactionsAdded: z.array(Reaction).optional(),
  reactionsRemoved: z.array(Reaction).optional(),
});
export type Activity = z.infer<typeof Activity>;

/** An activity, with null fields treated as missing; null if it is not a usable activity. */
export function readActivity(raw: unknown): Activity | null {
  const without = (_key: string, value: unknown) => (value === null ? undefined : value);
  return Activity.safeParse(JSON.parse(JSON.stringify(raw, without))).data ?? null;
}

/** Whether a service URL is at or below an address. */
export function isBelow(serviceUrl: string, address: string): boolean {
  const [from, at] = [new URL(serviceUrl), new URL(address)];
  const folder = at.pathname.replace(/\/*$/, '/');
  return from.origin === at.origin && from.username === '' && `${from.pathname}/`.startsWith(folder);
}

/** Where an activity came from and who acted. */
export interface Origin {
  tenant: string;
  /** The conversation without its thread. */
  channel: string;
  thread: string | null;
  kind: ConversationKind;
  /** The object id in Entra ID. */
  user: string;
  at: number;
}

const KINDS = { personal: 'direct', groupChat: 'group', channel: 'channel' } as const;

/** Null if the activity does not say who acted and where; it is then ignored. */
export function originOf(activity: Activity, now: number): Origin | null {
  const { conversation, from, channelData, replyToId, timestamp } = activity;
  const tenant = conversation.tenantId ?? channelData?.tenant?.id;
  const user = from.aadObjectId;
  const { channel, thread } = splitConversation(conversation.id);
  const kind =
    conversation.conversationType === undefined ? kindOf(channel) : KINDS[conversation.conversationType];
  if (tenant === undefined || user === undefined || kind === null) return null;
  const at = Date.parse(timestamp ?? '');
  // Only messages can start a thread; clicks and installations cannot.
  const startsThread = activity.type.startsWith('message') ? activity.id : undefined;
  return {
    tenant,
    channel,
    // In a channel every message belongs to a thread; other conversations have none.
    thread: kind === 'channel' ? (thread ?? replyToId ?? startsThread ?? null) : null,
    kind,
    user,
    at: Number.isNaN(at) ? now : at,
  };
}

/** The time zone and the language of the Teams client that someone acts in; null if it does not say. */
export function clientOf({ locale: said, entities = [] }: Activity): {
  timeZone: string | null;
  language: string | null;
} {
  const { timezone, locale = said } = entities.find(({ type }) => type === 'clientInfo') ?? {};
  return {
    timeZone: timezone !== undefined && isTimeZone(timezone) ? timezone : null,
    language: locale !== undefined && /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(locale) ? locale : null,
  };
}

/** A conversation's kind, if its id does not show it. */
export const unsaidKind = ({
  channel,
  kind,
}: Pick<Origin, 'channel' | 'kind'>): { kind?: ConversationKind } =>
  kindOf(channel) === kind ? {} : { kind };

const ENTITIES: Readonly<Record<string, string>> = {
  '&nbsp;': ' ',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

type Worded = Pick<Activity, 'text' | 'entities'> & { recipient: { id: string } };

/**
 * A message's text without mentions of the app and quotes; other people's names stay. Teams escapes what people type and marks
 * line breaks as `<br>`.
 */
export function textOf({ text = '', entities = [], recipient }: Worded): string {
  const mentions = entities.flatMap(({ type, mentioned, text: shown }) =>
    type === 'mention' && mentioned?.id === recipient.id && shown !== undefined ? [shown] : [],
  );
  return mentions
    .reduce((rest, mention) => rest.replaceAll(mention, ''), text)
    .replaceAll(/<quoted\s[^<>]*>|<blockquote\s[^<>]*schema\.skype\.com\/Reply[\s\S]*?<\/blockquote>/gi, '')
    .replaceAll(/<at(?:\s[^<>]*)?>([^<>]*)<\/at>/gi, '$1')
    .replaceAll(/<br\s*\/?>|<\/(?:p|div)>/gi, '\n')
    .replaceAll(/<(?:p|div)\b[^>]*>/gi, '')
    .replaceAll(/&(?:nbsp|lt|gt|quot|amp|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\u00a0', ' ')
    .trim();
}

/** A mention at the start of a message is the addressee, not part of what was said. */
const MENTIONED_FIRST = /^((?:\s|&nbsp;|<(?:p|div)\b[^>]*>)*)<at\b[^>]*>[^<]*<\/at>/i;

/** The text of a message that comes as HTML instead of in an activity. */
export const textOfHtml = (html: string): string =>
  textOf({
    text: html
      .replace(MENTIONED_FIRST, '$1')
      .replaceAll(/<\/(?:li|tr|pre|blockquote|h[1-6])>/gi, '\n')
      .replaceAll(/<(?!\/?(?:p|div|br|at)\b)[^>]*>/gi, ''),
    entities: [],
    recipient: { id: '' },
  });

export const isMentioned = ({ entities = [], recipient }: Activity): boolean =>
  entities.some(({ type, mentioned }) => type === 'mention' && mentioned?.id === recipient.id);

const FileInfo = z.object({ downloadUrl: z.string(), uniqueId: z.string().optional() });
const FILE = 'application/vnd.microsoft.teams.file.download.info';

/** What stands in a message's HTML for a file that Teams does not give to apps. */
const FILE_PLACE = /<attachment\s+id="[0-9a-f]{8}-[0-9a-f-]{27}"/i;

/** The files of a message; the URL is empty if Teams gives none. */
function filesOf({ attachments = [] }: Activity): MessageInput['files'] {
  const files = attachments.flatMap(({ contentType, name = 'The file', contentUrl, content }) => {
    if (contentType === FILE) {
      const info = FileInfo.safeParse(content).data;
      return info === undefined
        ? []
        : [{ id: info.uniqueId ?? info.downloadUrl, name, size: 0, url: info.downloadUrl }];
    }
    if (contentType === 'reference') return [{ id: contentUrl ?? name, name, size: 0, url: '' }];
    const isText = /^(?:text\/|application\/(?:json|jsonl|x-ndjson|octet-stream)\b)/.test(contentType);
    return isText && contentUrl !== undefined ? [{ id: contentUrl, name, size: 0, url: contentUrl }] : [];
  });
  if (files.length > 0) return files;
  const isHidden = attachments.some(
    ({ contentType, content }) =>
      contentType === 'text/html' && typeof content === 'string' && FILE_PLACE.test(content),
  );
  return isHidden ? [{ id: 'hidden', name: 'The file', size: 0, url: '' }] : [];
}

/** The message that a chat message replies to, from an entity or from the HTML of Teams' clients. */
const quotedBy = ({ entities = [], attachments = [] }: Activity): string | undefined =>
  entities.find(({ quotedReply }) => quotedReply !== undefined)?.quotedReply?.messageId ??
  attachments.flatMap(({ content }) => {
    const [, id] = /schema\.skype\.com\/Reply"[^<>]*\sitemid="(\d+)"/.exec(String(content)) ?? [];
    return id ?? [];
  })[0];

/** A message as recorded, before its files are downloaded. */
export function inputOf(activity: Activity): MessageInput {
  const files = filesOf(activity);
  const quotes = quotedBy(activity);
  const message = activity.id ?? '';
  return { kind: 'message', message, text: textOf(activity), files, ...(quotes && { quotes }) };
}

/** The data of a card button: what to do, and with what. */
export const ButtonData = z.looseObject({
  do: z.string(),
  id: z.string().default(''),
  page: z.coerce.number().int().min(0).optional(),
  score: z.number().optional(),
  /** Set in a queue: how many verdicts it lists. */
  queue: z.int().min(1).max(QUEUE_SHOWN.most).optional().catch(undefined),
});
export type ButtonData = z.infer<typeof ButtonData>;

const Execute = z.object({ action: z.object({ data: ButtonData }) });
const Task = z.object({ data: ButtonData });

/** The button that was pressed, in any of the forms clients send; null if it is not ours. */
export const buttonOf = ({ value }: Activity): ButtonData | null =>
  Execute.safeParse(value).data?.action.data ??
  Task.safeParse(value).data?.data ??
  ButtonData.safeParse(value).data ??
  null;

const Feedback = z.object({
  actionName: z.literal('feedback'),
  actionValue: z.object({ reaction: z.enum(['like', 'dislike']), feedback: z.string().optional() }),
});
const FeedbackText = z.object({ feedbackText: z.string() });

/** A thumb on an AI message, with its comment: JSON text in Teams, plain text in its playground. */
export function feedbackOf({ value }: Activity): { value: 'agree' | 'disagree'; comment: string } | null {
  const parsed = Feedback.safeParse(value).data;
  if (parsed === undefined) return null;
  const { reaction, feedback = '' } = parsed.actionValue;
  let comment = feedback;
  try {
    comment = FeedbackText.parse(JSON.parse(feedback)).feedbackText;
  } catch {
    // Plain text.
  }
  return { value: reaction === 'like' ? 'agree' : 'disagree', comment: comment.trim() };
}

/** Where Teams stores files: SharePoint and OneDrive, whose download URLs carry a short-lived permission. */
const FILE_HOSTS =
  /^(?:[a-z0-9-]+\.)+(?:sharepoint\.com|sharepoint\.us|sharepoint\.cn|onedrive\.com|1drv\.com)$/;

/** Teams' message servers, which require the app's token. */
const CONNECTORS =
  /^(?:smba\.trafficmanager\.net|smba\.infra\.(?:gcc\.teams\.microsoft\.com|(?:gov|dod)\.teams\.microsoft\.us))$/;

/** How a file may be fetched from an address; null if it may not. */
export function accessTo(address: string, playground: string | undefined): 'token' | 'open' | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, host } = new URL(address);
  if (playground !== undefined && new URL(playground).host === host) return 'token';
  if (protocol !== 'https:') return null;
  if (CONNECTORS.test(hostname)) return 'token';
  return FILE_HOSTS.test(hostname) ? 'open' : null;
}

interface Download {
  playground: string | undefined;
  /** The app's token for Teams. */
  token: () => Promise<string>;
  fetch: typeof globalThis.fetch;
}

async function download(
  address: string,
  { playground, token, fetch }: Download,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (address === '')
    throw new JuryError(
      'bad-input',
      'Teams gives apps no files from channels and group chats, so paste its text or send it to me in our own chat',
    );
  const access = accessTo(address, playground);
  if (access === null)
    throw new JuryError('bad-input', 'it is not on SharePoint, OneDrive or a Teams server');
  const headers = access === 'token' ? { authorization: `Bearer ${await token()}` } : undefined;
  return readDownload(
    () => fetch(address, { redirect: 'error', signal: downloadSignal(signal), ...(headers && { headers }) }),
    signal,
    (status) => `Teams answered ${status}: send it again`,
  );
}

/**
 * Reads messages and files from Teams.
 * @param above the messages of a thread that were sent to the app
 */
export const teamsMessages = (
  { readPaste, format, methods, above }: Pick<MessageSource, 'readPaste' | 'format' | 'methods' | 'above'>,
  from: Download,
): MessageSource => ({
  kindOf: (conversation) => kindOf(conversation) ?? 'channel',
  readPaste,
  format,
  methods,
  download: ({ url }, signal) => download(url, from, signal),
  above: async (...place) => {
    const thread = await above(...place);
    if (thread.messages.length > 0) return thread;
    throw new JuryError(
      'bad-input',
      'in Teams, I see only messages that mention me. Mention me with the paste itself, or choose “Ask the jury” in the menu of the message.',
    );
  },
});
