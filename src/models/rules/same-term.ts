import { fieldOf } from '../../core/case.ts';
import type { Check } from '../../core/check.ts';
import { compareTerm, type Fit, type Venue } from './compare-term.ts';
import type { CompiledLexicon } from './compile-lexicon.ts';
import type { Matter } from './matter.ts';
import { nothingAsked } from './nothing-asked.ts';
import { decided, listed, nounOf, type Outcome, quoted, undecidable } from './outcome.ts';
import type { MeantMention } from './read-polarity.ts';
import { termsIn, textsOf } from './terms-in.ts';
import { wishesFor } from './wishes-for.ts';

type SameTerm = Extract<Check, { type: 'same-term' }>;

const named = (terms: readonly string[]): string =>
  terms.map((term) => term.replaceAll('-', ' ')).join(' or ');

/** An ambiguous phrase ("schnitzel") asks for any of its terms. */
function fitOf(terms: readonly string[], venue: Venue, lexicon: CompiledLexicon): Fit {
  const fits = terms.map((term) => compareTerm(term, venue, lexicon));
  return fits.includes('match') ? 'match' : fits.includes('open') ? 'open' : 'miss';
}

function fitOfGroup(group: readonly MeantMention[], venue: Venue, lexicon: CompiledLexicon): Fit {
  const fits = group.map((mention) => fitOf(mention.terms, venue, lexicon));
  if (fits.includes('match')) return 'match';
  return fits.includes('open') || group.some((mention) => mention.openEnded) ? 'open' : 'miss';
}

/** Something unwanted: by name it is ruled out; a dish only rules out itself, which the field cannot show. */
function fitOfUnwanted(mention: MeantMention, venue: Venue, lexicon: CompiledLexicon): Fit {
  const fit = fitOf(mention.terms, venue, lexicon);
  if (fit === 'miss') return 'match';
  return fit === 'match' && !mention.sign ? 'miss' : 'open';
}

const wordOf = (mention: MeantMention): string => {
  const terms = named(mention.terms);
  return mention.quote.toLowerCase() === terms ? terms : `${terms} (${quoted(mention.quote)})`;
};

/** What the user asked for, in words: `thai or vietnamese ("pho"), not italian`. */
function wordsOf(groups: readonly (readonly MeantMention[])[], unwanted: readonly MeantMention[]): string {
  const wanted = groups.map((group) => listed([...new Set(group.map(wordOf))], 'or'));
  return [
    ...(wanted.length > 0 ? [listed(wanted)] : []),
    ...unwanted.map((mention) => `not ${wordOf(mention)}`),
  ].join(', ');
}

/** Two wishes that exclude each other ("pizza and sushi") and of which one is met leave it open. */
function combine(wanted: readonly Fit[], unwanted: readonly Fit[]): Fit {
  if (unwanted.includes('miss')) return wanted.includes('match') ? 'open' : 'miss';
  if (wanted.includes('miss')) return wanted.length > 1 && wanted.includes('match') ? 'open' : 'miss';
  return wanted.includes('open') || unwanted.includes('open') ? 'open' : 'match';
}

/**
 * What the user named from the lexicon is what the field holds. A narrower value fits (asked Asian, venue Thai); a
 * wider one needs evidence (asked Thai, venue Asian, menu with pad thai).
 */
export function sameTerm(check: SameTerm, matter: Matter): Outcome {
  const lexicon = matter.vocabulary.lexicons.get(check.lexicon);
  const noun = nounOf(check.field);
  if (lexicon === undefined)
    return undecidable(
      `the lexicon "${check.lexicon}" is not there`,
      `add prompts/lexicons/${check.lexicon}.yaml`,
    );
  const wishes = wishesFor(check.lexicon, matter.request, (mention) => mention.polarity !== 'optional');
  if (wishes.kind !== 'asked') return nothingAsked(wishes, noun, check.field, matter.request.unread);

  const value = textsOf(fieldOf(matter.evalCase, check.field));
  const evidence = (check.evidence ?? []).flatMap((path) => textsOf(fieldOf(matter.evalCase, path)));
  const venue: Venue = {
    named: termsIn(value, lexicon).phrases,
    shown: termsIn(evidence, lexicon).phrases,
  };
  const asked = wordsOf(wishes.groups, wishes.unwanted);
  const limit = `the venue's ${noun} must be ${asked}`;
  const given =
    value.length === 0
      ? `the case gives no ${noun} of the venue`
      : `the venue's ${noun} is ${quoted(value.join(', '))}`;
  const read = listed([...new Set(venue.named.map(named))]);
  const facts = { asked: `you asked for ${asked}`, found: given, limit };
  if (value.length > 0 && venue.named.length === 0 && venue.shown.length === 0)
    return undecidable(
      `${given}, a word that the lexicon does not know`,
      `ask a model, or add the word to prompts/lexicons/${check.lexicon}.yaml`,
      facts,
    );

  const fit = combine(
    wishes.groups.map((group) => fitOfGroup(group, venue, lexicon)),
    wishes.unwanted.map((mention) => fitOfUnwanted(mention, venue, lexicon)),
  );
  const gist =
    value.length === 0 ? `no ${noun} given` : `${noun} ${quoted(value.join(', '))}, asked for ${asked}`;
  if (fit === 'open')
    return undecidable(
      value.length === 0 ? given : `${given}, from which it cannot be told whether it is ${asked}`,
      value.length === 0
        ? `give ${check.field}`
        : `give a more exact ${check.field}${check.evidence === undefined ? '' : ` or ${listed(check.evidence, 'or')}`}, or ask a model`,
      { ...facts, gist },
    );
  const holds = fit === 'match';
  const byEvidence = holds && fitByNameAlone(wishes.groups, venue, lexicon) !== 'match';
  const known = read === '' ? `no known ${noun}` : read;
  return decided(holds, {
    ...facts,
    calculation: `asked ${asked}; venue ${known}${byEvidence ? `, and its ${listed((check.evidence ?? []).map(nounOf))} shows ${asked}` : ''}: ${holds ? 'the same or within it' : 'not the same and not within it'}`,
    gist: holds ? `${noun} ${quoted(value.join(', '))}` : gist,
  });
}

const fitByNameAlone = (
  groups: readonly (readonly MeantMention[])[],
  venue: Venue,
  lexicon: CompiledLexicon,
): Fit =>
  combine(
    groups.map((group) => fitOfGroup(group, { ...venue, shown: [] }, lexicon)),
    [],
  );
