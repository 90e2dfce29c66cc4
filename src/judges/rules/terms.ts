import { oncePer } from '../../case/words.ts';
import { type CompiledLexicon, isWide, phraseOf } from './lexicon.ts';
import { createVocabulary, findMentions, isOf, NEGATION, type Vocabulary } from './mentions.ts';
import { listed, quoted } from './outcome.ts';
import { tokenize } from './tokens.ts';
import type { Wishes } from './wishes.ts';

export type Asked = Extract<Wishes, { kind: 'asked' }>;

/** `Thai`; a term without a title needs the noun: `low cost`. */
export const titlesOf = (terms: readonly string[], lexicon: CompiledLexicon, noun = ''): string =>
  listed(
    terms.map((term) => lexicon.terms.get(term)?.title ?? `${term.replaceAll('-', ' ')} ${noun}`.trim()),
    'or',
  );

/** What the user said, with what it means where that is something else: `"pho" (Thai or Vietnamese)`. */
export function saidOf({ wanted, isAnyOf }: Asked, lexicon: CompiledLexicon, noun: string): string {
  const words = wanted.map(({ terms, quote }) => {
    const title = titlesOf(terms, lexicon, lexicon.single ? noun : '');
    return quote.toLowerCase() === title.toLowerCase() ? quoted(quote) : `${quoted(quote)} (${title})`;
  });
  return listed([...new Set(words)], isAnyOf ? 'or' : 'and');
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
  typeof value === 'string'
    ? [value]
    : Array.isArray(value)
      ? value.filter((item) => typeof item === 'string')
      : [];

/** Why what a field says cannot be read exactly (a negation, a choice, two levels where only one can be), or null. */
export function unreadable(
  texts: readonly string[],
  lexicon: CompiledLexicon,
  vocabulary: Vocabulary,
): string | null {
  const turns = (text: string) =>
    findMentions(tokenize(text), vocabulary).some(
      (mention) =>
        mention.lexicon === NEGATION && !isOf(mention, NEGATION, 'joint', 'preference', 'contrast'),
    );
  if (texts.some(turns)) return 'which says what it is not, or leaves a choice';
  if (!lexicon.single) return null;
  if (texts.some((text) => /\d/.test(text))) return 'which is a figure and no level';
  const levels = new Set(termsIn(texts, lexicon).flat());
  return levels.size > 1 || [...levels].some((level) => isWide(lexicon, level))
    ? 'which names more than one'
    : null;
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
  const isRelated = (name: string) => lexicon.overlaps.get(asked)?.has(name) ?? false;
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
