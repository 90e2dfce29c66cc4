import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { type Fit, fitOfAll, fitOfGroup, type Venue } from './compare-term.ts';
import type { CompiledLexicon } from './compile-lexicon.ts';
import type { Matter } from './matter.ts';
import { nothingAsked, otherSubject } from './nothing-asked.ts';
import { decided, listed, nounOf, type Outcome, quoted, undecidable } from './outcome.ts';
import { titlesOf, type Wording, wordsOf } from './term-wording.ts';
import { textsOf } from './terms-in.ts';
import { shownTerms, venueTerms } from './venue-terms.ts';
import { type Wishes, wishesFor } from './wishes-for.ts';

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
  return `asked ${asked}, given ${named === '' ? 'nothing known' : named}${shown}: ${holds ? 'it fits' : 'it does not fit'}`;
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
  if (wishes.kind !== 'asked') return nothingAsked(wishes, nounOf(check.field), matter);
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
  const facts = { asked: `the user asked for ${asked}`, found, limit: `the venue must offer ${asked}` };
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
      meaning: holds ? 'which is what was asked' : 'which is not what was asked',
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
    `${found}, from which it cannot be told whether it offers ${asked}`,
    `give a more exact ${check.field}${more}, or ask a model`,
    facts,
  );
}
