import type { CompiledLexicon } from './compile-lexicon.ts';
import { createVocabulary, findMentions, type Vocabulary } from './find-mentions.ts';
import { fold } from './fold.ts';
import { tokenize } from './tokenize.ts';

const vocabularies = new WeakMap<CompiledLexicon, Vocabulary>();

function vocabularyOf(lexicon: CompiledLexicon): Vocabulary {
  const known = vocabularies.get(lexicon) ?? createVocabulary([lexicon], new Set());
  vocabularies.set(lexicon, known);
  return known;
}

const spaced = (text: string): string =>
  ` ${fold(text)
    .replace(/[^\p{L}\p{N}€$£]+/gu, ' ')
    .trim()} `;

export interface TermsFound {
  /** Sets of terms, one per phrase found; several in a set where the phrase is ambiguous. */
  phrases: readonly (readonly string[])[];
}

/** The exact terms of a lexicon that a venue's field names, be it by their id, a name or a sign. */
export function termsIn(texts: readonly string[], lexicon: CompiledLexicon): TermsFound {
  const phrases: (readonly string[])[] = [];
  for (const text of texts) {
    for (const mention of findMentions(tokenize(text), vocabularyOf(lexicon)))
      if (mention.reading === 'exact') phrases.push(mention.terms);
    for (const term of lexicon.terms.values())
      if (term.reading === 'exact' && spaced(text).includes(` ${term.id.replaceAll('-', ' ')} `))
        phrases.push([term.id]);
  }
  return { phrases };
}

/** The strings in a field's value: itself, or those of a list. */
export const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Array.isArray(value)
      ? value.filter((item) => typeof item === 'string')
      : [];
