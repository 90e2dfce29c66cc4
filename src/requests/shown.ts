import * as z from 'zod';
import type { KeyValue } from '../common/key-value.ts';
import type { SpotCheck } from './spot-check.ts';

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
