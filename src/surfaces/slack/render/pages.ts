import type { KnownBlock } from '@slack/types';
import { limits } from './limits.ts';

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

/** Blocks dealt to pages in their order; each page within so many blocks and so much text. At least one page. */
export function pagesOf(
  blocks: readonly KnownBlock[],
  most: { blocks: number; text: number },
): KnownBlock[][] {
  const pages: KnownBlock[][] = [];
  let page: KnownBlock[] = [];
  let text = 0;
  for (const block of blocks) {
    const length = textLength(block);
    if (page.length > 0 && (page.length >= most.blocks || text + length > most.text)) {
      pages.push(page);
      page = [];
      text = 0;
    }
    page.push(block);
    text += length;
  }
  return page.length > 0 || pages.length === 0 ? [...pages, page] : pages;
}

/** A long text in pieces of at most a block's length, cut between lines or words; nothing is lost but white space there. */
export function pieces(text: string, most: number = limits.blockText - 200): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const room = rest.slice(0, most);
    const line = room.lastIndexOf('\n');
    const word = room.lastIndexOf(' ');
    const cut = line > most / 2 ? line : word > most / 2 ? word : wholeCharacters(room);
    found.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).replace(/^[ \n]/, '');
  }
  return [...found, rest].filter((piece) => piece.trim() !== '');
}

/** The length of a text without half of a character at its end. */
const wholeCharacters = (text: string): number =>
  /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
