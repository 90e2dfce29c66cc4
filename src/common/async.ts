import { setMaxListeners } from 'node:events';
import { setTimeout as timer } from 'node:timers/promises';

/** Waits for `ms` milliseconds or until the signal aborts. Never rejects. */
export const sleep = (ms: number, stop: AbortSignal): Promise<void> =>
  timer(ms, undefined, { signal: stop }).catch(() => {});

/** Waits up to `ms` milliseconds for a promise to end. Resolves to whether it did; never rejects. */
export async function endsWithin(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const giveUp = new AbortController();
  const ended = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, sleep(ms, giveUp.signal).then(() => false)]);
  } finally {
    giveUp.abort();
  }
}

/**
 * Runs work at once and then at an interval. Runs never overlap.
 * @param work must not reject
 * @returns a function that stops the interval and resolves when no work is running
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

/** How long a loop may block the event loop, in ms. */
const LONGEST_TURN_MS = 10;

let turnBeganAt = 0;

/**
 * Await this in long loops without I/O, such as over exact checks: it lets the event loop run from time to time, so that signals and
 * closed streams are noticed.
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
 * Calls the listener once when the signal aborts, or at once if it already has.
 * @returns a function that removes the listener; call it if the signal outlives the caller
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

/** Creates a value on first use and shares it. A failure is not cached. */
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
    /** The value if it has been created, otherwise undefined. Does not create it. */
    made: async (): Promise<T | undefined> => making?.catch(() => undefined),
  };
}

/** Maximum number of keys that {@link remembered} and {@link onceIn} hold; past it, all are dropped. */
const MOST_REMEMBERED = 10_000;

/** Caches an async lookup per key for `forMs` milliseconds. Failures are not cached. */
export function remembered<T>(
  ask: (key: string) => Promise<T>,
  forMs: number,
  now: () => number,
): (key: string) => Promise<T> {
  const answers = new Map<string, { at: number; answer: Promise<T> }>();
  return (key) => {
    const remembered = answers.get(key);
    if (remembered !== undefined && Math.abs(now() - remembered.at) < forMs) return remembered.answer;
    if (answers.size >= MOST_REMEMBERED) answers.clear();
    const answer = ask(key);
    answers.set(key, { at: now(), answer });
    answer.catch(() => answers.delete(key));
    return answer;
  };
}

/** Returns a function that says whether a key is due: true at most once per key in `ms` milliseconds. */
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

/** Throttles reports of a frequent event to one a minute. The first is reported at once, later ones with the count since the last report. */
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
