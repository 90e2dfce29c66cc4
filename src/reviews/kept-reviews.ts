import * as z from 'zod';
import { changeText, DAY_MS, FOREVER_MS, JuryError, type KeyValue } from '../common/index.ts';
import { readJson } from '../common/text/index.ts';
import { ReviewSample } from './review-sample.ts';

/*
 * What is kept, as small documents in the store:
 *
 *   review-sample:RUN           the drawn answers and what people said about them; as long as labels
 *   review-samples              which runs have one
 *   review-claim:RUN:PLACE:SLOT who is asked about an answer now; for as many days as they have to answer
 *   review-week:VOTER:WEEK      what a person was offered in a week, and whether they skip it; 30 days
 *   review-invited:VOTER:WEEK   that a message invited them in a week; 30 days
 *   review-asked:VOTER          that a message asked whether they volunteer; 30 days, or until they choose
 *   review-choice:VOTER         whether a person has volunteered or wants never to be asked; until changed or forgotten
 *
 * People are pseudonyms throughout.
 */

/** How long offers and skips are kept, from the start of their week, and that a person was asked whether they volunteer. */
const OFFERS_KEPT_MS = 30 * DAY_MS;

function parsed<T extends z.ZodType>(schema: T, text: string, what: string): z.output<T> {
  const read = readJson(schema, text);
  if (read !== null) return read.value;
  throw new JuryError('internal', `The store holds ${what} that this version cannot read.`);
}

const sampleKey = (run: string): string => `review-sample:${run}`;

export async function findSample(store: KeyValue, run: string, now: number): Promise<ReviewSample | null> {
  const text = await store.get(sampleKey(run), now);
  return text === null ? null : parsed(ReviewSample, text, 'a review sample');
}

/** Keeps a sample unless the run has one. Resolves to the one that is kept. */
export async function keepSample(
  store: KeyValue,
  sample: ReviewSample,
  now: number,
): Promise<{ isNew: boolean; sample: ReviewSample }> {
  const text = JSON.stringify(sample);
  const kept = await store.setIfAbsent(sampleKey(sample.run), text, now, sample.until - now);
  const standing = kept.set ? sample : parsed(ReviewSample, kept.value, 'a review sample');
  await noteSample(store, standing, now);
  return { isNew: kept.set, sample: standing };
}

/**
 * Changes a sample atomically. Resolves to the changed one; null if there is none.
 *
 * @param to returns the sample itself to leave it as it is; may be called several times
 */
export async function changeSample(
  store: KeyValue,
  run: string,
  to: (sample: ReviewSample) => ReviewSample,
  now: number,
): Promise<ReviewSample | null> {
  for (;;) {
    const text = await store.get(sampleKey(run), now);
    if (text === null) return null;
    const before = parsed(ReviewSample, text, 'a review sample');
    const after = to(before);
    if (after === before) return before;
    const kept = JSON.stringify(after);
    if (await store.compareAndSet(sampleKey(run), text, kept, now, after.until - now)) return after;
  }
}

const SAMPLES = 'review-samples';

export const Listed = z.strictObject({
  run: z.string(),
  at: z.number(),
  until: z.number(),
  signatures: z.array(z.string()),
});
export type ListedSample = z.infer<typeof Listed>;

const Listing = z.array(Listed);

const readListing = (text: string | null): ListedSample[] =>
  text === null ? [] : parsed(Listing, text, 'the list of review samples');

async function noteSample(store: KeyValue, sample: ReviewSample, now: number): Promise<void> {
  const { run, at, until } = sample;
  const signatures = [...new Set(Object.values(sample.signatures))].sort();
  const add = (before: string | null): string => {
    const listed = readListing(before);
    if (before !== null && listed.some((one) => one.run === run)) return before;
    return JSON.stringify([...listed.filter((one) => one.until > now), { run, at, until, signatures }]);
  };
  await changeText(store, SAMPLES, add, now, FOREVER_MS);
}

/** Which runs have a sample, newest first. */
export async function listSamples(store: KeyValue, now: number): Promise<ListedSample[]> {
  const listed = readListing(await store.get(SAMPLES, now));
  return listed
    .filter(({ until }) => until > now)
    .sort((a, b) => b.at - a.at || (a.run < b.run ? -1 : a.run > b.run ? 1 : 0));
}

/** An answer of a run, and which of the people asked about it is meant. */
export interface ClaimOn {
  run: string;
  place: number;
  slot: number;
}

const claimKey = ({ run, place, slot }: ClaimOn): string => `review-claim:${run}:${place}:${slot}`;

/**
 * Claims an answer for a person, so that no one else is asked meanwhile. `own`: an earlier call of theirs claimed it; `taken`: someone
 * else has it.
 */
export async function claim(
  store: KeyValue,
  on: ClaimOn,
  voter: string,
  now: number,
  days: number,
): Promise<'fresh' | 'own' | 'taken'> {
  const mark = await store.setIfAbsent(claimKey(on), voter, now, days * DAY_MS);
  if (mark.set) return 'fresh';
  return mark.value === voter ? 'own' : 'taken';
}

export const claimedBy = (store: KeyValue, on: ClaimOn, now: number): Promise<string | null> =>
  store.get(claimKey(on), now);

/** Gives up a person's own claim; another person's stays. It no longer names them, and is dated back, so that it has expired at once. */
export async function release(store: KeyValue, on: ClaimOn, voter: string, now: number): Promise<void> {
  await store.compareAndSet(claimKey(on), voter, '', now, -1);
}

const askedKey = (voter: string): string => `review-asked:${voter}`;

/** Whether a message has asked a person whether they volunteer. */
export const wasAsked = async (store: KeyValue, voter: string, now: number): Promise<boolean> =>
  (await store.get(askedKey(voter), now)) !== null;

export async function noteAsked(store: KeyValue, voter: string, now: number): Promise<void> {
  await store.setIfAbsent(askedKey(voter), 'asked', now, OFFERS_KEPT_MS);
}

export const forgetAsked = (store: KeyValue, voter: string): Promise<void> => store.delete(askedKey(voter));

const choiceKey = (voter: string): string => `review-choice:${voter}`;

/** Whether a person checks answers. Only volunteers are asked; `never` stays until they change it. */
export const ReviewChoice = z.enum(['volunteer', 'never']);
export type ReviewChoice = z.infer<typeof ReviewChoice>;

export async function choiceOf(store: KeyValue, voter: string, now: number): Promise<ReviewChoice | null> {
  return readChoice(await store.get(choiceKey(voter), now));
}

const readChoice = (text: string | null): ReviewChoice | null =>
  text === null ? null : ReviewChoice.parse(text);

/** @returns what they chose before */
export async function choose(
  store: KeyValue,
  voter: string,
  to: (before: ReviewChoice | null) => ReviewChoice,
  now: number,
): Promise<ReviewChoice | null> {
  const chosen = (text: string | null): string => to(readChoice(text));
  const before = await changeText(store, choiceKey(voter), chosen, now, FOREVER_MS);
  await forgetAsked(store, voter);
  return readChoice(before);
}

/** What a person was offered in a week (UTC, from Monday). */
export const Week = z.strictObject({
  offers: z.array(z.strictObject({ run: z.string(), place: z.int() })),
  /** "Not this week." */
  skipped: z.boolean(),
});
export type Week = z.infer<typeof Week>;

const noWeek: Week = { offers: [], skipped: false };

/** January 1, 1970 was a Thursday. */
const MONDAY_MS = 4 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

const weekOf = (now: number): number => Math.floor((now - MONDAY_MS) / WEEK_MS);
const beginOf = (week: number): number => MONDAY_MS + week * WEEK_MS;
const endOf = (week: number): number => beginOf(week) + OFFERS_KEPT_MS;
const weekKey = (voter: string, week: number): string => `review-week:${voter}:${week}`;

/** The weeks of which something may be kept, the current one first. */
const keptWeeks = (now: number): number[] =>
  Array.from({ length: 5 }, (_, back) => weekOf(now) - back).filter((week) => endOf(week) > now);

/** What a person was offered lately, the current week first. */
export async function readWeeks(store: KeyValue, voter: string, now: number): Promise<[Week, ...Week[]]> {
  const texts = await Promise.all(keptWeeks(now).map((week) => store.get(weekKey(voter, week), now)));
  const [current = noWeek, ...earlier] = texts.map((text) =>
    text === null ? noWeek : parsed(Week, text, 'a week of reviews'),
  );
  return [current, ...earlier];
}

/** Changes a person's current week atomically. @param to null: leave it as it is @returns whether it was changed */
export async function changeWeek(
  store: KeyValue,
  voter: string,
  to: (week: Week) => Week | null,
  now: number,
): Promise<boolean> {
  const week = weekOf(now);
  const key = weekKey(voter, week);
  for (;;) {
    const text = await store.get(key, now);
    const after = to(text === null ? noWeek : parsed(Week, text, 'a week of reviews'));
    if (after === null) return false;
    const kept = JSON.stringify(after);
    const ttlMs = endOf(week) - now;
    const isChanged =
      text === null
        ? (await store.setIfAbsent(key, kept, now, ttlMs)).set
        : await store.compareAndSet(key, text, kept, now, ttlMs);
    if (isChanged) return true;
  }
}

const invitedKey = (voter: string, week: number): string => `review-invited:${voter}:${week}`;

/** Where it is kept that a person was invited this week, and for how long, in ms. `week` and when it began are the same for everyone. */
export const invitedThisWeek = (voter: string, now: number) => {
  const week = weekOf(now);
  return { key: invitedKey(voter, week), week, since: beginOf(week), keptMs: endOf(week) - now };
};

export const deleteChoice = (store: KeyValue, voter: string): Promise<void> => store.delete(choiceKey(voter));

/** Deletes what a person was offered and that they skipped. */
export async function deleteOffers(store: KeyValue, voter: string, now: number): Promise<void> {
  for (const week of keptWeeks(now)) await store.delete(weekKey(voter, week));
}

/** Deletes what a person was offered, and that they were invited and asked. */
export async function deletePerson(store: KeyValue, voter: string, now: number): Promise<void> {
  await forgetAsked(store, voter);
  await deleteOffers(store, voter, now);
  for (const week of keptWeeks(now)) await store.delete(invitedKey(voter, week));
}
