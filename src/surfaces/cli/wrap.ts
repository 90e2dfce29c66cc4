import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** Columns that a text takes in a terminal; colors take none. */
export const widthOf = (text: string): number => stringWidth(text);

interface WrapOptions {
  /** Whether words that are wider than a line are broken. */
  hard?: boolean;
  /** Whether spaces at the ends of lines stay. */
  keepSpaces?: boolean;
}

/** Text in lines of so many columns. Line breaks stay. */
export const wrap = (text: string, width: number, { hard = false, keepSpaces = false }: WrapOptions = {}) =>
  wrapAnsi(text, width, { hard, trim: !keepSpaces });

/** The beginning of a text that fits into so many columns, and the rest. */
export function splitAt(text: string, width: number): [start: string, rest: string] {
  let [at, used] = [0, 0];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += widthOf(segment);
    if (used > width) break;
    at += segment.length;
  }
  return [text.slice(0, at), text.slice(at)];
}

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
