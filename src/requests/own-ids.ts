import * as z from 'zod';
import { changeText, type KeyValue } from '../common/index.ts';

const Ids = z.array(z.string());

/**
 * Ids of what a person has in the store, so that it is found when the person is forgotten. Some may have expired.
 *
 * @throws JuryError `store-unavailable`
 */
export async function ownIds(store: Pick<KeyValue, 'get'>, key: string, now: number): Promise<string[]> {
  return Ids.parse(JSON.parse((await store.get(key, now)) ?? '[]'));
}

/** @throws JuryError `store-unavailable` */
export const noteOwnId = (
  store: KeyValue,
  key: string,
  id: string,
  now: number,
  keptMs: number,
): Promise<unknown> =>
  changeText(
    store,
    key,
    (text) => JSON.stringify([...new Set([...Ids.parse(JSON.parse(text ?? '[]')), id])]),
    now,
    keptMs,
  );

/**
 * Drops ids from a list.
 *
 * @throws JuryError `store-unavailable`
 */
export async function dropOwnIds(
  store: KeyValue,
  key: string,
  gone: ReadonlySet<string>,
  now: number,
  keptMs: number,
): Promise<void> {
  if (!(await ownIds(store, key, now)).some((id) => gone.has(id))) return;
  const without = (text: string | null) =>
    JSON.stringify(Ids.parse(JSON.parse(text ?? '[]')).filter((id) => !gone.has(id)));
  await changeText(store, key, without, now, keptMs);
}
