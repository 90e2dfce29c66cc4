import type { KeyValue } from '../common/key-value.ts';
import { counted } from '../common/text.ts';
import { caseAt, type Seat, type StudyStore, shownCase, takeSeat } from '../studies/annotation.ts';
import { annotateCase, openStudiesOf } from '../studies/manage-studies.ts';
import { type Answers, answersOf, type Question, questionsOf, saidTo } from '../studies/questions.ts';
import { type Study, type StudyCase, standardOf } from '../studies/study.ts';
import type { ChatMessage } from './chat-message.ts';
import { type FilledIn, type Form, type FormErrors, type FormField, readForm } from './form.ts';
import { shortLine } from './safe-text.ts';
import type { DetailsSection } from './verdict-details.ts';

/** Which case a form is about, in the annotator's order, and when it was shown, ms. */
export interface StudyFormAt {
  place: number;
  opened: number;
}

/**
 * The id of a field. Another one in each form that is shown: where a form is replaced, what was typed into a field of the same
 * id may be carried over.
 */
const studyFieldId = (question: string, { place, opened }: StudyFormAt): string =>
  `${question}-${place}-${opened}`;

const textOf = (said: ReturnType<typeof saidTo>): string | undefined =>
  typeof said === 'string' ? said : undefined;

/** A question as a field of a form, with what was said before. */
export function fieldOf({ id, label, hint, answer }: Question, fieldId: string, answers: Answers): FormField {
  const said = saidTo(answers, id);
  const base = { id: fieldId, label, ...(hint === undefined ? {} : { hint }) };
  switch (answer.kind) {
    case 'one': {
      const { choices, required } = answer;
      return {
        kind: 'select',
        ...base,
        inline: choices.length <= 6,
        required,
        choices,
        initial: textOf(said),
      };
    }
    case 'number': {
      const { min, max } = answer;
      return {
        kind: 'number',
        ...base,
        min,
        max,
        initial: Number.isFinite(Number(said)) ? textOf(said) : undefined,
      };
    }
    case 'several':
      return {
        kind: 'multi-select',
        ...base,
        none: 'None',
        choices: answer.choices,
        initial: [said ?? []].flat(),
      };
    case 'text':
      return { kind: 'long-text', ...base, maxLength: answer.maxLength, initial: textOf(said) };
  }
}

type Asked = Parameters<typeof questionsOf>[0];

/**
 * The questions about a case of a study; the case itself is shown above them.
 *
 * @param index of the case in the study
 * @param answers what was said of it before
 */
export const studyForm = (study: Asked, index: number, at: StudyFormAt, answers: Answers): Form => ({
  title: `Case ${at.place + 1} of ${study.cases.length}`,
  send: 'Send and continue',
  cancel: 'Stop here',
  parts: questionsOf(study, index).map((question) =>
    fieldOf(question, studyFieldId(question.id, at), answers),
  ),
});

/** Reads {@link studyForm}; whether the answers agree with each other is for `annotateCase` to say. */
export function readStudyForm(
  study: Asked,
  index: number,
  at: StudyFormAt,
  filledIn: FilledIn,
): { answers: Answers } | { errors: FormErrors } {
  const read = readForm(studyForm(study, index, at, {}), filledIn);
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

/** How far an annotator is. */
function studyStandText(closed: boolean, { done, total }: Progress): string {
  if (closed) return `The study is closed; ${done} of ${total} are done. Thank you.`;
  if (done >= total) return `All ${counted(total, 'case')} are done. Thank you!`;
  return done === 0
    ? `You are asked about ${counted(total, 'case')}, on your own: your answers are never shown under your name. Stop whenever you like; what you sent is kept.`
    : `${done} of ${total} are done.`;
}

/** What the button says that opens the next case. */
const studyNextText = ({ done, total }: Progress): string =>
  done === 0 ? 'Start' : done >= total ? 'Look at my answers' : `Continue: case ${done + 1} of ${total}`;

/** What annotating needs, on every surface. */
export interface StudyDesk {
  store: StudyStore & KeyValue;
  now: () => number;
}

/** The id of a study, null for any; undefined where the text is about something else, such as a paste. */
export function readStudyCommand(text: string): string | null | undefined {
  const [whole, id] = /^\s*stud(?:y|ies)(?:[ \t]+(s\d{1,9}))?\s*$/i.exec(text) ?? [];
  return whole === undefined ? undefined : (id?.toLowerCase() ?? null);
}

/** Shown at once; more are counted. */
const MOST = 10;

/** The open studies in which someone has a place. @param id null for all @param command how one of them is asked for */
export async function openSeats(
  { store }: StudyDesk,
  own: string,
  id: string | null,
  command: string,
): Promise<{ text: string; seats: Seat[]; more: string | null }> {
  const open = openStudiesOf(await store.studies(), own).filter((study) => id === null || study.id === id);
  const taken = await Promise.all(open.slice(0, MOST).map((study) => takeSeat(store, study, own)));
  const seats = taken.flatMap((seat) => ('why' in seat ? [] : [seat]));
  const which = id === null ? 'any open study' : `an open study ${id}`;
  return {
    text:
      seats.length === 0
        ? `You are not an annotator in ${which}.`
        : `You are an annotator in ${counted(open.length, 'study', 'studies')}.`,
    seats,
    more:
      open.length > MOST
        ? `${open.length - MOST} more: name one, such as “${command} ${open[MOST]?.id}”.`
        : null,
  };
}

const LONGEST_TITLE = 120;

/** A case without its label, id or rubric: what the user brings, what the system answers. */
export const caseSections = ({ evalCase }: StudyCase): DetailsSection[] =>
  shownCase(evalCase).map(({ title, parts }) => ({
    title,
    entries: parts.map((part) => ({ name: shortLine(part.title, LONGEST_TITLE), text: part.text })),
  }));

/** What annotators of a case go by. */
export function guideSection(study: Study, shown: StudyCase): DetailsSection {
  const { task, criteria } = standardOf(study, shown);
  return {
    title: 'Guide: what to judge by',
    entries: [
      { name: 'Task', text: task },
      ...criteria.map(({ title, rule }) => ({ name: shortLine(title, LONGEST_TITLE), text: rule })),
    ],
  };
}

const GUIDE_KEPT_MS = 400 * 86_400_000;

/** Whether an annotator sees the guide to a case for the first time; later, it is one click away. */
export async function isFirstLook(
  { store, now }: StudyDesk,
  { study, annotator }: Seat,
  shown: StudyCase,
): Promise<boolean> {
  const { rubric } = standardOf(study, shown);
  const which = rubric === study.standard.rubric ? '' : `:${rubric}`;
  const key = `guide:${study.id}:${study.at}:${annotator.id}${which}`;
  return (await store.setIfAbsent(key, 'shown', now(), GUIDE_KEPT_MS)).set;
}

const NO_MORE =
  'This study no longer takes answers: it was closed or removed, or you are no longer one of its annotators.';

/** What comes of answers: the seat with them, what is wrong by the id of the field, or why the study takes none. */
export type AnswersTaken = { seat: Seat } | { errors: FormErrors } | { why: string };

/**
 * Saves what an annotator says about a case.
 *
 * @param own the pseudonym of the person who sends them, as the platform names them: never what a form carries
 * @param at which case the form was about, and when it was shown
 * @throws JuryError `store-unavailable`: nothing was saved
 */
export async function takeAnswers(
  { store, now }: StudyDesk,
  own: string,
  ref: Pick<Study, 'id' | 'at'>,
  at: StudyFormAt,
  filledIn: FilledIn,
): Promise<AnswersTaken> {
  const seat = await takeSeat(store, ref, own);
  if ('why' in seat) return seat;
  const { study, annotator } = seat;
  const { current } = caseAt(seat, at.place, now());
  if (current === null) return { why: NO_MORE };
  const read = readStudyForm(study, current.index, at, filledIn);
  if ('errors' in read) return read;
  const said = { study, annotator: annotator.id, index: current.index, answers: read.answers, at: at.opened };
  const kept = await annotateCase(store, said);
  if (!kept.ok) {
    const errors = kept.problems.map(({ item, problem }) => [studyFieldId(item, at), problem]);
    return { errors: Object.fromEntries(errors) };
  }
  if (['closed', 'not-asked', 'unknown-study'].includes(kept.outcome)) return { why: NO_MORE };
  return { seat: { ...seat, annotations: await store.annotations(study.id, annotator.id) } };
}

/** Names a study for good: ids come back when a study is removed. */
export const studyRef = ({ id, at }: Pick<Study, 'id' | 'at'>): string => `${id} ${at}`;

/** The message from which an annotator starts, in private. */
export function studyInvitation(
  study: Pick<Study, 'id' | 'at' | 'name' | 'closed'>,
  progress: Progress,
): ChatMessage {
  const title = `Study “${shortLine(study.name, 200)}”`;
  const stand = studyStandText(study.closed, progress);
  return {
    text: `${title}: ${stand}`,
    parts: [{ kind: 'line', runs: [{ bold: title }, `\n${stand}`] }],
    buttons: study.closed ? [] : [{ label: studyNextText(progress), does: 'study', id: studyRef(study) }],
  };
}
