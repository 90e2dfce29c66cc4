import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import type { CompiledLexicon } from './compile-lexicon.ts';
import type { Matter } from './matter.ts';
import { missingSubject, nothingAsked, otherSubject } from './nothing-asked.ts';
import { decided, listed, type Outcome, quoted, undecidable } from './outcome.ts';
import { titlesOf, wordsOf } from './term-wording.ts';
import { termsIn, textsOf } from './terms-in.ts';
import { venueTerms } from './venue-terms.ts';
import { type Wishes, wishesFor } from './wishes-for.ts';

type HasAll = Extract<Check, { type: 'has-all' }>;
type Asked = Extract<Wishes, { kind: 'asked' }>;

const NO_WISH: Asked = { kind: 'asked', groups: [], unwanted: [], quote: '' };

/** What must be there: what the user asked for, and what other fields of the case say. */
interface Demand {
  wishes: Asked;
  required: readonly (readonly string[])[];
}

type Presence = 'there' | 'open' | 'missing';

interface Given {
  lexicon: CompiledLexicon;
  terms: readonly (readonly string[])[];
  /** An item that no term of the lexicon stands for, so that it may be anything; null where there is none. */
  unknown: string | null;
}

/** Whether one term is the other or within it. */
const isWithin = (narrow: string, wide: string, { lexicon }: Given): boolean =>
  lexicon.wider.get(narrow)?.has(wide) ?? false;

/** Whether one of the terms is among those given; `open` where only a wider or, if that is not enough, a narrower one is. */
function presence(asked: readonly string[], given: Given, narrower: HasAll['narrower']): Presence {
  const names = given.terms.flat();
  const has = (fits: (name: string, term: string) => boolean) =>
    names.some((name) => asked.some((term) => fits(name, term)));
  if (has((name, term) => (narrower === 'enough' ? isWithin(name, term, given) : name === term)))
    return 'there';
  return has((name, term) => isWithin(term, name, given) || isWithin(name, term, given)) ? 'open' : 'missing';
}

/** Of alternatives the best one counts. */
function bestOf(found: readonly Presence[]): Presence {
  if (found.includes('there')) return 'there';
  return found.includes('open') ? 'open' : 'missing';
}

/** Whether all that is demanded is there; `open` where an item that is not known here may be it. */
function fitOf({ wishes, required }: Demand, given: Given, check: HasAll): 'match' | 'miss' | 'open' {
  const of = (terms: readonly string[]) => presence(terms, given, check.narrower);
  const refused = check.refused === 'no-matter' ? [] : wishes.unwanted.map(({ terms }) => of(terms));
  if (refused.includes('there')) return check.refused === 'wrong' ? 'miss' : 'open';
  const wanted = [
    ...wishes.groups.map((group) => bestOf(group.map(({ terms }) => of(terms)))),
    ...required.map(of),
  ];
  const isOpenEnded = wishes.groups.some((group) => group.some(({ openEnded }) => openEnded));
  const mayBe = given.unknown !== null || isOpenEnded;
  const isPartly = check.some === 'unsure' && wanted.includes('there');
  if (wanted.includes('missing')) return mayBe || isPartly ? 'open' : 'miss';
  if (wanted.includes('open') || refused.includes('open')) return 'open';
  return refused.length > 0 && mayBe ? 'open' : 'match';
}

/** All that the user named, and all that other fields require, is in the field; see compare in core/check.ts. */
export function hasAll(check: HasAll, matter: Matter): Outcome {
  const lexicon = matter.vocabulary.lexicons.get(check.lexicon);
  if (lexicon === undefined)
    return undecidable(
      `the lexicon "${check.lexicon}" is not there`,
      `add prompts/lexicons/${check.lexicon}.yaml`,
    );
  const wishes = wishesFor(check.lexicon, matter.request);
  const stated = check.required.map((path) => textsOf(fieldOf(matter.evalCase, path)));
  const needed = stated.flat();
  const required = stated.map((texts) => termsIn(texts, lexicon).flat()).filter((terms) => terms.length > 0);
  if (wishes.kind === 'unclear' || (wishes.kind !== 'asked' && needed.length === 0))
    return nothingAsked(wishes, check.name, matter);
  if (required.length < stated.filter((texts) => texts.length > 0).length)
    return undecidable(
      `${listed(check.required)} says ${quoted(needed.join(', '))}, which is not known here`,
      `ask a model, or add the word to prompts/lexicons/${check.lexicon}.yaml`,
    );
  const other = lexicon.namesSubject ? null : (otherSubject(matter) ?? missingSubject(matter));
  if (wishes.kind === 'asked' && other !== null) return undecidable(other.problem, other.next);
  return compare(check, matter, lexicon, { wishes: wishes.kind === 'asked' ? wishes : NO_WISH, required });
}

function compare(check: HasAll, matter: Matter, lexicon: CompiledLexicon, demand: Demand): Outcome {
  const wording = { lexicon, noun: '' };
  const asked = wordsOf(demand.wishes, wording);
  const needs = listed(demand.required.map((terms) => titlesOf(terms, wording)));
  const all = listed([asked, needs].filter((words) => words !== ''));
  const value = fieldOf(matter.evalCase, check.field);
  const items = textsOf(value);
  const shown = items.length === 0 ? 'none' : quoted(items.join(', '));
  const isGiven = items.length > 0 || Array.isArray(value);
  const facts = {
    asked: [
      ...(asked === '' ? [] : [`the user asked for ${asked}`]),
      ...(needs === '' ? [] : [`the case needs ${needs}`]),
    ].join('; '),
    found: isGiven ? `the ${check.name} given is ${shown}` : `the case gives no ${check.name}`,
    limit: `the ${check.name} must be ${all}`,
  };
  if (!isGiven)
    return undecidable(facts.found, `give ${check.field}`, { ...facts, gist: `no ${check.name} given` });
  const named = venueTerms(items, lexicon, matter.vocabulary);
  if (named.kind === 'unreadable')
    return undecidable(`${facts.found}, ${named.why}`, `give ${check.field} plainly`, facts);
  const unknown = items.find((item) => termsIn([item], lexicon).length === 0) ?? null;
  const fit = fitOf(demand, { lexicon, terms: named.terms, unknown }, check);
  if (fit === 'open')
    return undecidable(
      unknown === null
        ? `it cannot be told whether ${shown} is ${all}`
        : `the ${check.name} ${quoted(unknown)} is not known here and may be ${all}`,
      `ask a model, or add the word to prompts/lexicons/${check.lexicon}.yaml`,
      facts,
    );
  const holds = fit === 'match';
  return decided(holds, {
    ...facts,
    calculation: `asked ${all}, given ${shown}: ${holds ? 'it is there' : 'it is not what was asked'}`,
    meaning: holds ? 'which is what was asked' : 'which is not what was asked',
    gist: holds ? `${check.name} ${shown}` : `${check.name} ${shown} instead of ${all}`,
  });
}
