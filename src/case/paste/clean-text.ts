import { Tracked } from './tracked-text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};

/** Collapses spaces and tabs, so that patterns need no unbounded `\s*` and take linear time. */
export const squeeze = (text: string): string => text.replace(/[ \t]+/g, ' ').trim();

/** Collapses spaces, tabs and line breaks. */
export const squeezeLines = (text: string): string => text.replace(/[ \t\n]+/g, ' ').trim();

/** Shortens a text to one line of at most `length` characters, for a message; `…` marks a cut. */
export function excerpt(text: string, length = 80): string {
  const line = squeezeLines(text.slice(0, length * 4));
  const cut = line.length > length || text.length > length * 4;
  return cut ? `${line.slice(0, length).toWellFormed()}…` : line;
}

/** Joins up to `most` items for a message, followed by the number of others. */
export const listed = (items: readonly string[], most: number): string =>
  `${items.slice(0, most).join(', ')}${items.length > most ? ` and ${items.length - most} more` : ''}`;

/** A link in a chat's markup, `<https://…|shown>`; only what a reader sees is kept. */
const LINK = /<((?:https?:\/\/|mailto:|tel:)[^<>|\s]*)(?:\|([^<>|\n]*))?>/g;
const shownOf = ([whole, url = '', shown]: RegExpExecArray): [number, number] =>
  shown ? [whole.length - 1 - shown.length, whole.length - 1] : [1, 1 + url.length];

/** The numbers and times of subtitles. */
const CUES = /\n{0,3}^(?:\d{1,5} {0,3}\n)?(?:\d{1,3}:)?\d{2}:\d{2}[.,]\d{3} --> .{1,60}$/gm;

/** Markup of blocks and headings in tickets: `{noformat}`, `{code:java}`, `h3. `. */
const TICKET_BLOCK = /\{(?:noformat|code|quote|panel)(?::[^{}\n]{0,80})?\}/g;
const TICKET_HEADING = /^h[1-6]\. /gm;

/** Lines that mark the start and end of a quote or fence. Cleaned input has no control characters, so it cannot forge them. */
export const BLOCK_BEGINS = '\u0001';
export const BLOCK_ENDS = '\u0002';

/** Removes these marks from a text. */
export const withoutMarks = (text: string): string =>
  text.replaceAll(BLOCK_BEGINS, '').replaceAll(BLOCK_ENDS, '');

/** Whether a line is blank or holds only marks of blocks. */
export const isBlank = (line: string): boolean => withoutMarks(line).trim() === '';

/** The quote signs before a line; several levels count as one. */
const QUOTE_MARKS = /^\s{0,100}>(?: ?>){0,100} ?/;
const unquote = (line: Tracked): Tracked => line.slice(QUOTE_MARKS.exec(line.text)?.[0].length ?? 0);

/** Whether a line is part of a chat's quote, and the line without its quote signs. `>>>` marks the turn to judge. */
function quoteOf(line: Tracked, isFirst: boolean): { isQuote: boolean; line: Tracked } {
  const start = line.text.trimStart();
  if (start.startsWith('>>>'))
    return { isQuote: false, line: isFirst ? unquote(line) : line.slice(line.text.length - start.length) };
  return start.startsWith('>') ? { isQuote: true, line: unquote(line) } : { isQuote: false, line };
}

/** Splits a line at fences; `null` stands for a fence. */
function fencePieces(line: Tracked): (Tracked | null)[] {
  // Other signs on a line of their own that fence a block.
  if (/^(?:"{3}|'{3}|~{3,8})$/.test(line.text.trim())) return [null];
  if (!line.text.includes('```')) return [line];
  if (/^`{3,8}[\w+-]{0,20}$/.test(line.text.trim())) return [null];
  let at = 0;
  return line.text
    .split('```')
    .flatMap((text, index) => {
      const piece = line.slice(at, at + text.length).trimEnd();
      at += text.length + 3;
      return index > 0 ? [null, piece] : [piece];
    })
    .filter((piece) => piece === null || piece.text !== '');
}

/**
 * Replaces quote signs and fences with marks where a block begins and ends. `>>>` on the first line quotes all that
 * follows; further down it marks the turn to judge and stays, and so does `>>` if no other line is quoted.
 */
function markBlocks(whole: readonly Tracked[]): Tracked[] {
  const [only, ...more] = whole.filter(({ text }) => text.trimStart().startsWith('>'));
  const isMarked = only !== undefined && more.length === 0 && /^ *>> ?[^ >]/.test(only.text);
  const marked = (line: Tracked) => Tracked.join([Tracked.added('>'), line.slice(line.text.indexOf('>'))]);
  const lines = isMarked ? whole.map((line) => (line === only ? marked(line) : line)) : whole;
  const out: Tracked[] = [];
  const first = lines.findIndex(({ text }) => text.trim() !== '');
  const open = { quote: false, fence: false };
  const toggle = (block: 'quote' | 'fence') => {
    open[block] = !open[block];
    out.push(Tracked.added(open[block] ? BLOCK_BEGINS : BLOCK_ENDS));
  };
  for (const [index, whole] of lines.entries()) {
    const { isQuote, line } = quoteOf(whole, index === first);
    const ends = open.quote && !isQuote && whole.text.trim() !== '';
    if (ends && open.fence) toggle('fence');
    if (ends || (isQuote && !open.quote)) toggle('quote');
    for (const piece of fencePieces(line)) {
      if (piece === null) toggle('fence');
      else out.push(piece);
    }
  }
  return out;
}

/**
 * Strips what a chat or a terminal adds to a paste: line ends, entities, quote signs, code fences, links, colors and
 * invisible characters. The words and punctuation of the turns do not change.
 */
export function cleanText(raw: Tracked): Tracked {
  const plain = raw
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, () => '\n')
    .replace(/[\u00a0\u2007\u202f\u3000]/g, () => ' ')
    .replace(/[\u200b\u2060\ufeff\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, () => '')
    .replace(/\p{Cc}\[[\d;]{0,20}m/gu, () => '')
    .replace(/[^\P{Cc}\n\t]/gu, () => '');
  const decoded = plain
    .replace(/&(?:lt|gt|quot|#39|apos|nbsp|amp);/g, ([entity]) => ENTITIES[entity] ?? entity)
    .replace(LINK, shownOf)
    .replace(TICKET_BLOCK, () => '```')
    .replace(TICKET_HEADING, () => '### ');
  return Tracked.join(markBlocks(decoded.replace(CUES, () => '').lines()), '\n');
}

/** Pairs of quotes, the opening one first. */
const QUOTES = ['""', "''", '“”', '”“', '„“', '„”', '‚‘', '‘’', '«»', '»«'];

/** Trims a text and strips the quote marks around it as a whole; those in `"a" or "b"` stay. */
export function stripQuotes(text: string): string {
  const trimmed = text.trim();
  const inner = trimmed.slice(1, -1);
  const around = `${trimmed.charAt(0)}${trimmed.length < 2 ? '' : trimmed.charAt(trimmed.length - 1)}`;
  if (!QUOTES.includes(around) || inner.trim() === '') return trimmed;
  // An apostrophe within a word is not a closing quote mark.
  const hasOthers = /^['‘]/.test(around)
    ? /['’] | ['‘]/.test(inner)
    : [...around].some((quote) => inner.includes(quote));
  return hasOthers ? trimmed : inner.trim();
}

/** The problem with text that holds a NUL character. */
export const BINARY =
  'This holds binary data (NUL characters), not text: give a paste, a JSON case or JSONL, saved as UTF-8 text.';

/** Byte order marks of UTF-16. */
const MARKS: Readonly<Record<string, string>> = { '255,254': 'utf-16le', '254,255': 'utf-16be' };

/**
 * Decodes the bytes of a file or of standard input as UTF-8, or as UTF-16 if a byte order mark says so. The mark is
 * dropped. Anything but text is a problem; nothing becomes replacement characters.
 */
export function decodeInput(bytes: Uint8Array): { text: string } | { problem: string } {
  const utf16 = MARKS[bytes.slice(0, 2).join(',')];
  try {
    const text = new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? { problem: BINARY } : { text };
  } catch {
    const what = utf16
      ? 'This starts like UTF-16 text but is not: save it as UTF-8 text and try again.'
      : 'This is not text in UTF-8 (a binary file, or another encoding): save it as UTF-8 text and try again.';
    return { problem: what };
  }
}
