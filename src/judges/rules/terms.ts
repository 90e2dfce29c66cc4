import { oncePer } from '../../case/words.ts';
import { andList } from '../../common/text.ts';
import { type CompiledLexicon, isWide, phraseOf } from './lexicon.ts';
import { createVocabulary, findMentions, isOf, NEGATION, type Vocabulary } from './mentions.ts';
import { quoted } from './outcome.ts';
import { tokenize } from './tokens.ts';
import type { Asked } from './wishes.ts';

/** `Thai`; a term without a title needs the noun: `low cost`. */
export const titlesOf = (terms: readonly string[], lexicon: CompiledLexicon, noun = ''): string =>
  andList(
    terms.map((term) => lexicon.terms.get(term)?.title ?? `${term.replaceAll('-', ' ')} ${noun}`.trim()),
    'or',
  );

/** What the user said, with what it means where that is something else: `"pho" (Thai or Vietnamese)`. */
export function saidOf({ kind, wanted, isAnyOf }: Asked, lexicon: CompiledLexicon, noun: string): string {
  const words = wanted.map(({ terms, quote }) => {
    const title = titlesOf(terms, lexicon, lexicon.single ? noun : '');
    const isPlain = kind === 'refused' || quote.toLowerCase() === title.toLowerCase();
    return isPlain ? quoted(quote) : `${quoted(quote)} (${title})`;
  });
  return andList([...new Set(words)], isAnyOf ? 'or' : 'and');
}

/** What a lexicon knows by itself and by the ids of its terms. */
const fieldVocabulary = oncePer((lexicon: CompiledLexicon) => {
  const ids = [...lexicon.terms.values()].map((term) =>
    phraseOf(lexicon.id, term, term.id.replaceAll('-', ' ')),
  );
  return createVocabulary([{ ...lexicon, phrases: [...lexicon.phrases, ...ids] }]);
});

/**
 * The exact terms of a lexicon that a field names, be it by their id, a name or a sign: a set per phrase found, with
 * several terms in it where the phrase is ambiguous.
 */
export const termsIn = (texts: readonly string[], lexicon: CompiledLexicon): (readonly string[])[] =>
  texts.flatMap((text) =>
    findMentions(tokenize(text), fieldVocabulary(lexicon)).flatMap(({ reading, terms }) =>
      reading === 'exact' ? [terms] : [],
    ),
  );

/** The strings in a field's value: itself, or those of a list. */
export const textsOf = (value: unknown): string[] =>
  [value].flat().filter((item) => typeof item === 'string');

/** The levels of a lexicon of which only one can apply: low, medium, high. */
export const levelsOf = ({ terms }: CompiledLexicon): string =>
  andList(
    [...terms.values()].flatMap(({ id, reading, title }) => (reading === 'exact' && !title ? [id] : [])),
    'or',
  );

/** The term of words for what did not work. */
const FAILED = 'failed';

/**
 * What is wrong with the words of a field that cannot be read exactly (a negation, a choice, what did not work, two
 * levels where only one can be), and what to write; or null.
 */
export function unreadable(
  texts: readonly string[],
  lexicon: CompiledLexicon,
  vocabulary: Vocabulary,
): { problem: string; next: string | null } | null {
  const isTurned = texts.some((text) =>
    findMentions(tokenize(text), vocabulary).some(
      (mention) =>
        (mention.lexicon !== lexicon.id && mention.terms.includes(FAILED)) ||
        (mention.lexicon === NEGATION && !isOf(mention, NEGATION, 'joint', 'preference', 'contrast')),
    ),
  );
  if (!lexicon.single) return isTurned ? { problem: 'is not plain enough to check', next: null } : null;
  const next = `write ${levelsOf(lexicon)}`;
  if (texts.some((text) => /\d/.test(text))) return { problem: 'is an amount, not a price level', next };
  const levels = new Set(termsIn(texts, lexicon).flat());
  const isUnclear = isTurned || levels.size !== 1 || [...levels].some((level) => isWide(lexicon, level));
  return isUnclear ? { problem: 'is not a clear price level', next } : null;
}

/** `open`: the case does not show whether it fits. */
export type Fit = 'match' | 'miss' | 'open';

/** What a field names. */
export interface Given {
  lexicon: CompiledLexicon;
  terms: readonly (readonly string[])[];
  /** Whether a narrower term stands for a wider one; else only all that is within it together does. */
  narrower: 'enough' | 'unsure';
}

export const bestOf = (fits: readonly Fit[]): Fit =>
  fits.includes('match') ? 'match' : fits.includes('open') ? 'open' : 'miss';

/** Whether all that is within a term is among those given, such as both sides of the front. */
function covers(term: string, given: Given): boolean {
  if (given.terms.flat().includes(term)) return true;
  const parts = [...given.lexicon.terms.values()].filter(({ within }) => within.includes(term));
  return parts.length > 0 && parts.every(({ id }) => covers(id, given));
}

/** Whether a term is that of everything: "all windows". */
const isWhole = (term: string, { terms, wider }: CompiledLexicon): boolean =>
  [...terms.values()].every(({ id, reading }) => reading !== 'exact' || (wider.get(id)?.has(term) ?? false));

/** Whether what is given is what one term asks for: another term of its own rules it out, a related one leaves it open. */
function fitOfTerm(asked: string, given: Given): Fit {
  const { lexicon, terms, narrower } = given;
  const isWithin = (name: string) => lexicon.wider.get(name)?.has(asked) ?? false;
  if (narrower === 'enough' ? terms.flat().some(isWithin) : covers(asked, given)) return 'match';
  if (narrower === 'unsure' && isWhole(asked, lexicon)) return 'miss';
  // Mediterranean and European have Greek in common.
  const isRelated = (name: string) =>
    [...lexicon.wider.values()].some((all) => all.has(asked) && all.has(name));
  const excludes = (term: string) => lexicon.terms.get(term)?.excludes === 'always';
  const isRival = terms.some((names) => names.every(excludes));
  return excludes(asked) && isRival && !terms.flat().some(isRelated) ? 'miss' : 'open';
}

/**
 * The same for words that may mean any of several terms ("schnitzel"). A word in the field that may mean something else than was
 * asked for ("heating" for the seat heating) shows nothing for sure.
 */
export function fitOf(asked: readonly string[], given: Given): Fit {
  const fitOfAny = (terms: Given['terms']) =>
    bestOf(asked.map((term) => fitOfTerm(term, { ...given, terms })));
  const isAsked = (name: string) => asked.some((term) => given.lexicon.wider.get(name)?.has(term) ?? false);
  const sure = given.terms.filter((names) => names.length < 2 || names.every(isAsked));
  const fit = fitOfAny(given.terms);
  return fit === 'match' && fitOfAny(sure) !== 'match' ? 'open' : fit;
}
