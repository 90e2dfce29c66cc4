const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};

/** Runs of spaces and tabs become one space, so that patterns need no unbounded `\s*` and stay linear. */
export const squeeze = (text: string): string => text.replace(/[ \t]+/g, ' ').trim();

/** The same for text of several lines. */
export const squeezeLines = (text: string): string => text.replace(/[ \t\n]+/g, ' ').trim();

/** At most `length` characters of a text on one line, for a message; says so where more was there. */
export function excerpt(text: string, length = 80): string {
  const line = squeezeLines(text.slice(0, length * 4));
  const cut = line.length > length || text.length > length * 4;
  return cut ? `${line.slice(0, length).toWellFormed()}…` : line;
}

/** Items of a list for a message; says so where there are more than `most`. */
export const listed = (items: readonly string[], most: number): string =>
  `${items.slice(0, most).join(', ')}${items.length > most ? ` and ${items.length - most} more` : ''}`;

/** Chats write links as `<https://…|shown>`; what a reader saw is kept. */
const unlink = (text: string): string =>
  text.replace(
    /<((?:https?:\/\/|mailto:|tel:)[^<>|\s]*)(?:\|([^<>|\n]*))?>/g,
    (_, url: string, shown?: string) => shown || url,
  );

/** Without the numbers and times of subtitles, which stand between what is said. */
const withoutCues = (text: string): string =>
  text.replace(/\n{0,3}^(?:\d{1,5} {0,3}\n)?(?:\d{1,3}:)?\d{2}:\d{2}[.,]\d{3} --> .{1,60}$/gm, '');

/** What tickets write around blocks and before headings: `{noformat}`, `{code:java}`, `h3. `. */
const withoutTicketMarks = (text: string): string =>
  text
    .replace(/\{(?:noformat|code|quote|panel)(?::[^{}\n]{0,80})?\}/g, '```')
    .replace(/^h[1-6]\. /gm, '### ');

/** Lines that say where a quoted or fenced block begins and ends; input holds no control characters, so none is forged. */
export const BLOCK_BEGINS = '\u0001';
export const BLOCK_ENDS = '\u0002';

/** The text without those lines, as a reader saw it: what was a fence says no more than a blank line. */
export const withoutMarks = (text: string): string =>
  text.replaceAll(BLOCK_BEGINS, '').replaceAll(BLOCK_ENDS, '');

/** Whether a line says nothing; marks of blocks are none of its words. */
export const isBlank = (line: string): boolean => withoutMarks(line).trim() === '';

/** A line without its quote marks; several levels count as one. */
const unquote = (line: string): string => line.replace(/^\s{0,100}>(?: ?>){0,100} ?/, '');

/** How quote marks open a line: one of a chat's quote, the mark of the turn to judge, or none. */
function quoteOf(line: string, isFirst: boolean): { isQuote: boolean; text: string } {
  const start = line.trimStart();
  if (start.startsWith('>>>')) return { isQuote: false, text: isFirst ? unquote(line) : start };
  return start.startsWith('>') ? { isQuote: true, text: unquote(line) } : { isQuote: false, text: line };
}

/** A line as its pieces between fences; `null` stands for a fence. */
function fencePieces(line: string): (string | null)[] {
  if (!line.includes('```')) return [line];
  if (/^`{3,8}[\w+-]{0,20}$/.test(line.trim())) return [null];
  return line
    .split('```')
    .flatMap((piece, index) => (index > 0 ? [null, piece.trimEnd()] : [piece.trimEnd()]))
    .filter((piece) => piece === null || piece !== '');
}

/**
 * Lines without quote marks and fences, and marks where such a block begins and ends. `>>>` on the very first line is a
 * chat's quote of all that follows; further down it marks the turn to judge and stays. So does `>>` on the only line that is quoted.
 */
function markBlocks(whole: readonly string[]): string[] {
  const [only = '', ...more] = whole.filter((line) => line.trimStart().startsWith('>'));
  const isMarked = more.length === 0 && /^ *>> ?[^ >]/.test(only);
  const lines = isMarked ? whole.map((line) => (line === only ? line.replace('>>', '>>>') : line)) : whole;
  const out: string[] = [];
  const first = lines.findIndex((line) => line.trim() !== '');
  const open = { quote: false, fence: false };
  const toggle = (block: 'quote' | 'fence') => {
    open[block] = !open[block];
    out.push(open[block] ? BLOCK_BEGINS : BLOCK_ENDS);
  };
  for (const [index, line] of lines.entries()) {
    const { isQuote, text } = quoteOf(line, index === first);
    const ends = open.quote && !isQuote && line.trim() !== '';
    if (ends && open.fence) toggle('fence');
    if (ends || (isQuote && !open.quote)) toggle('quote');
    for (const piece of fencePieces(text)) {
      if (piece === null) toggle('fence');
      else out.push(piece);
    }
  }
  return out;
}

/**
 * Pasted text without what the chat or the terminal added: line ends, entities, quote marks, code fences, links,
 * colors, invisible characters. Words and punctuation of the turns stay as they are.
 */
export function cleanText(raw: string): string {
  const plain = raw
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(/[\u00a0\u2007\u202f\u3000]/g, ' ')
    .replace(/[\u200b\u2060\ufeff\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\p{Cc}\[[\d;]{0,20}m/gu, '')
    .replace(/[^\P{Cc}\n\t]/gu, '');
  const decoded = withoutTicketMarks(
    unlink(plain.replace(/&(?:lt|gt|quot|#39|apos|nbsp|amp);/g, (entity) => ENTITIES[entity] ?? entity)),
  );
  return markBlocks(withoutCues(decoded).split('\n')).join('\n');
}

/** Pairs of quotes, the opening one first. */
const QUOTES = ['""', "''", '“”', '”“', '„“', '„”', '‚‘', '‘’', '«»', '»«'];

/** Without the quotes around the whole text; quotes that only begin and end it, as in `"a" or "b"`, stay. */
export function stripQuotes(text: string): string {
  const trimmed = text.trim();
  const inner = trimmed.slice(1, -1);
  const around = `${trimmed.charAt(0)}${trimmed.length < 2 ? '' : trimmed.charAt(trimmed.length - 1)}`;
  if (!QUOTES.includes(around) || inner.trim() === '') return trimmed;
  // An apostrophe within a word closes nothing.
  const hasOthers = /^['‘]/.test(around)
    ? /['’] | ['‘]/.test(inner)
    : [...around].some((quote) => inner.includes(quote));
  return hasOthers ? trimmed : inner.trim();
}

/** What is said of text that holds a NUL character. */
export const BINARY =
  'This holds binary data (NUL characters), not text: give a paste, a JSON case or JSONL, saved as UTF-8 text.';

/** Byte order marks of UTF-16. */
const MARKS: Readonly<Record<string, string>> = { '255,254': 'utf-16le', '254,255': 'utf-16be' };

/**
 * Bytes of a file or of standard input as text. A byte order mark is dropped; UTF-16 is read where a mark announces
 * it. Anything else than text is a problem, never replacement characters.
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
