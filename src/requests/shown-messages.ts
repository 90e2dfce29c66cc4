import * as z from 'zod';
import { changeText, type KeyValue } from '../common/index.ts';
import { SpotCheck } from './spot-check.ts';

/** An edited request. */
export const Edit = SpotCheck.pick({
  surface: true,
  team: true,
  channel: true,
  kind: true,
  thread: true,
  requestedBy: true,
  input: true,
}).extend({ key: z.string() });
export type Edit = z.infer<typeof Edit>;

/** Where a request is answered and what has happened to it since. Kept for 90 days. */
export const Shown = z.strictObject({
  check: z.string(),
  channel: z.string().default(''),
  /** The first message, then those of several cases. */
  messages: z.array(z.string()).default([]),
  /** Number of cases judged; 0 while they are being judged, or if none could be. */
  cases: z.int().default(0),
  /** The message that asked; null if none did or it is not known. */
  asked: z.string().nullable().default(null),
  /** The requester deleted the request. */
  withdrawn: z.boolean().default(false),
  /** The newest edit, until it is judged. */
  edit: Edit.nullable().default(null),
  /** Ids of checks that resulted from earlier edits, or from a choice between two readings. */
  edits: z.array(z.string()).default([]),
});
export type Shown = z.infer<typeof Shown>;

/** How long it is kept where requests are answered. */
export const SHOWN_KEPT_MS = 90 * 86_400_000;
const requestKey = (check: string): string => `shown:${check}`;

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
  return read(await changeText(store, requestKey(check), changed, now, SHOWN_KEPT_MS));
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
