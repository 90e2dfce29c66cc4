import { plainLine } from '../../common/text/index.ts';

/**
 * Divides items into pages, in order, with at most `most.items` items and a total size of `most.size` each. An item larger than a
 * page gets its own. Returns at least one page.
 */
export function pagesOf<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  most: { items: number; size: number },
): T[][] {
  const pages: T[][] = [];
  let page: T[] = [];
  let used = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (page.length > 0 && (page.length >= most.items || used + size > most.size)) {
      pages.push(page);
      page = [];
      used = 0;
    }
    page.push(item);
    used += size;
  }
  return page.length > 0 || pages.length === 0 ? [...pages, page] : pages;
}

/** Splits a long text into pieces of at most `most` characters, between lines or words; only white space there is lost. */
export function pieces(text: string, most: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const room = rest.slice(0, most);
    const line = room.lastIndexOf('\n');
    const word = room.lastIndexOf(' ');
    const cut = line > most / 2 ? line : word > most / 2 ? word : wholeCharacters(room);
    parts.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).replace(/^[ \n]/, '');
  }
  return [...parts, rest].filter((piece) => piece.trim() !== '');
}

/** The length of a text without half a surrogate pair at its end. */
const wholeCharacters = (text: string): number =>
  /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;

/**
 * The beginning of a text, cut between words if it is too long; a cut shows as " …". Never longer than `most`.
 *
 * @param most characters, at least 2
 */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = text.slice(0, most - 1);
  const space = room.search(/\s\S*$/);
  const cut = space > most / 2 ? room.slice(0, space) : room.slice(0, most - 2);
  return `${cut
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()} …`;
}

/** A text shortened to one line. */
export const shortLine = (text: string, most: number): string => shortened(plainLine(text), most);

/**
 * Control characters, invisible characters and those that change the text direction, except line breaks and the joiners that
 * scripts and emoji need.
 */
const INVISIBLE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029\ufffe\uffff]/gu;

/** Shows invisible characters as code points, such as `[U+202E]`: they could change what a page seems to say. Markup and JSON stay whole. */
export const showInvisible = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(
      INVISIBLE,
      (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
