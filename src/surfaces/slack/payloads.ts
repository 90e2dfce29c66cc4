import * as z from 'zod';
import type { SpotCheckInput } from '../../requests/spot-check.ts';

/** What is read of an element of Slack's rich text, of whatever kind. */
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
  /** Of a list; of a text, how it is shown. */
  style: z.unknown().optional(),
  indent: z.number().default(0),
  offset: z.number().default(0),
});
type Element = z.infer<typeof Element>;

/** An emoji's characters from its code points, as Slack gives them: `1f44d-1f3fb`. */
function emojiOf({ name, unicode = '' }: Element): string {
  const points = unicode.split('-').map((part) => Number.parseInt(part, 16));
  const valid = points.every((point) => Number.isInteger(point) && point > 0 && point <= 0x10ffff);
  return valid ? String.fromCodePoint(...points) : `:${name}:`;
}

/** How each kind is read, given the text inside it and of each element in it; kinds that are not known yet say nothing. */
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
 * The text of a message's blocks as it was written, without the marks that Slack's `text` has for bold and the like; null where
 * they hold anything else than rich text, so that nothing is passed over.
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

/** Slack's `text` as a reader sees it: links, mentions and dates between `<` and `>`, three characters escaped. */
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

/** A message as events, shortcuts and `conversations.replies` give it; what is not read here is let through. */
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

/** What somebody wrote, as the parser of pastes takes it; a shared message's text where it has none of its own. */
function textOf(message: MessagePayload, self: string): string {
  const own = richTextOf(message.blocks ?? [], self) ?? plainText(message.text ?? '', self);
  if (own.trim() !== '') return own.trim();
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

/** A message as it is recorded before anything is fetched. */
export const inputOf = (message: MessagePayload, self: string): MessageInput => ({
  kind: 'message',
  message: message.ts,
  text: textOf(message, self),
  files: filesOf(message),
});

/** What is used of what Slack sends; more is let through. */

export const EventBody = z.object({
  type: z.literal('event_callback'),
  team_id: z.string(),
  event: z.looseObject({ type: z.string() }),
});

export const MessageEvent = MessagePayload.extend({
  type: z.enum(['app_mention', 'message']),
  channel: z.string(),
  channel_type: z.string().nullish(),
});

/** A message was edited or deleted; where others stand below it, a stone is left in the place of a deleted one. */
export const ChangeEvent = z.discriminatedUnion('subtype', [
  z.object({
    type: z.literal('message'),
    subtype: z.literal('message_changed'),
    channel: z.string(),
    message: MessagePayload.extend({ edited: z.object({ ts: z.string() }).nullish() }),
    previous_message: MessagePayload.nullish(),
  }),
  z.object({
    type: z.literal('message'),
    subtype: z.literal('message_deleted'),
    channel: z.string(),
    deleted_ts: z.string(),
    previous_message: MessagePayload.nullish(),
  }),
]);

export const ReactionEvent = z.object({
  type: z.enum(['reaction_added', 'reaction_removed']),
  user: z.string(),
  reaction: z.string(),
  item: z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
  item_user: z.string().nullish(),
  event_ts: z.string(),
});

/** Who acted and where, as Slack signed it. */
export interface Origin {
  user: string;
  /** Null where Slack does not say. */
  team: string | null;
  /** Null: in no conversation, such as in a form or on App Home. */
  channel: string | null;
  thread: string | null;
}

const Named = z.object({ id: z.string() });

const nowhere = { channel: null, thread: null } as const;

export const GlobalShortcut = z
  .object({ user: Named, team: Named.nullish(), trigger_id: z.string() })
  .transform(({ user, team, trigger_id }) => ({
    user: user.id,
    team: team?.id ?? null,
    ...nowhere,
    trigger: trigger_id,
  }));

export const MessageShortcut = z
  .object({
    user: Named,
    team: Named.nullish(),
    trigger_id: z.string(),
    channel: Named,
    message: MessagePayload,
  })
  .transform(({ user, team, channel, message, trigger_id }) => ({
    user: user.id,
    team: team?.id ?? null,
    channel: channel.id,
    thread: message.thread_ts ?? message.ts,
    trigger: trigger_id,
    message,
  }));

export const Command = z
  .object({
    team_id: z.string(),
    channel_id: z.string(),
    channel_name: z.string().nullable().default(null),
    user_id: z.string(),
    trigger_id: z.string(),
    text: z.string().default(''),
  })
  .transform(({ team_id, channel_id, channel_name, user_id, trigger_id, text }) => ({
    user: user_id,
    team: team_id,
    channel: channel_id,
    thread: null,
    channelName: channel_name,
    trigger: trigger_id,
    text,
  }));
export type Command = z.infer<typeof Command>;

export const HomeEvent = z.object({
  user: z.string(),
  /** The viewer's own conversation with the app. */
  channel: z.string(),
  tab: z.string(),
});

/** A click on something in a message, a view or the home tab. */
export const Click = z
  .object({
    user: Named,
    team: Named.nullish(),
    trigger_id: z.string(),
    channel: Named.nullish(),
    message: z.object({ ts: z.string(), thread_ts: z.string().nullish() }).nullish(),
    view: z
      .object({
        id: z.string(),
        type: z.string().nullish(),
        callback_id: z.string().nullish(),
        hash: z.string(),
        private_metadata: z.string(),
        state: z.unknown(),
      })
      .nullish(),
    actions: z.tuple([
      z.object({
        block_id: z.string().nullish(),
        value: z.string().nullish(),
        /** Of menus of conversations. */
        selected_conversation: z.string().nullish(),
        /** Of other menus. */
        selected_option: z.object({ value: z.string() }).nullish(),
        action_ts: z.string(),
      }),
    ]),
  })
  .transform(({ user, team, trigger_id, channel, message, view, actions: [action] }) => ({
    user: user.id,
    team: team?.id ?? null,
    channel: channel?.id ?? null,
    thread: message?.thread_ts ?? null,
    /** What was clicked in. */
    message: message?.ts ?? null,
    view: view ?? null,
    block: action.block_id ?? null,
    trigger: trigger_id,
    /** What the button, or what was chosen, carries. */
    value: action.selected_option?.value ?? action.value ?? '',
    conversation: action.selected_conversation ?? null,
    at: msOf(action.action_ts),
  }));
export type Click = z.infer<typeof Click>;

export const Submission = z
  .object({
    user: Named,
    team: Named.nullish(),
    view: z.object({ id: z.string(), private_metadata: z.string(), state: z.unknown() }),
  })
  .transform(({ user, team, view }) => ({ user: user.id, team: team?.id ?? null, ...nowhere, view }));
export type Submission = z.infer<typeof Submission>;

/** Slack's times are seconds with six decimals, as text. */
export const msOf = (ts: string): number => Number(ts) * 1000;
