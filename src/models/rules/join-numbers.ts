import type { Token } from './tokenize.ts';

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
