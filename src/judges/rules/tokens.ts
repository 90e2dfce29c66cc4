/** Text without case, accents and apostrophes: `Café` → `cafe`, `I’d` → `id`, `groß` → `gross`. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replace(/['’‘`´]/g, '');

const NUMBER_WORDS = new Map<string, number>([
  ...['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map(
    (word, index): [string, number] => [word, index + 1],
  ),
  ...['eins', 'zwei', 'drei', 'vier', 'funf', 'sechs', 'sieben', 'acht', 'neun', 'zehn'].map(
    (word, index): [string, number] => [word, index + 1],
  ),
  ...['zweieinhalb', 'dreieinhalb', 'viereinhalb'].map((word, index): [string, number] => [
    word,
    index + 2.5,
  ]),
  ['fuenf', 5],
  ['fifteen', 15],
  ['twenty', 20],
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['zwanzig', 20],
  ['dreissig', 30],
]);

/** Tops of rating scales; "4 of 6" or "24/7" are something else. */
const SCALES = [5, 10, 100];

const number = (tokens: readonly Token[], value: number, scale: number | null): Token => ({
  kind: 'number',
  text: tokens.map((token) => token.text).join(' '),
  raw: tokens.map((token, index) => (index === 0 ? '' : token.space) + token.raw).join(''),
  space: tokens[0]?.space ?? '',
  value,
  scale,
});

const numberIn = (token: Token | undefined): number | null =>
  token === undefined ? null : (token.value ?? NUMBER_WORDS.get(token.text) ?? null);

/** `four`, `four point five`, `four and a half`, `vier Komma fünf`: the value and how many tokens it takes. */
function spokenNumber(tokens: readonly Token[], at: number): { value: number; length: number } | null {
  const whole = numberIn(tokens[at]);
  if (whole === null) return null;
  const [next, second, third] = [tokens[at + 1]?.text, tokens[at + 2], tokens[at + 3]?.text];
  const tenths = numberIn(second);
  if (Number.isInteger(whole) && (next === 'point' || next === 'komma') && tenths !== null && tenths < 10)
    return { value: Number(`${whole}.${tenths}`), length: 3 };
  if (next === 'and' && second?.text === 'a' && third === 'half') return { value: whole + 0.5, length: 4 };
  return { value: whole, length: 1 };
}

/** How many tokens after `at` name the top of the scale (`/5`, `out of 5`, `of 5`, `von 5`), and that top. */
function namedScale(
  tokens: readonly Token[],
  at: number,
  value: number,
): { top: number; length: number } | null {
  const first = tokens[at]?.text;
  const length =
    first === 'out' && tokens[at + 1]?.text === 'of'
      ? 3
      : first === '/' || first === 'von' || first === 'of'
        ? 2
        : null;
  if (length === null) return null;
  const top = numberIn(tokens[at + length - 1]);
  return top !== null && SCALES.includes(top) && value <= top ? { top, length } : null;
}

/** Makes one number of what was said in several tokens; a lone number word keeps its text and gains a value. */
export function joinNumbers(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at];
    if (token === undefined) break;
    const spoken = spokenNumber(tokens, at);
    if (spoken === null) {
      joined.push(token);
      at += 1;
      continue;
    }
    const scale = namedScale(tokens, at + spoken.length, spoken.value);
    const length = spoken.length + (scale?.length ?? 0);
    joined.push(number(tokens.slice(at, at + length), spoken.value, scale?.top ?? null));
    at += length;
  }
  return joined;
}

/**
 * A piece of an utterance. `text` is folded. A number has a value and, where the user named one ("4 out of 5"), the
 * top of its scale. A break (comma, full stop, new line, …) ends phrases.
 */
export interface Token {
  kind: 'word' | 'number' | 'clock' | 'symbol' | 'break';
  text: string;
  raw: string;
  /** What stands before it in the same line: a space, a joining hyphen, or nothing. */
  space: string;
  value: number | null;
  scale: number | null;
}

const PIECE =
  /(?<clock>(?<![\d.,])(?:[01]?\d|2[0-4]):[0-5]\d(?!\d)|(?<![\d.,])(?:1[3-9]|2[0-3])h(?![\p{L}\d])|(?<=\b(?:at|by|um|gegen|around|for|until) )(?:[01]\d|2[0-3])[0-5]\d(?![\d.,]))|(?<number>\d+(?:[.,]\d+)?)|(?<word>(?<=\d\s?)[ap]\.m\b\.?|[\p{L}\p{M}]+(?:['’‘`´][\p{L}\p{M}]+)*)|(?<star>[★⭐🌟]\u{FE0F}?)|(?<emoji>\p{Extended_Pictographic}\u{FE0F}?)|(?<symbol>€+|\$+|£+|>=|<=|[~≈+<>≥≤±/&%]|[-‐‑‒–—−])|(?<ends>[^\s])/gu;

/** Words whose full stop ends nothing. */
const ABBREVIATION = /^(?:min|mind|max|ca|c|approx|ungef|u|z|st|nr)$/;

const DASH = /^[-‐‑‒–—−]$/u;

/** Whether a dash at this place joins two words (`high-end`, `4.5-star`) and is therefore only a space. */
function joinsWords(text: string, at: number): boolean {
  const before = text[at - 1] ?? ' ';
  const after = text[at + 1] ?? ' ';
  return (
    /[\p{L}\p{M}\d]/u.test(before) && /[\p{L}\d]/u.test(after) && !(/\d/.test(before) && /\d/.test(after))
  );
}

function tokenOf(match: RegExpExecArray, text: string, space: string): Token | null {
  const raw = match[0];
  const groups = match.groups ?? {};
  const plain = { raw, space, value: null, scale: null };
  if (groups.clock !== undefined) return { ...plain, kind: 'clock', text: raw };
  if (groups.number !== undefined)
    return { ...plain, kind: 'number', text: raw, value: Number(raw.replace(',', '.')) };
  if (groups.star !== undefined) return { ...plain, kind: 'word', text: 'star' };
  if (groups.word !== undefined || groups.emoji !== undefined)
    return { ...plain, kind: 'word', text: fold(raw).replace(/[\u{FE0F}.]/gu, '') };
  if (groups.symbol === undefined) return { ...plain, kind: 'break', text: raw };
  if (!DASH.test(raw)) return { ...plain, kind: 'symbol', text: raw };
  return joinsWords(text, match.index) ? null : { ...plain, kind: 'symbol', text: '-' };
}

/** The tokens of one turn, in order. Never throws; what is not a letter, digit or known sign becomes a break. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (tokens.length > 0)
      tokens.push({ kind: 'break', text: '\n', raw: '\n', space: '', value: null, scale: null });
    let end = 0;
    for (const match of line.matchAll(PIECE)) {
      const token = tokenOf(match, line, line.slice(end, match.index));
      if (token === null) continue;
      if (token.text === '.' && token.space === '' && ABBREVIATION.test(tokens.at(-1)?.text ?? '')) continue;
      tokens.push(token);
      end = match.index + match[0].length;
    }
  }
  return joinNumbers(tokens);
}
