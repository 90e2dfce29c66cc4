import * as z from 'zod';
import type { KeyValue } from '../common/index.ts';
import type { Person } from '../labels/access/index.ts';
import type { VerdictStore } from '../labels/record/index.ts';

/** The people who requested and stopped a verdict, by platform id. */
export const People = z.strictObject({ askedBy: z.string(), stoppedBy: z.string().nullable() });
export type People = z.infer<typeof People>;

/** How long cards name people: about as long as they are discussed. */
const PEOPLE_KEPT_MS = 90 * 86_400_000;
/** The store key for the people of a verdict; deleted with the verdict. */
export const peopleKey = (verdictId: string): string => `people:${verdictId}`;

/** Stored beside the verdict, which itself names no one. */
export const keepPeople = (store: KeyValue, verdictId: string, people: People, now: number) =>
  store.setIfAbsent(peopleKey(verdictId), JSON.stringify(people), now, PEOPLE_KEPT_MS);

/** The people of a verdict; null if they are no longer stored. */
export async function findPeople(store: KeyValue, verdictId: string, now: number): Promise<People | null> {
  const text = await store.get(peopleKey(verdictId), now);
  return text === null ? null : People.parse(JSON.parse(text));
}

/** The store key for a person's own chat with the app, on surfaces that cannot look it up. */
export const ownChatKey = ({ surface, team, user }: Person): string => `${surface}-person:${team}:${user}`;

/** The store key for what the platform says of a person, on surfaces that cannot look it up. */
export const profileKey = ({ surface, team, user }: Person): string => `${surface}-profile:${team}:${user}`;

/** The verdicts that a person is stored as having requested or stopped, and until when (ms since the epoch). */
async function involvementsOf(
  store: KeyValue & Pick<VerdictStore, 'allVerdicts'>,
  { surface, team, user }: Person,
  now: number,
) {
  const involvements: { id: string; people: People; until: number }[] = [];
  for await (const { id, at, source } of store.allVerdicts()) {
    const until = at + PEOPLE_KEPT_MS;
    if (until <= now) break;
    if (source.surface !== surface || (team !== '' && source.team !== team)) continue;
    const people = await findPeople(store, id, now);
    if (people?.askedBy === user || people?.stoppedBy === user) involvements.push({ id, people, until });
  }
  return involvements;
}

/**
 * Erases a person as the requester or stopper of verdicts, their profile, and their own chat with the app.
 *
 * @param note receives the ids of the verdicts the person requested, before anything is erased: afterwards they cannot
 * be found
 * @returns the number of verdicts from which the person was erased
 */
export async function forgetPeople(
  store: KeyValue & Pick<VerdictStore, 'allVerdicts'>,
  person: Person,
  now: number,
  note: (asked: readonly string[]) => Promise<void>,
): Promise<number> {
  const { user } = person;
  const involvements = await involvementsOf(store, person, now);
  await note(involvements.flatMap(({ id, people }) => (people.askedBy === user ? [id] : [])));
  await store.delete(ownChatKey(person));
  await store.delete(profileKey(person));
  for (const { id, people, until } of involvements) {
    const key = peopleKey(id);
    const without: People = { askedBy: people.askedBy, stoppedBy: null };
    if (people.askedBy === user) await store.delete(key);
    else await store.compareAndSet(key, JSON.stringify(people), JSON.stringify(without), now, until - now);
  }
  return involvements.length;
}
