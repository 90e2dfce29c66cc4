import * as z from 'zod';
import { loadCollectAnswers } from '../benchmark/collect/lazy.ts';
import { eraseInRuns, type TrialStore } from '../benchmark/index.ts';
import { changeText, DAY_MS, type KeyValue } from '../common/index.ts';

/**
 * Ids of verdicts whose requests were forgotten, without the requesters. By this list, every machine erases its own copies of
 * the cases, including those in runs that were still being written at the time.
 */
const KEY = 'forgotten-cases';
const KEPT_MS = 90 * DAY_MS;
const Ids = z.array(z.string());

const idsOf = (text: string | null): string[] => Ids.parse(JSON.parse(text ?? '[]'));

/** Adds verdicts to the list of forgotten ones, which is kept for 90 days. @throws JuryError `store-unavailable` */
export async function noteForgotten(store: KeyValue, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await changeText(
    store,
    KEY,
    (text) => JSON.stringify([...new Set([...idsOf(text), ...ids])]),
    now,
    KEPT_MS,
  );
}

interface Copies {
  store: Pick<KeyValue, 'get' | 'delete'>;
  /** Opens the store of benchmark runs; the caller closes it. */
  runs: () => Promise<TrialStore>;
}

/**
 * Erases this machine's copies of forgotten cases in benchmark runs, and what a system under test answered to them for a run that is
 * not there yet.
 * @returns how many cases were erased, and the runs that could not be written, with reasons
 */
export async function eraseForgotten({ store, runs }: Copies, now: number): ReturnType<typeof eraseInRuns> {
  const ids = new Set(idsOf(await store.get(KEY, now)));
  if (ids.size === 0) return { cases: 0, failed: [] };
  const { forgetCollected } = await loadCollectAnswers();
  await forgetCollected(store, ids, now);
  return eraseInRuns(await runs(), ({ id = '' }) => ids.has(id));
}
