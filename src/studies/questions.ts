import * as z from 'zod';
import { shownFields } from '../case/format/index.ts';
import { fieldOf, isPair } from '../case/index.ts';
import { isBinary, isCriterionFor } from '../judging/standards/index.ts';
import { UNSURE } from '../labels/index.ts';
import { type Language, type Words, wordsIn } from '../words/index.ts';
import { type AskedCriterion, type Study, type StudyItem, standardOf, studyItems } from './study.ts';
import type { StudyCase } from './study-case.ts';

/** 1 = invalid, 2 = most likely invalid, 3 = inconclusive, 4 = most likely valid, 5 = valid. Habicht et al., 6.4. */
const Rating = z.int().min(1).max(5);

/** In characters. */
const MAX_COMMENT = 3_000;

/** Possible answers about a pair of answers. */
const Better = z.enum(['A', 'B', 'same', UNSURE]);

/** An annotator's answers about one case. */
export const Answers = z.strictObject({
  user: Rating.optional(),
  system: Rating.optional(),
  correct: z.union([z.boolean(), z.literal(UNSURE)]).optional(),
  /** Replaces `correct` if there are two answers. */
  better: Better.optional(),
  /** By criterion: whether it is met, a score on its scale, or which of two answers meets it better. */
  criteria: z
    .record(z.string(), z.union([z.number(), z.enum(['pass', 'fail', 'not-relevant', ...Better.options])]))
    .optional(),
  /** Ids of error types. */
  errors: z.array(z.string()).optional(),
  comment: z.string().max(MAX_COMMENT).optional(),
});
export type Answers = z.infer<typeof Answers>;

interface QuestionChoice {
  id: string;
  title: string;
}

/** A question about a case, the same on every surface. */
export interface Question {
  /** A study item, `better`, or `criteria.` followed by a criterion's id. */
  id: string;
  label: string;
  hint?: string;
  answer:
    | { kind: 'one'; choices: readonly QuestionChoice[]; required: string }
    /** Left empty if unsure. */
    | { kind: 'number'; min: number; max: number }
    | { kind: 'several'; choices: readonly QuestionChoice[] }
    | { kind: 'text'; maxLength: number };
}

/** Raw answers by question id: the id of a choice, a number as text, ids of several choices, or text. */
export type Values = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The choices that questions share, in a language. */
function choicesIn({ studies }: Words) {
  const unsure = { id: UNSURE, title: studies.unsure };
  return {
    unsure,
    ratings: studies.ratings.map((title, index) => ({
      id: String(index + 1),
      title: `${index + 1}: ${title}`,
    })),
    yesNo: [{ id: 'yes', title: studies.yes }, { id: 'no', title: studies.no }, unsure],
    which: [
      { id: 'A', title: studies.answer('A') },
      { id: 'B', title: studies.answer('B') },
      { id: 'same', title: studies.same },
      unsure,
    ],
  };
}

/** Scales with more levels are answered with a typed number. */
const MAX_LEVELS = 11;

const CRITERION = 'criteria.';

/** How a criterion is answered on its scale. */
function criterionAnswer(
  { scale, mayNotApply }: AskedCriterion,
  pair: boolean,
  words: Words,
): Question['answer'] {
  const { studies } = words;
  const { unsure, which } = choicesIn(words);
  const required = studies.required.choose;
  if (pair) return { kind: 'one', choices: which, required };
  if (isBinary(scale)) {
    const choices = [
      { id: 'pass', title: studies.met },
      { id: 'fail', title: studies.notMet },
      ...(mayNotApply ? [{ id: 'not-relevant', title: studies.notRelevant }] : []),
      unsure,
    ];
    return { kind: 'one', choices, required };
  }
  const { min, max, levels = {} } = scale;
  const isWhole = Number.isInteger(min) && Number.isInteger(max) && max - min < MAX_LEVELS;
  if (!isWhole) return { kind: 'number', min, max };
  const choices = Array.from({ length: max - min + 1 }, (_, index) => {
    const id = String(min + index);
    return { id, title: levels[id] === undefined ? id : `${id}: ${levels[id]}` };
  });
  return { kind: 'one', choices: [...choices, unsure], required };
}

/** With more criteria, forms omit the rules, for lack of room; every form links to the guide, which has them. */
const MAX_RULES = 15;

/** The meanings of a scale's levels, where the answer is typed. */
const levelsText = ({ scale }: AskedCriterion): string[] =>
  isBinary(scale) ? [] : Object.entries(scale.levels ?? {}).map(([level, meaning]) => `${level}: ${meaning}`);

/** @param shown lines of the case that are shown beside this question */
function criterionQuestion(
  criterion: AskedCriterion,
  pair: boolean,
  withRule: boolean,
  shown: readonly string[],
  words: Words,
): Question {
  const { studies } = words;
  const answer = criterionAnswer(criterion, pair, words);
  const range = answer.kind === 'number' ? [studies.range(answer), ...levelsText(criterion)] : [];
  const hint = [...shown, ...(withRule ? [criterion.rule] : []), ...range].join(' ');
  return {
    id: CRITERION + criterion.id,
    label: pair ? studies.meetsBetter(criterion.title) : criterion.title,
    ...(hint === '' ? {} : { hint }),
    answer,
  };
}

/** A question that is the same in every study. */
function fixedQuestion(id: Exclude<StudyItem, 'errors'> | 'better', words: Words): Question {
  const { questions, required } = words.studies;
  const { ratings, yesNo, which } = choicesIn(words);
  const rate = { kind: 'one', choices: ratings, required: required.rate } as const;
  switch (id) {
    case 'user':
      return { id, label: questions.user, hint: questions.userHint, answer: rate };
    case 'system':
      return { id, label: questions.system, hint: questions.systemHint, answer: rate };
    case 'correct':
      return {
        id,
        label: questions.correct,
        answer: { kind: 'one', choices: yesNo, required: required.correct },
      };
    case 'better':
      return {
        id,
        label: questions.better,
        answer: { kind: 'one', choices: which, required: required.better },
      };
    case 'comment':
      return { id, label: questions.comment, answer: { kind: 'text', maxLength: MAX_COMMENT } };
  }
}

/** The question for a study item. Two answers are compared rather than rated, so some items are dropped. */
function itemQuestion(
  item: StudyItem,
  choices: Study['errorTypes'],
  pair: boolean,
  words: Words,
): Question[] {
  if (pair && (item === 'errors' || item === 'system')) return [];
  if (item === 'errors')
    return [{ id: item, label: words.studies.questions.errors, answer: { kind: 'several', choices } }];
  return [fixedQuestion(pair && item === 'correct' ? 'better' : item, words)];
}

type Asked = Pick<Study, 'items' | 'cases' | 'standard' | 'errorTypes' | 'questions' | 'others'>;

/** The fields that are shown beside the question about a criterion, and not with the case. */
function linesBeside(
  criterion: string,
  seenBy: Readonly<Record<string, readonly string[]>>,
  shown: StudyCase | undefined,
): string[] {
  return Object.entries(seenBy)
    .filter(([, ids]) => ids.includes(criterion))
    .flatMap(([path]) => shownFields(path.split('.').at(-1) ?? path, fieldOf(shown?.evalCase, path)))
    .map(({ title, text }) => `${title}: ${text}.`);
}

/**
 * The questions about a case; its rubric's criteria come before the comment.
 *
 * @param mostRules with more criteria than this, rules are left to the guide
 */
export function questionsOf(
  study: Asked,
  index: number,
  { mostRules = MAX_RULES, language = 'en' }: { mostRules?: number; language?: Language } = {},
): Question[] {
  const words = wordsIn(language);
  const shown = study.cases[index];
  const { errorTypes, questions: all = [], seenBy = {} } = standardOf(study, shown);
  const questions = all.filter((one) => shown === undefined || isCriterionFor(one, shown.evalCase));
  const pair = shown !== undefined && isPair(shown.evalCase);
  const criteria = questions.map((one) =>
    criterionQuestion(one, pair, questions.length <= mostRules, linesBeside(one.id, seenBy, shown), words),
  );
  const items = studyItems
    .filter((item) => study.items.includes(item))
    .flatMap((item) => itemQuestion(item, errorTypes, pair, words));
  const comment = items.filter(({ id }) => id === 'comment');
  return [...items.filter(({ id }) => id !== 'comment'), ...criteria, ...comment];
}

/** Whether a dialog asks a question, given the answers so far: errors only if the response is incorrect. */
export const isAskedAfter = ({ id }: Question, { correct }: Answers): boolean =>
  id !== 'errors' || correct === undefined || correct === false;

/** The answer to a question, in the raw form of a form or file. */
export function saidTo(answers: Answers, id: string): string | readonly string[] | undefined {
  const { user, system, correct, better, criteria, errors, comment } = answers;
  if (id.startsWith(CRITERION)) return criteria?.[id.slice(CRITERION.length)]?.toString();
  if (id === 'correct') return typeof correct === 'boolean' ? (correct ? 'yes' : 'no') : correct;
  return { user: user?.toString(), system: system?.toString(), better, errors, comment }[id];
}

/** As typed: `checkAnswers` reports comments that are too long. */
const Typed = Answers.extend({ comment: z.string().optional() });

/** Parses raw answers; questions without one are left out, except that an empty number means unsure. */
export function answersOf(questions: readonly Question[], values: Values): Answers {
  const answers = questions.map(({ id, answer }): [string, unknown] => {
    const value = values[id];
    const empty = value === undefined || value.length === 0;
    if (empty) return [id, answer.kind === 'number' ? UNSURE : undefined];
    if (id === 'correct') return [id, value === UNSURE ? value : value === 'yes'];
    const isNumber = answer.kind !== 'text' && typeof value === 'string' && Number.isFinite(Number(value));
    return [id, isNumber ? Number(value) : value];
  });
  const given = answers.filter(([, value]) => value !== undefined);
  const criteria = given.filter(([id]) => id.startsWith(CRITERION));
  return Typed.parse({
    ...Object.fromEntries(given.filter(([id]) => !id.startsWith(CRITERION))),
    ...(criteria.length === 0
      ? {}
      : { criteria: Object.fromEntries(criteria.map(([id, value]) => [id.slice(CRITERION.length), value])) }),
  });
}

/** What is wrong with the named errors, given whether the response is marked correct. */
function errorsProblem(
  correct: Answers['correct'],
  named: readonly string[],
  { studies: { wrong } }: Words,
): string | null {
  if (correct === true && named.length > 0) return wrong.markedCorrect;
  if (correct === UNSURE && named.length > 0) return wrong.markedUnsure;
  return correct === false && named.length === 0 ? wrong.nameOne : null;
}

function problemAt(
  { id, answer }: Question,
  value: string | readonly string[] | undefined,
  correct: Answers['correct'],
  words: Words,
): string | null {
  const { wrong } = words.studies;
  switch (answer.kind) {
    case 'one':
      return answer.choices.some((choice) => choice.id === value) ? null : answer.required;
    case 'number': {
      if (value === undefined || value === UNSURE) return null;
      const { min, max } = answer;
      return Number(value) >= min && Number(value) <= max ? null : wrong.number({ min, max });
    }
    case 'several': {
      const choiceIds = answer.choices.map((choice) => choice.id);
      const named = [value ?? []].flat();
      const unknown = named.find((one) => !choiceIds.includes(one));
      if (unknown !== undefined) return wrong.noError({ id: unknown.slice(0, 60), all: choiceIds });
      return id === 'errors' ? errorsProblem(correct, named, words) : null;
    }
    case 'text':
      return (value?.length ?? 0) > answer.maxLength ? wrong.tooLong(answer.maxLength) : null;
  }
}

/** Keeps only answers to these questions, in a canonical form, so that equal answers are equal objects. */
function normalized(questions: readonly Question[], answers: Answers): Answers {
  const values = questions.map(({ id, answer }): [string, Values[string]] => {
    const value = saidTo(answers, id);
    if (answer.kind === 'several')
      return [id, answer.choices.map((choice) => choice.id).filter((one) => value?.includes(one))];
    return [id, typeof value === 'string' ? value.trim() : value];
  });
  return answersOf(questions, Object.fromEntries(values));
}

/** A result if the answers are complete and consistent, otherwise the problems by question id. */
export type Checked<T> = ({ ok: true } & T) | { ok: false; problems: { item: string; problem: string }[] };

/** The normalized answers, or what is wrong with them. */
export function checkAnswers(
  questions: readonly Question[],
  answers: Answers,
  language: Language = 'en',
): Checked<{ answers: Answers }> {
  const asksCorrect = questions.some(({ id }) => id === 'correct');
  const problems = questions.flatMap((question) => {
    const value = saidTo(answers, question.id);
    const problem = problemAt(question, value, asksCorrect ? answers.correct : undefined, wordsIn(language));
    return problem === null ? [] : [{ item: question.id, problem }];
  });
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, answers: normalized(questions, answers) };
}
