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
import { plainLine, safeText } from '../../../common/text.ts';
import { pagesOf, shortened, shortLine } from '../../safe-text.ts';

/** What Slack accepts (docs.slack.dev, Block Kit reference). Lengths in characters. */
export const limits = {
  messageBlocks: 50,
  viewBlocks: 100,
  /** All text of a message's blocks together; beyond about 13,200 Slack answers `msg_blocks_too_long`. */
  messageText: 13_000,
  /** Our own: the most text of one page of a view, so that it stays readable and far from the limit of a view. */
  viewText: 13_000,
  /** Top-level `text`: longer ones are cut by Slack. */
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
 * Everything from outside is shown by these: Slack reads no marks, links, mentions or emoji codes in the text elements
 * of rich text and in plain text without emoji. `mrkdwn` is used nowhere.
 */
export const plain = (text: string, most: number): PlainTextElement => ({
  type: 'plain_text',
  text: shortLine(text, most) || '–',
  emoji: false,
});

/** Slack refuses empty text elements; an empty text is no element. */
const styled = (text: string, style: Pick<RichTextText, 'style'>): RichTextElement[] => {
  const safe = safeText(text);
  return safe === '' ? [] : [{ type: 'text', text: safe, ...style }];
};
export const words = (text: string): RichTextElement[] => styled(text, {});
export const bold = (text: string): RichTextElement[] => styled(text, { style: { bold: true } });
export const italic = (text: string): RichTextElement[] => styled(text, { style: { italic: true } });

/** A link to an address that begins with https; nothing for any other. */
export const link = (url: string | null, text: string): RichTextElement[] =>
  url?.startsWith('https://') === true ? [...words(' · '), { type: 'link', url, text }] : [];

export const section = (...parts: RichTextElement[][]): RichTextSection => ({
  type: 'rich_text_section',
  elements: parts.flat(),
});

export const rich = (...elements: RichTextBlock['elements']): RichTextBlock => ({
  type: 'rich_text',
  elements: elements.filter((element) => element.elements.length > 0),
});

/** One paragraph. */
export const paragraph = (...parts: RichTextElement[][]): RichTextBlock => rich(section(...parts));

/** A link that stands for itself, to a page on the web. */
export const linkLine = (url: string | null, text: string): RichTextBlock[] =>
  url?.startsWith('https://') === true ? [paragraph([{ type: 'link', url, text }])] : [];

const bullets = (items: readonly RichTextElement[][]): RichTextBlock =>
  rich({ type: 'rich_text_list', style: 'bullet', elements: items.map((item) => section(item)) });

const lengthOf = (elements: readonly RichTextElement[]): number =>
  elements.reduce((sum, element) => sum + (element.type === 'text' ? element.text.length : LINK), 0);
/** What a link or a date counts for: both are a few words. */
const LINK = 30;

/** A list in as many blocks as it needs; no item may be longer than a block. */
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

/** @param value an id or two of ours; never text from outside */
export const button = ({ text, action, value, style, confirm }: ButtonParts): Button => ({
  type: 'button',
  text: plain(text, limits.buttonText),
  action_id: action,
  value,
  ...(style === undefined ? {} : { style }),
  ...(confirm === undefined ? {} : { confirm }),
});

/** Without a block id: an updated message needs new ones, Slack gives them. */
export const buttonRow = (...elements: Button[]): ActionsBlock => ({
  type: 'actions',
  elements,
});

/**
 * Text for where Slack reads marks (a message's `text`): its three control characters are escaped; addresses and the words
 * that call a whole channel are taken apart by a character without width, for clients that look for them in plain text.
 */
export const escapedText = (text: string): string =>
  safeText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/@(?=(?:channel|here|everyone|group)\b)/gi, '@\u2060')
    .replaceAll('://', ':\u2060//');

/** One line of {@link escapedText} of at most `most` characters; cut before it is escaped, so that no entity is torn. */
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

/** What goes into `chat.postMessage` and `chat.update`, beside where. */
export interface SlackMessage {
  /** For notifications and clients without blocks: a full sentence, escaped. */
  text: string;
  blocks: KnownBlock[];
}

/** Goes with every `chat.postMessage`: Slack reads nothing into the text and fetches no page that it names. */
export const quietPost = {
  mrkdwn: false,
  parse: 'none',
  link_names: false,
  unfurl_links: false,
  unfurl_media: false,
} as const;

/** Goes with every `chat.update`. */
export const quietUpdate = { parse: 'none', link_names: false } as const;

export const message = (text: string, blocks: KnownBlock[]): SlackMessage => ({
  text: escapedLine(text, limits.fallbackText),
  blocks,
});

/** All that is shown as text in blocks, views and their elements, counted the way Slack's limits are. */
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

/** Blocks dealt to pages, each within so many blocks and so much text. */
export const blockPages = (
  blocks: readonly KnownBlock[],
  most: { blocks: number; text: number },
): KnownBlock[][] => pagesOf(blocks, textLength, { items: most.blocks, size: most.text });

/** Blocks of a page that are ours: where one is, and the buttons. */
const TURNS = { blocks: 4, text: 500 } as const;

interface Paging {
  /** Actions of the buttons; one row of buttons needs two ids. */
  back: string;
  next: string;
  /** What the button to a page carries. */
  value: (page: number) => string;
}

/**
 * One page of what a view is too small for, with the buttons to the others; nothing is shortened.
 *
 * @param first stands above all on every page: a few blocks
 * @param page from 0; the nearest one where there is no such page
 */
export function pageBlocks(
  first: readonly KnownBlock[],
  rest: readonly KnownBlock[],
  page: number,
  { back, next, value }: Paging,
): { at: number; blocks: KnownBlock[] } {
  const pages = blockPages(rest, {
    blocks: limits.viewBlocks - TURNS.blocks - first.length,
    text: limits.viewText - TURNS.text - textLength(first),
  });
  const at = Math.min(Math.max(page, 0), pages.length - 1);
  const turns = [
    ...(at > 0 ? [button({ text: '← Back', action: back, value: value(at - 1) })] : []),
    ...(at < pages.length - 1 ? [button({ text: 'Next →', action: next, value: value(at + 1) })] : []),
  ];
  const where = context(`Page ${at + 1} of ${pages.length}`);
  return {
    at,
    blocks: [...first, ...(pages[at] ?? []), ...(turns.length === 0 ? [] : [where, buttonRow(...turns)])],
  };
}
