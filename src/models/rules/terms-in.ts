import type { CompiledLexicon } from './compile-lexicon.ts';
import { createVocabulary, findMentions, type Vocabulary } from './find-mentions.ts';
import { fold } from './fold.ts';
import { tokenize } from './tokenize.ts';

const vocabularies = new WeakMap<CompiledLexicon, Vocabulary>();

/** What a lexicon knows by itself. */
export function vocabularyOf(lexicon: CompiledLexicon): Vocabulary {
  const known = vocabularies.get(lexicon) ?? createVocabulary([lexicon], new Set());
  vocabularies.set(lexicon, known);
  return known;
}

const spaced = (text: string): string =>
  ` ${fold(text)
    .replace(/[^\p{L}\p{N}€$£]+/gu, ' ')
    .trim()} `;

/**
 * The exact terms of a lexicon that a venue's field names, be it by their id, a name or a sign: a set per phrase found,
 * with several terms in it where the phrase is ambiguous.
 */
export const termsIn = (texts: readonly string[], lexicon: CompiledLexicon): (readonly string[])[] =>
  texts.flatMap((text) => {
    const mentions = findMentions(tokenize(text), vocabularyOf(lexicon));
    const named = mentions.filter((mention) => mention.reading === 'exact').map((mention) => mention.terms);
    // A phrase hides the ids in it: French fries are not French.
    const words = spaced(mentions.reduce((rest, { quote }) => rest.replace(quote, ' '), text));
    const ids = [...lexicon.terms.values()].filter(
      (term) => term.reading === 'exact' && words.includes(` ${term.id.replaceAll('-', ' ')} `),
    );
    return [...named, ...ids.map((term) => [term.id])];
  });

/** The strings in a field's value: itself, or those of a list. */
export const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Array.isArray(value)
      ? value.filter((item) => typeof item === 'string')
      : [];
