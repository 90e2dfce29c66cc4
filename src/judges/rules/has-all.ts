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
  /** Whether the field names one thing, so that a refusal ("anything but Italian") can be checked. */
  isOne: boolean;
};

const wordFor = ({ lexicon }: Comparison): string =>
  `ask a model, or add the word to prompts/lexicons/${lexicon}.yaml`;

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

/** What a field must name; or why that is not to be checked, or holds anyhow. */
function demandOf(check: Comparison, lexicon: CompiledLexicon, matter: Matter): Demand | Outcome {
  const wishes = wishesFor(check.lexicon, matter.request);
  const stated = check.required.flatMap((path) => {
    const texts = textsOf(fieldOf(matter.evalCase, path));
    return texts.length === 0 ? [] : [{ path, texts, terms: termsIn(texts, lexicon).flat() }];
  });
  const isUnclear = wishes.kind === 'unclear' || (wishes.kind === 'refused' && !check.isOne);
  if (wishes.kind !== 'asked' && (isUnclear || (wishes.kind !== 'refused' && stated.length === 0)))
    return nothingAsked(wishes, check.lexicon, check.name, matter);
  const other = otherSubject(matter) ?? (check.isOne ? null : missingSubject(matter));
  if (wishes.kind === 'asked' && other !== null && !lexicon.namesSubject) return other;
  const strange = stated.find(({ terms }) => terms.length === 0);
  return strange === undefined
    ? { wishes: 'wanted' in wishes ? wishes : null, required: stated }
    : undecidable(
        `the ${nounOf(strange.path)} ${quoted(strange.texts.join(', '))} is not known here`,
        wordFor(check),
      );
}

/** What the request names of a lexicon, and what other fields require, is what a field names. */
function compare(check: Comparison, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const { evalCase } = matter;
  const { name, field } = check;
  const demand = demandOf(check, lexicon, matter);
  if ('decision' in demand) return demand;
  const { wishes, required } = demand;
  const asked = [
    ...(wishes === null ? [] : [`the request says ${saidOf(wishes, lexicon, name)}`]),
    ...required.map(({ path, terms }) => `the ${nounOf(path)} is ${titlesOf(terms, lexicon)}`),
  ].join(' and ');
  const value = fieldOf(evalCase, field);
  const items = textsOf(value);
  const next = `${addition(field, matter, exampleOf(demand, lexicon))}${lexicon.single ? ` (${levelsOf(lexicon)})` : ''}`;
  if (items.length === 0 && !Array.isArray(value))
    return undecidable(`${asked}, and the case does not give the ${name}`, next);
  const shown = items.length === 0 ? 'none' : quoted(items.join(', '));
  const unclear = items.length === 0 ? null : unreadable(items, lexicon, matter.vocabulary);
  if (unclear !== null) return undecidable(`the ${name} ${shown} ${unclear.problem}`, unclear.next ?? next);
  // An empty list names nothing, and that for sure.
  const terms = items.length === 0 ? [[]] : termsIn(items, lexicon);
  const evidence = check.evidence.flatMap((path) =>
    termsIn(textsOf(fieldOf(evalCase, path)), lexicon).flat(),
  );
  const known: Given = { lexicon, terms, narrower: check.narrower };
  const fit = fitOfAll(demand, known, new Set(evidence), check.some);
  const unknown = items.find((item) => termsIn([item], lexicon).length === 0);
  if (unknown !== undefined && fit !== 'match')
    return undecidable(`the ${name} ${quoted(unknown)} is not known here, and ${asked}`, wordFor(check));
  if (fit === 'open') return undecidable(`${asked}, which ${shown} may or may not be`, ASK);
  const holds = (fit === 'match') !== (wishes?.kind === 'refused');
  const claim = holds && fit === 'match' ? otherInAnswer(check, known, matter) : null;
  return claim === null
    ? decided(holds, `${asked}; the ${name} is ${shown}`)
    : undecidable(`the ${name} is ${shown}, but the answer says ${quoted(claim)}`, ASK);
}

/** What the user named from the lexicon is what the field holds. A narrower value fits (asked Asian, venue Thai); a wider one leaves it open. */
export function sameTerm(
  { evidence = [], ...check }: SameTerm,
  lexicon: CompiledLexicon,
  matter: Matter,
): Outcome {
  const one = { required: [], narrower: 'enough', some: 'unsure', isOne: true } satisfies Partial<Comparison>;
  return compare({ ...check, ...one, evidence, name: nounOf(check.field) }, lexicon, matter);
}

/** All that the user named, and all that other fields require, is in the field. */
export function hasAll(check: HasAll, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const { implied } = check;
  const kindOf = (id: string) => wishesFor(id, matter.request).kind;
  if (implied !== undefined && kindOf(check.lexicon) === 'silent') {
    const given = termsIn(textsOf(fieldOf(matter.evalCase, check.field)), lexicon).flat();
    if (kindOf(implied.lexicon) !== 'asked' || !given.includes(implied.term))
      return undecidable(`the request does not say which ${check.name}`, ASK);
  }
  return compare({ ...check, evidence: [], isOne: false }, lexicon, matter);
}
