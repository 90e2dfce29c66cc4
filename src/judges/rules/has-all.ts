import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { decided, listed, type Outcome, quoted, undecidable } from './outcome.ts';
import {
  type Asked,
  bestOf,
  type Fit,
  fitOf,
  type Given,
  termsIn,
  textsOf,
  titlesOf,
  unreadable,
  wordsOf,
} from './terms.ts';
import { addition, type Matter, missingSubject, nothingAsked, otherSubject, wishesFor } from './wishes.ts';

type HasAll = Extract<Check, { type: 'has-all' }>;

/** A comparison of what a field names with what the request does. */
interface Comparison extends Pick<HasAll, 'lexicon' | 'field' | 'name' | 'narrower' | 'some'> {
  required: readonly string[];
  /** Fields that may show a dish, whatever the place calls itself. */
  evidence: readonly string[];
  /** What follows a term without a title: `low cost`; may be empty. */
  noun: string;
  /** What is compared, in a sentence: `the venue's cost`. */
  given: string;
  /** Which values the field may have, where these are few: `low, medium or high`; else empty. */
  levels: string;
}

/** What must be there: what the user asked for, and what other fields of the case say. */
interface Demand {
  wishes: Asked | null;
  required: readonly (readonly string[])[];
}

/** Whether one of the wishes is a wider one of another: "all rear windows" are not all windows. */
const areNested = ({ wanted, isAnyOf }: Asked, { wider }: CompiledLexicon): boolean => {
  const terms = wanted.flatMap((wish) => wish.terms);
  return !isAnyOf && terms.some((one) => terms.some((other) => one !== other && wider.get(one)?.has(other)));
};

/** Whether all that is demanded is there. A dish that other fields show may be: pizza on an American menu. */
function fitOfAll(
  { wishes, required }: Demand,
  given: Given,
  shown: ReadonlySet<string>,
  some: HasAll['some'],
): Fit {
  const wanted = (wishes?.wanted ?? []).map(({ terms, sign }): Fit => {
    const fit = fitOf(terms, given);
    return fit === 'miss' && sign && terms.some((term) => shown.has(term)) ? 'open' : fit;
  });
  const fits = [
    ...(wishes?.isAnyOf ? [bestOf(wanted)] : wanted),
    ...required.map((terms) => fitOf(terms, given)),
  ];
  if (fits.every((fit) => fit === 'match')) return 'match';
  const isSure = some === 'too-few' || fits.every((fit) => fit === 'miss');
  const isMissing = isSure && !(wishes !== null && areNested(wishes, given.lexicon));
  return isMissing && fits.includes('miss') ? 'miss' : 'open';
}

/** What the request names of a lexicon, and what other fields require, is what a field names. */
export function hasTerms(check: Comparison, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const wishes = wishesFor(check.lexicon, matter.request);
  const stated = check.required
    .map((path) => textsOf(fieldOf(matter.evalCase, path)))
    .filter((texts) => texts.length > 0);
  if (wishes.kind === 'unclear' || (wishes.kind !== 'asked' && stated.length === 0))
    return nothingAsked(wishes, check.lexicon, check.name, matter);
  const required = stated.map((texts) => termsIn(texts, lexicon).flat()).filter((terms) => terms.length > 0);
  if (required.length < stated.length)
    return undecidable(
      `the case needs ${quoted(stated.flat().join(', '))}, which is not known here`,
      `ask a model, or ${wordFor(check)}`,
    );
  return compare(check, lexicon, matter, { wishes: wishes.kind === 'asked' ? wishes : null, required });
}

const wordFor = ({ lexicon }: Comparison): string => `add the word to prompts/lexicons/${lexicon}.yaml`;

function compare(check: Comparison, lexicon: CompiledLexicon, matter: Matter, demand: Demand): Outcome {
  const { evalCase } = matter;
  const needs = listed(demand.required.map((terms) => titlesOf(terms, lexicon)));
  const askedWith = (noun: string) => (demand.wishes === null ? '' : wordsOf(demand.wishes, lexicon, noun));
  const together = (...parts: string[]) => listed(parts.filter((words) => words !== ''));
  const asked = askedWith(check.noun);
  const all = together(asked, needs);
  const value = fieldOf(evalCase, check.field);
  const items = textsOf(value);
  const shown = items.length === 0 ? 'none' : quoted(items.join(', '));
  const isGiven = items.length > 0 || Array.isArray(value);
  const facts = {
    asked: [asked && `the user asked for ${asked}`, needs && `the case needs ${needs}`]
      .filter((clause) => clause !== '')
      .join('; '),
    found: isGiven ? `${check.given} is ${shown}` : `the case does not give the ${check.name}`,
    limit: `the ${check.name} must be ${together(askedWith(''), needs)}`,
  };
  const next = `${addition(check.field, matter)}${check.levels === '' ? '' : ` (${check.levels})`}`;
  if (!isGiven) return undecidable(facts.found, next, { ...facts, gist: `no ${check.name} given` });
  const why = unreadable(items, lexicon, matter.vocabulary);
  if (why !== null) return undecidable(`${facts.found}, ${why}`, next, facts);
  const unknown = items.find((item) => termsIn([item], lexicon).length === 0);
  // An empty list names nothing, and that for sure.
  const terms = items.length === 0 ? [[]] : termsIn(items, lexicon);
  const evidence = check.evidence.flatMap((path) =>
    termsIn(textsOf(fieldOf(evalCase, path)), lexicon).flat(),
  );
  const fit = fitOfAll(demand, { lexicon, terms, narrower: check.narrower }, new Set(evidence), check.some);
  if (unknown !== undefined && fit !== 'match')
    return undecidable(
      `${check.given} ${quoted(unknown)} is not known here and may be ${all}`,
      check.levels === '' ? `ask a model, or ${wordFor(check)}` : next,
      facts,
    );
  if (fit === 'open')
    return undecidable(`${facts.found}, which may or may not be ${all}`, 'ask a model', facts);
  const holds = fit === 'match';
  return decided(holds, {
    ...facts,
    calculation: `${shown} ${holds ? 'fits' : 'does not fit'} ${all}`,
    meaning: '',
    gist: holds ? `${check.name} ${shown}` : `${check.name} ${shown} instead of ${all}`,
  });
}

/** All that the user named, and all that other fields require, is in the field. */
export function hasAll(check: HasAll, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const { implied } = check;
  const kindOf = (id: string) => wishesFor(id, matter.request).kind;
  const asks = kindOf(check.lexicon);
  if (asks === 'silent' && implied !== undefined && kindOf(implied.lexicon) === 'asked') {
    const given = termsIn(textsOf(fieldOf(matter.evalCase, check.field)), lexicon).flat();
    if (!given.includes(implied.term))
      return undecidable(`the request names no ${check.name}, only a number`, 'ask a model');
  }
  const other = lexicon.namesSubject ? null : (otherSubject(matter) ?? missingSubject(matter));
  if (asks === 'asked' && other !== null) return undecidable(other.problem, other.next);
  return hasTerms(
    { ...check, evidence: [], noun: '', given: `the ${check.name} given`, levels: '' },
    lexicon,
    matter,
  );
}
