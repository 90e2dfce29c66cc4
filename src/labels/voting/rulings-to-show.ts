import * as z from 'zod';
import { changeText, DAY_MS, type KeyValue } from '../../common/index.ts';

const KEY = 'rulings-to-show';
/** A chat that is away for longer shows the ruling with the next vote. */
const KEPT_MS = 30 * DAY_MS;
const Ids = z.array(z.string());
const idsIn = (text: string | null): string[] => (text === null ? [] : Ids.parse(JSON.parse(text)));

/**
 * Notes that cards do not show a new ruling yet. Rulings are also made in processes without a chat, such as the terminal; the service
 * finds them here, also after a restart.
 *
 * @param verdicts their ids
 * @throws JuryError `store-unavailable`
 */
export async function noteRulingsToShow(
  store: KeyValue,
  verdicts: readonly string[],
  now: number,
): Promise<void> {
  if (verdicts.length === 0) return;
  const added = (text: string | null) => JSON.stringify([...new Set([...idsIn(text), ...verdicts])]);
  await changeText(store, KEY, added, now, KEPT_MS);
}

/** The ids of the verdicts whose cards do not show their ruling yet, oldest first. @throws JuryError `store-unavailable` */
export const rulingsToShow = async (store: Pick<KeyValue, 'get'>, now: number): Promise<string[]> =>
  idsIn(await store.get(KEY, now));

/** Notes that a card shows its ruling, or that there is no card to show it. @throws JuryError `store-unavailable` */
export async function noteRulingShown(store: KeyValue, verdictId: string, now: number): Promise<void> {
  if (!(await rulingsToShow(store, now)).includes(verdictId)) return;
  const left = (text: string | null) => JSON.stringify(idsIn(text).filter((id) => id !== verdictId));
  await changeText(store, KEY, left, now, KEPT_MS);
}
