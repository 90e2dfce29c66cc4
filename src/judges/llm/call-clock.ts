import { onAbort, tell } from '../../common/on-abort.ts';

/**
 * What may end a request before its answer is there. An `AbortSignal` of its own for each request would do, but is so slow to make and
 * to listen to that it costs more than to send the request (`npm run bench:overhead`).
 */
export interface Stop {
  isStopped(): boolean;
  /** Calls `told` once when it stops, at once where it has. What comes back ends the waiting. */
  onStop(told: () => void): () => void;
}

/** The lifetime of one call: it ends when it is done, cancelled from outside, or out of time. The last two stop it. */
export interface CallClock extends Stop {
  /** Starts the call's own time limit; later calls change nothing. */
  start(): void;
  /** Milliseconds since `start`, 0 before. */
  elapsedMs(): number;
  /** Milliseconds left. */
  remainingMs(): number;
  /** Why it ended early, null while it has not. */
  endedBy(): 'cancelled' | 'timeout' | null;
  /** Waits, at most until the call ends. */
  sleep(ms: number): Promise<void>;
  /** Lets go of timers and listeners. */
  close(): void;
}

/** The longest that a timer takes. */
const longestTimer = 2_147_483_647;

/**
 * @param outer cancels the call
 * @param limitMs the call's own time limit, counted from `start`: waiting for the first slot is not its fault
 * @param deadlineAt `performance.now()` at which it must have ended whatever it waits for
 */
export function createCallClock(outer: AbortSignal, limitMs: number, deadlineAt?: number): CallClock {
  const waiting = new Set<() => void>();
  let endedBy: 'cancelled' | 'timeout' | null = null;
  let startedAt: number | null = null;
  let endsAt = deadlineAt ?? Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const end = (reason: 'cancelled' | 'timeout') => {
    if (endedBy !== null) return;
    endedBy = reason;
    tell(waiting);
    waiting.clear();
  };
  const arm = () => {
    clearTimeout(timer);
    if (endsAt === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(() => end('timeout'), Math.min(longestTimer, Math.max(0, endsAt - performance.now())));
  };

  // While nobody waits there is no timer: that the time is up is found out by the next who begins to wait.
  const onStop = (told: () => void) => {
    if (performance.now() >= endsAt) end('timeout');
    if (endedBy !== null) {
      told();
      return () => {};
    }
    if (waiting.size === 0) arm();
    waiting.add(told);
    return () => void waiting.delete(told);
  };

  const leave = onAbort(outer, () => end('cancelled'));
  return {
    isStopped: () => endedBy !== null,
    onStop,
    start() {
      if (startedAt !== null) return;
      startedAt = performance.now();
      if (startedAt + limitMs >= endsAt) return;
      endsAt = startedAt + limitMs;
      if (waiting.size > 0) arm();
    },
    elapsedMs: () => (startedAt === null ? 0 : performance.now() - startedAt),
    remainingMs: () => endsAt - performance.now(),
    endedBy: () => endedBy,
    sleep: (ms) =>
      new Promise((resolve) => {
        const nap = setTimeout(
          () => {
            forget();
            resolve();
          },
          Math.min(longestTimer, ms),
        );
        const forget = onStop(() => {
          clearTimeout(nap);
          resolve();
        });
      }),
    close() {
      endsAt = Number.POSITIVE_INFINITY;
      clearTimeout(timer);
      leave();
    },
  };
}
