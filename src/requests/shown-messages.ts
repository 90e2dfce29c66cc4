import * as z from 'zod';
import { changeText, type KeyValue } from '../common/index.ts';
import type { Person } from '../labels/access/index.ts';
import { type Recorded, type RequestStore, recordRequest, SpotCheck } from './spot-check.ts';

/** An edited request. */
const Edit = SpotCheck.pick({
  surface: true,
  team: true,
  channel: true,
  kind: true,
  thread: true,
  requestedBy: true,
  input: true,
}).extend({ key: z.string() });

/** Where a request is answered and what has happened to it since. Kept for 90 days. */
const Shown = z.strictObject({
  check: z.string(),
  channel: z.string().default(''),
  /** The first message, then those of several cases. */
  messages: z.array(z.string()).default([]),
  /** Number of cases judged; 0 while they are being judged, or if none could be. */
  cases: z.int().default(0),
  /** The requester deleted the request. */
  withdrawn: z.boolean().default(false),
  /** The newest edit, until it is judged. */
  edit: Edit.nullable().default(null),
  /** Ids of checks that resulted from earlier edits, or from a choice between two readings. */
  edits: z.array(z.string()).default([]),
});
export type Shown = z.infer<typeof Shown>;

const KEPT_MS = 90 * 86_400_000;
/** Without threads, messages are taken to be about the last verdict for this long. */
const LAST_KEPT_MS = 86_400_000;
const requestKey = (check: string): string => `shown:${check}`;
const threadKey = ({
  surface,
  team,
  channel,
  thread,
}: Pick<SpotCheck, 'surface' | 'team' | 'channel' | 'thread'>) =>
  `thread:${surface}:${team}:${channel}:${thread}`;

/** The store key for the ids of a person's edited requests. */
const editsKey = (surface: string, user: string): string => `edits:${surface}:${user}`;
const editsIn = (text: string | null): string[] => z.array(z.string()).parse(JSON.parse(text ?? '[]'));

/**
 * Where a request is answered; null if unknown.
 *
 * @throws JuryError `store-unavailable`
 */
export async function shownFor(store: KeyValue, check: string, now: number): Promise<Shown | null> {
  const text = await store.get(requestKey(check), now);
  return text === null ? null : Shown.parse(JSON.parse(text));
}

/**
 * Atomically updates what is known about a request; resolves to the state before.
 *
 * @throws JuryError `store-unavailable`
 */
export async function noteShown(
  store: KeyValue,
  check: string,
  to: (before: Shown) => Partial<Shown>,
  now: number,
): Promise<Shown> {
  const read = (text: string | null) => Shown.parse(text === null ? { check } : JSON.parse(text));
  const changed = (text: string | null) => JSON.stringify({ ...read(text), ...to(read(text)) });
  return read(await changeText(store, requestKey(check), changed, now, KEPT_MS));
}

/**
 * Stores the edited text of a request.
 *
 * @returns what is known about the request if judging it again should be offered, which is done once until it has been
 * judged; otherwise null, also for a request that was never answered
 * @throws JuryError `store-unavailable`
 */
export async function noteEdit(
  store: KeyValue,
  check: string,
  edit: z.infer<typeof Edit>,
  now: number,
): Promise<Shown | null> {
  if ((await shownFor(store, check, now)) === null) return null;
  const withThis = (text: string | null) => JSON.stringify([...new Set([...editsIn(text), check])]);
  await changeText(store, editsKey(edit.surface, edit.requestedBy), withThis, now, KEPT_MS);
  const before = await noteShown(store, check, () => ({ edit }), now);
  return before.edit === null ? before : null;
}

/**
 * Forgets an edit whose offer could not be shown, so that the next delivery makes it again.
 *
 * @throws JuryError `store-unavailable`
 */
export const forgetEdit = (store: KeyValue, check: string, now: number): Promise<Shown> =>
  noteShown(store, check, () => ({ edit: null }), now);

/**
 * Erases the texts of a person's edited requests that were not judged; resolves to their number.
 *
 * @throws JuryError `store-unavailable`
 */
export async function forgetEdits(
  store: KeyValue,
  { surface, user }: Pick<Person, 'surface' | 'user'>,
  now: number,
): Promise<number> {
  const key = editsKey(surface, user);
  let forgotten = 0;
  for (const check of editsIn(await store.get(key, now))) {
    if ((await shownFor(store, check, now))?.edit?.requestedBy !== user) continue;
    await forgetEdit(store, check, now);
    forgotten += 1;
  }
  await store.delete(key);
  return forgotten;
}

/**
 * Records an edited request as a new one, once per edit. `judged`: there is no unjudged edit. `deleted`: the request is
 * gone.
 *
 * @throws JuryError `store-unavailable`
 */
export async function recordEdit(
  store: KeyValue & RequestStore,
  original: string,
  now: number,
): Promise<Recorded | 'judged' | 'deleted'> {
  const { edit = null, withdrawn = false } = (await shownFor(store, original, now)) ?? {};
  if (withdrawn) return 'deleted';
  if (edit === null) return 'judged';
  const recorded = await recordRequest(store, edit, now);
  const judged = (shown: Shown): Partial<Shown> => ({
    edit: shown.edit?.key === edit.key ? null : shown.edit,
    edits: [...new Set([...shown.edits, recorded.check.id])],
  });
  const before = await noteShown(store, original, judged, now);
  if (!before.withdrawn) return recorded;
  // The original was deleted in the meantime, before this request was linked to it.
  await noteShown(store, recorded.check.id, () => ({ withdrawn: true }), now);
  return 'deleted';
}

/**
 * Links a request to the one it resulted from, so that both are deleted together.
 *
 * @returns whether the original still exists
 * @throws JuryError `store-unavailable`
 */
export async function noteFollowing(
  store: KeyValue,
  original: string,
  following: string,
  now: number,
): Promise<boolean> {
  const withThis = ({ edits }: Shown) => ({ edits: [...new Set([...edits, following])] });
  const { withdrawn } = await noteShown(store, original, withThis, now);
  if (withdrawn) await noteShown(store, following, () => ({ withdrawn: true }), now);
  return !withdrawn;
}

/**
 * Notes where a request is answered and, once it is judged, that its thread is about it.
 *
 * @throws JuryError `store-unavailable`
 */
export async function noteAnswered(
  store: KeyValue,
  check: SpotCheck,
  cases: number,
  now: number,
): Promise<void> {
  const { id, channel, progress } = check;
  const { placeholder, replies } = progress;
  if (placeholder === null) return;
  const messages = [placeholder, ...Object.values(replies)];
  await noteShown(store, id, () => ({ channel, messages, cases }), now);
  if (cases === 0) return;
  const note = (thread: string | null, ttl: number) =>
    changeText(store, threadKey({ ...check, thread }), () => id, now, ttl);
  await note(check.thread ?? placeholder, KEPT_MS);
  if (check.thread === null) await note(null, LAST_KEPT_MS);
}

/**
 * The request judged last in a request's thread; without threads, the one it quotes, otherwise the one judged last.
 * Null if there is none, or if the request starts the thread.
 *
 * @throws JuryError `store-unavailable`
 */
export async function shownAbove(
  store: KeyValue,
  check: Pick<SpotCheck, 'surface' | 'team' | 'channel' | 'thread' | 'input'>,
  now: number,
): Promise<Shown | null> {
  const { input, thread } = check;
  if (input.kind !== 'message' || thread === input.message) return null;
  const quoted =
    input.quotes === undefined ? null : await store.get(threadKey({ ...check, thread: input.quotes }), now);
  const judged = quoted ?? (await store.get(threadKey(check), now));
  const shown = judged === null ? null : await shownFor(store, judged, now);
  return shown?.withdrawn === true ? null : shown;
}
