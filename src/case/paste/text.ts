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
    (_, url: string, shown?: string) => (shown === undefined || shown === '' ? url : shown),
  );

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
function unquote(line: string): string {
  const start = line.trimStart();
  let at = 0;
  while (at < start.length && (start[at] === '>' || (start[at] === ' ' && start[at + 1] === '>'))) at += 1;
  return start.slice(start[at] === ' ' ? at + 1 : at);
}

/**
 * `>>` before one line, where no other is quoted, marks the turn to judge as `>>>` does; else it is a quote within a quote.
 */
function withMarkedTurn(lines: readonly string[]): readonly string[] {
  const quoted = lines.filter((line) => line.trimStart().startsWith('>'));
  const [only, ...more] = quoted;
  if (only === undefined || more.length > 0 || !/^ *>> ?[^ >]/.test(only)) return lines;
  return lines.map((line) => (line === only ? line.replace('>>', '>>>') : line));
}

/** How quote marks open a line: one of a chat's quote, the mark of the turn to judge, or none. */
function quoteOf(line: string, isFirst: boolean): { kind: 'quote' | 'rest' | 'none'; text: string } {
  const start = line.trimStart();
  if (!start.startsWith('>')) return { kind: 'none', text: line };
  if (!start.startsWith('>>>')) return { kind: 'quote', text: unquote(line) };
  return isFirst ? { kind: 'rest', text: unquote(line) } : { kind: 'none', text: start };
}

/** A line as its pieces between fences; `null` stands for a fence. */
function fencePieces(line: string): (string | null)[] {
  if (!line.includes('```')) return [line];
  if (/^`{3,8}[\w+-]{0,20}$/.test(line.trim())) return [null];
  const pieces = line.split('```').flatMap((piece, index) => (index > 0 ? [null, piece] : [piece]));
  return pieces
    .filter((piece) => piece === null || piece.trim() !== '')
    .map((piece) => piece?.trimEnd() ?? null);
}

/**
 * Lines without quote marks and fences, and marks where such a block begins and ends. `>>>` on the very first line is
 * A chat's quote of all that follows; further down it marks the turn to judge and stays.
 */
function markBlocks(lines: readonly string[]): string[] {
  const out: string[] = [];
  const first = lines.findIndex((line) => line.trim() !== '');
  const open = { quote: false, fence: false };
  const toggle = (block: 'quote' | 'fence') => {
    open[block] = !open[block];
    out.push(open[block] ? BLOCK_BEGINS : BLOCK_ENDS);
  };
  for (const [index, line] of lines.entries()) {
    const { kind, text } = quoteOf(line, index === first);
    const ends = open.quote && kind !== 'quote' && line.trim() !== '';
    if (ends && open.fence) toggle('fence');
    if (ends || (kind === 'quote' && !open.quote)) toggle('quote');
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
  return markBlocks(withMarkedTurn(decoded.split('\n'))).join('\n');
}

const QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['”', '”'],
  ['„', '“'],
  ['„', '”'],
  ['‚', '‘'],
  ['‘', '’'],
  ['«', '»'],
  ['»', '«'],
];

/** Without the quotes around the whole text; quotes that only begin and end it, as in `"a" or "b"`, stay. */
export function stripQuotes(text: string): string {
  const trimmed = text.trim();
  for (const [open, close] of QUOTES) {
    if (trimmed.length < 2 || !trimmed.startsWith(open) || !trimmed.endsWith(close)) continue;
    const inner = trimmed.slice(1, -1);
    const isPair =
      open === "'" || open === '‘'
        ? !/['’] | ['‘]/.test(inner)
        : !inner.includes(open) && !inner.includes(close);
    if (isPair && inner.trim() !== '') return inner.trim();
  }
  return trimmed;
}
