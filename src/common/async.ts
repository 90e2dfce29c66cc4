import { setMaxListeners } from 'node:events';
import { setTimeout as timer } from 'node:timers/promises';

/** Waits until the time is over or the signal aborts. Never rejects. */
export const sleep = (ms: number, stop: AbortSignal): Promise<void> =>
  timer(ms, undefined, { signal: stop }).catch(() => {});

/** Waits for a promise to settle, up to a time limit. Resolves to whether it settled; never rejects. */
export async function settlesWithin(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const giveUp = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, sleep(ms, giveUp.signal).then(() => false)]);
  } finally {
    giveUp.abort();
  }
}

/**
 * Runs work now and then at an interval, never twice at a time.
 * @param work must not reject
 * @returns stops it and resolves when no work is running
 */
export function repeatedly(everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  const run = (): void => {
    running ??= work().finally(() => {
      running = null;
    });
  };
  const timer = setInterval(run, everyMs);
  run();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** How long a loop may block the event loop, ms. */
const LONGEST_TURN_MS = 10;

let turnBeganAt = 0;

/**
 * Await this in long loops without I/O, such as over exact checks: now and then it lets the event loop run, so that signals and closed
 * streams are noticed.
 */
export function yieldToEventLoop(): Promise<void> | undefined {
  if (performance.now() - turnBeganAt < LONGEST_TURN_MS) return undefined;
  return new Promise((resolve) =>
    setImmediate(() => {
      turnBeganAt = performance.now();
      resolve();
    }),
  );
}

/**
 * Calls the listener once when the signal aborts, or at once if it has.
 * @returns removes the listener; call it if the signal outlives the caller
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  // Many concurrent listeners are expected, not a leak.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** Makes something when it is first asked for; a failure is not kept. */
export function once<T>(make: () => Promise<T>) {
  let making: Promise<T> | undefined;
  return {
    get: (): Promise<T> => {
      making ??= make().catch((thrown) => {
        making = undefined;
        throw thrown;
      });
      return making;
    },
    /** What was made so far. */
    made: async (): Promise<T | undefined> => making?.catch(() => undefined),
  };
}

/** Most answers that {@link remembered} holds. */
const MOST_REMEMBERED = 10_000;

/** Asks once for each key and gives the same answer for a while; what failed is asked for again. */
export function remembered<T>(
  ask: (key: string) => Promise<T>,
  forMs: number,
  now: () => number,
): (key: string) => Promise<T> {
  const known = new Map<string, { at: number; answer: Promise<T> }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined && Math.abs(now() - found.at) < forMs) return found.answer;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const answer = ask(key);
    known.set(key, { at: now(), answer });
    answer.catch(() => known.delete(key));
    return answer;
  };
}

/** Whether it is time for something again: for each key once in a while. */
export function onceIn(ms: number, now: () => number): (key: string) => boolean {
  const last = new Map<string, number>();
  return (key) => {
    const at = last.get(key);
    if (at !== undefined && Math.abs(now() - at) < ms) return false;
    if (last.size >= MOST_REMEMBERED) last.clear();
    last.set(key, now());
    return true;
  };
}

const MINUTE_MS = 60_000;

/** Reports what happens often once a minute: the first time at once, then how often it happened since. */
export function eachMinute(report: (times: number) => void, now: () => number = Date.now): () => void {
  const isDue = onceIn(MINUTE_MS, now);
  let times = 0;
  return () => {
    times += 1;
    if (!isDue('')) return;
    report(times);
    times = 0;
  };
}
