import type {
  ContextBlock,
  HeaderBlock,
  PlainTextElement,
  RichTextBlock,
  RichTextElement,
  RichTextSection,
} from '@slack/types';
import { limits } from './limits.ts';
import { oneLine, safeText, shortened } from './safe-text.ts';

/**
 * Everything from outside is shown by these: Slack reads no marks, links, mentions or emoji codes in the text elements
 * of rich text and in plain text without emoji. `mrkdwn` is used nowhere.
 */
export const plain = (text: string, most: number): PlainTextElement => ({
  type: 'plain_text',
  text: shortened(oneLine(text) || '–', most),
  emoji: false,
});

/** Plain text that keeps its line breaks. */
export const plainLines = (text: string, most: number): PlainTextElement => ({
  type: 'plain_text',
  text: shortened(safeText(text).trim() || '–', most),
  emoji: false,
});

/** Slack refuses empty text elements; an empty text is no element. */
export const words = (text: string): RichTextElement[] => {
  const safe = safeText(text);
  return safe === '' ? [] : [{ type: 'text', text: safe }];
};

export const bold = (text: string): RichTextElement[] => {
  const safe = safeText(text);
  return safe === '' ? [] : [{ type: 'text', text: safe, style: { bold: true } }];
};

export const italic = (text: string): RichTextElement[] => {
  const safe = safeText(text);
  return safe === '' ? [] : [{ type: 'text', text: safe, style: { italic: true } }];
};

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

export const bullets = (items: readonly RichTextElement[][]): RichTextBlock =>
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
