import { setMaxListeners } from 'node:events';
import { setTimeout as timer } from 'node:timers/promises';

/** Waits so many ms, shorter where it is stopped. Never rejects. */
export const sleep = (ms: number, stop: AbortSignal): Promise<void> =>
  timer(ms, undefined, { signal: stop }).catch(() => {});

/** Waits until a promise settles, but no longer than so many ms. Resolves to whether it settled; never rejects. */
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

/** How long, in ms, a loop may keep everything else waiting. */
const LONGEST_TURN_MS = 10;

let turnBeganAt = 0;

/**
 * Awaited in loops that may run long without waiting for anything, such as over exact checks: now and then lets the event loop have its
 * turn. Only then are signals noticed, and that a reader has gone.
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
 * Calls the listener once when the signal aborts, at once where it has.
 * @returns stops listening; to be called where the signal lives longer than the caller
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  // Many calls may wait for one signal; that is no leak.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
