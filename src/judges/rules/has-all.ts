import { fieldOf } from '../../case/case.ts';
import type { Check } from '../../judging/check.ts';
import { readAnswer } from './answer.ts';
import type { CompiledLexicon } from './lexicon.ts';
import { isOf, NEGATION } from './mentions.ts';
import { ASK, decided, nounOf, type Outcome, quoted, undecidable } from './outcome.ts';
import {
  bestOf,
  type Fit,
  fitOf,
  type Given,
  levelsOf,
  saidOf,
  termsIn,
  textsOf,
  titlesOf,
  unreadable,
} from './terms.ts';
import {
  type Asked,
  addition,
  type Matter,
  missingSubject,
  nothingAsked,
  otherSubject,
  wishesFor,
} from './wishes.ts';

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

/** A field that is compared with what the request names of a lexicon. */
type Comparison = Pick<
  HasAll,
  'lexicon' | 'field' | 'name' | 'narrower' | 'some' | 'required' | 'reported'
> & {
  /** Fields that may show a dish, whatever the place calls itself. */
  evidence: readonly string[];
  /** Whether a refusal ("anything but Italian") can be checked: where the field names one thing. */
  canRefuse: boolean;
};

const wordFor = ({ lexicon }: Comparison): string =>
  `ask a model, or add the word to prompts/lexicons/${lexicon}.yaml`;

/** What the request names of a lexicon, and what other fields require, is what a field names. */
function hasTerms(check: Comparison, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const wishes = wishesFor(check.lexicon, matter.request);
  const required = check.required.flatMap((path) => {
    const texts = textsOf(fieldOf(matter.evalCase, path));
    return texts.length === 0 ? [] : [{ path, texts, terms: termsIn(texts, lexicon).flat() }];
  });
  const isUnclear = wishes.kind === 'unclear' || (wishes.kind === 'refused' && !check.canRefuse);
  if (wishes.kind !== 'asked' && (isUnclear || (wishes.kind !== 'refused' && required.length === 0)))
    return nothingAsked(wishes, check.lexicon, check.name, matter);
  const strange = required.find(({ terms }) => terms.length === 0);
  if (strange !== undefined)
    return undecidable(
      `the ${nounOf(strange.path)} ${quoted(strange.texts.join(', '))} is not known here`,
      wordFor(check),
    );
  return compare(check, lexicon, matter, { wishes: 'wanted' in wishes ? wishes : null, required });
}

/** What the answer names instead of what is given, or null; `reported` is the lexicon of its words, else that of the request. */
function otherInAnswer({ reported, lexicon }: Comparison, given: Given, matter: Matter): string | null {
  const { mentions, owners } = readAnswer(matter, reported);
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

/** A value to write, in an example: what was asked for. */
const exampleOf = ({ wishes, required }: Demand, { single, terms }: CompiledLexicon): string | undefined => {
  const [term] = [...(wishes?.wanted ?? []).map((wish) => wish.terms[0]), required[0]?.terms[0]];
  if (term === undefined || wishes?.kind === 'refused') return undefined;
  return single ? term : (terms.get(term)?.title ?? term).replace(/^the /, '');
};

function compare(check: Comparison, lexicon: CompiledLexicon, matter: Matter, demand: Demand): Outcome {
  const { evalCase } = matter;
  const value = fieldOf(evalCase, check.field);
  const items = textsOf(value);
  const asked = [
    ...(demand.wishes === null ? [] : [`the request says ${saidOf(demand.wishes, lexicon, check.name)}`]),
    ...demand.required.map(({ path, terms }) => `the ${nounOf(path)} is ${titlesOf(terms, lexicon)}`),
  ].join(' and ');
  const levels = lexicon.single ? ` (${levelsOf(lexicon)})` : '';
  const next = `${addition(check.field, matter, exampleOf(demand, lexicon))}${levels}`;
  if (items.length === 0 && !Array.isArray(value))
    return undecidable(`${asked}, and the case does not give the ${check.name}`, next);
  const shown = quoted(items.join(', '));
  const unknown = items.find((item) => termsIn([item], lexicon).length === 0);
  // An empty list names nothing, and that for sure.
  const terms = items.length === 0 ? [[]] : termsIn(items, lexicon);
  const evidence = check.evidence.flatMap((path) =>
    termsIn(textsOf(fieldOf(evalCase, path)), lexicon).flat(),
  );
  const known: Given = { lexicon, terms, narrower: check.narrower };
  const fit = fitOfAll(demand, known, new Set(evidence), check.some);
  const unclear = unreadable(items, lexicon, matter.vocabulary);
  if (unclear !== null && items.length > 0)
    return undecidable(`the ${check.name} ${shown} ${unclear.problem}`, unclear.next ?? next);
  if (unknown !== undefined && fit !== 'match')
    return undecidable(
      `the ${check.name} ${quoted(unknown)} is not known here, and ${asked}`,
      wordFor(check),
    );
  if (fit === 'open') return undecidable(`${asked}, which ${shown} may or may not be`, ASK);
  const given = `the ${check.name} is ${items.length === 0 ? 'none' : shown}`;
  const holds = (fit === 'match') !== (demand.wishes?.kind === 'refused');
  const other = holds && fit === 'match' ? otherInAnswer(check, known, matter) : null;
  if (other !== null) return undecidable(`${given}, but the answer says ${quoted(other)}`, ASK);
  return decided(holds, `${asked}; ${given}`);
}

/** What the user named from the lexicon is what the field holds. A narrower value fits (asked Asian, venue Thai); a wider one leaves it open. */
export function sameTerm(check: SameTerm, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const { lexicon: id, field, evidence = [] } = check;
  const other = lexicon.namesSubject ? null : otherSubject(matter);
  if (other !== null && wishesFor(id, matter.request).kind === 'asked') return other;
  const comparison: Comparison = {
    lexicon: id,
    field,
    evidence,
    name: nounOf(field),
    required: [],
    narrower: 'enough',
    some: 'unsure',
    canRefuse: true,
  };
  return hasTerms(comparison, lexicon, matter);
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
  return hasTerms({ ...check, evidence: [], canRefuse: false }, lexicon, matter);
}
