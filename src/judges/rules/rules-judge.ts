import type { EvalCase } from '../../case/case.ts';
import { answersOf, isPair } from '../../case/pair.ts';
import { oncePer, type Words } from '../../case/words.ts';
import { messageOf } from '../../common/errors.ts';
import { andList } from '../../common/text.ts';
import type { Check, Lexicons } from '../../judging/check.ts';
import { type Finding, freeUsage, type Judgement } from '../../judging/judgement.ts';
import type { Ask, Question } from '../../judging/ports.ts';
import type { Rubric } from '../../judging/rubric.ts';
import { contentHash } from '../../prompting/library.ts';
import { runCheck, seeksWishes } from './checks.ts';
import { compileLexicon, requestWords } from './lexicon.ts';
import { denialIn, type PasteFormat } from './matter.ts';
import { createVocabulary, DENIAL, FILLER, NEGATION, TRAVEL, type Vocabulary, WAY } from './mentions.ts';
import {
  type CriterionOutcome,
  explain,
  type Outcome,
  quoted,
  summarize,
  undecidable,
  whyUnscored,
} from './outcome.ts';
import { readRequest } from './request.ts';
import { NUMBERS, numberWords } from './tokens.ts';

/** The name of this judge among the models. */
export const RULES = 'rules';

/** To be raised whenever the checks themselves judge differently than before: results of both must not be mixed. */
const VERSION = 11;

/** The lexicons that a rubric's checks use, the earlier before the later where both know a phrase. */
function lexiconsOf({ criteria }: Pick<Rubric, 'criteria'>) {
  const checks = criteria.flatMap(({ check }) => check ?? []);
  const idsOf = (keeps: (check: Check) => boolean) =>
    new Set(
      checks.flatMap((check) => ('lexicon' in check && check.lexicon && keeps(check) ? [check.lexicon] : [])),
    );
  // Words of answers only.
  const reported = checks.flatMap((check) => (check.type === 'has-all' ? (check.reported ?? []) : []));
  // Elsewhere than with a drive "in ten minutes" is not understood.
  const ofDrives = checks.some(({ type }) => type === 'drive-at-most') ? [TRAVEL, WAY] : [];
  return { all: [...idsOf(() => true), ...ofDrives, NEGATION, FILLER, DENIAL, ...reported], idsOf, reported };
}

const compiled = oncePer(compileLexicon);

function vocabularyFor(rubric: Rubric, lexicons: Lexicons): Vocabulary {
  const { all, idsOf, reported } = lexiconsOf(rubric);
  const [common, own] = [lexicons.get(FILLER), lexicons.get(rubric.id)];
  const plain = common && own ? requestWords(common, own) : common;
  const known = all.flatMap((id) => (id === FILLER ? plain : lexicons.get(id)) ?? []);
  return createVocabulary(known.map(compiled), {
    numeric: idsOf(({ type }) => type === 'number-wish'),
    beside: new Set([WAY, DENIAL, ...reported]),
    measured: idsOf((check) => check.type === 'number-wish' && check.unit !== undefined),
    wishes: idsOf(seeksWishes),
    numbers: numberWords(lexicons.get(NUMBERS)),
  });
}

/** Hash of all that the exact checks of a rubric go by: the checks, the words that they know, and their version. */
export function rulesHash(
  { id: rubricId, criteria, decide }: Rubric,
  lexicons: Lexicons,
  words: Words,
): string {
  const checks = criteria.map(({ id, needs, unlessSaid, check }) => ({ id, needs, unlessSaid, check }));
  const used = new Set([...lexiconsOf({ criteria }).all, NUMBERS, rubricId]);
  const known = [...used].sort().map((id) => lexicons.get(id) ?? null);
  const { hours, moments, units, weekdays } = words;
  const readsHours = criteria.some(({ check }) => check?.type === 'open-at');
  const parts = [checks, known, ...(readsHours ? [{ hours, moments, units, weekdays }] : [])];
  return contentHash(String(VERSION), decide, ...parts.map((part) => JSON.stringify(part)));
}

/** −1 if the first answer alone holds, 1 if the second alone does, 0 if both hold or both fail; null if one is not checked. */
function preferred(first: Outcome['decision'], second: Outcome['decision']): number | null {
  if (first === 'unscored' || second === 'unscored') return null;
  return first === second ? 0 : first === 'pass' ? -1 : 1;
}

const NEEDS_MODEL = 'which of two answers is better needs a model';

/** Two answers, each checked by itself: right where exactly one of them holds, else silent. */
function compare(
  rubric: Rubric,
  answers: readonly [CriterionOutcome[], CriterionOutcome[]],
  confidence: number | null,
) {
  const [first, second] = answers;
  const verbs = { pass: 'holds', fail: 'does not hold', unscored: 'is not checked' };
  const said = (outcome: Outcome | undefined) =>
    outcome === undefined ? '' : `${verbs[outcome.decision]}: ${explain(outcome)}`;
  const criteria = first.map(({ criterion: { id }, outcome }, index): Finding => {
    const other = second[index]?.outcome;
    const score = preferred(outcome.decision, other?.decision ?? 'unscored');
    const sides = { first: said(outcome), second: said(other) };
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

/** What the findings come to: fail where one fails, unscored where one is not checked, else pass. */
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
 * The built-in judge `rules`: exact checks, no network, the same answer for the same case, whoever the persona is. What
 * cannot be read is unscored, never a pass. Never rejects.
 */
export function createRulesJudge(
  lexicons: Lexicons,
  format: PasteFormat,
  promptHash: (question: Question) => string,
): Ask {
  // Each case is read and checked once for all personas.
  const checkedBy = oncePer((rubric: Rubric) => {
    const vocabulary = vocabularyFor(rubric, lexicons);
    return oncePer((evalCase: EvalCase) => {
      const checks = rubric.criteria.flatMap(({ check }) => check ?? []);
      const request = readRequest(evalCase, vocabulary);
      const matter = {
        evalCase,
        vocabulary,
        request,
        format,
        denial: denialIn({ evalCase, vocabulary }, checks),
      };
      // All at once, so that only the outcomes are kept, and not what was read for them.
      const outcomes = new Map(
        rubric.criteria.map(({ id, check }) => [id, check && runCheck(check, matter)]),
      );
      return { outcomes, unchecked: andList(request.unchecked.map((words) => quoted(words))) };
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
      const found = foundIn(evalCase);
      const criteria = found.map(({ criterion: { id }, outcome }): Finding => {
        const rationale = explain(outcome);
        return { id, decision: outcome.decision, score: null, rationale };
      });
      const answer = decide(rubric, found, confidence);
      const { unchecked } = checkedBy(rubric)(evalCase);
      const caveat =
        unchecked === '' ? {} : { caveat: `Not checked: ${unchecked} – no criterion is about it` };
      return { ...asked, promptHash: promptHash(question), criteria, ...answer, ...caveat };
    } catch (thrown) {
      const message = `the exact checks failed on this case: ${messageOf(thrown)}`;
      return { ...asked, promptHash: null, status: 'unscored', reason: 'error', message, criteria: [] };
    }
  };
}
