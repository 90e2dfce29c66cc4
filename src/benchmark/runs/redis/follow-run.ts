import { setTimeout as sleep } from 'node:timers/promises';
import { JuryError } from '../../../common/errors.ts';
import type { RunTotals } from '../../run-outcomes.ts';
import type { TrialWriter } from '../trial-store.ts';
import type { TrialQueue } from './trial-queue.ts';

export interface FollowParts {
  queue: TrialQueue;
  writer: TrialWriter;
  run: string;
  /** Trials in all. */
  planned: number;
  /** Aborts when the user asks to stop. */
  stop: AbortSignal;
  onTotals: (totals: RunTotals) => void;
  /** Told once when nobody works on the run. */
  onIdle: () => void;
}

const LOOK_MS = 200;
/** So long without a worker, and so long with nothing to do though not all is there, are no accident, ms. */
const IDLE_MS = 3000;

/**
 * Watches workers judge a run until it is at its end, the budget is spent or it is stopped; then closes it to workers.
 *
 * @returns how it ended; `stopped` and `budget` once what was under way has ended or its workers are gone
 * @throws JuryError `internal` where trials were given up, with what the first of them said
 */
export async function followRun(parts: FollowParts): Promise<FollowEnd> {
  const look = createLook(parts);
  for (;;) {
    try {
      const end = await look();
      if (end !== null) return end;
    } catch (thrown) {
      // While Redis is away nothing is lost, and the connection tells of it.
      if (!(thrown instanceof JuryError) || thrown.code !== 'store-unavailable' || !thrown.retryable)
        throw thrown;
      if (parts.stop.aborted) return { kind: 'stopped' };
    }
    await sleep(LOOK_MS, undefined, { signal: parts.stop }).catch(() => {});
  }
}

type FollowEnd = { kind: 'complete' } | { kind: 'stopped' } | { kind: 'budget'; why: string };

/** Whether something has been so at every look for longer than a time, ms. */
function lasting(ms: number): (holds: boolean) => boolean {
  let since: number | null = null;
  return (holds) => {
    const now = performance.now();
    since = holds ? (since ?? now) : null;
    return since !== null && now - since > ms;
  };
}

/** One look at how far a run is; null while it goes on. */
function createLook(parts: FollowParts): () => Promise<FollowEnd | null> {
  const { queue, writer, run, planned, stop } = parts;
  const alone = lasting(IDLE_MS);
  const quiet = lasting(IDLE_MS);
  let told = false;

  /** What the queue says, once the run is known to be neither at its end nor stopped. */
  async function lookAtQueue(): Promise<FollowEnd | null> {
    const { failed, halted, underWay, waiting, why, workers } = await queue.state(run);
    if (halted !== null && (underWay === 0 || workers === 0)) return { kind: 'budget', why: halted };
    if (alone(workers === 0) && !told) {
      told = true;
      parts.onIdle();
    }
    if (quiet(waiting + underWay === 0))
      throw new JuryError(
        'internal',
        `Workers gave up ${failed} trials of the run ${run}${why === null ? '' : `, the first because: ${why}`}. Mend that and start the same command again: it goes on where it is.`,
      );
    return null;
  }

  return async () => {
    const totals = await writer.totals();
    parts.onTotals(totals);
    if (totals.trials >= planned) {
      await queue.retire(run);
      return { kind: 'complete' };
    }
    if (!stop.aborted) return lookAtQueue();
    // Workers bring to its end what is under way; nobody has to wait for them.
    await queue.halt(run, 'it was stopped');
    return { kind: 'stopped' };
  };
}
