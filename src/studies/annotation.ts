import * as z from 'zod';
import { type EvalCase, isRecord, Place, placeText } from '../case/case.ts';
import { groupedBy } from '../common/collections.ts';
import { personText } from '../labels/person.ts';
import { createRandom } from '../statistics/random.ts';
import {
  type Annotator,
  byCategory,
  categoryOf,
  type Study,
  type StudyEntry,
  type StudyItem,
  studyItems,
} from './study.ts';

/** 1 = invalid, 2 = most likely invalid, 3 = inconclusive, 4 = most likely valid, 5 = valid. Habicht et al., 6.4. */
const Rating = z.int().min(1).max(5);

/** Longest comment, characters. */
export const MAX_COMMENT = 3_000;

/** An annotator's answers about one case. */
export const Answers = z.strictObject({
  user: Rating.optional(),
  system: Rating.optional(),
  correct: z.boolean().optional(),
  /** Ids of error types. */
  errors: z.array(z.string()).optional(),
  comment: z.string().max(MAX_COMMENT).optional(),
});
export type Answers = z.infer<typeof Answers>;

/** One annotator's answers about one case. */
export const Annotation = z.strictObject({
  study: z.string(),
  /** Pseudonym. */
  annotator: z.string(),
  /** Index among the cases of the study. */
  case: z.int().min(0),
  answers: Answers,
  /** When the case was shown to the annotator, ms since the epoch. The newest annotation of a case counts. */
  at: z.number(),
});
export type Annotation = z.infer<typeof Annotation>;

type Asked = Pick<Study, 'items' | 'errorTypes'>;

/** Answers to the study's items only, normalized so that equal answers are equal objects. */
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
        return `There is no error "${unknown[0]?.slice(0, 60)}"; choose from: ${known.join(', ')}.`;
      if (!items.includes('correct')) return null;
      if (correct === true && errors.length > 0)
        return 'The response is marked correct: name no errors, or mark it incorrect.';
      return correct === false && errors.length === 0
        ? 'Name at least one error; choose "other" if none of these fits.'
        : null;
    }
    case 'comment':
      return (answers.comment?.length ?? 0) > MAX_COMMENT ? `At most ${MAX_COMMENT} characters.` : null;
  }
}

/** Normalized answers if they are complete and consistent, otherwise the problems. */
export function checkAnswers(
  study: Asked,
  answers: Answers,
): { ok: true; answers: Answers } | { ok: false; problems: { item: StudyItem; problem: string }[] } {
  const problems = studyItems.flatMap((item) => {
    const problem = study.items.includes(item) ? problemAt(item, study, answers) : null;
    return problem === null ? [] : [{ item, problem }];
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, answers: plainAnswers(study, answers) };
}

/**
 * What became of an annotation. `outdated`: there is a newer one. `not-asked`: the annotator is not part of the study (any more).
 * Nothing is saved for `closed` and `unknown-study`.
 */
export type AnnotateOutcome = 'kept' | 'unchanged' | 'outdated' | 'not-asked' | 'closed' | 'unknown-study';

export interface StudyStore {
  /** Adds a new study. `known`: there is one with that id; nothing was changed. */
  addStudy(study: Study): Promise<'added' | 'known'>;
  study(id: string): Promise<Study | null>;
  /** Oldest first. */
  studies(): Promise<StudyEntry[]>;
  /** Closes or reopens a study. `false` if there is none with that id. */
  closeStudy(id: string, closed: boolean): Promise<boolean>;
  /** Deletes a study with its annotations. `false` if there is none with that id. */
  removeStudy(id: string): Promise<boolean>;
  /** Idempotent: the newest `at` of a case wins, and the same answers again change nothing. */
  annotate(annotation: Annotation): Promise<AnnotateOutcome>;
  /** Sorted by annotator and case. Different annotators' answers may be read at different moments. */
  annotations(studyId: string, annotator?: string): Promise<Annotation[]>;
}

/** A titled part of a case. */
export interface ShownPart {
  title: string;
  text: string;
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

const isFlat = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Any value as readable text; lists of simple values in one line, objects one line per field. */
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

/** With its weekday, which opening hours depend on. */
const dateText = (date: string): string =>
  `${DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ''} ${date}`.trim();

/** Context and recommendation become one part per field, everything else one part. */
function partsOf(key: string, value: unknown): ShownPart[] {
  if (value === undefined) return [];
  const isWhole = isRecord(value) && (key === 'context' || key === 'recommendation');
  if (!isWhole) return [{ title: titleOf(key), text: textOf(value) }];
  return Object.entries(value).flatMap(([inner, part]: [string, unknown]) =>
    part === undefined ? [] : [{ title: titleOf(inner), text: textOf(part) }],
  );
}

/** A case as an annotator sees it: the user's part and the system's part, without label, id or rubric. */
export function shownCase(evalCase: EvalCase) {
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
 * The order in which an annotator sees the cases, as indexes; different for each annotator and fixed by the seed. Each round has one
 * case of every category, so that annotators who stop early have seen all of them.
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

/** An annotator's progress. `next`: the place in their order of the first case without an annotation; null if all have one. */
export function progressOf(
  study: Pick<Study, 'cases' | 'seed'>,
  annotator: Annotator,
  annotations: readonly Annotation[],
) {
  const done = new Set(annotations.flatMap((one) => (one.annotator === annotator.id ? [one.case] : [])));
  const next = orderOf(study, annotator).findIndex((index) => !done.has(index));
  return { done: done.size, total: study.cases.length, next: next < 0 ? null : next };
}

/** The progress of all annotators. */
export function progressOfAll(
  { annotators, cases }: Pick<Study, 'annotators' | 'cases'>,
  annotations: readonly Annotation[],
): { person: string; done: number; total: number }[] {
  const done = groupedBy(annotations, ({ annotator }) => annotator);
  return annotators.map(({ id, person }) => ({
    person: personText(person),
    done: done.get(id)?.length ?? 0,
    total: cases.length,
  }));
}

/** An annotator's place in a study, with what they said in it. */
export interface Seat {
  study: Study;
  annotator: Annotator;
  annotations: readonly Annotation[];
}

/**
 * The seat of a person, or why they have none, in words for them.
 *
 * @param own the pseudonym of who asks, as the platform names them: never what a message or a form carries
 * @throws JuryError `store-unavailable`
 */
export async function takeSeat(
  store: Pick<StudyStore, 'study' | 'annotations'>,
  { id, at }: Pick<Study, 'id' | 'at'>,
  own: string,
): Promise<Seat | { why: string }> {
  const study = await store.study(id);
  if (study === null || study.at !== at) return { why: 'This study is gone.' };
  const annotator = study.annotators.find((one) => one.id === own);
  if (annotator === undefined) return { why: 'You have no place in this study.' };
  if (study.closed) return { why: 'This study is closed. Thank you.' };
  return { study, annotator, annotations: await store.annotations(id, own) };
}

/**
 * A case in an annotator's order.
 *
 * @param place where in the annotator's order; null for the first case that is missing
 */
export function caseAt({ study, annotator, annotations }: Seat, place: number | null, now: number) {
  const { done, next, total } = progressOf(study, annotator, annotations);
  const at = place ?? next ?? total;
  const index = orderOf(study, annotator)[at];
  const shown = index === undefined ? undefined : study.cases[index];
  const before = annotations.find((one) => one.annotator === annotator.id && one.case === index);
  return {
    /** Where in their order; as many as there are cases when all are done. */
    place: at,
    /** Null when all are done. */
    current: index === undefined || shown === undefined ? null : { index, shown, before },
    /** When it was opened, ms: later than what it may replace, whatever this machine's clock says. */
    opened: Math.max(now, Math.floor(before?.at ?? 0) + 1),
    /** How many cases are annotated. */
    done,
  };
}
