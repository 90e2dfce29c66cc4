import { changeText, type KeyValue } from '../common/index.ts';
import { noteShown, SHOWN_KEPT_MS, type Shown, shownFor } from './shown-messages.ts';
import { askingMessage, type SpotCheck } from './spot-check.ts';

/** Without threads, messages are taken to be about the last verdict for this long. */
const LAST_KEPT_MS = 86_400_000;
const threadKey = ({
  surface,
  team,
  channel,
  thread,
}: Pick<SpotCheck, 'surface' | 'team' | 'channel' | 'thread'>) =>
  `thread:${surface}:${team}:${channel}:${thread}`;

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
  const asked = askingMessage(check) ?? null;
  await noteShown(store, id, () => ({ channel, messages, cases, asked }), now);
  if (cases === 0) return;
  const note = (thread: string | null, ttl: number) =>
    changeText(store, threadKey({ ...check, thread }), () => id, now, ttl);
  await note(check.thread ?? placeholder, SHOWN_KEPT_MS);
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
