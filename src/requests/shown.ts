import * as z from 'zod';
import type { KeyValue } from '../common/key-value.ts';
import { SpotCheck } from './spot-check.ts';

/** Where the answer to a request stands, for as long as people come back to it. */
const Shown = z.strictObject({
  check: z.string(),
  channel: z.string(),
  thread: z.string().nullable(),
  /** The first message, then those of several cases. */
  messages: z.array(z.string()),
  /** How many cases were judged; 0 while they are, or if nothing could be. */
  cases: z.int(),
});
export type Shown = z.infer<typeof Shown>;

const KEPT_MS = 90 * 86_400_000;

const requestKey = (check: string): string => `shown:${check}`;
const threadKey = ({
  surface,
  team,
  channel,
  thread,
}: Pick<SpotCheck, 'surface' | 'team' | 'channel' | 'thread'>) =>
  `thread:${surface}:${team}:${channel}:${thread}`;

/** A race is lost to another process that noted something newer. */
async function replace(store: KeyValue, key: string, value: string, now: number): Promise<void> {
  const kept = await store.setIfAbsent(key, value, now, KEPT_MS);
  if (!kept.set && kept.value !== value) await store.compareAndSet(key, kept.value, value, now, KEPT_MS);
}

async function read(store: KeyValue, key: string, now: number): Promise<Shown | null> {
  const text = await store.get(key, now);
  return text === null ? null : Shown.parse(JSON.parse(text));
}

/** Notes where a request is answered, and that its thread is judged once it is. @throws JuryError `store-unavailable` */
export async function noteShown(
  store: KeyValue,
  check: SpotCheck,
  cases: number,
  now: number,
): Promise<void> {
  const { id, channel, thread, progress } = check;
  if (progress.placeholder === null) return;
  const messages = [progress.placeholder, ...Object.values(progress.replies)];
  const value = JSON.stringify({ check: id, channel, thread, messages, cases } satisfies Shown);
  await replace(store, requestKey(id), value, now);
  if (cases > 0)
    await replace(store, threadKey({ ...check, thread: thread ?? progress.placeholder }), value, now);
}

/** Where a request is answered; null if it is not known. @throws JuryError `store-unavailable` */
export const shownFor = (store: KeyValue, check: string, now: number): Promise<Shown | null> =>
  read(store, requestKey(check), now);

/** What was judged last in the thread of a request; null if nothing was, or the request begins the thread. */
export async function shownAbove(
  store: KeyValue,
  check: Pick<SpotCheck, 'surface' | 'team' | 'channel' | 'thread' | 'input'>,
  now: number,
): Promise<Shown | null> {
  const { input, thread } = check;
  if (input.kind !== 'message' || thread === null || thread === input.message) return null;
  return read(store, threadKey(check), now);
}

const withdrawnKey = (check: string): string => `withdrawn:${check}`;

/** Notes that a request was deleted, before the platform is told that this was heard. @throws JuryError `store-unavailable` */
export const noteWithdrawn = (store: KeyValue, check: string, now: number): Promise<unknown> =>
  store.setIfAbsent(withdrawnKey(check), 'withdrawn', now, KEPT_MS);

export const isRequestWithdrawn = async (store: KeyValue, check: string, now: number): Promise<boolean> =>
  (await store.get(withdrawnKey(check), now)) !== null;

/** What a request says since it was edited, until it is judged again. */
const Edited = SpotCheck.pick({
  surface: true,
  team: true,
  channel: true,
  thread: true,
  requestedBy: true,
  input: true,
}).extend({ key: z.string() });
type Edited = z.infer<typeof Edited>;

const EDIT_KEPT_MS = 3 * 86_400_000;
const editKey = (check: string): string => `edited:${check}`;

/** Keeps the newest text of a request. `true` where nothing newer than what was judged was known before. */
export async function noteEdit(
  store: KeyValue,
  check: string,
  edited: Edited,
  now: number,
): Promise<boolean> {
  const value = JSON.stringify(edited);
  const kept = await store.setIfAbsent(editKey(check), value, now, EDIT_KEPT_MS);
  if (!kept.set) await store.compareAndSet(editKey(check), kept.value, value, now, EDIT_KEPT_MS);
  return kept.set;
}

const againKey = (check: string): string => `again:${check}`;

/** The requests that came of a request's edits. */
export async function editsOf(store: KeyValue, check: string, now: number): Promise<string[]> {
  const text = await store.get(againKey(check), now);
  return text === null ? [] : z.array(z.string()).parse(JSON.parse(text));
}

/** Notes what came of an edit, so that it goes when the request is deleted. */
export async function noteAgain(store: KeyValue, check: string, edit: string, now: number): Promise<void> {
  const known = await editsOf(store, check, now);
  if (!known.includes(edit)) await replace(store, againKey(check), JSON.stringify([...known, edit]), now);
}

/** Takes the newest text of a request; null if there is none that is not judged. */
export async function takeEdit(store: KeyValue, check: string, now: number): Promise<Edited | null> {
  const text = await store.get(editKey(check), now);
  if (text === null) return null;
  await store.delete(editKey(check));
  return Edited.parse(JSON.parse(text));
}
