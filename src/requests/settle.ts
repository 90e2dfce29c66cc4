import * as z from 'zod';
import type { KeyValue } from '../common/index.ts';
import { changeText, isUndelivered, JuryError } from '../common/index.ts';
import type { CheckRun, SpotCheckParts } from './check-run.ts';
import { earlierAnswer, newerAnswer, noteNewer } from './judged-again.ts';
import type { CheckSurface, Mark } from './presenter.ts';
import { askingMessage, verdictIdOf } from './spot-check.ts';

/** The mark on a message that asked. `at`: when the request that it is about was made. */
const Marked = z.strictObject({ at: z.number(), mark: z.enum(['pass', 'fail', 'undecided']).nullable() });

/** As long as reactions on cards are recognized. */
const KEPT_MS = 400 * 86_400_000;
const markKey = (channel: string, message: string): string => `mark:${channel}:${message}`;
const markIn = (text: string | null) => (text === null ? null : Marked.parse(JSON.parse(text)));

/** Whether nothing can be changed there any more, such as in a deleted message. */
const isGone = (thrown: unknown): boolean => thrown instanceof JuryError && thrown.code === 'usage';

/**
 * Whether it is worth trying again. The verdict stands already, so nothing here waits until an admin has changed something, such as
 * a missing permission to react.
 */
const canPass = (thrown: unknown): boolean =>
  isUndelivered(thrown) && thrown.retryable && !thrown.needsChange;

/** The mark of several verdicts: the worst of them. A score has none. */
export function worstMark(decisions: readonly string[]): Mark | null {
  return (['fail', 'undecided', 'pass'] as const).find((mark) => decisions.includes(mark)) ?? null;
}

/** Marks the message that asked, unless a newer request has marked it. */
async function putMark(
  { store, now }: Pick<SpotCheckParts, 'store' | 'now'>,
  { check, surface: { presenter } }: Pick<CheckRun, 'check' | 'surface'>,
  asked: string,
  decided: Mark | null,
): Promise<void> {
  if (presenter.mark === undefined) return;
  const key = markKey(check.channel, asked);
  const { marks = false } = await store.channelSettings(check.channel);
  const mark = marks && check.blind !== true ? decided : null;
  const before = markIn(await store.get(key, now()));
  if (mark === null && before === null) return;
  const latest = (text: string | null): string => {
    const stands = markIn(text);
    return stands !== null && stands.at > check.at && text !== null
      ? text
      : JSON.stringify({ at: check.at, mark } satisfies z.input<typeof Marked>);
  };
  await changeText(store, key, latest, now(), KEPT_MS);
  // A request that was made later may be shown at the same time: the mark that is kept must be the one that shows.
  for (let shown: string | null = null; ; ) {
    const kept = await store.get(key, now());
    if (kept === shown) return;
    await presenter.mark(check, asked, markIn(kept)?.mark ?? null);
    shown = kept;
  }
}

/**
 * Removes the mark from the message of a deleted request, if that is still there.
 *
 * @throws JuryError `store-unavailable`, or `undelivered` if it may be removed later
 */
export async function removeMark(
  store: KeyValue,
  channel: string,
  asked: string | null,
  { presenter }: CheckSurface,
  now: number,
): Promise<void> {
  const key = asked === null ? null : markKey(channel, asked);
  if (key === null || asked === null || (await store.get(key, now)) === null) return;
  await presenter.mark?.({ channel }, asked, null).catch((thrown) => {
    if (canPass(thrown)) throw thrown;
  });
  await store.delete(key);
}

/**
 * Brings the conversation up to date once an answer stands: the answer that it replaces becomes one line, and the message that
 * asked is marked where the conversation wants that. It can be repeated after a crash.
 *
 * @param decided what the verdicts come to; null if they have no mark
 * @throws JuryError `store-unavailable`, or `undelivered` if it may be shown later
 */
export async function settle(
  parts: Pick<SpotCheckParts, 'store' | 'now' | 'observer'>,
  run: CheckRun,
  message: string,
  decided: Mark | null,
): Promise<void> {
  const { store, now, observer } = parts;
  const { check, surface } = run;
  const { presenter } = surface;
  /** What cannot be shown later either is only reported. */
  const unlessNever = (thrown: unknown): void => {
    if (canPass(thrown) || !(isUndelivered(thrown) || isGone(thrown))) throw thrown;
    if (!isGone(thrown)) observer.failed('chat', check, thrown);
  };
  const earlier = await earlierAnswer(store, check, now());
  const newer = await newerAnswer(store, verdictIdOf(check.id, 0), now());
  if (earlier !== null && presenter.fold !== undefined) {
    const link = (await presenter.permalink(check, message)) ?? null;
    for (const id of earlier.verdicts) await noteNewer(store, id, { link }, now());
    for (const one of earlier.messages)
      if (one !== message) await presenter.fold(check, one, link).catch(unlessNever);
  }
  // An edit that was judged sooner than this one has replaced it already, and marked the message.
  if (newer !== null) {
    await presenter.fold?.(check, message, newer.link).catch(unlessNever);
    return;
  }
  // Where someone asked for it to be judged again, the mark on the first message would say what no longer stands.
  const marked = new Set([askingMessage(check), earlier?.record?.source.asked]);
  for (const asked of marked)
    if (asked !== undefined) await putMark(parts, run, asked, decided).catch(unlessNever);
}
