import pLimit from 'p-limit';

/** What a finished request says about the limit: `slow-down` for a 429, `fine` for an answer, else `unknown`. */
export type LimitFeedback = 'fine' | 'slow-down' | 'unknown';

export interface AdaptiveLimit {
  /** Runs a task in a slot, which it holds only while it runs. Null when the signal aborted before a slot was free. */
  run<T>(
    task: () => Promise<T>,
    feedbackOf: (result: T) => LimitFeedback,
    signal: AbortSignal,
  ): Promise<T | null>;
  /** Slots at present, of which `active` are taken. */
  readonly concurrency: number;
  readonly active: number;
}

/**
 * A limit of concurrent requests that finds the pace of its endpoint: halved, from what was in flight, when a request
 * was rejected with 429; one slot more for each answer, up to the ceiling. A request that began before the last cut does
 * not cut again: its 429 is about a pace already left.
 */
export function createAdaptiveLimit(ceiling: number): AdaptiveLimit {
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
    run: (task, feedbackOf, signal) =>
      new Promise((resolve, reject) => {
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
 * @param turn how long to wait for the next turn with a provider, ms. Where it rejects there is no wait: a request must
 *   not fail because of what paces it
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
 * @param perSecond requests per second, by provider; a provider that is not listed has no limit
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
