import { FOREVER_MS, JuryError, type Sender, type SentOnce, sendOnce } from '../common/index.ts';
import { noSuch } from '../common/text/index.ts';
import { type Person, type Pseudonym, personText } from '../labels/access/index.ts';
import type { Language } from '../words/index.ts';
import type { AnnotateOutcome, Annotation, StudyStore } from './annotation.ts';
import { type Checked, checkAnswers, questionsOf } from './questions.ts';
import {
  type Annotator,
  newAnnotators,
  newStudy,
  type Study,
  type StudyEntry,
  type StudyRequest,
} from './study.ts';

/**
 * Creates and saves a study under the first free id.
 * @throws JuryError `usage` if the request is invalid
 */
export async function makeStudy(
  store: StudyStore,
  request: Omit<StudyRequest, 'id'>,
  pseudonym: Pseudonym,
): Promise<Study> {
  const taken = new Set((await store.studies()).map(({ id }) => id));
  for (let n = 1; ; n += 1) {
    if (taken.has(`s${n}`)) continue;
    const study = newStudy({ ...request, id: `s${n}` }, pseudonym);
    if ((await store.addStudy(study)) === 'added') return study;
  }
}

/** @throws JuryError `usage` if there is no study with this id */
export async function findStudy(store: StudyStore, id: string): Promise<Study> {
  const study = await store.study(id);
  if (study !== null) return study;
  const ids = (await store.studies()).map((study) => study.id);
  throw noSuch('study', id, ids, 'Create one with "jury study create".');
}

/** @throws JuryError `usage` if the person is not an annotator of the study */
export function requireAnnotator(study: Study, person: Person, pseudonym: Pseudonym): Annotator {
  const id = pseudonym(person);
  const seated = study.annotators.find((annotator) => annotator.id === id);
  if (seated !== undefined) return seated;
  const names = study.annotators.map((annotator) => personText(annotator.person)).join(', ');
  throw new JuryError(
    'usage',
    `${personText(person)} is not an annotator of study ${study.id}. ${names === '' ? 'It no longer has any.' : `Its annotators: ${names}.`}`,
  );
}

/** The open studies of an annotator, oldest first. */
export const openStudiesOf = (studies: readonly StudyEntry[], annotator: string): StudyEntry[] =>
  studies.filter(({ closed, annotators }) => !closed && annotators.some(({ id }) => id === annotator));

/**
 * Gives people a place in an open study. Those who already have one keep it.
 *
 * @returns the new annotators
 * @throws JuryError `usage` if the study is closed or would have too many annotators
 */
export async function addAnnotators(
  store: Pick<StudyStore, 'addAnnotators'>,
  study: Study,
  people: readonly Person[],
  pseudonym: Pseudonym,
  now: number,
): Promise<Annotator[]> {
  // Higher than any place given before, including those of people who have since been erased.
  const added = await store.addAnnotators(
    study.id,
    newAnnotators(study, people, pseudonym),
    Math.max(0, Math.floor(now - study.at)),
  );
  if (added !== null) return added;
  throw new JuryError('usage', `Study ${study.id} is closed: "jury study reopen ${study.id}" reopens it.`);
}

/** An annotator's answers about a case of a study. */
export type StudyAnswers = Pick<Annotation, 'annotator' | 'answers' | 'at'> & { study: Study; index: number };

/** Turns answers into an annotation if they are complete and consistent. */
export function annotationOf(
  given: StudyAnswers,
  language: Language = 'en',
): Checked<{ annotation: Annotation }> {
  const { study, annotator, index, at } = given;
  const checked = checkAnswers(questionsOf(study, index, { language }), given.answers, language);
  if (!checked.ok) return checked;
  return {
    ok: true,
    annotation: { study: study.id, annotator, case: index, answers: checked.answers, at },
  };
}

/** Checks and saves an annotator's answers about a case. */
export async function annotateCase(
  store: Pick<StudyStore, 'annotate'>,
  given: StudyAnswers,
  language: Language = 'en',
): Promise<Checked<{ outcome: AnnotateOutcome }>> {
  const made = annotationOf(given, language);
  if (!made.ok) return made;
  const [outcome = 'unknown-study'] = await store.annotate([made.annotation]);
  return { ok: true, outcome };
}

/** A surface on which annotators can be invited. */
export interface StudyPoster {
  /** The surface of the people it can reach. */
  surface: string;
  /**
   * Sends a person the message from which they annotate, unless one with this key has already been sent. Rejects with a
   * JuryError `usage` if it can never be sent.
   */
  invite(person: Person, study: StudyEntry, key: string): Promise<void>;
}

export interface Inviter extends Sender {
  poster: StudyPoster;
}

export type Invited = { person: string } & SentOnce;

/**
 * The key of an invitation. Contains the study's time, because ids are reused, and no pseudonym, because people can be
 * erased.
 */
const keyOf = ({ id, at }: StudyEntry, { place }: Annotator): string => `study:${id}:${at}:${place}`;

async function inviteOne(inviter: Inviter, study: StudyEntry, annotator: Annotator): Promise<Invited> {
  const key = keyOf(study, annotator);
  const invite = () => inviter.poster.invite(annotator.person, study, key);
  return { person: personText(annotator.person), ...(await sendOnce(inviter, key, invite, FOREVER_MS)) };
}

/**
 * Invites each annotator the poster can reach exactly once, no matter how many processes call this or die halfway.
 * Rejects if the store fails; calling it again resumes.
 */
export async function inviteAnnotators(inviter: Inviter, study: StudyEntry): Promise<Invited[]> {
  const invited: Invited[] = [];
  if (study.closed) return invited;
  for (const annotator of study.annotators)
    if (annotator.person.surface === inviter.poster.surface)
      invited.push(await inviteOne(inviter, study, annotator));
  return invited;
}
