import { fold } from './fold.ts';
import { joinNumbers } from './join-numbers.ts';

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
