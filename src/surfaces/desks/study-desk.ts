import * as z from 'zod';
import { changeText, type KeyValue } from '../../common/index.ts';
import {
  type Answers,
  annotateCase,
  answersOf,
  caseAt,
  casesEach,
  type NoSeat,
  openStudiesOf,
  type Question,
  questionsOf,
  type Seat,
  type Study,
  type StudyCase,
  type StudyStore,
  saidTo,
  shownCase,
  standardOf,
  takeSeat,
} from '../../studies/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import type { ChatMessage } from '../chat/index.ts';
import { type FilledIn, type Form, type FormErrors, type FormField, readForm } from '../forms/index.ts';
import type { DetailsSection } from '../views/index.ts';
import { shortLine } from '../wording/index.ts';

/** A form's case by its place in the annotator's order, and when the form was shown, in ms since the epoch. */
export interface StudyFormAt {
  place: number;
  opened: number;
}

/**
 * The id of a field. It differs in every form: when a platform replaces a form, it may carry text over to a field with the same
 * id.
 */
const studyFieldId = (question: string, { place, opened }: StudyFormAt): string =>
  `${question}-${place}-${opened}`;

const textOf = (saved: ReturnType<typeof saidTo>): string | undefined =>
  typeof saved === 'string' ? saved : undefined;

/** A question as a form field, with the earlier answer if there is one. */
export function fieldOf(
  { id, label, hint, answer }: Question,
  fieldId: string,
  answers: Answers,
  language: Language,
): FormField {
  const savedAnswer = saidTo(answers, id);
  const base = { id: fieldId, label, ...(hint === undefined ? {} : { hint }) };
  switch (answer.kind) {
    case 'one': {
      const { choices, required } = answer;
      return {
        kind: 'select',
        ...base,
        // Six short choices fit side by side.
        inline: choices.length <= 6,
        required,
        choices,
        initial: textOf(savedAnswer),
      };
    }
    case 'number': {
      const { min, max } = answer;
      return {
        kind: 'number',
        ...base,
        min,
        max,
        initial: Number.isFinite(Number(savedAnswer)) ? textOf(savedAnswer) : undefined,
      };
    }
    case 'several':
      return {
        kind: 'multi-select',
        ...base,
        none: wordsIn(language).forms.none,
        choices: answer.choices,
        initial: [savedAnswer ?? []].flat(),
      };
    case 'text':
      return { kind: 'long-text', ...base, maxLength: answer.maxLength, initial: textOf(savedAnswer) };
  }
}

type Asked = Parameters<typeof questionsOf>[0];

/**
 * The questions about a case of a study. The case itself is shown above them.
 *
 * @param index of the case in the study
 * @param answers earlier answers about it
 */
export function studyForm(
  study: Asked,
  index: number,
  at: StudyFormAt,
  answers: Answers,
  language: Language,
): Form {
  const words = wordsIn(language).studies.form;
  return {
    title: words.title({ at: at.place + 1, total: casesEach(study) }),
    send: words.send,
    cancel: words.stop,
    parts: questionsOf(study, index, { language }).map((question) =>
      fieldOf(question, studyFieldId(question.id, at), answers, language),
    ),
  };
}

/** Reads {@link studyForm}. It does not check whether the answers fit together; `annotateCase` does. */
export function readStudyForm(
  study: Asked,
  index: number,
  at: StudyFormAt,
  filledIn: FilledIn,
  language: Language,
): { answers: Answers } | { errors: FormErrors } {
  const read = readForm(studyForm(study, index, at, {}, language), filledIn);
  if ('errors' in read) return read;
  const { text, several } = read.values;
  const questions = questionsOf(study, index);
  const values = questions.map(({ id, answer }) => {
    const field = studyFieldId(id, at);
    return [id, answer.kind === 'several' ? several(field) : text(field)] as const;
  });
  return { answers: answersOf(questions, Object.fromEntries(values)) };
}

interface Progress {
  done: number;
  total: number;
}

/** Tells an annotator how much is done. */
function studyStandText(closed: boolean, { done, total }: Progress, language: Language): string {
  const { stand } = wordsIn(language).studies;
  if (closed) return stand.closed({ done, total });
  if (done >= total) return stand.all(total);
  return done === 0 ? stand.begin(total) : stand.some({ done, total });
}

/** The label of the button that opens the next case. */
function studyNextText({ done, total }: Progress, language: Language): string {
  const { next } = wordsIn(language).studies;
  return done === 0 ? next.start : done >= total ? next.look : next.continue({ at: done + 1, total });
}

/** What annotating needs, on every surface. */
export interface StudyDesk {
  store: StudyStore & KeyValue;
  now: () => number;
}

/** Reads the study command: a study's id, or null for any; undefined if the text is not this command, for example a paste. */
export function readStudyCommand(text: string): string | null | undefined {
  const [whole, id] = /^\s*stud(?:y|ies)(?:[ \t]+(s\d{1,9}))?\s*$/i.exec(text) ?? [];
  return whole === undefined ? undefined : (id?.toLowerCase() ?? null);
}

/** The most studies listed; the others are counted. */
const MOST = 10;

/** A person's seats in open studies. @param id of one study; null for all @param command that opens one, for the message */
export async function openSeats(
  { store }: StudyDesk,
  own: string,
  id: string | null,
  command: string,
  language: Language,
): Promise<{ text: string; seats: Seat[]; more: string | null }> {
  const words = wordsIn(language).studies.seats;
  const open = openStudiesOf(await store.studies(), own).filter((study) => id === null || study.id === id);
  const taken = await Promise.all(open.slice(0, MOST).map((study) => takeSeat(store, study, own)));
  const seats = taken.flatMap((seat) => ('why' in seat ? [] : [seat]));
  return {
    text: seats.length === 0 ? (id === null ? words.none : words.noneOf(id)) : words.count(open.length),
    seats,
    more:
      open.length > MOST
        ? words.more({ count: open.length - MOST, command: `${command} ${open[MOST]?.id}` })
        : null,
  };
}

const LONGEST_TITLE = 120;

/** A case as annotators see it, without its label, id and rubric. */
export const caseSections = (
  { evalCase }: Pick<StudyCase, 'evalCase'>,
  language: Language,
): DetailsSection[] =>
  shownCase(evalCase, language).map(({ title, parts }) => ({
    title,
    entries: parts.map((part) => ({ name: shortLine(part.title, LONGEST_TITLE), text: part.text })),
  }));

/** What to judge by: the task and the criteria. */
export const guideOf = (
  {
    task,
    criteria,
  }: {
    task: string;
    criteria: readonly { title: string; rule: string }[];
  },
  language: Language,
): DetailsSection => ({
  title: wordsIn(language).reviews.guide,
  entries: [
    { name: wordsIn(language).reviews.task, text: task },
    ...criteria.map(({ title, rule }) => ({ name: shortLine(title, LONGEST_TITLE), text: rule })),
  ],
});

/** The annotators' guide to a case. */
export const guideSection = (study: Study, shown: StudyCase, language: Language): DetailsSection =>
  guideOf(standardOf(study, shown), language);

const GUIDE_KEPT_MS = 400 * 86_400_000;
/** One key for each annotator, so that forgetting them finds it, also for studies that are no longer there. */
const guidesKey = (annotator: string): string => `guides:${annotator}`;
const Guides = z.array(z.string());
const guidesIn = (text: string | null): string[] => (text === null ? [] : Guides.parse(JSON.parse(text)));

/** Whether an annotator has not yet seen the guide to a case; later, it is one click away. Marks it as seen. */
export async function isFirstLook(
  { store, now }: StudyDesk,
  { study, annotator }: Seat,
  shown: StudyCase,
): Promise<boolean> {
  const { rubric } = standardOf(study, shown);
  const guide = JSON.stringify([study.id, study.at, rubric]);
  const withThis = (text: string | null) => JSON.stringify([...new Set([...guidesIn(text), guide])]);
  const before = await changeText(store, guidesKey(annotator.id), withThis, now(), GUIDE_KEPT_MS);
  return !guidesIn(before).includes(guide);
}

/** Erases which guides an annotator has seen. @throws JuryError `store-unavailable` */
export const forgetGuides = (store: Pick<KeyValue, 'delete'>, annotator: string): Promise<void> =>
  store.delete(guidesKey(annotator));

/** The result of sending answers: the seat with them, errors by field id, or why the study takes no answers. */
export type AnswersTaken = { seat: Seat } | { errors: FormErrors } | { why: NoSeat | 'noMore' };

/**
 * Saves an annotator's answers about a case.
 *
 * @param own the sender's pseudonym, from the id that the platform gives; never from a value in the form
 * @param at the form's case and when the form was shown
 * @throws JuryError `store-unavailable`: nothing was saved
 */
export async function takeAnswers(
  { store, now }: StudyDesk,
  own: string,
  ref: Pick<Study, 'id' | 'at'>,
  at: StudyFormAt,
  filledIn: FilledIn,
  language: Language,
): Promise<AnswersTaken> {
  const seat = await takeSeat(store, ref, own);
  if ('why' in seat) return seat;
  const { study, annotator } = seat;
  const { current } = caseAt(seat, at.place, now());
  if (current === null) return { why: 'noMore' };
  const read = readStudyForm(study, current.index, at, filledIn, language);
  if ('errors' in read) return read;
  const given = {
    study,
    annotator: annotator.id,
    index: current.index,
    answers: read.answers,
    at: at.opened,
  };
  const kept = await annotateCase(store, given, language);
  if (!kept.ok) {
    const errors = kept.problems.map(({ item, problem }) => [studyFieldId(item, at), problem]);
    return { errors: Object.fromEntries(errors) };
  }
  if (['closed', 'not-asked', 'unknown-study'].includes(kept.outcome)) return { why: 'noMore' };
  return { seat: { ...seat, annotations: await store.annotations(study.id, annotator.id) } };
}

/** A lasting name for a study: once a study is removed, its id may be used again. */
export const studyRef = ({ id, at }: Pick<Study, 'id' | 'at'>): string => `${id} ${at}`;

/** The private message from which an annotator starts. */
export function studyInvitation(
  study: Pick<Study, 'id' | 'at' | 'name' | 'closed'>,
  progress: Progress,
  language: Language,
): ChatMessage {
  const title = wordsIn(language).studies.invitation(shortLine(study.name, 200));
  const stand = studyStandText(study.closed, progress, language);
  return {
    text: `${title}: ${stand}`,
    parts: [{ kind: 'line', runs: [{ bold: title }, `\n${stand}`] }],
    buttons: study.closed
      ? []
      : [{ label: studyNextText(progress, language), does: 'study', id: studyRef(study) }],
  };
}
