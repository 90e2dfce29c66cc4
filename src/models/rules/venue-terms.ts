import type { CompiledLexicon } from './compile-lexicon.ts';
import { findMentions, type Vocabulary } from './find-mentions.ts';
import { NEGATION } from './negation.ts';
import { termsIn } from './terms-in.ts';
import { tokenize } from './tokenize.ts';

/** What a venue's field says in terms of a lexicon, or why that cannot be told exactly. */
export type VenueTerms =
  | { kind: 'named'; terms: readonly (readonly string[])[] }
  | { kind: 'unreadable'; why: string };

/** Words of negation.yaml that only join; the others turn around or take back what stands beside them. */
const JOINING = new Set(['joint', 'preference', 'contrast']);

/** Whether something in a value turns around what it names: "not cheap", "non-Thai Asian", "formerly Greek". */
const isTurned = (text: string, vocabulary: Vocabulary): boolean =>
  findMentions(tokenize(text), vocabulary).some(
    (mention) => mention.lexicon === NEGATION && !mention.terms.some((term) => JOINING.has(term)),
  );

/** Reads what a venue's own field says. A value with a negation, or with two terms where only one can be, is no value. */
export function venueTerms(
  texts: readonly string[],
  lexicon: CompiledLexicon,
  vocabulary: Vocabulary,
): VenueTerms {
  if (texts.some((text) => isTurned(text, vocabulary)))
    return { kind: 'unreadable', why: 'which says what it is not, or leaves a choice' };
  if (lexicon.single && texts.some((text) => /\d/.test(text)))
    return { kind: 'unreadable', why: 'which is a figure and no level' };
  const terms = termsIn(texts, lexicon);
  const levels = new Set(terms.map((names) => [...names].sort().join()));
  if (lexicon.single && levels.size > 1) return { kind: 'unreadable', why: 'which names more than one' };
  return { kind: 'named', terms };
}

/** Terms that other fields show; what they say they have not ("without cheese") shows nothing. */
export const shownTerms = (
  texts: readonly string[],
  lexicon: CompiledLexicon,
  vocabulary: Vocabulary,
): (readonly string[])[] =>
  termsIn(
    texts.filter((text) => !isTurned(text, vocabulary)),
    lexicon,
  );
