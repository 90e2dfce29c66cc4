import pLimit from 'p-limit';
import type { Stop } from './stop.ts';

/** What a finished request says about the pace: `slow-down` for a 429, `fine` for an answer, else nothing. */
export type Pace = 'fine' | 'slow-down' | 'unknown';

export interface AdaptiveLimit {
  /**
   * Runs a task in a slot, which it holds only while it runs. Null when it was stopped before a slot was free.
   */
  run<T>(task: () => Promise<T>, paceOf: (result: T) => Pace, stop: Stop): Promise<T | null>;
  /** Slots at present, of which `active` are taken. */
  readonly concurrency: number;
  readonly active: number;
}

/**
 * A limit of requests at the same time that finds the pace of its endpoint: halved, from what was in flight, when a
 * request was told to slow down; one slot more for each answer, up to the ceiling. A request that began before the
 * last cut does not cut again: its 429 speaks of a pace already left.
 */
export function createAdaptiveLimit(ceiling: number): AdaptiveLimit {
  const limit = pLimit(ceiling);
  let [slots, active, waiting, cuts] = [ceiling, 0, 0, 0];

  function adapt(pace: Pace, cutsAtStart: number): void {
    if (pace === 'fine' && slots < ceiling) slots += 1;
    else if (pace === 'slow-down' && cutsAtStart === cuts) {
      cuts += 1;
      slots = Math.max(1, Math.floor(Math.min(active, slots) / 2));
    } else return;
    limit.concurrency = slots;
  }

  return {
    run: (task, paceOf, stop) =>
      new Promise((resolve, reject) => {
        if (stop.isStopped()) return resolve(null);
        // A slot may be free that somebody who waits is about to take.
        const forget = active + waiting < slots ? null : stop.onStop(() => resolve(null));
        waiting += 1;
        limit(async () => {
          forget?.();
          waiting -= 1;
          if (stop.isStopped()) return resolve(null);
          const cutsAtStart = cuts;
          active += 1;
          try {
            const result = await task();
            adapt(paceOf(result), cutsAtStart);
            resolve(result);
          } finally {
            active -= 1;
          }
        }).catch(reject);
      }),
    get concurrency() {
      return slots;
    },
    get active() {
      return active;
    },
  };
}
