import * as z from 'zod';

const Styled = z.object({ code: z.boolean().optional() }).optional();

/** The elements of Slack's rich text that hold something to read. */
const Inline = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), style: Styled }),
  z.object({ type: z.literal('link'), url: z.string(), text: z.string().optional() }),
  z.object({ type: z.literal('emoji'), name: z.string(), unicode: z.string().optional() }),
  z.object({ type: z.literal('user'), user_id: z.string() }),
  z.object({ type: z.literal('channel'), channel_id: z.string() }),
  z.object({ type: z.literal('usergroup'), usergroup_id: z.string() }),
  z.object({ type: z.literal('broadcast'), range: z.string() }),
  z.object({ type: z.literal('date'), fallback: z.string().optional() }),
]);
type Inline = z.infer<typeof Inline>;

const Section = z.object({ type: z.literal('rich_text_section'), elements: z.array(z.unknown()) });
const Part = z.discriminatedUnion('type', [
  Section,
  z.object({ type: z.literal('rich_text_preformatted'), elements: z.array(z.unknown()) }),
  z.object({ type: z.literal('rich_text_quote'), elements: z.array(z.unknown()) }),
  z.object({
    type: z.literal('rich_text_list'),
    elements: z.array(Section),
    style: z.string().optional(),
    indent: z.number().optional(),
    offset: z.number().optional(),
  }),
]);
type Part = z.infer<typeof Part>;

const Block = z.object({ type: z.literal('rich_text'), elements: z.array(Part) });

/** An emoji's characters from its code points, as Slack gives them: `1f44d-1f3fb`. */
function emojiOf(name: string, unicode: string | undefined): string {
  const points = (unicode ?? '').split('-').map((part) => Number.parseInt(part, 16));
  const valid = points.every((point) => Number.isInteger(point) && point > 0 && point <= 0x10ffff);
  return valid ? String.fromCodePoint(...points) : `:${name}:`;
}

function inlineText(element: Inline, self: string): string {
  switch (element.type) {
    case 'text':
      return element.text;
    case 'link':
      return element.text === undefined || element.text === '' ? element.url : element.text;
    case 'emoji':
      return emojiOf(element.name, element.unicode);
    case 'user':
      return element.user_id === self ? '' : `@${element.user_id}`;
    case 'channel':
      return `#${element.channel_id}`;
    case 'usergroup':
      return `@${element.usergroup_id}`;
    case 'broadcast':
      return `@${element.range}`;
    case 'date':
      return element.fallback ?? '';
  }
}

/** Text of elements; kinds that are not known yet say nothing. */
const textOf = (elements: readonly unknown[], self: string): string =>
  elements
    .map((element) => {
      const known = Inline.safeParse(element);
      return known.success ? inlineText(known.data, self) : '';
    })
    .join('');

function partText(part: Part, self: string): string {
  switch (part.type) {
    case 'rich_text_section':
      return textOf(part.elements, self);
    case 'rich_text_preformatted':
      return `\`\`\`\n${textOf(part.elements, self)}\n\`\`\``;
    case 'rich_text_quote':
      return textOf(part.elements, self)
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n');
    case 'rich_text_list': {
      const indent = '  '.repeat(part.indent ?? 0);
      return part.elements
        .map((item, index) => {
          const mark = part.style === 'ordered' ? `${index + 1 + (part.offset ?? 0)}.` : '•';
          return `${indent}${mark} ${textOf(item.elements, self)}`;
        })
        .join('\n');
    }
  }
}

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
    .map((part) => partText(part, self))
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
