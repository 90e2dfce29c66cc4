import type { CompiledLexicon } from './compile-lexicon.ts';
import type { MeantMention } from './read-polarity.ts';

/** `open`: the case does not show whether it fits. */
export type Fit = 'match' | 'miss' | 'open';

/** The terms that a venue's own field names and those that other fields show, as `terms-in.ts` finds them. */
export interface Venue {
  named: readonly (readonly string[])[];
  shown: readonly (readonly string[])[];
}

const isWithin = (narrow: string, wide: string, lexicon: CompiledLexicon): boolean =>
  lexicon.wider.get(narrow)?.has(wide) ?? false;

const related = (one: string, other: string, lexicon: CompiledLexicon): boolean =>
  lexicon.overlaps.get(one)?.has(other) ?? false;

const speaksFor = (phrases: Venue['named'], asked: string, lexicon: CompiledLexicon): boolean =>
  phrases.some((terms) => terms.some((term) => isWithin(term, asked, lexicon)));

/** Whether a venue is what one term asks for. */
function compareTerm(asked: string, venue: Venue, lexicon: CompiledLexicon): Fit {
  if (speaksFor(venue.named, asked, lexicon)) return 'match';
  const excludes = (term: string) => lexicon.terms.get(term)?.excludes ?? 'always';
  const rival = venue.named.some(
    (terms) => !terms.some((term) => related(term, asked, lexicon) || excludes(term) !== 'always'),
  );
  // A dish of several cuisines (baklava) shows none of them.
  const shown = venue.shown.some((terms) => terms.every((term) => isWithin(term, asked, lexicon)));
  switch (excludes(asked)) {
    case 'always':
      // A wider or a missing name is narrowed down by the evidence; a rival name is not.
      return rival ? 'miss' : shown ? 'match' : 'open';
    case 'unless-shown':
      if (shown) return rival ? 'open' : 'match';
      // A Greek place may well be a fish restaurant.
      return 'open';
    case 'never':
      return shown && venue.named.length > 0 ? 'match' : 'open';
  }
}

/** An ambiguous phrase ("schnitzel") asks for any of its terms. */
function fitOf(terms: readonly string[], venue: Venue, lexicon: CompiledLexicon): Fit {
  const fits = terms.map((term) => compareTerm(term, venue, lexicon));
  if (fits.includes('match')) return 'match';
  return fits.includes('open') ? 'open' : 'miss';
}

/** A dish that other fields show is there, whatever the place calls itself: pizza on an American menu. */
function fitOfWish(mention: MeantMention, venue: Venue, lexicon: CompiledLexicon): Fit {
  const fit = fitOf(mention.terms, venue, lexicon);
  const isShown = (terms: readonly string[]) => terms.some((term) => mention.terms.includes(term));
  return fit === 'miss' && mention.sign && venue.shown.some(isShown) ? 'open' : fit;
}

/** Alternatives: any one will do. */
export function fitOfGroup(group: readonly MeantMention[], venue: Venue, lexicon: CompiledLexicon): Fit {
  const fits = group.map((mention) => fitOfWish(mention, venue, lexicon));
  if (fits.includes('match')) return 'match';
  return fits.includes('open') || group.some((mention) => mention.openEnded) ? 'open' : 'miss';
}

/** A name rules out all that it means; a dish rules out only itself, which the field cannot show. */
function fitOfUnwanted(mention: MeantMention, venue: Venue, lexicon: CompiledLexicon): Fit {
  const fit = fitOf(mention.terms, venue, lexicon);
  if (fit === 'miss') return 'match';
  return fit === 'match' && !mention.sign ? 'miss' : 'open';
}

/** All groups and refusals together. Of wishes that exclude each other ("pizza and sushi") one that is met leaves it open. */
export function fitOfAll(
  groups: readonly (readonly MeantMention[])[],
  unwanted: readonly MeantMention[],
  venue: Venue,
  lexicon: CompiledLexicon,
): Fit {
  const wishes = groups.map((group) => fitOfGroup(group, venue, lexicon));
  const refusals = unwanted.map((mention) => fitOfUnwanted(mention, venue, lexicon));
  if (refusals.includes('miss')) return wishes.includes('match') ? 'open' : 'miss';
  if (wishes.includes('miss')) return wishes.includes('match') ? 'open' : 'miss';
  return wishes.includes('open') || refusals.includes('open') ? 'open' : 'match';
}
