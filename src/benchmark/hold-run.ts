import { randomUUID } from 'node:crypto';
import type { KeyValue } from '../common/key-value.ts';
import { sleep } from '../common/wait.ts';

/** Others take over so long after the last sign of life. Machines' clocks may differ by less. */
const LEASE_MS = 60_000;
const LOOK_MS = 1_000;

export interface RunHold {
  /** Aborts when somebody else may have gone on with the run. */
  lost: AbortSignal;
  release: () => Promise<void>;
}

/**
 * Waits until this process may work on a run, so that processes which are due to make the same one pay for it once. Two at
 * a time do no harm but the double cost: trials are kept once.
 *
 * @param isDone the run has come to its end, and nobody has to work on it
 * @returns null where it is done
 * @throws the reason of `stop`
 */
export async function holdRun(
  store: KeyValue,
  run: string,
  { now, isDone, stop }: { now: () => number; isDone: () => Promise<boolean>; stop: AbortSignal },
): Promise<RunHold | null> {
  const holder = randomUUID();
  const key = `benchmark-run:${run}`;
  for (;;) {
    stop.throwIfAborted();
    const mark = await store.setIfAbsent(key, holder, now(), LEASE_MS);
    // What rejected may have been set all the same.
    if (mark.set || mark.value === holder) break;
    await sleep(LOOK_MS, stop);
  }
  // Only its own mark, since another process may have taken over while this one stood still; and as long ago as a lease, so that
  // it is over by slow clocks too.
  const release = async () => {
    await store.compareAndSet(key, holder, holder, now(), -LEASE_MS);
  };
  // Asked once, by whoever's turn it is: it takes reading the whole run.
  let done = true;
  try {
    done = await isDone();
  } finally {
    if (done) await release();
  }
  if (done) return null;
  const lost = new AbortController();
  const renew = async () => {
    if (!(await store.compareAndSet(key, holder, holder, now(), LEASE_MS))) lost.abort();
  };
  const timer = setInterval(() => renew().catch(() => lost.abort()), LEASE_MS / 3);
  timer.unref();
  return {
    lost: lost.signal,
    release: async () => {
      clearInterval(timer);
      if (!lost.signal.aborted) await release();
    },
  };
}
