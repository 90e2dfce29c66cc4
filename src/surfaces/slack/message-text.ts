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
