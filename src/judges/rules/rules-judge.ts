import type { Words } from '../../case/format/index.ts';
import { answersOf, type EvalCase, fieldOf, isPair } from '../../case/index.ts';
import { messageOf, oncePer } from '../../common/index.ts';
import { andList } from '../../common/text/index.ts';
import type { Ask, Question } from '../../judging/index.ts';
import type { Cars, Check, Lexicons, Rubric } from '../../judging/standards/index.ts';
import { type Finding, freeUsage, type Judgement } from '../../judging/verdict/index.ts';
import { contentHash } from '../../prompting/index.ts';
import { noOtherCalls, rightCalls, stateAfter } from './call-checks.ts';
import {
  type CheckOf,
  type CriterionOutcome,
  decided,
  denialIn,
  explain,
  MAX_ANSWER,
  type Matter,
  notGiven,
  type Outcome,
  type PasteFormat,
  quoted,
  summarize,
  undecidable,
  whyUnscored,
} from './check-outcome.ts';
import { saysWhatItDid } from './claim-check.ts';
import { noCallWithoutConsent } from './consent-check.ts';
import { type CompiledLexicon, compileLexicon, requestWords } from './lexicon.ts';
import { createVocabulary, DENIAL, FILLER, NEGATION, TRAVEL, type Vocabulary, WAY } from './match-phrases.ts';
import { atMostField, driveAtMost, numberWish, withinRange } from './number-checks.ts';
import { openAt } from './opening-hours-check.ts';
import { readRequest } from './read-request.ts';
import { hasAll, sameTerm, termsIn, textsOf, titlesOf, unreadable } from './term-checks.ts';
import { NUMBERS, numberWords } from './tokens.ts';
import { TOOL_WORDS } from './tool-words.ts';

/** Checks that the response names the same term as the field. No decision if either names none or several. */
function saysSame(check: CheckOf<'says-same'>, lexicon: CompiledLexicon, matter: Matter): Outcome {
  const { evalCase, vocabulary } = matter;
  const value = textsOf(fieldOf(evalCase, check.field));
  if (value.length === 0) return notGiven(`the ${check.name}`, check.field, matter);
  const onlyTerm = (texts: readonly string[]) => {
    if (unreadable(texts, lexicon, vocabulary) !== null) return null;
    const [only, ...others] = new Set(termsIn(texts, lexicon).map((names) => [...names].sort().join()));
    return only !== undefined && others.length === 0 ? only.split(',') : null;
  };
  const claimed = evalCase.response.length > MAX_ANSWER ? null : onlyTerm([evalCase.response]);
  const real = onlyTerm(value);
  if (claimed === null)
    return undecidable(`the words of the response do not show what ${check.name} it claims`);
  if (real === null)
    return undecidable(
      `the ${check.name} ${quoted(value.join(', '))} is not known here`,
      `ask a model, or add the word to prompts/lexicons/${check.lexicon}.yaml`,
    );
  const [claim, fact] = [titlesOf(claimed, lexicon), titlesOf(real, lexicon)];
  const holds = real.every((term) => claimed.includes(term));
  return decided(
    holds,
    holds
      ? `the response claims what happened: ${fact}`
      : `the response claims "${claim}", but the ${check.name} is "${fact}"`,
  );
}

/** Wraps a check that needs a lexicon: no decision if the lexicon is missing. */
const withLexicon =
  <One extends { lexicon: string }>(run: (check: One, lexicon: CompiledLexicon, matter: Matter) => Outcome) =>
  (check: One, matter: Matter): Outcome => {
    const lexicon = matter.vocabulary.lexicons.get(check.lexicon);
    return lexicon === undefined
      ? undecidable(`there is no lexicon "${check.lexicon}"`, `add prompts/lexicons/${check.lexicon}.yaml`)
      : run(check, lexicon, matter);
  };

interface Registered<Type extends Check['type']> {
  run: (check: CheckOf<Type>, matter: Matter) => Outcome;
  /** What it looks for in the request: wishes from its lexicon, other words, or nothing if it does not read the request. */
  seeks: 'wishes' | 'words' | 'nothing';
  /** The lexicons that it reads the response or the calls with, each matched on its own. */
  beside?: (check: CheckOf<Type>) => readonly string[];
}

/** All checks by type. To add one, write its schema in judging/standards/rubric-checks.ts, a function, and a line here. */
const checks: { [Type in Check['type']]: Registered<Type> } = {
  'at-most-field': { run: atMostField, seeks: 'nothing' },
  calls: { run: rightCalls, seeks: 'nothing', beside: () => [TOOL_WORDS] },
  'drive-at-most': { run: driveAtMost, seeks: 'words' },
  'has-all': { run: withLexicon(hasAll), seeks: 'wishes' },
  'no-call-without-consent': {
    run: noCallWithoutConsent,
    seeks: 'nothing',
    beside: ({ lexicon }) => [lexicon],
  },
  'no-other-calls': { run: noOtherCalls, seeks: 'nothing', beside: () => [TOOL_WORDS] },
  'number-wish': { run: withLexicon(numberWish), seeks: 'wishes' },
  'open-at': { run: openAt, seeks: 'words' },
  'same-term': { run: withLexicon(sameTerm), seeks: 'wishes' },
  'says-same': { run: withLexicon(saysSame), seeks: 'nothing' },
  'says-what-it-did': {
    run: saysWhatItDid,
    seeks: 'nothing',
    beside: ({ lexicon, devices, places }) => [
      TOOL_WORDS,
      lexicon,
      ...[devices, places].filter((id) => id !== undefined),
    ],
  },
  'state-after': { run: stateAfter, seeks: 'nothing', beside: () => [TOOL_WORDS] },
  'within-range': { run: withinRange, seeks: 'nothing' },
};

/**
 * What the request names but no criterion checks. If the checks look for wishes, a pass also names possible wishes: words
 * that describe a place and, if every lexicon of wishes has one, unexplained words.
 */
function uncheckedIn({ request, vocabulary }: Matter) {
  const { wishes } = vocabulary;
  const isRead = wishes.every((id) => request.wishes.some(({ lexicon }) => lexicon === id));
  const unread = isRead ? request.unread.map(({ quote }) => quote) : [];
  const maybe = wishes.length > 0 ? [...request.maybeUnchecked, ...unread] : [];
  const quotes = (words: readonly string[]) => words.map((one) => quoted(one));
  return { named: quotes(request.unchecked), inPass: quotes([...request.unchecked, ...maybe]) };
}

/** Why a check without an exact wish may not apply: a later turn may ask for something else. Null if it applies. */
function unsureWhole(check: Check, { request }: Matter): string | null {
  const { later, way, wishes } = request;
  const isNamed =
    check.type === 'drive-at-most'
      ? way.limit !== null
      : 'lexicon' in check &&
        wishes.some(({ lexicon, reading }) => lexicon === check.lexicon && reading === 'exact');
  return later === null || isNamed
    ? null
    : `${quoted(later)} may ask for something else than what was said before`;
}

function runCheck<Type extends Check['type']>(check: CheckOf<Type>, matter: Matter): Outcome {
  const { run, seeks }: Registered<Type> = checks[check.type];
  const { tooLong } = matter.request;
  if (seeks !== 'nothing' && tooLong !== null) return undecidable(tooLong);
  const outcome = run(check, matter);
  if (seeks !== 'nothing' && outcome.decision === 'fail') {
    const open = unsureWhole(check, matter);
    if (open !== null) return undecidable(open);
  }
  // An answer that finds no such place contradicts a case that contains one.
  return seeks !== 'nothing' && outcome.decision === 'pass' && matter.denial !== null
    ? undecidable(`the answer says ${quoted(matter.denial)}, which does not fit the data`)
    : outcome;
}

const noCars: Cars = { get: () => undefined };

/** The judge's model name. */
export const RULES = 'rules';

/** Raise this whenever the checks decide differently, so that old and new results are not mixed. */
const VERSION = 14;

const besideOf = <Type extends Check['type']>(check: CheckOf<Type>): readonly string[] => {
  const { beside }: Registered<Type> = checks[check.type];
  return beside?.(check) ?? [];
};

/** The lexicons that a rubric's checks use. If two contain the same phrase, the earlier one takes precedence. */
function lexiconsOf({ criteria }: Pick<Rubric, 'criteria'>) {
  const checks = criteria.flatMap(({ check }) => check ?? []);
  const idsOf = (keeps: (check: Check) => boolean) =>
    new Set(
      checks.flatMap((check) => ('lexicon' in check && check.lexicon && keeps(check) ? [check.lexicon] : [])),
    );
  // For answers only.
  const reported = [
    ...checks.flatMap((check) => (check.type === 'has-all' ? (check.reported ?? []) : [])),
    ...checks.flatMap((check) => besideOf(check)),
  ];
  // "In ten minutes" is only understood if a check is about the drive.
  const ofDrives = checks.some(({ type }) => type === 'drive-at-most') ? [TRAVEL, WAY] : [];
  return { all: [...idsOf(() => true), ...ofDrives, NEGATION, FILLER, DENIAL, ...reported], idsOf, reported };
}

const compiled = oncePer(compileLexicon);

const vocabularies = oncePer((lexicons: Lexicons) =>
  oncePer((rubric: Rubric) => vocabularyFor(rubric, lexicons)),
);

function vocabularyFor(rubric: Rubric, lexicons: Lexicons): Vocabulary {
  const { all, idsOf, reported } = lexiconsOf(rubric);
  const [common, ofRubric] = [lexicons.get(FILLER), lexicons.get(rubric.id)];
  const plain = common && ofRubric ? requestWords(common, ofRubric) : common;
  const inUse = all.flatMap((id) => (id === FILLER ? plain : lexicons.get(id)) ?? []);
  return createVocabulary(inUse.map(compiled), {
    numeric: idsOf(({ type }) => type === 'number-wish'),
    beside: new Set([WAY, DENIAL, ...reported]),
    measured: idsOf((check) => check.type === 'number-wish' && check.unit !== undefined),
    wishes: idsOf(({ type }) => checks[type].seeks === 'wishes'),
    numbers: numberWords(lexicons.get(NUMBERS)),
  });
}

/** A hash of everything that a rubric's exact checks depend on: the checks, their vocabulary and their version. */
export function rulesHash(
  { id: rubricId, criteria, decide }: Rubric,
  lexicons: Lexicons,
  words: Words,
  cars: Cars = noCars,
): string {
  const checks = criteria.map(({ id, needs, unlessSaid, check }) => ({ id, needs, unlessSaid, check }));
  const used = new Set([...lexiconsOf({ criteria }).all, NUMBERS, rubricId]);
  const lexiconData = [...used].sort().map((id) => lexicons.get(id) ?? null);
  const { hours, moments, units, weekdays } = words;
  const readsHours = criteria.some(({ check }) => check?.type === 'open-at');
  const modeled = new Set(
    criteria.flatMap(({ check }) => (check !== undefined && 'car' in check ? (check.car ?? []) : [])),
  );
  const carData = [...modeled].sort().map((id) => cars.get(id) ?? null);
  const parts = [
    checks,
    lexiconData,
    ...(readsHours ? [{ hours, moments, units, weekdays }] : []),
    ...(carData.length > 0 ? [carData] : []),
  ];
  return contentHash(String(VERSION), decide, ...parts.map((part) => JSON.stringify(part)));
}

/** −1 if only the first answer passes, 1 if only the second does, 0 if both pass or both fail, null if one is unscored. */
function preferred(first: Outcome['decision'], second: Outcome['decision']): number | null {
  if (first === 'unscored' || second === 'unscored') return null;
  return first === second ? 0 : first === 'pass' ? -1 : 1;
}

const NEEDS_MODEL = 'which of two answers is better needs a model';

/** Compares two answers, each checked by itself. Unscored unless exactly one of them passes, since that needs a model. */
function compare(
  rubric: Rubric,
  answers: readonly [CriterionOutcome[], CriterionOutcome[]],
  confidence: number | null,
) {
  const [first, second] = answers;
  const verbs = { pass: 'holds', fail: 'does not hold', unscored: 'is not checked' };
  const outcomeText = (outcome: Outcome | undefined) =>
    outcome === undefined ? '' : `${verbs[outcome.decision]}: ${explain(outcome)}`;
  const criteria = first.map(({ criterion: { id }, outcome }, index): Finding => {
    const other = second[index]?.outcome;
    const score = preferred(outcome.decision, other?.decision ?? 'unscored');
    const sides = { first: outcomeText(outcome), second: outcomeText(other) };
    const rationale = `${sides.first} / ${sides.second}`;
    return { id, decision: score === null ? 'unscored' : 'scored', score, rationale, sides };
  });
  const [one, two] = answers.map((outcomes) => decide({ ...rubric, decide: 'all' }, outcomes, confidence));
  const verdictOf = (answer: typeof one) => (answer?.status === 'scored' ? answer.decision : 'unscored');
  const score = preferred(verdictOf(one), verdictOf(two));
  if (score === null || score === 0 || one?.status !== 'scored' || two?.status !== 'scored')
    return { status: 'unscored', reason: 'unsupported', message: NEEDS_MODEL, criteria } as const;
  const summed = ({ decision, rationale }: { decision: 'pass' | 'fail'; rationale: string }) =>
    decision === 'pass' ? 'passes every exact check' : `fails: ${rationale}`;
  const sides = { first: summed(one), second: summed(two) };
  const rationale = `${sides.first} / ${sides.second}`;
  return { status: 'scored', decision: 'scored', score, confidence, rationale, sides, criteria } as const;
}

/** The overall result: fail if any finding fails, otherwise unscored if any is not checked, otherwise pass. */
function decide(rubric: Rubric, outcomes: readonly CriterionOutcome[], confidence: number | null) {
  const unsupported = (message: string) => ({ status: 'unscored', reason: 'unsupported', message }) as const;
  if (rubric.decide !== 'all')
    return unsupported(
      `the rubric "${rubric.id}" asks for a score, which exact checks do not give: ask a model`,
    );
  if (outcomes.length === 0) return unsupported('there is no criterion to check');
  const decisions = outcomes.map(({ outcome }) => outcome.decision);
  const fails = decisions.includes('fail');
  if (!fails && decisions.includes('unscored')) return unsupported(whyUnscored(outcomes));
  const rationale = summarize(outcomes);
  return { status: 'scored', decision: fails ? 'fail' : 'pass', score: null, confidence, rationale } as const;
}

/**
 * Creates the built-in judge `rules`: exact checks without network access, with the same result for a case whichever
 * persona asks. What cannot be read is unscored, never a pass. The judge never rejects.
 * @param promptHash the hash to store with the judgement of a question
 */
export function createRulesJudge(
  lexicons: Lexicons,
  format: PasteFormat,
  promptHash: (question: Question) => string,
  cars: Cars = noCars,
): Ask {
  // Each case is read and checked once for all personas.
  const checkedBy = oncePer((rubric: Rubric) => {
    const vocabulary = vocabularies(lexicons)(rubric);
    return oncePer((evalCase: EvalCase) => {
      const checks = rubric.criteria.flatMap(({ check }) => check ?? []);
      const request = readRequest(evalCase, vocabulary);
      const matter = {
        evalCase,
        vocabulary,
        request,
        format,
        cars,
        denial: denialIn({ evalCase, vocabulary }, checks),
      };
      // All checks run at once, so that only their outcomes stay in memory.
      const outcomes = new Map(
        rubric.criteria.map(({ id, check }) => [id, check && runCheck(check, matter)]),
      );
      return { outcomes, unchecked: uncheckedIn(matter) };
    });
  });

  return async (question): Promise<Judgement> => {
    const { round, judge, rubric, evalCase, method } = question;
    const confidence = method.confidence ? 1 : null;
    const asked = { round, judge, usage: freeUsage };
    try {
      const foundIn = (answer: EvalCase) =>
        question.criteria.map((criterion) => ({
          criterion,
          outcome:
            checkedBy(rubric)(answer).outcomes.get(criterion.id) ??
            undecidable(`no exact check covers "${criterion.title}"`, 'it needs a model'),
        }));
      if (isPair(evalCase)) {
        const [first, second] = answersOf(evalCase);
        return {
          ...asked,
          promptHash: promptHash(question),
          ...compare(rubric, [foundIn(first), foundIn(second)], confidence),
        };
      }
      const outcomes = foundIn(evalCase);
      const criteria = outcomes.map(({ criterion: { id }, outcome }): Finding => {
        const rationale = explain(outcome);
        return { id, decision: outcome.decision, score: null, rationale };
      });
      const answer = decide(rubric, outcomes, confidence);
      const { named, inPass } = checkedBy(rubric)(evalCase).unchecked;
      const isPass = answer.status === 'scored' && answer.decision === 'pass';
      const unchecked = isPass ? inPass : named;
      const caveat =
        unchecked.length === 0
          ? {}
          : {
              caveat: `Not checked: ${andList(unchecked)} – no criterion is about ${unchecked.length === 1 ? 'it' : 'them'}`,
            };
      return { ...asked, promptHash: promptHash(question), criteria, ...answer, ...caveat };
    } catch (thrown) {
      const message = `the exact checks failed on this case: ${messageOf(thrown)}`;
      return { ...asked, promptHash: null, status: 'unscored', reason: 'error', message, criteria: [] };
    }
  };
}
