import { JuryError, messageOf } from '../common/errors.ts';
import type { KeyValue } from '../common/key-value.ts';
import { type Person, type Pseudonym, personText } from '../labels/person.ts';
import { type AnnotateOutcome, type Answers, checkAnswers, type StudyStore } from './annotation.ts';
import { newStudy, type StudyRequest } from './new-study.ts';
import type { Annotator, Study, StudyEntry } from './study.ts';

/**
 * Makes a study and keeps it under an id as short as it can be.
 * @throws JuryError `usage` where what is wished for is no study
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

interface SubmittedAnswers {
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
  { study, annotator, index, answers, at }: SubmittedAnswers,
): Promise<Exclude<ReturnType<typeof checkAnswers>, { ok: true }> | { ok: true; outcome: AnnotateOutcome }> {
  const checked = checkAnswers(study, answers);
  if (!checked.ok) return checked;
  const annotation = { study: study.id, annotator, case: index, answers: checked.answers, at };
  return { ok: true, outcome: await store.annotate(annotation) };
}

/** Where annotators are reached. */
export interface StudyPoster {
  /** The surface whose people it reaches. */
  surface: string;
  /**
   * Sends somebody the message from which they annotate, unless one of this key is there already: an earlier try may have
   * arrived. Rejects with a JuryError `usage` where it can never be sent.
   */
  invite(person: Person, study: StudyEntry, key: string): Promise<void>;
}

/** What a process invites annotators with. */
export interface Inviter {
  store: Pick<KeyValue, 'setIfAbsent' | 'compareAndSet'>;
  poster: StudyPoster;
  /** Names this process, unlike any other and any before. */
  holder: string;
  now: () => number;
}

/** `waiting`: somebody else is at it, or it failed lately. */
export type Invited = { person: string } & (
  | { outcome: 'sent' | 'known' | 'waiting' }
  | { outcome: 'failed'; reason: string }
);

const SENT = 'sent';
/** Longer than sending takes with all its tries. */
const LEASE_MS = 300_000;
/** After this much it is tried again where the platform said no. */
const REFUSED_MS = 3_600_000;
/** As good as for ever. */
const SENT_MS = 3_650 * 86_400_000;

/** Names one invitation for good. By place and time: ids of studies come back, and pseudonyms are to be forgotten. */
const keyOf = ({ id, at }: StudyEntry, { place }: Annotator): string => `study:${id}:${at}:${place}`;

async function inviteOne(inviter: Inviter, study: StudyEntry, annotator: Annotator): Promise<Invited> {
  const { store, poster, holder, now } = inviter;
  const person = personText(annotator.person);
  const key = keyOf(study, annotator);
  const claim = await store.setIfAbsent(key, holder, now(), LEASE_MS);
  if (!claim.set && claim.value !== holder)
    return { person, outcome: claim.value === SENT ? 'known' : 'waiting' };
  if (!claim.set) await store.compareAndSet(key, holder, holder, now(), LEASE_MS);
  try {
    await poster.invite(annotator.person, study, key);
  } catch (thrown) {
    const isRefused = thrown instanceof JuryError && thrown.code === 'usage';
    // A mark that stands keeps others from trying; that it is not renewed lets them, in a while.
    if (isRefused) await store.compareAndSet(key, holder, 'refused', now(), REFUSED_MS);
    return { person, outcome: 'failed', reason: messageOf(thrown) };
  }
  await store.compareAndSet(key, holder, SENT, now(), SENT_MS);
  return { person, outcome: 'sent' };
}

/**
 * Sends each annotator of a study whom the poster reaches their message, once, however many processes do this and wherever one
 * dies. Rejects where the store fails; asking again goes on from there.
 */
export async function inviteAnnotators(inviter: Inviter, study: StudyEntry): Promise<Invited[]> {
  const invited: Invited[] = [];
  if (study.closed) return invited;
  for (const annotator of study.annotators)
    if (annotator.person.surface === inviter.poster.surface)
      invited.push(await inviteOne(inviter, study, annotator));
  return invited;
}
