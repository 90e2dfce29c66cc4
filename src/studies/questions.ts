import * as z from 'zod';
import { shownFields } from '../case/format/index.ts';
import { fieldOf, isPair } from '../case/index.ts';
import { isBinary } from '../judging/standards/index.ts';
import { UNSURE } from '../labels/index.ts';
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

const UNSURE_CHOICE = { id: UNSURE, title: 'Unsure' };

const RATINGS = ['invalid', 'most likely invalid', 'inconclusive', 'most likely valid', 'valid'].map(
  (title, index) => ({ id: String(index + 1), title: `${index + 1}: ${title}` }),
);
const YES_NO = [{ id: 'yes', title: 'Yes' }, { id: 'no', title: 'No' }, UNSURE_CHOICE];
const WHICH = [
  { id: 'A', title: 'Answer A' },
  { id: 'B', title: 'Answer B' },
  { id: 'same', title: 'The same' },
  UNSURE_CHOICE,
];

/** Scales with more levels are answered with a typed number. */
const MAX_LEVELS = 11;

const CRITERION = 'criteria.';

/** How a criterion is answered on its scale. */
function criterionAnswer({ scale, mayNotApply }: AskedCriterion, pair: boolean): Question['answer'] {
  const required = 'Choose an answer; "Unsure" is one.';
  if (pair) return { kind: 'one', choices: WHICH, required };
  if (isBinary(scale)) {
    const choices = [
      { id: 'pass', title: 'Met' },
      { id: 'fail', title: 'Not met' },
      ...(mayNotApply ? [{ id: 'not-relevant', title: 'Does not apply' }] : []),
      UNSURE_CHOICE,
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
  return { kind: 'one', choices: [...choices, UNSURE_CHOICE], required };
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
): Question {
  const answer = criterionAnswer(criterion, pair);
  const range =
    answer.kind === 'number'
      ? [`${answer.min} to ${answer.max}; empty if you are unsure.`, ...levelsText(criterion)]
      : [];
  const hint = [...shown, ...(withRule ? [criterion.rule] : []), ...range].join(' ');
  return {
    id: CRITERION + criterion.id,
    label: pair ? `${criterion.title}: which answer meets it better?` : criterion.title,
    ...(hint === '' ? {} : { hint }),
    answer,
  };
}

const RATE = { kind: 'one', choices: RATINGS, required: 'Rate it from 1 to 5.' } as const;

/** Questions that are the same in every study. */
const FIXED = {
  user: {
    id: 'user',
    label: 'User part: how valid is it?',
    hint: 'Could a user say this, there and then?',
    answer: RATE,
  },
  system: {
    id: 'system',
    label: 'System part: how valid is it?',
    hint: 'Could what it says about itself be true, whether or not it was asked for?',
    answer: RATE,
  },
  correct: {
    id: 'correct',
    label: 'Is the response correct?',
    answer: { kind: 'one', choices: YES_NO, required: 'Say yes or no, or that you are unsure.' },
  },
  better: {
    id: 'better',
    label: 'Which answer is better?',
    answer: { kind: 'one', choices: WHICH, required: 'Choose an answer, or "The same".' },
  },
  comment: { id: 'comment', label: 'Comment', answer: { kind: 'text', maxLength: MAX_COMMENT } },
} as const satisfies Record<string, Question>;

/** The question for a study item. Two answers are compared rather than rated, so some items are dropped. */
function itemQuestion(item: StudyItem, choices: Study['errorTypes'], pair: boolean): Question[] {
  if (pair && (item === 'errors' || item === 'system')) return [];
  if (item === 'errors')
    return [{ id: item, label: 'If not: which errors?', answer: { kind: 'several', choices } }];
  return [pair && item === 'correct' ? FIXED.better : FIXED[item]];
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
export function questionsOf(study: Asked, index: number, mostRules = MAX_RULES): Question[] {
  const shown = study.cases[index];
  const { errorTypes, questions = [], seenBy = {} } = standardOf(study, shown);
  const pair = shown !== undefined && isPair(shown.evalCase);
  const criteria = questions.map((one) =>
    criterionQuestion(one, pair, questions.length <= mostRules, linesBeside(one.id, seenBy, shown)),
  );
  const items = studyItems
    .filter((item) => study.items.includes(item))
    .flatMap((item) => itemQuestion(item, errorTypes, pair));
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
function errorsProblem(correct: Answers['correct'], named: readonly string[]): string | null {
  if (correct === true && named.length > 0)
    return 'The response is marked correct: name no errors, or mark it incorrect.';
  if (correct === UNSURE && named.length > 0)
    return 'You are unsure whether it is correct: name no errors, or mark it incorrect.';
  return correct === false && named.length === 0
    ? 'Name at least one error; choose "other" if none of these fits.'
    : null;
}

function problemAt(
  { id, answer }: Question,
  value: string | readonly string[] | undefined,
  correct: Answers['correct'],
): string | null {
  switch (answer.kind) {
    case 'one':
      return answer.choices.some((choice) => choice.id === value) ? null : answer.required;
    case 'number': {
      if (value === undefined || value === UNSURE) return null;
      const { min, max } = answer;
      return Number(value) >= min && Number(value) <= max ? null : `Give a number from ${min} to ${max}.`;
    }
    case 'several': {
      const choiceIds = answer.choices.map((choice) => choice.id);
      const named = [value ?? []].flat();
      const unknown = named.find((one) => !choiceIds.includes(one));
      if (unknown !== undefined)
        return `There is no error "${unknown.slice(0, 60)}"; choose from: ${choiceIds.join(', ')}.`;
      return id === 'errors' ? errorsProblem(correct, named) : null;
    }
    case 'text':
      return (value?.length ?? 0) > answer.maxLength ? `At most ${answer.maxLength} characters.` : null;
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
): Checked<{ answers: Answers }> {
  const asksCorrect = questions.some(({ id }) => id === 'correct');
  const problems = questions.flatMap((question) => {
    const value = saidTo(answers, question.id);
    const problem = problemAt(question, value, asksCorrect ? answers.correct : undefined);
    return problem === null ? [] : [{ item: question.id, problem }];
  });
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, answers: normalized(questions, answers) };
}
