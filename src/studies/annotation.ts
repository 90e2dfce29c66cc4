import * as z from 'zod';
import { type ShownPart, shownFields } from '../case/format/index.ts';
import {
  contentOf,
  type EvalCase,
  isWithheld,
  KeptCase,
  pairParts,
  type Turn,
  withoutPaths,
} from '../case/index.ts';
import { groupedBy } from '../common/index.ts';
import { personText } from '../labels/access/index.ts';
import { createRandom } from '../statistics/index.ts';
import { type Language, wordsIn } from '../words/index.ts';
import { Answers } from './questions.ts';
import { type Annotator, casesEach, type Study, type StudyEntry, shareOf, standardOf } from './study.ts';
import { byCategory, categoryOf, type StudyCase } from './study-case.ts';

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

/**
 * The result of saving an annotation. `outdated`: there is a newer one. `not-asked`: the person is not, or no longer,
 * an annotator. Nothing is saved for `closed` and `unknown-study`.
 */
export type AnnotateOutcome = 'kept' | 'unchanged' | 'outdated' | 'not-asked' | 'closed' | 'unknown-study';

export interface StudyStore {
  /** Adds a new study. `known`: the id is taken, and nothing was changed. */
  addStudy(study: Study): Promise<'added' | 'known'>;
  study(id: string): Promise<Study | null>;
  /** Oldest first. */
  studies(): Promise<StudyEntry[]>;
  /** Closes or reopens a study. `false` if it does not exist. */
  closeStudy(id: string, closed: boolean): Promise<boolean>;
  /** Deletes a study with its annotations. `false` if it does not exist. */
  removeStudy(id: string): Promise<boolean>;
  /**
   * Adds annotators to an open study, after those it has; those who already have a place keep it. Places are never
   * reused: they are part of an invitation's key.
   *
   * @param from lowest place for new annotators
   * @returns the new annotators; null if there is no open study with this id
   */
  addAnnotators(
    id: string,
    people: readonly Omit<Annotator, 'place'>[],
    from: number,
  ): Promise<Annotator[] | null>;
  /**
   * Saves many annotations at once, each with its own outcome. Idempotent: the newest `at` of a case wins, and
   * repeating the same answers changes nothing.
   */
  annotate(annotations: readonly Annotation[]): Promise<AnnotateOutcome[]>;
  /** Sorted by annotator and case. Answers of different annotators may be read at different moments. */
  annotations(studyId: string, annotator?: string): Promise<Annotation[]>;
}

/**
 * The order in which an annotator sees their cases, as indexes; different for each annotator and fixed by the seed. Each
 * round has one case of every category, so that annotators who stop early have seen every category.
 */
export function orderOf(study: Pick<Study, 'cases' | 'seed' | 'shares'>, { place }: Annotator): number[] {
  const { cases, seed } = study;
  const random = createRandom(seed, 'study order', place);
  const own = shareOf(study, { place });
  const groups = byCategory(own, (index) => categoryOf(cases[index]?.evalCase ?? {})).map((group) =>
    random.shuffled(group),
  );
  const order: number[] = [];
  while (order.length < own.length)
    order.push(...random.shuffled(groups).flatMap((group) => group.splice(0, 1)));
  return order;
}

/**
 * An annotator's progress. `next`: position in their order of the first case without an annotation; null if all are
 * done.
 */
export function progressOf(
  study: Pick<Study, 'cases' | 'seed' | 'shares'>,
  annotator: Annotator,
  annotations: readonly Annotation[],
) {
  const done = new Set(annotations.flatMap((one) => (one.annotator === annotator.id ? [one.case] : [])));
  const order = orderOf(study, annotator);
  const next = order.findIndex((index) => !done.has(index));
  return { done: done.size, total: order.length, next: next < 0 ? null : next };
}

/** Progress of all annotators. */
export function progressOfAll(
  study: Pick<Study, 'annotators' | 'cases' | 'shares'>,
  annotations: readonly Annotation[],
): { person: string; done: number; total: number }[] {
  const done = groupedBy(annotations, ({ annotator }) => annotator);
  return study.annotators.map(({ id, person }) => ({
    person: personText(person),
    done: done.get(id)?.length ?? 0,
    total: casesEach(study),
  }));
}

/** An annotator's place in a study, with their annotations so far. */
export interface Seat {
  study: Study;
  annotator: Annotator;
  annotations: readonly Annotation[];
}

/** Why a person has no seat in a study. */
export type NoSeat = 'gone' | 'noPlace' | 'closed';

/**
 * A person's seat in a study, or why they have none.
 *
 * @param own the person's pseudonym, derived from the platform's identification and never from a message or form
 * @throws JuryError `store-unavailable`
 */
export async function takeSeat(
  store: Pick<StudyStore, 'study' | 'annotations'>,
  { id, at }: Pick<Study, 'id' | 'at'>,
  own: string,
): Promise<Seat | { why: NoSeat }> {
  const study = await store.study(id);
  if (study === null || study.at !== at) return { why: 'gone' };
  const annotator = study.annotators.find((one) => one.id === own);
  if (annotator === undefined) return { why: 'noPlace' };
  if (study.closed) return { why: 'closed' };
  return { study, annotator, annotations: await store.annotations(id, own) };
}

/** A case as annotators are shown it, without the fields that are shown beside some questions alone. */
function openCase(study: Study, index: number): StudyCase | undefined {
  const shown = study.cases[index];
  const hidden = Object.keys(standardOf(study, shown).seenBy ?? {});
  if (shown === undefined || hidden.length === 0) return shown;
  const { conversation = [], response = '', ...rest } = withoutPaths(shown.evalCase, hidden);
  return { ...shown, evalCase: { ...rest, conversation, response } };
}

/**
 * A case in an annotator's order.
 *
 * @param place position in the annotator's order; null: the first case without an annotation
 */
export function caseAt({ study, annotator, annotations }: Seat, place: number | null, now: number) {
  const { done, next, total } = progressOf(study, annotator, annotations);
  const at = place ?? next ?? total;
  const index = orderOf(study, annotator)[at];
  const shown = index === undefined ? undefined : openCase(study, index);
  const before = annotations.find((one) => one.annotator === annotator.id && one.case === index);
  return {
    /** Position in their order; equal to the number of their cases when all are done. */
    place: at,
    /** Null when all are done. */
    current: index === undefined || shown === undefined ? null : { index, shown, before },
    /** When it was opened, ms: always later than the annotation it may replace, whatever this machine's clock says. */
    opened: Math.max(now, Math.floor(before?.at ?? 0) + 1),
    /** Number of annotated cases. */
    done,
  };
}

/** With its weekday, because opening hours depend on it. */
function dateText(date: string, language: Language): string {
  const at = new Date(`${date}T00:00:00Z`);
  const day = Number.isNaN(at.getTime())
    ? ''
    : new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(at);
  return `${day} ${date}`.trim();
}

/** The user's part of a case, or one of the system's answers. */
export interface ShownSection {
  title: string;
  parts: ShownPart[];
}

/** An answer: its text, then its other fields. */
const answerParts = ({ response, ...rest }: Readonly<Record<string, unknown>>): ShownPart[] => [
  ...shownFields('response', response),
  ...Object.entries(rest).flatMap(([key, value]) => shownFields(key, value)),
];

/**
 * A case as shown to annotators: the user's part and the system's, or the two answers of a pair side by side. Never
 * shows the label, id, rubric, tags, names of the answers or expected calls, which may reveal what is right.
 */
export function shownCase(evalCase: EvalCase, language: Language = 'en'): ShownSection[] {
  const words = wordsIn(language).studies;
  const content = KeptCase.parse(
    Object.fromEntries(Object.entries(contentOf(evalCase)).filter(([key]) => !isWithheld(key))),
  );
  const turnParts = (turns: readonly Turn[], title: (role: string) => string): ShownPart[] =>
    turns.flatMap(({ role, text, toolCalls }) => [
      { title: title(words.roles[role]), text },
      ...shownFields('toolCalls', toolCalls),
    ]);
  const {
    context,
    language: spoken,
    history = [],
    conversation,
    response,
    closing,
    alternative,
    ...rest
  } = content;
  const user: ShownPart[] = [
    ...shownFields(
      'context',
      context?.date === undefined ? context : { ...context, date: dateText(context.date, language) },
    ),
    ...shownFields('language', spoken),
    ...turnParts(history, words.before),
    ...turnParts(conversation, (role) => role),
  ];
  const last = closing === undefined ? [] : [{ title: words.userAfter, text: closing }];
  if (alternative === undefined)
    return [
      { title: words.roles.user, parts: user },
      { title: words.roles.system, parts: [...answerParts({ response, ...rest }), ...last] },
    ];
  const { first, second } = pairParts(content);
  const shared = Object.entries(rest).filter(([key]) => !Object.hasOwn(first, key));
  return [
    {
      title: words.roles.user,
      parts: [...user, ...shared.flatMap(([key, value]) => shownFields(key, value)), ...last],
    },
    { title: words.answer('A'), parts: answerParts(first) },
    { title: words.answer('B'), parts: answerParts(second) },
  ];
}
