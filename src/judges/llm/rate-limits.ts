import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import { onAbort } from '../../common/index.ts';

/** What a finished request implies for the limit: `slow-down` after a 429, `fine` after an answer. */
export type LimitFeedback = 'fine' | 'slow-down' | 'unknown';

export type AdaptiveLimit = ReturnType<typeof createAdaptiveLimit>;

/**
 * A limit on concurrent requests that adapts to its endpoint: a 429 halves it relative to the requests in flight, and each answer adds a
 * slot, up to the ceiling. A 429 for a request that started before the last cut does not cut again.
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
    /** Runs a task as soon as a slot is free. Resolves to null if the signal aborts before that. */
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
    /** Current number of slots. `active` is the number in use. */
    get concurrency(): number {
      return limit.concurrency;
    },
    get active(): number {
      return limit.activeCount;
    },
  };
}

/** How long the next request to a provider has to wait, ms. */
export type Pace = (provider: string) => number | Promise<number>;

/**
 * Paces requests within this process.
 *
 * @param perSecond requests per second by provider; providers that are not listed have no limit
 * @param now milliseconds on a monotonic clock
 */
export function createTurns(perSecond: ReadonlyMap<string, number>, now: () => number) {
  const nextAt = new Map<string, number>();
  return (provider: string): number => {
    const rate = perSecond.get(provider);
    if (rate === undefined) return 0;
    const at = Math.max(now(), nextAt.get(provider) ?? 0);
    nextAt.set(provider, at + 1000 / rate);
    return at - now();
  };
}

/** The longest delay that a timer supports, in ms. */
export const maxTimerMs = 2_147_483_647;

/**
 * Starts the timer of one call.
 * @param outer cancels the call
 * @param limitMs time limit from `start`, so excluding the wait for the first slot
 * @param deadlineAt absolute limit on the clock of `performance.now()`
 */
export function startCallTimer(outer: AbortSignal, limitMs: number, deadlineAt = Number.POSITIVE_INFINITY) {
  const controller = new AbortController();
  // Undici and the `openai` client each add listeners to a call's signal.
  setMaxListeners(0, controller.signal);
  let startedAt: number | null = null;
  let endsAt = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function endAt(time: number): void {
    if (time >= endsAt) return;
    endsAt = time;
    clearTimeout(timer);
    const leftMs = Math.max(0, endsAt - performance.now());
    timer = setTimeout(() => controller.abort('timeout'), Math.min(maxTimerMs, leftMs));
  }

  // Not `AbortSignal.any`: it leaks memory for every call under a long-lived signal.
  const unlink = onAbort(outer, () => controller.abort('cancelled'));
  endAt(deadlineAt);
  return {
    /** Aborts with the reason `'cancelled'` or `'timeout'`. */
    signal: controller.signal,
    /** Starts the time limit; further calls have no effect. */
    start(): void {
      if (startedAt !== null) return;
      startedAt = performance.now();
      endAt(startedAt + limitMs);
    },
    /** Milliseconds since `start`; 0 before that. */
    elapsedMs: () => (startedAt === null ? 0 : performance.now() - startedAt),
    /** Milliseconds left. */
    remainingMs: () => endsAt - performance.now(),
    /** Clears the timer and stops listening to the outer signal. */
    close(): void {
      clearTimeout(timer);
      unlink();
    },
  };
}
