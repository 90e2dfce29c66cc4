import { fieldOf } from '../../core/case.ts';
import type { Check } from '../../core/check.ts';
import type { CompiledLexicon } from './compile-lexicon.ts';
import type { Matter } from './matter.ts';
import { nothingAsked, otherSubject } from './nothing-asked.ts';
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

interface Given {
  lexicon: CompiledLexicon;
  terms: readonly (readonly string[])[];
  /** An item that no term of the lexicon stands for, so that it may be anything; null where there is none. */
  unknown: string | null;
}

/** Whether one of the terms, or a narrower one, is among those given. */
const isThere = (asked: readonly string[], { lexicon, terms }: Given): boolean =>
  terms.some((names) =>
    names.some((name) => asked.some((term) => lexicon.wider.get(name)?.has(term) ?? false)),
  );

/** Whether all that is demanded is there; `open` where an item that is not known here may be it. */
function fitOf({ wishes, required }: Demand, given: Given): 'match' | 'miss' | 'open' {
  const unwanted = wishes.unwanted.filter((mention) => !mention.sign);
  if (unwanted.some(({ terms }) => isThere(terms, given))) return 'miss';
  const missing = [
    ...wishes.groups.filter((group) => !group.some(({ terms }) => isThere(terms, given))),
    ...required.filter((terms) => !isThere(terms, given)),
  ];
  const isOpenEnded = wishes.groups.some((group) => group.some(({ openEnded }) => openEnded));
  const mayBe = given.unknown !== null || isOpenEnded;
  if (missing.length > 0) return mayBe ? 'open' : 'miss';
  return wishes.unwanted.length > 0 && mayBe ? 'open' : 'match';
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
  const needed = check.required.flatMap((path) => textsOf(fieldOf(matter.evalCase, path)));
  const required = termsIn(needed, lexicon);
  if (wishes.kind === 'unclear' || (wishes.kind !== 'asked' && needed.length === 0))
    return nothingAsked(wishes, check.name, matter);
  if (needed.length > 0 && required.length === 0)
    return undecidable(
      `${listed(check.required)} says ${quoted(needed.join(', '))}, which is not known here`,
      `ask a model, or add the word to prompts/lexicons/${check.lexicon}.yaml`,
    );
  const other = lexicon.namesSubject ? null : otherSubject(matter);
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
    found: isGiven ? `${check.name}: ${shown}` : `the case gives no ${check.name}`,
    limit: `${check.name} must have ${all}`,
  };
  if (!isGiven)
    return undecidable(facts.found, `give ${check.field}`, { ...facts, gist: `no ${check.name} given` });
  const named = venueTerms(items, lexicon, matter.vocabulary);
  if (named.kind === 'unreadable')
    return undecidable(`${facts.found}, ${named.why}`, `give ${check.field} plainly`, facts);
  const unknown = items.find((item) => termsIn([item], lexicon).length === 0) ?? null;
  const fit = fitOf(demand, { lexicon, terms: named.terms, unknown });
  if (fit === 'open')
    return undecidable(
      unknown === null
        ? `it is not clear what else than ${all} would do`
        : `${quoted(unknown)} among ${check.name} is not known here and may be ${all}`,
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
