import * as z from 'zod';
import { type EvalCase, isRecord, Place } from '../case/case.ts';
import { personText } from '../labels/person.ts';
import { createRandom } from '../statistics/random.ts';
import { byCategory } from './new-study.ts';
import { type Annotator, categoryOf, type Study, type StudyEntry } from './study.ts';
import { type StudyItem, studyItems } from './study-items.ts';

/** 1 = invalid, 2 = most likely invalid, 3 = inconclusive, 4 = most likely valid, 5 = valid. Habicht et al., 6.4. */
const Rating = z.int().min(1).max(5);

/** Longest comment, characters. */
export const MAX_COMMENT = 3_000;

/** What somebody said of one case. */
export const Answers = z.strictObject({
  user: Rating.optional(),
  system: Rating.optional(),
  correct: z.boolean().optional(),
  /** Ids of kinds of error; several can be found in one response. */
  errors: z.array(z.string()).optional(),
  comment: z.string().max(MAX_COMMENT).optional(),
});
export type Answers = z.infer<typeof Answers>;

/** One annotator on one case. */
export const Annotation = z.strictObject({
  study: z.string(),
  /** Pseudonym. */
  annotator: z.string(),
  /** Index among the cases of the study. */
  case: z.int().min(0),
  answers: Answers,
  /** ms since the epoch: when the case was shown to the annotator. The newest of a case stands. */
  at: z.number(),
});
export type Annotation = z.infer<typeof Annotation>;

/** What is wrong with answers, at the item at which it can be mended. */
export interface AnswerProblem {
  item: StudyItem;
  problem: string;
}

type Asked = Pick<Study, 'items' | 'errorTypes'>;

/** Answers to what is asked alone, in one form: the same answers are equal. */
function plainAnswers({ items, errorTypes }: Asked, answers: Answers): Answers {
  const { user, system, correct, errors = [], comment = '' } = answers;
  const asked = (item: StudyItem) => items.includes(item);
  const named = errorTypes.map(({ id }) => id).filter((id) => errors.includes(id));
  return {
    ...(asked('user') && user !== undefined ? { user } : {}),
    ...(asked('system') && system !== undefined ? { system } : {}),
    ...(asked('correct') && correct !== undefined ? { correct } : {}),
    ...(asked('errors') && named.length > 0 ? { errors: named } : {}),
    ...(asked('comment') && comment.trim() !== '' ? { comment: comment.trim() } : {}),
  };
}

function problemAt(item: StudyItem, { items, errorTypes }: Asked, answers: Answers): string | null {
  const { correct, errors = [] } = answers;
  switch (item) {
    case 'user':
    case 'system':
      return Rating.safeParse(answers[item]).success ? null : 'Rate it from 1 to 5.';
    case 'correct':
      return correct === undefined ? 'Say yes or no.' : null;
    case 'errors': {
      const known = errorTypes.map(({ id }) => id);
      const unknown = errors.filter((id) => !known.includes(id));
      if (unknown.length > 0)
        return `There is no error "${unknown[0]?.slice(0, 60)}"; there is: ${known.join(', ')}.`;
      if (!items.includes('correct')) return null;
      if (correct === true && errors.length > 0)
        return 'You say that the response is correct: name no error, or say that it is not.';
      return correct === false && errors.length === 0
        ? 'Name at least one error; "other" where it is none of these.'
        : null;
    }
    case 'comment':
      return (answers.comment?.length ?? 0) > MAX_COMMENT ? `At most ${MAX_COMMENT} characters.` : null;
  }
}

/** Answers that are complete and agree with themselves, in one form; else what is wrong, item by item. */
export function checkAnswers(
  study: Asked,
  answers: Answers,
): { ok: true; answers: Answers } | { ok: false; problems: AnswerProblem[] } {
  const problems = studyItems
    .filter((item) => study.items.includes(item))
    .flatMap((item): AnswerProblem[] => {
      const problem = problemAt(item, study, answers);
      return problem === null ? [] : [{ item, problem }];
    });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, answers: plainAnswers(study, answers) };
}

/**
 * What became of an annotation. `outdated`: a newer one stands. `not-asked`: the annotator has no place in the study (any more).
 * `closed`, `unknown-study`: nothing is kept.
 */
export type AnnotateOutcome = 'kept' | 'unchanged' | 'outdated' | 'not-asked' | 'closed' | 'unknown-study';

/** Where studies are kept, with what annotators say. */
export interface StudyStore {
  /** Keeps a new study. `known` where one of that id is there: nothing is changed then. */
  addStudy(study: Study): Promise<'added' | 'known'>;
  study(id: string): Promise<Study | null>;
  /** All, oldest first. */
  studies(): Promise<StudyEntry[]>;
  /** Closes a study, or opens it again. `false` where there is none of that id. */
  closeStudy(id: string, closed: boolean): Promise<boolean>;
  /** Deletes a study with its annotations. `false` where there is none of that id. */
  removeStudy(id: string): Promise<boolean>;
  /** Keeps what an annotator says of a case. Idempotent; the newest `at` of a case wins; the same answers again change nothing. */
  annotate(annotation: Annotation): Promise<AnnotateOutcome>;
  /** By annotator and case; of one annotator where one is named. Those of different annotators may be of different moments. */
  annotations(studyId: string, annotator?: string): Promise<Annotation[]>;
}

/** Something of a case with its name, to be read by people. */
export interface ShownPart {
  title: string;
  text: string;
}

/** A case as an annotator sees it: what the user brings and what the system answers. Nothing of its label, id or rubric. */
export interface ShownCase {
  user: ShownPart[];
  system: ShownPart[];
}

const ROLES = { user: 'User', system: 'System' } as const;

/** `openingHours` is `Opening hours`, `distanceKm` is `Distance (km)`. */
function titleOf(key: string): string {
  const spaced = key
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/ (km|kw|min|ms)$/, ' ($1)');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function placeText({ latitude, longitude, description }: Place): string {
  const point = latitude === undefined || longitude === undefined ? '' : `${latitude}, ${longitude}`;
  if (description === undefined) return point;
  return point === '' ? description : `${description} (${point})`;
}

const isFlat = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Any value as people read it; lists of short things in one line, objects line by line. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    return value.map(textOf).join(value.every(isFlat) ? ', ' : '\n');
  }
  if (!isRecord(value)) return String(value);
  const place = Place.safeParse(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  if (place.success && entries.length > 0) return placeText(place.data);
  return entries.map(([key, inner]) => `${titleOf(key)}: ${textOf(inner)}`).join('\n');
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** A date with its weekday, by which opening hours are read. */
const dateText = (date: string): string =>
  `${DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ''} ${date}`.trim();

/** The parts of a field: those of an object one by one, a list of documents one by one. */
function partsOf(key: string, value: unknown): ShownPart[] {
  if (value === undefined) return [];
  const isWhole = isRecord(value) && (key === 'context' || key === 'recommendation');
  if (!isWhole) return [{ title: titleOf(key), text: textOf(value) }];
  return Object.entries(value).flatMap(([inner, part]: [string, unknown]) =>
    part === undefined ? [] : [{ title: titleOf(inner), text: textOf(part) }],
  );
}

export function shownCase(evalCase: EvalCase): ShownCase {
  const { id: _id, rubric: _rubric, label: _label, ...shown } = evalCase;
  const { context, language, history = [], conversation, response, ...rest } = shown;
  return {
    user: [
      ...partsOf(
        'context',
        context?.date === undefined ? context : { ...context, date: dateText(context.date) },
      ),
      ...partsOf('language', language),
      ...history.map(({ role, text }) => ({ title: `${ROLES[role]}, before`, text })),
      ...conversation.map(({ role, text }) => ({ title: ROLES[role], text })),
    ],
    system: [
      { title: 'Response', text: response },
      ...Object.entries(rest).flatMap(([key, value]: [string, unknown]) => partsOf(key, value)),
    ],
  };
}

/**
 * The order in which an annotator sees the cases, as indexes: another one for each, fixed by the seed. It goes in rounds of
 * one case of each category, so that whoever stops early has seen of all kinds.
 */
export function orderOf({ cases, seed }: Pick<Study, 'cases' | 'seed'>, { place }: Annotator): number[] {
  const random = createRandom(seed, 'study order', place);
  const groups = byCategory([...cases.keys()], (index) => categoryOf(cases[index]?.evalCase ?? {})).map(
    (group) => random.shuffled(group),
  );
  const order: number[] = [];
  while (order.length < cases.length)
    order.push(...random.shuffled(groups).flatMap((group) => group.splice(0, 1)));
  return order;
}

/** How far an annotator is. */
export interface StudyProgress {
  done: number;
  total: number;
  /** Where in their order the first case stands that they have not annotated; null where there is none. */
  next: number | null;
}

export function progressOf(
  study: Pick<Study, 'cases' | 'seed'>,
  annotator: Annotator,
  annotations: readonly Annotation[],
): StudyProgress {
  const done = new Set(annotations.flatMap((one) => (one.annotator === annotator.id ? [one.case] : [])));
  const next = orderOf(study, annotator).findIndex((index) => !done.has(index));
  return { done: done.size, total: study.cases.length, next: next < 0 ? null : next };
}

/** How far everybody is, by who they are. */
export function progressOfAll(
  { annotators, cases }: Pick<Study, 'annotators' | 'cases'>,
  annotations: readonly Annotation[],
): { person: string; done: number; total: number }[] {
  const done = new Map<string, number>();
  for (const { annotator } of annotations) done.set(annotator, (done.get(annotator) ?? 0) + 1);
  return annotators.map(({ id, person }) => ({
    person: personText(person),
    done: done.get(id) ?? 0,
    total: cases.length,
  }));
}
