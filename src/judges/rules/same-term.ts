import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { decided, listed, nounOf, type Outcome, quoted, undecidable } from './outcome.ts';
import { shownTerms, textsOf, titlesOf, venueTerms, type Wording, wordsOf } from './terms.ts';
import type { MeantMention } from './turn.ts';
import { type Matter, nothingAsked, otherSubject, type Wishes, wishesFor } from './wishes.ts';

/** `open`: the case does not show whether it fits. */
type Fit = 'match' | 'miss' | 'open';

/** The terms that a venue's own field names and those that other fields show, as `terms-in.ts` finds them. */
interface Venue {
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
function fitOfGroup(group: readonly MeantMention[], venue: Venue, lexicon: CompiledLexicon): Fit {
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
function fitOfAll(
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

type SameTerm = Extract<Check, { type: 'same-term' }>;
type Asked = Extract<Wishes, { kind: 'asked' }>;

/** The comparison in words, with the evidence where that settled it. */
function calculationOf(
  check: SameTerm,
  asked: string,
  wishes: Asked,
  venue: Venue,
  wording: Wording,
  holds: boolean,
): string {
  const named = listed([...new Set(venue.named.map((terms) => titlesOf(terms, wording)))]);
  const byName = wishes.groups.every(
    (group) => fitOfGroup(group, { ...venue, shown: [] }, wording.lexicon) === 'match',
  );
  const evidence = listed((check.evidence ?? []).map(nounOf));
  const shown = holds && !byName && evidence !== '' ? `, and the ${evidence} shows it` : '';
  return `${named === '' ? 'nothing known' : named}${shown} ${holds ? 'fits' : 'does not fit'} ${asked}`;
}

/**
 * What the user named from the lexicon is what the field holds. A narrower value fits (asked Asian, venue Thai); a
 * wider one needs evidence (asked Thai, venue Asian, menu with pad thai).
 */
export function sameTerm(check: SameTerm, matter: Matter): Outcome {
  const lexicon = matter.vocabulary.lexicons.get(check.lexicon);
  if (lexicon === undefined)
    return undecidable(
      `the lexicon "${check.lexicon}" is not there`,
      `add prompts/lexicons/${check.lexicon}.yaml`,
    );
  const wishes = wishesFor(check.lexicon, matter.request);
  if (wishes.kind !== 'asked') return nothingAsked(wishes, check.lexicon, nounOf(check.field), matter);
  return compare(check, matter, lexicon, wishes);
}

/** Which values a field of levels may have: ` as low, medium or high (€, €€, €€€)`; else nothing. */
function understood(lexicon: CompiledLexicon): string {
  if (!lexicon.single) return '';
  const levels = [...lexicon.terms.values()].filter((term) => term.reading === 'exact');
  const names = levels.map(({ id }) => id);
  const words = levels.flatMap(({ words: [word] }) => word ?? []);
  return ` as ${listed(names, 'or')}${words.length === 0 ? '' : ` (${words.join(', ')})`}`;
}

function compare(check: SameTerm, matter: Matter, lexicon: CompiledLexicon, wishes: Asked): Outcome {
  const noun = nounOf(check.field);
  const value = textsOf(fieldOf(matter.evalCase, check.field));
  const evidence = (check.evidence ?? []).flatMap((path) => textsOf(fieldOf(matter.evalCase, path)));
  const wording = { lexicon, noun };
  const asked = wordsOf(wishes, wording);
  const quote = quoted(value.join(', '));
  const found =
    value.length === 0 ? `the case gives no ${noun} of the venue` : `the venue's ${noun} is ${quote}`;
  const facts = {
    asked: `the user asked for ${asked}`,
    found,
    limit: `the ${noun} must be ${wordsOf(wishes, { lexicon, noun: '' })}`,
  };
  const named = venueTerms(value, lexicon, matter.vocabulary);
  if (named.kind === 'unreadable')
    return undecidable(
      `${found}, ${named.why}`,
      `give ${check.field}${lexicon.single ? '' : ' plainly'}${understood(lexicon)}`,
      facts,
    );
  const venue: Venue = { named: named.terms, shown: shownTerms(evidence, lexicon, matter.vocabulary) };
  const other = lexicon.namesSubject ? null : otherSubject(matter);
  if (other !== null) return undecidable(other.problem, other.next, facts);
  const fit: Fit = fitOfAll(wishes.groups, wishes.unwanted, venue, lexicon);
  if (fit !== 'open') {
    const holds = fit === 'match';
    return decided(holds, {
      ...facts,
      calculation: calculationOf(check, asked, wishes, venue, wording, holds),
      meaning: '',
      gist: holds ? `${noun} ${quote}` : `${noun} ${quote} instead of ${asked}`,
    });
  }
  if (value.length === 0)
    return undecidable(found, `give ${check.field}`, { ...facts, gist: `no ${noun} given` });
  if (venue.named.length === 0)
    return undecidable(
      `${found}, which is not known here`,
      lexicon.single
        ? `give ${check.field}${understood(lexicon)}`
        : `ask a model, or add the word to prompts/lexicons/${check.lexicon}.yaml`,
      facts,
    );
  const more = check.evidence === undefined ? '' : ` or ${listed(check.evidence, 'or')}`;
  return undecidable(
    `${found}, which does not show whether it offers ${asked}`,
    `give a more exact ${check.field}${more}, or ask a model`,
    facts,
  );
}
