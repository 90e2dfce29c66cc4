import type { CompiledLexicon } from './compile-lexicon.ts';

/** `open`: the case does not show whether it fits. */
export type Fit = 'match' | 'miss' | 'open';

/** The terms that a venue's own field names and those that other fields show; see terms-in.ts. */
export interface Venue {
  named: readonly (readonly string[])[];
  shown: readonly (readonly string[])[];
}

const isWithin = (narrow: string, wide: string, lexicon: CompiledLexicon): boolean =>
  lexicon.wider.get(narrow)?.has(wide) ?? false;

const related = (one: string, other: string, lexicon: CompiledLexicon): boolean =>
  isWithin(one, other, lexicon) || isWithin(other, one, lexicon);

/** Whether a phrase speaks for the term whichever of its meanings it has, or in any of them. */
const speaksFor = (phrases: Venue['named'], asked: string, lexicon: CompiledLexicon): boolean =>
  phrases.some((terms) => terms.some((term) => isWithin(term, asked, lexicon)));

/** Whether a venue is what one term asks for. */
export function compareTerm(asked: string, venue: Venue, lexicon: CompiledLexicon): Fit {
  if (speaksFor(venue.named, asked, lexicon)) return 'match';
  const excludes = (term: string) => lexicon.terms.get(term)?.excludes ?? 'always';
  const rival = venue.named.some(
    (terms) => !terms.some((term) => related(term, asked, lexicon) || excludes(term) !== 'always'),
  );
  const shown = speaksFor(venue.shown, asked, lexicon);
  switch (excludes(asked)) {
    case 'always':
      // A wider or a missing name is narrowed down by the evidence; a rival name is not.
      return rival ? 'miss' : shown ? 'match' : 'open';
    case 'unless-shown':
      return shown ? (rival ? 'open' : 'match') : rival ? 'miss' : 'open';
    case 'never':
      return shown && venue.named.length > 0 ? 'match' : 'open';
  }
}
