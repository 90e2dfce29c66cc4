import { fold } from '../../common/text/index.ts';
import type { Lexicon } from '../../judging/standards/index.ts';

/**
 * A piece of a text. `text` is folded. A number has a value and, if the user named one ("4 out of 5"), the top of its
 * scale. A break (comma, full stop, new line, …) ends phrases.
 */
export interface Token {
  kind: 'word' | 'number' | 'clock' | 'symbol' | 'break';
  text: string;
  raw: string;
  /** The characters before it on the line: a space, a joining hyphen, or nothing. */
  space: string;
  value: number | null;
  scale: number | null;
}

/** The lexicon of number words. */
export const NUMBERS = 'numbers';

/** Number words and the words that belong to numbers. */
export interface NumberWords {
  values: ReadonlyMap<string, number>;
  /** Whether words belong to a term: `point` before tenths, `scale` before a scale's top, `half` for 0.5, `cent` for 0.01. */
  is: (term: 'point' | 'scale' | 'half' | 'cent', words: string) => boolean;
  /** The unit that replaces `cent` once the value is converted; null if the lexicon has none. */
  whole: string | null;
}

/** Reads the lexicon of number words; without one, only digits are numbers. */
export function numberWords(lexicon: Lexicon | undefined): NumberWords {
  const terms = new Map((lexicon?.terms ?? []).map(({ id, words }) => [id, words.map(fold)]));
  const values = [...terms].flatMap(([id, words]) => {
    const value = Number(id.replace('-', '.'));
    return Number.isNaN(value) ? [] : words.map((word) => [word, value] as const);
  });
  return {
    values: new Map(values),
    is: (term, words) => terms.get(term)?.includes(words) ?? false,
    whole: terms.get('euro')?.[0] ?? null,
  };
}

const PIECE =
  /(?<clock>(?<![\d.,])(?:[01]?\d|2[0-4]):[0-5]\d(?!\d)|(?<![\d.,])(?:1[3-9]|2[0-3])h(?![\p{L}\d])|(?<=\b(?:at|by|um|gegen|around|for|until) )(?:[01]\d|2[0-3])[0-5]\d(?![\d.,]))|(?<number>(?:\d+ ?)?[¼½¾]|(?:(?<![\d.,/])\d+ )?(?<![\d.,/])[1-3]\/[234](?![\d/])|\d+(?:[.,]\d+)?)|(?<word>(?<=\d\s?)[ap]\.m\b\.?|[\p{L}\p{M}]+(?:['’‘`´][\p{L}\p{M}]+)*)|(?<star>[★⭐🌟]\u{FE0F}?)|(?<emoji>\p{Extended_Pictographic}\u{FE0F}?)|(?<symbol>€+|\$+|£+|>=|<=|[~≈+<>≥≤±/&%]|[-‐‑‒–—−])|(?<ends>[^\s])/gu;

/** The value of `4.5`, `4,5`, `4½`, `4 1/2` or `½`. */
function numberOf(written: string): number {
  const { whole = '', part = '' } = /^(?<whole>\d*) ?(?<part>[¼½¾]|\d\/\d)$/.exec(written)?.groups ?? {};
  const [above, below] = part.normalize('NFKD').split(/[⁄/]/).map(Number);
  return below === undefined ? Number(written.replace(',', '.')) : Number(whole) + (above ?? 0) / below;
}

/** Abbreviations whose full stop does not end a sentence. */
const ABBREVIATION = /^(?:min|mind|max|ca|c|approx|ungef|u|z|st|nr)$/;

const DASH = /^[-‐‑‒–—−]$/u;

/** Whether a dash at this index joins two words (`high-end`, `4.5-star`) and so counts as a space. */
function joinsWords(text: string, at: number): boolean {
  const [before, after] = [text[at - 1] ?? ' ', text[at + 1] ?? ' '];
  return (
    /[\p{L}\p{M}\d]/u.test(before) && /[\p{L}\d]/u.test(after) && !(/\d/.test(before) && /\d/.test(after))
  );
}

function tokenOf(match: RegExpExecArray, text: string, space: string): Token | null {
  const raw = match[0];
  const groups = match.groups ?? {};
  const plain = { raw, space, value: null, scale: null };
  if (groups.clock !== undefined) return { ...plain, kind: 'clock', text: raw };
  if (groups.number !== undefined) return { ...plain, kind: 'number', text: raw, value: numberOf(raw) };
  if (groups.star !== undefined) return { ...plain, kind: 'word', text: 'star' };
  if (groups.word !== undefined || groups.emoji !== undefined)
    return { ...plain, kind: 'word', text: fold(raw).replace(/[\u{FE0F}.]/gu, '') };
  if (groups.symbol === undefined) return { ...plain, kind: 'break', text: raw };
  if (!DASH.test(raw)) return { ...plain, kind: 'symbol', text: raw };
  return joinsWords(text, match.index) ? null : { ...plain, kind: 'symbol', text: '-' };
}

/** Maximums of rating scales. In "4 of 6" or "24/7", the second number is something else. */
const SCALES = [5, 10, 100];

/** The number at an index, its length in tokens, and the top of its scale; null if there is no number. */
function numberAt(tokens: readonly Token[], at: number, words: NumberWords) {
  const valueAt = (place: number) =>
    tokens[place]?.value ?? words.values.get(tokens[place]?.text ?? '') ?? null;
  const textAt = (place: number, count: number) =>
    tokens
      .slice(place, place + count)
      .map(({ text }) => text)
      .join(' ');
  const whole = valueAt(at);
  if (whole === null) return null;
  let [value, length] = [whole, 1];
  const [ones, tenths] = [valueAt(at + 1), valueAt(at + 2)];
  const areWords = [at, at + 1].every((place) => tokens[place]?.value === null);
  if (areWords && whole >= 20 && whole < 100 && whole % 10 === 0 && ones !== null && ones < 10)
    [value, length] = [whole + ones, 2];
  else if (Number.isInteger(whole) && words.is('point', textAt(at + 1, 1)) && tenths !== null && tenths < 10)
    [value, length] = [Number(`${whole}.${tenths}`), 3];
  if (words.is('half', textAt(at + length, 3))) [value, length] = [value + 0.5, length + 3];
  const spoken = [2, 1].find((count) => words.is('scale', textAt(at + length, count)));
  const top = spoken === undefined ? null : valueAt(at + length + spoken);
  return spoken !== undefined && top !== null && SCALES.includes(top) && value <= top
    ? { value, scale: top, length: length + spoken + 1 }
    : { value, scale: null, length };
}

/** Joins the tokens of each number, and converts cents to euros. A lone number word keeps its text. */
function joinNumbers(tokens: readonly Token[], words: NumberWords): Token[] {
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const number = numberAt(tokens, at, words);
    const numberTokens = tokens.slice(at, at + (number?.length ?? 1));
    const next = tokens[at + numberTokens.length];
    const cents = number !== null && next !== undefined && words.is('cent', next.text) ? [next] : [];
    at += numberTokens.length + cents.length;
    if (number === null) {
      joined.push(...numberTokens);
      continue;
    }
    const [text, raw] = [
      numberTokens.map((token) => token.text).join(' '),
      quoteOf(numberTokens, 0, numberTokens.length),
    ];
    const value = cents.length > 0 ? number.value / 100 : number.value;
    joined.push({
      kind: 'number',
      text,
      raw,
      space: numberTokens[0]?.space ?? '',
      value,
      scale: number.scale,
    });
    joined.push(...cents.map((cent) => ({ ...cent, text: words.whole ?? cent.text })));
  }
  return joined;
}

const NONE = numberWords(undefined);

/** The end of a line, or of a turn. */
export const lineBreak: Token = { kind: 'break', text: '\n', raw: '\n', space: '', value: null, scale: null };

/** The tokens of one turn, in order. Anything but letters, digits and known signs becomes a break. Never throws. */
export function tokenize(text: string, words: NumberWords = NONE): Token[] {
  const tokens: Token[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (tokens.length > 0) tokens.push(lineBreak);
    let end = 0;
    for (const match of line.matchAll(PIECE)) {
      const token = tokenOf(match, line, line.slice(end, match.index));
      if (token === null) continue;
      if (token.text === '.' && token.space === '' && ABBREVIATION.test(tokens.at(-1)?.text ?? '')) continue;
      tokens.push(token);
      end = match.index + match[0].length;
    }
  }
  return joinNumbers(tokens, words);
}

/** The tokens as the user wrote them. */
export const quoteOf = (tokens: readonly Token[], from: number, to: number): string =>
  tokens
    .slice(from, to)
    .map((token, index) => (index === 0 ? '' : token.space) + token.raw)
    .join('')
    .replace(/\s+/g, ' ');

const ENDS = new Set(['.', ';', '!', '?', '\n']);

/** Whether a token ends a sentence. Commas do not. */
export const endsSentence = (token: Token | undefined): boolean =>
  token?.kind === 'break' && ENDS.has(token.text);

/** Whether a phrase ends here: at a break or the end of the text. */
export const isBreak = (token: Token | undefined): boolean => (token?.kind ?? 'break') === 'break';
