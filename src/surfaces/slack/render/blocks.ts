import type {
  ActionsBlock,
  Button,
  ConfirmationDialog,
  ContextBlock,
  HeaderBlock,
  KnownBlock,
  PlainTextElement,
  RichTextBlock,
  RichTextElement,
  RichTextSection,
  RichTextText,
} from '@slack/types';
import { plainLine, safeText } from '../../../common/text/index.ts';
import { type Language, wordsIn } from '../../../words/index.ts';
import { pagesOf, shortened, shortLine } from '../../wording/index.ts';

/** Slack's limits (docs.slack.dev, Block Kit reference), in characters or items. */
export const limits = {
  messageBlocks: 50,
  viewBlocks: 100,
  /** All text in a message's blocks; beyond about 13,200 Slack answers `msg_blocks_too_long`. */
  messageText: 13_000,
  /** Our own limit for one page of a view, to keep it readable and well below Slack's limit. */
  viewText: 13_000,
  /** Top-level `text`; Slack cuts longer ones. */
  fallbackText: 4_000,
  blockText: 3_000,
  header: 150,
  contextText: 2_000,
  buttonText: 75,
  viewTitle: 24,
  viewButton: 24,
  inputLabel: 2_000,
  inputText: 3_000,
  placeholder: 150,
  optionText: 75,
  optionValue: 150,
  options: 100,
  overflow: 5,
  optionGroups: 100,
  altText: 2_000,
} as const;

/**
 * Text from outside is shown only in this and in rich text elements: in those and in plain text without emoji, Slack interprets
 * no formatting, links, mentions or emoji codes. `mrkdwn` is never used.
 */
export const plain = (text: string, most: number): PlainTextElement => ({
  type: 'plain_text',
  text: shortLine(text, most) || '–',
  emoji: false,
});

/** No element for an empty text, because Slack refuses empty elements. */
const styled = (text: string, style: Pick<RichTextText, 'style'>): RichTextElement[] => {
  const safe = safeText(text);
  return safe === '' ? [] : [{ type: 'text', text: safe, ...style }];
};
export const words = (text: string): RichTextElement[] => styled(text, {});
export const bold = (text: string): RichTextElement[] => styled(text, { style: { bold: true } });
export const italic = (text: string): RichTextElement[] => styled(text, { style: { italic: true } });

/** A link after a separator; nothing unless the URL begins with https. */
export const link = (url: string | null, text: string): RichTextElement[] =>
  url?.startsWith('https://') === true ? [...words(' · '), { type: 'link', url, text }] : [];

/** A link, or its text if Slack would not open it. */
export const linkOr = (url: string, text: string): RichTextElement[] =>
  url.startsWith('https://') ? [{ type: 'link', url, text }] : words(text);

export const section = (...parts: RichTextElement[][]): RichTextSection => ({
  type: 'rich_text_section',
  elements: parts.flat(),
});

export const rich = (...elements: RichTextBlock['elements']): RichTextBlock => ({
  type: 'rich_text',
  elements: elements.filter((element) => element.elements.length > 0),
});

export const paragraph = (...parts: RichTextElement[][]): RichTextBlock => rich(section(...parts));

/** A link on a line of its own; nothing unless the URL begins with https. */
export const linkLine = (url: string | null, text: string): RichTextBlock[] =>
  url?.startsWith('https://') === true ? [paragraph([{ type: 'link', url, text }])] : [];

const bullets = (items: readonly RichTextElement[][]): RichTextBlock =>
  rich({ type: 'rich_text_list', style: 'bullet', elements: items.map((item) => section(item)) });

const lengthOf = (elements: readonly RichTextElement[]): number =>
  elements.reduce((sum, element) => sum + (element.type === 'text' ? element.text.length : LINK), 0);
/** What a link or a date counts as: each is a few words. */
const LINK = 30;

/** A list in as many blocks as it needs; no item may exceed one block. */
export function bulletBlocks(items: readonly RichTextElement[][]): RichTextBlock[] {
  const blocks: RichTextElement[][][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const item of items) {
    length += lengthOf(item);
    if (length > limits.blockText - 100) {
      blocks.push([]);
      length = lengthOf(item);
    }
    blocks.at(-1)?.push(item);
  }
  return blocks.map(bullets);
}

export const header = (text: string): HeaderBlock => ({ type: 'header', text: plain(text, limits.header) });

/** A line of small gray text. */
export const context = (text: string): ContextBlock => ({
  type: 'context',
  elements: [plain(text, limits.contextText)],
});

interface ButtonParts {
  text: string;
  action: string;
  value: string;
  style?: 'primary' | 'danger';
  confirm?: ConfirmationDialog;
}

/** @param value one or two of our own ids, never text from outside */
export const button = ({ text, action, value, style, confirm }: ButtonParts): Button => ({
  type: 'button',
  text: plain(text, limits.buttonText),
  action_id: action,
  value,
  ...(style === undefined ? {} : { style }),
  ...(confirm === undefined ? {} : { confirm }),
});

/** No block id: an updated message needs new ones, and Slack assigns them. */
export const buttonRow = (...elements: Button[]): ActionsBlock => ({
  type: 'actions',
  elements,
});

/**
 * Escapes text for fields where Slack interprets formatting (a message's `text`). Escapes Slack's three control characters, and
 * breaks up URLs and mentions such as @channel with a zero-width character for clients that detect them in plain text.
 */
export const escapedText = (text: string): string =>
  safeText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/@(?=(?:channel|here|everyone|group)\b)/gi, '@\u2060')
    .replaceAll('://', ':\u2060//');

/** One line of {@link escapedText}, at most `most` characters; shortened before escaping, so that no entity is cut. */
export function escapedLine(text: string, most: number): string {
  const line = plainLine(text);
  let room = most;
  let escaped = escapedText(shortened(line, room));
  while (escaped.length > most) {
    room = Math.max(2, room - (escaped.length - most));
    escaped = escapedText(shortened(line, room));
  }
  return escaped;
}

/** The content for `chat.postMessage` and `chat.update`. */
export interface SlackMessage {
  /** Escaped plain text for notifications and clients without blocks: a full sentence. */
  text: string;
  blocks: KnownBlock[];
}

/** Options for every `chat.postMessage`: Slack must not interpret the text or unfurl links. */
export const quietPost = {
  mrkdwn: false,
  parse: 'none',
  link_names: false,
  unfurl_links: false,
  unfurl_media: false,
} as const;

/** Options for every `chat.update`. */
export const quietUpdate = { parse: 'none', link_names: false } as const;

export const message = (text: string, blocks: KnownBlock[]): SlackMessage => ({
  text: escapedLine(text, limits.fallbackText),
  blocks,
});

/** The length of all displayed text in blocks and views, as Slack's limits count it. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textLength(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, inner]) =>
      sum +
      (typeof inner === 'string' && (key === 'text' || key === 'title') ? inner.length : textLength(inner)),
    0,
  );
}

/** Splits blocks into pages, each within the limits. */
export const blockPages = (
  blocks: readonly KnownBlock[],
  most: { blocks: number; text: number },
): KnownBlock[][] => pagesOf(blocks, textLength, { items: most.blocks, size: most.text });

/** Reserved on each page for the page number and the buttons. */
const TURNS = { blocks: 4, text: 500 } as const;

interface Paging {
  /** Action ids of the buttons; they must be unique within a row. */
  back: string;
  next: string;
  /** The value of the button to a page. */
  value: (page: number) => string;
}

/**
 * One page of content too long for a view, with buttons to the others; nothing is shortened.
 *
 * @param first a few blocks shown at the top of every page
 * @param page from 0; clamped to the existing pages
 */
export function pageBlocks(
  first: readonly KnownBlock[],
  rest: readonly KnownBlock[],
  page: number,
  { back, next, value }: Paging,
  language: Language,
): { at: number; blocks: KnownBlock[] } {
  const pages = blockPages(rest, {
    blocks: limits.viewBlocks - TURNS.blocks - first.length,
    text: limits.viewText - TURNS.text - textLength(first),
  });
  const at = Math.min(Math.max(page, 0), pages.length - 1);
  const { lists } = wordsIn(language);
  const turns = [
    ...(at > 0 ? [button({ text: `← ${lists.back}`, action: back, value: value(at - 1) })] : []),
    ...(at < pages.length - 1
      ? [button({ text: `${lists.next} →`, action: next, value: value(at + 1) })]
      : []),
  ];
  const where = context(lists.page({ at: at + 1, of: pages.length }));
  return {
    at,
    blocks: [...first, ...(pages[at] ?? []), ...(turns.length === 0 ? [] : [where, buttonRow(...turns)])],
  };
}
