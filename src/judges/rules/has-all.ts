import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { answerMentions } from './answer.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { isOf, NEGATION, ownersOf } from './mentions.ts';
import { ASK, decided, listed, nounOf, type Outcome, quoted, undecidable } from './outcome.ts';
import {
  type Asked,
  bestOf,
  type Fit,
  fitOf,
  type Given,
  saidOf,
  termsIn,
  textsOf,
  titlesOf,
  unreadable,
} from './terms.ts';
import { addition, type Matter, missingSubject, nothingAsked, otherSubject, wishesFor } from './wishes.ts';

type HasAll = Extract<Check, { type: 'has-all' }>;
type SameTerm = Extract<Check, { type: 'same-term' }>;

/** What a field must name: what the user asked for, and what other fields of the case say. */
interface Demand {
  wishes: Asked | null;
  required: readonly { path: string; terms: readonly string[] }[];
}

/** Whether one wish may only say more of another: "all rear windows" are not all windows, a "window defroster" is no window. */
const areNested = ({ wanted, isAnyOf }: Asked, { wider }: CompiledLexicon): boolean => {
  const terms = wanted.flatMap((wish) => wish.terms);
  if (wanted.some(({ to }, index) => wanted[index + 1]?.from === to)) return true;
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
    ...required.map(({ terms }) => fitOf(terms, given)),
  ];
  if (fits.every((fit) => fit === 'match')) return 'match';
  const isSure = some === 'too-few' || fits.every((fit) => fit === 'miss');
  const isMissing = isSure && !(wishes !== null && areNested(wishes, given.lexicon));
  return isMissing && fits.includes('miss') ? 'miss' : 'open';
}

/** Which values a field of levels may have: ` (low, medium or high: €, €€, €€€)`; else nothing. */
function levelsOf({ single, terms }: CompiledLexicon): string {
  if (!single) return '';
  const levels = [...terms.values()].filter((term) => term.reading === 'exact' && term.title === undefined);
  const signs = levels.flatMap(({ words: [word] }) => word ?? []).join(', ');
  const ids = levels.map(({ id }) => id);
  return ` (${listed(ids, 'or')}: ${signs})`;
}

/** A field that is compared with what the request names of a lexicon. */
type Comparison = Pick<
  HasAll,
  'lexicon' | 'field' | 'name' | 'narrower' | 'some' | 'required' | 'reported'
> & {
  /** Fields that may show a dish, whatever the place calls itself. */
  evidence: readonly string[];
};

/** What the request names of a lexicon, and what other fields require, is what a field names. */
function hasTerms(check: Comparison, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const wishes = wishesFor(check.lexicon, matter.request);
  const stated = check.required
    .map((path) => ({ path, texts: textsOf(fieldOf(matter.evalCase, path)) }))
    .filter(({ texts }) => texts.length > 0);
  if (wishes.kind === 'unclear' || (wishes.kind !== 'asked' && stated.length === 0))
    return nothingAsked(wishes, check.lexicon, check.name, matter);
  const required = stated.map(({ path, texts }) => ({ path, texts, terms: termsIn(texts, lexicon).flat() }));
  const strange = required.find(({ terms }) => terms.length === 0);
  if (strange !== undefined)
    return undecidable(
      `the ${nounOf(strange.path)} ${quoted(strange.texts.join(', '))} is not known here`,
      `ask a model, or ${wordFor(check)}`,
    );
  return compare(check, lexicon, matter, { wishes: wishes.kind === 'asked' ? wishes : null, required });
}

const wordFor = ({ lexicon }: Comparison): string => `add the word to prompts/lexicons/${lexicon}.yaml`;

/** What the answer names instead of what is given, or null; `reported` is the lexicon of its words, else that of the request. */
function otherInAnswer({ reported, lexicon }: Comparison, given: Given, matter: Matter): string | null {
  const { mentions } = answerMentions(matter, reported);
  const owners = ownersOf(mentions);
  const claims = mentions.filter(
    (claim) => claim.lexicon === (reported ?? lexicon) && claim.reading === 'exact',
  );
  const others = claims.flatMap(({ terms, from, quote }) => {
    const refusal = owners.get(from - 1);
    if (isOf(refusal, NEGATION, 'unwanted')) return [`${refusal?.quote} ${quote}`];
    return fitOf(terms, { ...given, narrower: 'enough' }) === 'miss' ? [quote] : [];
  });
  return others.length === claims.length ? (others[0] ?? null) : null;
}

function compare(check: Comparison, lexicon: CompiledLexicon, matter: Matter, demand: Demand): Outcome {
  const { evalCase } = matter;
  const value = fieldOf(evalCase, check.field);
  const items = textsOf(value);
  const asked = [
    ...(demand.wishes === null ? [] : [`the request says ${saidOf(demand.wishes, lexicon, check.name)}`]),
    ...demand.required.map(({ path, terms }) => `the ${nounOf(path)} is ${titlesOf(terms, lexicon)}`),
  ].join(' and ');
  const next = `${addition(check.field, matter)}${levelsOf(lexicon)}`;
  if (items.length === 0 && !Array.isArray(value))
    return undecidable(`${asked}, and the case does not give the ${check.name}`, next);
  const given = `the ${check.name} is ${items.length === 0 ? 'none' : quoted(items.join(', '))}`;
  const why = unreadable(items, lexicon, matter.vocabulary);
  if (why !== null) return undecidable(`${given}, ${why}`, next);
  const unknown = items.find((item) => termsIn([item], lexicon).length === 0);
  // An empty list names nothing, and that for sure.
  const terms = items.length === 0 ? [[]] : termsIn(items, lexicon);
  const evidence = check.evidence.flatMap((path) =>
    termsIn(textsOf(fieldOf(evalCase, path)), lexicon).flat(),
  );
  const known: Given = { lexicon, terms, narrower: check.narrower };
  const fit = fitOfAll(demand, known, new Set(evidence), check.some);
  if (unknown !== undefined && fit !== 'match')
    return undecidable(
      `the ${check.name} ${quoted(unknown)} is not known here, and ${asked}`,
      lexicon.single ? next : `ask a model, or ${wordFor(check)}`,
    );
  if (fit === 'open')
    return undecidable(`${asked}, which ${quoted(items.join(', '))} may or may not be`, ASK);
  const other = fit === 'match' ? otherInAnswer(check, known, matter) : null;
  if (other !== null) return undecidable(`${given}, but the answer says ${quoted(other)}`, ASK);
  return decided(fit === 'match', `${asked}; ${given}`);
}

/** What the user named from the lexicon is what the field holds. A narrower value fits (asked Asian, venue Thai); a wider one leaves it open. */
export function sameTerm(check: SameTerm, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const { lexicon: id, field, evidence = [] } = check;
  const other = lexicon.namesSubject ? null : otherSubject(matter);
  if (other !== null && wishesFor(id, matter.request).kind === 'asked') return other;
  return hasTerms(
    { lexicon: id, field, evidence, name: nounOf(field), required: [], narrower: 'enough', some: 'unsure' },
    lexicon,
    matter,
  );
}

/** All that the user named, and all that other fields require, is in the field. */
export function hasAll(check: HasAll, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const { implied } = check;
  const kindOf = (id: string) => wishesFor(id, matter.request).kind;
  const asks = kindOf(check.lexicon);
  if (asks === 'silent' && implied !== undefined) {
    const given = termsIn(textsOf(fieldOf(matter.evalCase, check.field)), lexicon).flat();
    if (kindOf(implied.lexicon) !== 'asked' || !given.includes(implied.term))
      return undecidable(`the request does not say which ${check.name}`, ASK);
  }
  const other = lexicon.namesSubject ? null : (otherSubject(matter) ?? missingSubject(matter));
  if (asks === 'asked' && other !== null) return other;
  return hasTerms({ ...check, evidence: [] }, lexicon, matter);
}
