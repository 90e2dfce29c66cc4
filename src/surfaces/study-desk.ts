import type { KeyValue } from '../common/key-value.ts';
import { counted } from '../common/text.ts';
import { caseAt, type Seat, type StudyStore, shownCase, takeSeat } from '../studies/annotation.ts';
import { annotateCase, openStudiesOf } from '../studies/manage-studies.ts';
import { type Study, type StudyCase, standardOf } from '../studies/study.ts';
import type { FilledIn, FormErrors } from './form.ts';
import { readStudyForm, type StudyFormAt, studyFieldId } from './forms/study-form.ts';
import { shortLine } from './safe-text.ts';
import type { DetailsSection } from './verdict-details.ts';

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
