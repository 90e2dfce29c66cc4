import { nounOf } from '../../case/format/index.ts';
import { fieldOf } from '../../case/index.ts';
import { oncePer } from '../../common/index.ts';
import { andList } from '../../common/text/index.ts';
import {
  type Asked,
  addition,
  type CheckOf,
  contradiction,
  decided,
  type Matter,
  missingSubject,
  nothingAsked,
  type Outcome,
  otherSubject,
  quoted,
  readAnswer,
  undecidable,
  wishesFor,
} from './check-outcome.ts';
import { type CompiledLexicon, isWide, writtenPhrase } from './lexicon.ts';
import { createVocabulary, findMentions, isOf, NEGATION, type Vocabulary } from './match-phrases.ts';
import { tokenize } from './tokens.ts';

/** The titles of terms, joined by "or": `Thai`. A term without a title is followed by the noun: `low cost`. */
export const titlesOf = (terms: readonly string[], lexicon: CompiledLexicon, noun = ''): string =>
  andList(
    terms.map((term) => lexicon.terms.get(term)?.title ?? `${term.replaceAll('-', ' ')} ${noun}`.trim()),
    'or',
  );

/** The user's words, with their meaning if it differs: `"pho" (Thai or Vietnamese)`. */
function saidOf({ kind, wanted, isAnyOf }: Asked, lexicon: CompiledLexicon, noun: string): string {
  const words = wanted.map(({ terms, quote }) => {
    const title = titlesOf(terms, lexicon, lexicon.single ? noun : '');
    const isPlain = kind === 'refused' || quote.toLowerCase() === title.toLowerCase();
    return isPlain ? quoted(quote) : `${quoted(quote)} (${title})`;
  });
  return andList([...new Set(words)], isAnyOf ? 'or' : 'and');
}

/** A vocabulary of one lexicon that also matches the ids of its terms. */
const fieldVocabulary = oncePer((lexicon: CompiledLexicon) => {
  const ids = [...lexicon.terms.values()].map((term) =>
    writtenPhrase(lexicon.id, term, term.id.replaceAll('-', ' ')),
  );
  return createVocabulary([{ ...lexicon, phrases: [...lexicon.phrases, ...ids] }]);
});

/**
 * The exact terms of a lexicon that texts name, by id, name or sign: one list per phrase found, with several terms if the
 * phrase is ambiguous.
 */
export const termsIn = (texts: readonly string[], lexicon: CompiledLexicon): (readonly string[])[] =>
  texts.flatMap((text) =>
    findMentions(tokenize(text), fieldVocabulary(lexicon)).flatMap(({ reading, terms }) =>
      reading === 'exact' ? [terms] : [],
    ),
  );

/** The strings in a field's value: the value itself, or the items of a list. */
export const textsOf = (value: unknown): string[] =>
  [value].flat().filter((item) => typeof item === 'string');

/** The levels of a lexicon of which only one can apply: low, medium, high. */
const levelsOf = ({ terms }: CompiledLexicon): string =>
  andList(
    [...terms.values()].flatMap(({ id, reading, title }) => (reading === 'exact' && !title ? [id] : [])),
    'or',
  );

/** The term for words that say that something did not work. */
const FAILED = 'failed';

/**
 * Why a field's words cannot be read exactly (a negation, a choice, something that did not work, or two levels of which
 * only one can apply), and what to write instead; null if they can.
 */
export function unreadable(
  texts: readonly string[],
  lexicon: CompiledLexicon,
  vocabulary: Vocabulary,
): { problem: string; next: string | null } | null {
  const isTurned = texts.some((text) =>
    findMentions(tokenize(text), vocabulary).some(
      (mention) =>
        (mention.lexicon !== lexicon.id && mention.terms.includes(FAILED)) ||
        (mention.lexicon === NEGATION && !isOf(mention, NEGATION, 'joint', 'preference', 'contrast')),
    ),
  );
  if (!lexicon.single) return isTurned ? { problem: 'is not plain enough to check', next: null } : null;
  const next = `write ${levelsOf(lexicon)}`;
  if (texts.some((text) => /\d/.test(text))) return { problem: 'is an amount, not a price level', next };
  const levels = new Set(termsIn(texts, lexicon).flat());
  const isUnclear = isTurned || levels.size !== 1 || [...levels].some((level) => isWide(lexicon, level));
  return isUnclear ? { problem: 'is not a clear price level', next } : null;
}

/** `open`: the case does not show whether it fits. */
type Fit = 'match' | 'miss' | 'open';

/** What a field names. */
interface Given {
  lexicon: CompiledLexicon;
  terms: readonly (readonly string[])[];
  /** `enough`: one narrower term satisfies a wider one; `unsure`: it takes all terms within the wider one. */
  narrower: 'enough' | 'unsure';
}

const bestOf = (fits: readonly Fit[]): Fit =>
  fits.includes('match') ? 'match' : fits.includes('open') ? 'open' : 'miss';

/** Whether a term, or everything within it, is given: both front windows cover the front. */
function covers(term: string, given: Given): boolean {
  if (given.terms.flat().includes(term)) return true;
  const parts = [...given.lexicon.terms.values()].filter(({ within }) => within.includes(term));
  return parts.length > 0 && parts.every(({ id }) => covers(id, given));
}

/** Whether a term includes all others: "all windows". */
const isWhole = (term: string, { terms, wider }: CompiledLexicon): boolean =>
  [...terms.values()].every(({ id, reading }) => reading !== 'exact' || (wider.get(id)?.has(term) ?? false));

/** Whether the given terms fit one asked term. A distinct term rules it out; a related one leaves it open. */
function fitOfTerm(asked: string, given: Given): Fit {
  const { lexicon, terms, narrower } = given;
  const isWithin = (name: string) =>
    (lexicon.wider.get(name)?.has(asked) ?? false) ||
    (lexicon.terms.get(name)?.satisfies.includes(asked) ?? false);
  if (narrower === 'enough' ? terms.flat().some(isWithin) : covers(asked, given)) return 'match';
  if (narrower === 'unsure' && isWhole(asked, lexicon)) return 'miss';
  // Terms with a common narrower term, such as Mediterranean and European (Greek), do not rule each other out.
  const isRelated = (name: string) =>
    [...lexicon.wider.values()].some((all) => all.has(asked) && all.has(name));
  const excludes = (term: string) => lexicon.terms.get(term)?.excludes === 'always';
  const isRival = terms.some((names) => names.every(excludes));
  return excludes(asked) && isRival && !terms.flat().some(isRelated) ? 'miss' : 'open';
}

/**
 * Whether the given terms fit words that may mean any of several terms ("schnitzel"). An ambiguous word in the field
 * ("heating" for the seat heating) does not prove a match.
 */
function fitOf(asked: readonly string[], given: Given): Fit {
  const fitOfAny = (terms: Given['terms']) =>
    bestOf(asked.map((term) => fitOfTerm(term, { ...given, terms })));
  const isAsked = (name: string) => asked.some((term) => given.lexicon.wider.get(name)?.has(term) ?? false);
  const sure = given.terms.filter((names) => names.length < 2 || names.every(isAsked));
  const fit = fitOfAny(given.terms);
  return fit === 'match' && fitOfAny(sure) !== 'match' ? 'open' : fit;
}

/** What a field must name: the user's wishes, and values required by other fields of the case. */
interface Demand {
  wishes: Asked | null;
  required: readonly { path: string; terms: readonly string[] }[];
}

/** Whether one wish may only qualify another: "all rear windows" are not all windows, nor is a "window defroster" one. */
const areNested = ({ wanted, isAnyOf }: Asked, { wider }: CompiledLexicon): boolean => {
  const terms = wanted.flatMap((wish) => wish.terms);
  if (wanted.some(({ to }, index) => wanted[index + 1]?.from === to)) return true;
  return !isAnyOf && terms.some((one) => terms.some((other) => one !== other && wider.get(one)?.has(other)));
};

/**
 * Whether the field has everything demanded. A dish that other fields suggest is left open: pizza on an American menu.
 * @param shown the terms that other fields suggest
 */
function fitOfAll(
  { wishes, required }: Demand,
  given: Given,
  shown: ReadonlySet<string>,
  some: CheckOf<'has-all'>['some'],
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

/** Compares a field with the request's terms of a lexicon. */
type Comparison = Pick<
  CheckOf<'has-all'>,
  'lexicon' | 'field' | 'name' | 'narrower' | 'some' | 'required' | 'reported'
> & {
  /** Fields that may show that a place has a dish. */
  evidence: readonly string[];
  /** Whether the field names one thing, so that a refusal ("anything but Italian") can be checked. */
  isOne: boolean;
};

const wordFor = ({ lexicon }: Comparison): string =>
  `ask a model, or add the word to prompts/lexicons/${lexicon}.yaml`;

/** The answer's claims, and whether each fits the given terms. Read with the lexicon `reported`, or else the request's. */
function claimsIn({ reported, lexicon }: Comparison, given: Given, matter: Matter) {
  const { mentions, owners } = readAnswer(matter, reported);
  const claims = mentions.filter(
    (claim) => claim.lexicon === (reported ?? lexicon) && claim.reading === 'exact',
  );
  return claims.map(({ terms, from, quote }) => {
    const before = owners.get(from - 1);
    const refusal = isOf(before, NEGATION, 'unwanted') ? before : undefined;
    const fits = refusal === undefined && fitOf(terms, { ...given, narrower: 'enough' }) !== 'miss';
    return { quote: refusal === undefined ? quote : `${refusal.quote} ${quote}`, fits };
  });
}

/** An example value to suggest: the term that was asked for. */
const exampleOf = ({ wishes, required }: Demand, { single, terms }: CompiledLexicon): string | undefined => {
  const [term] = [...(wishes?.wanted ?? []).map((wish) => wish.terms[0]), required[0]?.terms[0]];
  if (term === undefined || wishes?.kind === 'refused') return undefined;
  return single ? term : (terms.get(term)?.title ?? term).replace(/^the /, '');
};

/** What a field must name, or the outcome if that cannot be checked or passes anyway. */
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

/** Whether a field names the terms that the request and other fields require. */
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
  // An empty list is certain to name nothing, so it can rule terms out.
  const terms = items.length === 0 ? [[]] : termsIn(items, lexicon);
  const evidence = check.evidence.flatMap((path) =>
    termsIn(textsOf(fieldOf(evalCase, path)), lexicon).flat(),
  );
  const givenTerms: Given = { lexicon, terms, narrower: check.narrower };
  const fit = fitOfAll(demand, givenTerms, new Set(evidence), check.some);
  const unknown = items.find((item) => termsIn([item], lexicon).length === 0);
  if (unknown !== undefined && fit !== 'match')
    return undecidable(`the ${name} ${quoted(unknown)} is not known here, and ${asked}`, wordFor(check));
  if (fit === 'open') return undecidable(`${asked}, which ${shown} may or may not be`);
  const holds = (fit === 'match') !== (wishes?.kind === 'refused');
  const given = `the ${name} is ${shown}`;
  const contradicted =
    holds && fit === 'match' ? contradiction(given, claimsIn(check, givenTerms, matter)) : null;
  return contradicted ?? decided(holds, `${asked}; ${given}`);
}

/** Checks that the field has what the user named. A narrower value fits (Thai for Asian); a wider one leaves it open. */
export function sameTerm(
  { evidence = [], ...check }: CheckOf<'same-term'>,
  lexicon: CompiledLexicon,
  matter: Matter,
): Outcome {
  const one = { required: [], narrower: 'enough', some: 'unsure', isOne: true } satisfies Partial<Comparison>;
  return compare({ ...check, ...one, evidence, name: nounOf(check.field) }, lexicon, matter);
}

/** Checks that the field has everything that the user named and that other fields require. */
export function hasAll(check: CheckOf<'has-all'>, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const { implied } = check;
  const kindOf = (id: string) => wishesFor(id, matter.request).kind;
  if (implied !== undefined && kindOf(check.lexicon) === 'silent') {
    const given = termsIn(textsOf(fieldOf(matter.evalCase, check.field)), lexicon).flat();
    if (kindOf(implied.lexicon) !== 'asked' || !given.includes(implied.term))
      return undecidable(`the request does not say which ${check.name}`);
  }
  return compare({ ...check, evidence: [], isOne: false }, lexicon, matter);
}
