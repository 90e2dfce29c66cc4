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
