import { type CaseFormat, lineFor } from '../../case/format/index.ts';
import { type EvalCase, fieldOf } from '../../case/index.ts';
import { groupedBy, oncePer } from '../../common/index.ts';
import { andList, capital } from '../../common/text/index.ts';
import type { Cars, Check, Criterion } from '../../judging/standards/index.ts';
import { isNotAsked, NOT_ASKED } from '../../judging/verdict/index.ts';
import {
  DENIAL,
  FILLER,
  findMentions,
  mentionsOf,
  type Reading,
  readingOf,
  type Vocabulary,
} from './match-phrases.ts';
import type { Wish } from './negations-and-alternatives.ts';
import type { RequestReading } from './read-request.ts';
import { tokenize } from './tokens.ts';

/** The result of an exact check. Texts start in lower case without a full stop, so that they can be combined. */
export interface Outcome {
  decision: 'pass' | 'fail' | 'unscored';
  /** What was requested and what the case gives; without a decision, the obstacle. */
  reason: string;
  /** What would decide it: ``add `Duration: 5 min` ``; null if there is a decision. */
  next: string | null;
  /** What a reader should also know, most important first. */
  notes: readonly string[];
}

export const decided = (holds: boolean, reason: string, notes: readonly string[] = []): Outcome => ({
  decision: holds ? 'pass' : 'fail',
  reason,
  next: null,
  notes,
});

/** No decision. `next` is what the user can do about it. */
export const undecidable = (reason: string, next = 'ask a model'): Outcome => ({
  decision: 'unscored',
  reason,
  next,
  notes: [],
});

/** A number rounded to three decimals (prices have that many), without floating-point noise. */
export const shown = (value: number): string => String(Number(value.toFixed(3)));

/** `1 item`, `2.5 items`. */
export const counted = (value: number, unit: string): string =>
  `${shown(value)} ${unit}${shown(value) === '1' ? '' : 's'}`;

/** Text in quotes; if too long, cut at a word boundary. */
export const quoted = (text: string, most = 60): string =>
  `"${text.length > most ? `${text.slice(0, most).replace(/\s+\S*$/, '')} …` : text}"`;

const sentence = (text: string): string => `${capital(text)}${/[.!?]$/.test(text) ? '' : '.'}`;

/** A result as sentences: reason and next step first, since that may be all that is shown; then the notes. */
export const explain = ({ reason, next, notes }: Outcome): string =>
  [next === null ? reason : `${reason}; ${next}`, ...notes].map(sentence).join(' ');

export interface CriterionOutcome {
  criterion: Criterion;
  outcome: Outcome;
}

const titles = (outcomes: readonly CriterionOutcome[]): string =>
  andList(outcomes.map(({ criterion }) => criterion.title.toLowerCase()));

/** The reason for a decision: each failing criterion (if none fails, each that holds), then the others. */
export function summarize(outcomes: readonly CriterionOutcome[]): string {
  const having = (decision: Outcome['decision']) =>
    outcomes.filter(({ outcome }) => outcome.decision === decision);
  const [failed, passed, open] = [having('fail'), having('pass'), having('unscored')];
  const asked = passed.filter(
    ({ outcome }) => !isNotAsked({ decision: 'pass', rationale: capital(outcome.reason) }),
  );
  const told = (failed.length > 0 ? failed : passed).map(
    ({ criterion, outcome }) => `${criterion.title}: ${outcome.reason}`,
  );
  const holding =
    failed.length > 0 && asked.length > 0
      ? [`${titles(asked)} ${asked.length === 1 ? 'holds' : 'hold'}`]
      : [];
  const unchecked = open.length > 0 ? [`${titles(open)} could not be checked`] : [];
  const rest = [...holding, ...unchecked].join('; ');
  return [...told, ...(rest === '' ? [] : [rest])].map(sentence).join(' ');
}

/** Which criteria could not be checked, and why, grouped by reason. */
export function whyUnscored(outcomes: readonly CriterionOutcome[]): string {
  const open = outcomes.filter(({ outcome }) => outcome.decision === 'unscored');
  const reasons = [...groupedBy(open, ({ outcome }) => outcome.reason)];
  return `could not check ${reasons.map(([reason, group]) => `${titles(group)} (${reason})`).join(', ')}`;
}

/** The checks of a type. */
export type CheckOf<Type extends Check['type']> = { [T in Type]: Extract<Check, { type: T }> }[Type];

/** The vocabulary and fields used to read pastes. */
export type PasteFormat = Pick<CaseFormat, 'words' | 'groups'>;

/** Everything that a check may use. */
export interface Matter {
  evalCase: EvalCase;
  request: RequestReading;
  vocabulary: Vocabulary;
  format: PasteFormat;
  cars: Cars;
  /** The words with which the answer says that it found or did nothing, or null. */
  denial: string | null;
}

/** What to add to a paste to set these paths: `` add `Duration: 5 min` ``. `value` replaces the example value. */
export function addition(
  paths: string | readonly string[],
  { format }: Pick<Matter, 'format'>,
  value = '$&',
): string {
  const lines = [paths].flat().map((path) => {
    const line = lineFor(path, format)?.replace(/(?<=: ).*/, value);
    return line === undefined ? path : `\`${line}\``;
  });
  return `add ${andList(lines)}`;
}

/** No decision, because the case lacks a value such as `the cost`. Says what to add to the case. */
export const notGiven = (
  what: string,
  paths: string | readonly string[],
  matter: Pick<Matter, 'format'>,
): Outcome => undecidable(`the case does not give ${what}`, addition(paths, matter));

/** A reason quotes at most this many texts of this many characters: cards show it in one line. */
const MAX_QUOTED = 2;
const MAX_LENGTH = 32;

const subjectOf = (vocabulary: Vocabulary): string =>
  vocabulary.lexicons.get(FILLER)?.terms.get('subject')?.title ?? 'what the checks are about';

/** No decision if the wish may be about something else ("a cheap hotel"); otherwise null. */
export function otherSubject({ request, vocabulary }: Matter): Outcome | null {
  const [elsewhere] = request.elsewhere;
  if (elsewhere === undefined) return null;
  return undecidable(
    `the user may be looking for ${quoted(elsewhere, MAX_LENGTH)}, not for ${subjectOf(vocabulary)}`,
  );
}

/** No decision if the request does not mention the subject of the checks; otherwise null. */
export const missingSubject = ({ request, vocabulary }: Matter): Outcome | null =>
  request.namesSubject
    ? null
    : undecidable(`the request does not say that it is about ${subjectOf(vocabulary)}`);

/**
 * No decision if unknown words may be a wish for this lexicon; otherwise null. Unknown words count for the first lexicon
 * without a wish; numbers for the first such lexicon of numbers.
 */
export function unread(lexicon: string, noun: string, { request, vocabulary }: Matter): Outcome | null {
  const silent = vocabulary.wishes.filter((id) => !request.wishes.some((wish) => wish.lexicon === id));
  const numeric = silent.find((id) => vocabulary.numeric.has(id));
  const termed = silent.find((id) => !vocabulary.numeric.has(id));
  const words = request.unread.filter(
    ({ quote, kind }) =>
      (kind === 'number' ? (numeric ?? termed) : termed) === lexicon && !request.elsewhere.includes(quote),
  );
  const unknown = [...new Set(words.map(({ quote }) => quoted(quote, MAX_LENGTH)))];
  if (unknown.length === 0) return null;
  const more = unknown.length > MAX_QUOTED ? [`${unknown.length - MAX_QUOTED} more`] : [];
  return undecidable(
    `${andList([...unknown.slice(0, MAX_QUOTED), ...more])} ${unknown.length === 1 ? 'was' : 'were'} not understood and may be about the ${noun}`,
    'ask a model, or add the words to a lexicon',
  );
}

/** The wishes of a request that a lexicon covers. */
export type Wishes =
  | { kind: 'silent' }
  /** The user accepts anything. */
  | { kind: 'any'; quote: string }
  /** There is a wish, but it cannot be checked exactly. */
  | { kind: 'unclear'; problem: string }
  /** All must hold, or any one if they are alternatives. */
  | ({ kind: 'asked' } & Wanted)
  /** It must not hold: "anything but Italian". */
  | ({ kind: 'refused' } & Wanted);

interface Wanted {
  wanted: readonly Wish[];
  isAnyOf: boolean;
  quote: string;
}

/** What is wanted, or refused. */
export type Asked = Extract<Wishes, Wanted>;

/** The outcome without an exact wish. If the request names no wish and every word was understood, the check passes. */
export function nothingAsked(
  wishes: Exclude<Wishes, { kind: 'asked' }>,
  lexicon: string,
  noun: string,
  matter: Matter,
): Outcome {
  switch (wishes.kind) {
    case 'any':
      return decided(true, `the request says ${wishes.quote}, so any ${noun} is right`);
    case 'refused':
      return undecidable(`${wishes.quote} only says what is not wanted`);
    case 'unclear':
      return undecidable(wishes.problem, `ask a model, or name the ${noun} plainly in the request`);
    case 'silent': {
      const other = matter.request.namesSubject ? otherSubject(matter) : null;
      const open = other ?? unread(lexicon, noun, matter) ?? missingSubject(matter);
      return open ?? decided(true, `${NOT_ASKED.toLowerCase()}: the request names no ${noun}`);
    }
  }
}

/** The wishes that a lexicon covers. They are unclear if words may reverse them or a later turn may take them back. */
export function wishesFor(
  lexicon: string,
  { wishes, turned, alternatives }: RequestReading,
  counts: (wish: Wish) => boolean = () => true,
): Wishes {
  const asked = wishes.filter((wish) => wish.lexicon === lexicon && counts(wish));
  const [first] = asked;
  if (first === undefined) return { kind: 'silent' };
  const quotesOf = (some: readonly Wish[]) => [...new Set(some.map(({ quote }) => quoted(quote)))];
  const quotes = quotesOf(asked);
  const unclear = (problem: string): Wishes => ({ kind: 'unclear', problem });
  const earlier = asked.find(({ later }) => later !== null);
  if (earlier !== undefined)
    return unclear(
      `${quoted(earlier.quote)} was said in an earlier turn, and ${quoted(earlier.later ?? '')} may take it back`,
    );
  if (asked.every(({ reading }) => reading === 'any') && turned === null)
    return { kind: 'any', quote: andList(quotes) };
  const doubt = asked.flatMap((wish) => wish.doubt ?? [])[0] ?? turned;
  if (doubt !== null)
    return unclear(`${quoted(doubt, MAX_LENGTH)} may change the meaning of ${andList(quotes)}`);
  const all = asked.find(({ reading }) => reading === 'any');
  if (all !== undefined) return unclear(`${quoted(all.quote)} may take back ${andList(quotes)}`);
  const isRefused = asked.some((wish) => wish.isRefused);
  const wanted = asked.filter(({ reading }) => reading === 'exact');
  if (wanted.length === 0 || (isRefused && (asked.length > 1 || first.sign)))
    return unclear(`${andList(quotes)} ${quotes.length === 1 ? 'is' : 'are'} not exact enough to check`);
  const quote = andList(quotesOf(wanted));
  return { kind: isRefused ? 'refused' : 'asked', wanted, isAnyOf: alternatives.has(lexicon), quote };
}

/** Maximum length of an answer that is read, in characters. Longer answers say more than word matching can judge. */
export const MAX_ANSWER = 1000;

type Answered = Pick<Matter, 'evalCase' | 'vocabulary'>;

/** The answer's words without the place's name; none if the answer is too long. Read once for all checks of a case. */
const wordsOf = oncePer(({ evalCase: { response, ...evalCase }, vocabulary }: Answered) => {
  const name = fieldOf(evalCase, 'recommendation.name');
  const text = typeof name === 'string' ? response.replaceAll(name, ' ') : response;
  return tokenize(response.length > MAX_ANSWER ? '' : text, vocabulary.numbers);
});

const readByAll = oncePer((matter: Answered) =>
  readingOf(wordsOf(matter), findMentions(wordsOf(matter), matter.vocabulary), matter.vocabulary),
);

/**
 * Reads the answer.
 * @param only the only lexicon to read it with; by default, all lexicons of the rubric
 */
export const readAnswer = (matter: Answered, only?: string): Reading =>
  only === undefined
    ? readByAll(matter)
    : readingOf(wordsOf(matter), mentionsOf(only, wordsOf(matter), matter.vocabulary), matter.vocabulary);

/** No decision if the answer's claims contradict the case and none of them fits it; otherwise null. */
export function contradiction(
  given: string,
  claims: readonly { quote: string; fits: boolean }[],
): Outcome | null {
  const [claim] = claims;
  return claim === undefined || claims.some(({ fits }) => fits)
    ? null
    : undecidable(`${given}, but the answer says ${quoted(claim.quote, 40)}`);
}

/**
 * The words with which the answer says that it found or did nothing, or null. An answer without words, such as "...",
 * counts as a denial. "Is closed" counts only if a check is about opening hours. If a check compares the answer's claims,
 * there is no denial.
 */
export function denialIn(matter: Answered, checks: readonly Check[]): string | null {
  const { response } = matter.evalCase;
  const claims = checks.flatMap((check) => (check.type === 'says-same' ? check.field : []));
  if (claims.some((path) => fieldOf(matter.evalCase, path) !== undefined)) return null;
  if (!/[\p{L}\p{N}]/u.test(response)) return response;
  const hasHours = checks.some(({ type }) => type === 'open-at');
  const denials = mentionsOf(DENIAL, wordsOf(matter), matter.vocabulary);
  return denials.find(({ terms }) => hasHours || !terms.includes('closed'))?.quote ?? null;
}
