import pLimit from 'p-limit';
import type { Stop } from './call-clock.ts';

/** What a finished request says about the pace: `slow-down` for a 429, `fine` for an answer, else nothing. */
export type LimitFeedback = 'fine' | 'slow-down' | 'unknown';

export interface AdaptiveLimit {
  /**
   * Runs a task in a slot, which it holds only while it runs. Null when it was stopped before a slot was free.
   */
  run<T>(task: () => Promise<T>, paceOf: (result: T) => LimitFeedback, stop: Stop): Promise<T | null>;
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
  let cuts = 0;

  function adapt(pace: LimitFeedback, cutsAtStart: number): void {
    if (pace === 'fine' && limit.concurrency < ceiling) limit.concurrency += 1;
    if (pace === 'slow-down' && cutsAtStart === cuts) {
      cuts += 1;
      limit.concurrency = Math.max(1, Math.floor(Math.min(limit.activeCount, limit.concurrency) / 2));
    }
  }

  return {
    run: (task, paceOf, stop) =>
      new Promise((resolve, reject) => {
        if (stop.isStopped()) return resolve(null);
        // A slot may be free that somebody who waits is about to take.
        const hasToWait = limit.activeCount >= limit.concurrency || limit.pendingCount > 0;
        const forget = hasToWait ? stop.onStop(() => resolve(null)) : null;
        limit(async () => {
          forget?.();
          if (stop.isStopped()) return resolve(null);
          const cutsAtStart = cuts;
          const result = await task();
          adapt(paceOf(result), cutsAtStart);
          resolve(result);
        }).catch(reject);
      }),
    get concurrency() {
      return limit.concurrency;
    },
    get active() {
      return limit.activeCount;
    },
  };
}

/** How long a request to a provider has to wait for its turn, ms. Never rejects. */
export type Pace = (provider: string) => Promise<number>;

/**
 * A pace from turns that are given out one after the other.
 *
 * @param turn how long to wait for the next turn with a provider, ms; where it rejects nobody waits: what a request is
 *   for must not fail with what paces it
 */
export function createPace(turn: (provider: string) => number | Promise<number>): Pace {
  return async (provider) => {
    try {
      return await turn(provider);
    } catch {
      return 0;
    }
  };
}

/**
 * Turns within this process.
 *
 * @param perSecond requests a second, by provider; a provider that is not in it has no limit
 * @param now milliseconds on a clock that never goes back
 */
export function createTurns(
  perSecond: ReadonlyMap<string, number>,
  now: () => number,
): (provider: string) => number {
  const nextAt = new Map<string, number>();
  return (provider) => {
    const rate = perSecond.get(provider);
    if (rate === undefined) return 0;
    const at = Math.max(now(), nextAt.get(provider) ?? 0);
    nextAt.set(provider, at + 1000 / rate);
    return at - now();
  };
}
