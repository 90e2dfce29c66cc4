import { stripVTControlCharacters } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';

/** Letters, digits and signs that take one column each: most texts have nothing else, and need no segmenter, which is slow to make. */
const NARROW =
  /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2200-\u2319\u2713\u2717]*$/;
const INVISIBLE = /^[\p{Cc}\p{M}\p{Default_Ignorable_Code_Point}]/u;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;

let segmenter: Intl.Segmenter | undefined;

/** What people see as one character each. */
function charactersOf(text: string): string[] {
  if (NARROW.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const columnsOf = (character: string): number => {
  if (INVISIBLE.test(character)) return 0;
  return EMOJI.test(character) ? 2 : eastAsianWidth(character.codePointAt(0) ?? 0);
};

/** Columns that a text takes in a terminal; colors take none. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  return charactersOf(stripVTControlCharacters(text)).reduce((sum, one) => sum + columnsOf(one), 0);
}

/** The beginning of a text that fits into so many columns, and the rest. */
export function splitAt(text: string, width: number): [start: string, rest: string] {
  let [at, used] = [0, 0];
  for (const character of charactersOf(text)) {
    used += columnsOf(character);
    if (used > width) break;
    at += character.length;
  }
  return [text.slice(0, at), text.slice(at)];
}

interface WrapOptions {
  /** Whether words that are wider than a line are broken. */
  hard?: boolean;
  /** Whether spaces at the ends of lines stay. */
  keepSpaces?: boolean;
}

/** A word that is too wide, in pieces: the first as wide as `room`, which may be nothing, the others as `width`. */
function broken(word: string, room: number, width: number): string[] {
  const [first, rest] = splitAt(word, room);
  const pieces = [first];
  for (let left = rest; left !== ''; ) {
    // One wide character, where a line has a single column.
    const [piece, after] = splitAt(left, splitAt(left, width)[0] === '' ? 2 : width);
    pieces.push(piece);
    left = after;
  }
  return pieces;
}

function wrapLine(line: string, width: number, { hard = false, keepSpaces = false }: WrapOptions): string[] {
  const rows = [''];
  for (const [index, word] of line.split(' ').entries()) {
    const row = rows.at(-1) ?? '';
    const before = index > 0 && (row !== '' || keepSpaces) ? `${row} ` : row;
    const room = width - widthOf(before);
    const wide = widthOf(word);
    if (wide <= room || (before.trim() === '' && !hard)) rows.splice(-1, 1, before + word);
    else if (wide <= width || !hard) rows.splice(-1, 1, before, word);
    else {
      const [first = '', ...others] = broken(word, Math.max(0, room), width);
      rows.splice(-1, 1, before + first, ...others);
    }
  }
  return keepSpaces ? rows : rows.map((row) => row.trimEnd());
}

/** Text in lines of so many columns, without colors: these are put on afterwards. Line breaks stay. */
export const wrap = (text: string, width: number, options: WrapOptions = {}): string =>
  text
    .split('\n')
    .flatMap((line) => wrapLine(line, width, options))
    .join('\n');

interface HangOptions extends WrapOptions {
  /** Colors a line, measured before. */
  paint?: (line: string, isFirst: boolean) => string;
}

/** Text in lines within a width: the first after `head`, which may be colored, the others after as many spaces. */
export function hang(
  head: string,
  text: string,
  width: number,
  { paint = (line) => line, ...options }: HangOptions = {},
): string[] {
  const indent = widthOf(head);
  const [first = '', ...rest] = wrap(text, Math.max(20, width - indent), options).split('\n');
  return [head + paint(first, true), ...rest.map((line) => ' '.repeat(indent) + paint(line, false))];
}
