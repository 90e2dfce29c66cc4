import pLimit from 'p-limit';

/** What a finished request implies for the limit: `slow-down` after a 429, `fine` after an answer. */
export type LimitFeedback = 'fine' | 'slow-down' | 'unknown';

export type AdaptiveLimit = ReturnType<typeof createAdaptiveLimit>;

/**
 * A limit of concurrent requests that adapts to its endpoint: a 429 cuts it to half of the requests in flight, and each answer adds a
 * slot, up to the ceiling. A 429 for a request that began before the last cut does not cut again.
 */
export function createAdaptiveLimit(ceiling: number) {
  const limit = pLimit(ceiling);
  let cuts = 0;

  function adapt(feedback: LimitFeedback, cutsAtStart: number): void {
    if (feedback === 'fine' && limit.concurrency < ceiling) limit.concurrency += 1;
    if (feedback === 'slow-down' && cutsAtStart === cuts) {
      cuts += 1;
      limit.concurrency = Math.max(1, Math.floor(Math.min(limit.activeCount, limit.concurrency) / 2));
    }
  }

  return {
    /** Runs a task as soon as a slot is free; null if the signal aborts before that. */
    run: <T>(task: () => Promise<T>, feedbackOf: (result: T) => LimitFeedback, signal: AbortSignal) =>
      new Promise<T | null>((resolve, reject) => {
        if (signal.aborted) return resolve(null);
        const leave = () => resolve(null);
        signal.addEventListener('abort', leave, { once: true });
        limit(async () => {
          signal.removeEventListener('abort', leave);
          if (signal.aborted) return;
          const cutsAtStart = cuts;
          const result = await task();
          adapt(feedbackOf(result), cutsAtStart);
          resolve(result);
        }).catch(reject);
      }),
    /** Current number of slots, of which `active` are taken. */
    get concurrency(): number {
      return limit.concurrency;
    },
    get active(): number {
      return limit.activeCount;
    },
  };
}

/** How long a request to a provider has to wait, ms. Never rejects. */
export type Pace = (provider: string) => Promise<number>;

/**
 * A pace from a source of turns.
 *
 * @param turn how long to wait for the next turn with a provider, ms. If it rejects, there is no wait: pacing must not fail requests
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
 * Paces requests within this process.
 *
 * @param perSecond requests per second by provider; providers that are not listed have no limit
 * @param now milliseconds on a monotonic clock
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
