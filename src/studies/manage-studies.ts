import { JuryError } from '../common/errors.ts';
import { type Person, type Pseudonym, personText } from '../labels/person.ts';
import type { StudyStore } from './annotation.ts';
import { type AnnotateOutcome, type Answers, checkAnswers } from './annotation.ts';
import { newStudy, type StudyWish } from './new-study.ts';
import type { Annotator, Study, StudyEntry } from './study.ts';

/**
 * Makes a study and keeps it under an id as short as it can be.
 * @throws JuryError `usage` where what is wished for is no study
 */
export async function makeStudy(
  store: StudyStore,
  wish: Omit<StudyWish, 'id'>,
  pseudonym: Pseudonym,
): Promise<Study> {
  const taken = new Set((await store.studies()).map(({ id }) => id));
  for (let n = 1; ; n += 1) {
    if (taken.has(`s${n}`)) continue;
    const study = newStudy({ ...wish, id: `s${n}` }, pseudonym);
    if ((await store.addStudy(study)) === 'added') return study;
  }
}

/** @throws JuryError `usage` where there is none of that id */
export async function findStudy(store: StudyStore, id: string): Promise<Study> {
  const found = await store.study(id);
  if (found !== null) return found;
  const known = (await store.studies()).map((study) => study.id).join(', ');
  throw new JuryError(
    'usage',
    `There is no study "${id.slice(0, 60)}".${known === '' ? ' "jury study create" makes one.' : ` There are: ${known}.`}`,
  );
}

/** @throws JuryError `usage` where the person has no place in the study */
export function requireAnnotator(study: Study, person: Person, pseudonym: Pseudonym): Annotator {
  const id = pseudonym(person);
  const found = study.annotators.find((annotator) => annotator.id === id);
  if (found !== undefined) return found;
  const known = study.annotators.map((annotator) => personText(annotator.person)).join(', ');
  throw new JuryError(
    'usage',
    `${personText(person)} is no annotator of study ${study.id}. ${known === '' ? 'It has none any more.' : `Its annotators: ${known}.`}`,
  );
}

/** The open studies in which somebody has a place, oldest first. */
export const openStudiesOf = (studies: readonly StudyEntry[], annotator: string): StudyEntry[] =>
  studies.filter(({ closed, annotators }) => !closed && annotators.some(({ id }) => id === annotator));

interface Said {
  study: Study;
  annotator: string;
  index: number;
  answers: Answers;
  at: number;
}

/**
 * Keeps what an annotator says of a case.
 * @returns what is wrong with the answers, or what became of them
 */
export async function annotateCase(
  store: StudyStore,
  { study, annotator, index, answers, at }: Said,
): Promise<Exclude<ReturnType<typeof checkAnswers>, { ok: true }> | { ok: true; outcome: AnnotateOutcome }> {
  const checked = checkAnswers(study, answers);
  if (!checked.ok) return checked;
  const annotation = { study: study.id, annotator, case: index, answers: checked.answers, at };
  return { ok: true, outcome: await store.annotate(annotation) };
}
