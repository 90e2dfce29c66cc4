import type { Mention, Vocabulary } from './find-mentions.ts';
import type { Token } from './tokenize.ts';

type NumberPhrase = Pick<Mention, 'lexicon' | 'terms' | 'places' | 'from' | 'to' | 'numbers'>;

/** Whether a token is one of some words, in the singular or plural. */
export const has = (words: ReadonlySet<string> | undefined, token: Token | undefined): boolean =>
  words !== undefined &&
  token !== undefined &&
  (words.has(token.text) || words.has(token.text.replace(/s$/, '')));

/** Larger numbers are counts ("500 reviews"), not ratings. */
const HIGHEST = 10;

/** "One" and "two" are mostly no ratings ("the best rated one"): only where the word of the scale follows ("one star"). */
const isLooseWord = (number: Token): boolean =>
  number.scale === null && /^\p{L}+$/u.test(number.text) && (number.value ?? 0) <= 2;

const SCALE_WORD = /^(?:stars?|starred|stern|sternen?|points?|punkten?)$/;

/** After these a bare number is that of a house or a room: "near 4.5 Main Street". */
const BEFORE_HOUSES =
  /^(?:near|on|to|room|floor|number|nr|exit|route|highway|gate|version|zimmer|nummer|stock|ausfahrt)$/;

/** Relations that may be told without saying what they are about: "Italian, at least 4". */
const BOUNDS = new Set(['at-least', 'above', 'slightly']);
/** Before a bound these speak of people, hours or prices: "we are at least 4". */
const OTHER_COUNTS =
  /^(?:for|are|be|were|of|after|until|till|by|from|seats?|tables?|sind|für|fur|nach|ab|um)$/;

/** Whether a bound on a whole number stands alone, at the end of what is said: "Italian at least 4". */
function isLoneBound(candidate: NumberPhrase, tokens: readonly Token[]): boolean {
  const [number, ...others] = candidate.numbers;
  if (number === undefined || others.length > 0 || !/^[1-5]$/.test(number.text)) return false;
  const [before, after] = [tokens[candidate.from - 1], tokens[candidate.to]];
  return (
    candidate.terms.some((term) => BOUNDS.has(term)) &&
    (before === undefined || !OTHER_COUNTS.test(before.text)) &&
    (after === undefined || after.kind === 'break' || /^(?:please|bitte|and|und)$/.test(after.text))
  );
}

/**
 * Whether a number phrase is about the lexicon's subject: a word that says so in it or beside it, a lone decimal, or a
 * bound that stands alone.
 */
export function isAbout(candidate: NumberPhrase, tokens: readonly Token[], vocabulary: Vocabulary): boolean {
  const about = vocabulary.about.get(candidate.lexicon);
  const glue = vocabulary.glue.get(candidate.lexicon);
  const beside = vocabulary.beside.get(candidate.lexicon);
  if (candidate.numbers.some((number) => number.scale === null && (number.value ?? 0) > HIGHEST))
    return false;
  if (candidate.numbers.some(isLooseWord)) {
    const last = candidate.numbers.at(-1);
    return candidate.places.some(
      (place) => tokens[place] === last && SCALE_WORD.test(tokens[place + 1]?.text ?? ''),
    );
  }
  if (candidate.places.some((place) => has(about, tokens[place]))) return true;
  for (const [start, step] of [
    [candidate.from - 1, -1],
    [candidate.to, 1],
  ] as const)
    for (let place = start; Math.abs(place - start) <= 4; place += step) {
      const token = tokens[place];
      if (has(about, token)) return true;
      if (!has(glue, token) && !has(beside, token) && token?.text !== ':') break;
    }
  if (isLoneBound(candidate, tokens)) return true;
  if ([candidate.from - 1, candidate.from].some((place) => BEFORE_HOUSES.test(tokens[place]?.text ?? '')))
    return false;
  return candidate.numbers.some(
    (number) => number.scale !== null || (/^[1-5][.,]\d$/.test(number.text) && (number.value ?? 9) <= 5),
  );
}
