import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { decided, listed, type Outcome, quoted, undecidable } from './outcome.ts';
import { termsIn, textsOf, titlesOf, venueTerms, wordsOf } from './terms.ts';
import { type Matter, missingSubject, nothingAsked, otherSubject, type Wishes, wishesFor } from './wishes.ts';

type HasAll = Extract<Check, { type: 'has-all' }>;
type Asked = Extract<Wishes, { kind: 'asked' }>;

const NO_WISH: Asked = { kind: 'asked', groups: [], unwanted: [], refusesMore: false, quote: '' };

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

/** Whether all that is within a term is among those given, such as both sides of the front. */
function covers(term: string, given: Given): boolean {
  if (given.terms.flat().includes(term)) return true;
  const parts = [...given.lexicon.terms.values()].filter(({ within }) => within.includes(term));
  return parts.length > 0 && parts.every(({ id }) => covers(id, given));
}

/** Whether a term is that of everything: "all windows". */
const isWhole = (term: string, { lexicon }: Given): boolean =>
  [...lexicon.terms.values()].every(
    ({ id, reading }) => reading !== 'exact' || (lexicon.wider.get(id)?.has(term) ?? false),
  );

/** Whether one of the terms is among those given; `open` where only a wider or, if that is not enough, a narrower one is. */
function presence(asked: readonly string[], given: Given, narrower: HasAll['narrower']): Presence {
  const names = given.terms.flat();
  const has = (fits: (name: string, term: string) => boolean) =>
    names.some((name) => asked.some((term) => fits(name, term)));
  if (has((name, term) => (narrower === 'enough' ? isWithin(name, term, given) : name === term)))
    return 'there';
  if (narrower === 'unsure' && asked.some((term) => covers(term, given))) return 'there';
  if (narrower === 'unsure' && asked.every((term) => isWhole(term, given))) return 'missing';
  return has((name, term) => isWithin(term, name, given) || isWithin(name, term, given)) ? 'open' : 'missing';
}

/** Of alternatives the best one counts. */
function bestOf(found: readonly Presence[]): Presence {
  if (found.includes('there')) return 'there';
  return found.includes('open') ? 'open' : 'missing';
}

/** "All rear windows" are not all windows: what the user also names more narrowly is no wish of its own. */
const narrowest = (groups: Asked['groups'], given: Given): Asked['groups'] =>
  groups.filter(
    (group) =>
      !group.every(({ terms }) =>
        groups.some(
          (other) =>
            other !== group &&
            other.every((one) =>
              one.terms.every(
                (term) => !terms.includes(term) && terms.some((wide) => isWithin(term, wide, given)),
              ),
            ),
        ),
      ),
  );

/** Wishes without those that a refusal may reach, which are unclear. */
function unshadowed(wishes: Wishes): Wishes {
  if (wishes.kind !== 'asked') return wishes;
  const shadowed = wishes.groups.flat().find(({ shadow }) => shadow !== null);
  if (shadowed === undefined) return wishes;
  return {
    kind: 'unclear',
    problem: `it is not clear whether ${quoted(shadowed.quote)} is wanted, as the user refuses ${quoted(shadowed.shadow ?? '')}`,
    quote: quoted(shadowed.quote),
  };
}

/** Whether all that is demanded is there; `open` where an item that is not known here may be it. */
function fitOf({ wishes, required }: Demand, given: Given, check: HasAll): 'match' | 'miss' | 'open' {
  const of = (terms: readonly string[]) => presence(terms, given, check.narrower);
  const refused = check.refused === 'no-matter' ? [] : wishes.unwanted.map(({ terms }) => of(terms));
  if (
    (refused.length > 0 || wishes.refusesMore) &&
    wishes.groups.flat().some(({ terms }) => terms.some((term) => isWhole(term, given)))
  )
    return 'open';
  if (refused.includes('there')) return check.refused === 'wrong' ? 'miss' : 'open';
  const wanted = [
    ...narrowest(wishes.groups, given).map((group) => bestOf(group.map(({ terms }) => of(terms)))),
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
  const wishes = unshadowed(wishesFor(check.lexicon, matter.request));
  const implied = check.implied;
  if (
    wishes.kind === 'silent' &&
    implied !== undefined &&
    wishesFor(implied.lexicon, matter.request).kind === 'asked'
  )
    return impliedTerm(check, matter, lexicon, implied.term);
  const stated = check.required.map((path) => textsOf(fieldOf(matter.evalCase, path)));
  const needed = stated.flat();
  const required = stated.map((texts) => termsIn(texts, lexicon).flat()).filter((terms) => terms.length > 0);
  if (wishes.kind === 'unclear' || (wishes.kind !== 'asked' && needed.length === 0))
    return nothingAsked(wishes, check.lexicon, check.name, matter);
  if (required.length < stated.filter((texts) => texts.length > 0).length)
    return undecidable(
      `${listed(check.required)} says ${quoted(needed.join(', '))}, which is not known here`,
      `ask a model, or add the word to prompts/lexicons/${check.lexicon}.yaml`,
    );
  const other = lexicon.namesSubject ? null : (otherSubject(matter) ?? missingSubject(matter));
  if (wishes.kind === 'asked' && other !== null) return undecidable(other.problem, other.next);
  return compare(check, matter, lexicon, { wishes: wishes.kind === 'asked' ? wishes : NO_WISH, required });
}

/** What a request asks for that names only a number: what is given is that, or may be it all the same. */
function impliedTerm(check: HasAll, { evalCase }: Matter, lexicon: CompiledLexicon, term: string): Outcome {
  const title = titlesOf([term], { lexicon, noun: '' });
  const given = textsOf(fieldOf(evalCase, check.field));
  const facts = {
    asked: `the user named only a number, which asks for ${title}`,
    found: `the ${check.name} given is ${quoted(given.join(', '))}`,
    limit: `the ${check.name} must be ${title}`,
  };
  if (!termsIn(given, lexicon).flat().includes(term))
    return undecidable(
      `the request names no ${check.name}, only a number`,
      `ask a model, or name the ${check.name} in the request`,
      facts,
    );
  return decided(true, {
    ...facts,
    calculation: `a number asks for ${title}, which is given`,
    meaning: '',
    gist: `${check.name} ${title}`,
  });
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
        ? `${shown} may or may not be ${all}`
        : `the ${check.name} ${quoted(unknown)} is not known here and may be ${all}`,
      `ask a model, or add the word to prompts/lexicons/${check.lexicon}.yaml`,
      facts,
    );
  const holds = fit === 'match';
  return decided(holds, {
    ...facts,
    calculation: `${shown} ${holds ? 'fits' : 'does not fit'} ${all}`,
    meaning: '',
    gist: holds ? `${check.name} ${shown}` : `${check.name} ${shown} instead of ${all}`,
  });
}
