import { setMaxListeners } from 'node:events';
import { onAbort } from '../../common/async.ts';

/** The longest delay of a timer. */
export const maxTimerMs = 2_147_483_647;

/**
 * The time limit of one call.
 *
 * @param outer cancels the call
 * @param limitMs time limit, counted from `start`, that is without waiting for the first slot
 * @param deadlineAt absolute limit on the clock of `performance.now()`
 */
export function startCallTimer(outer: AbortSignal, limitMs: number, deadlineAt = Number.POSITIVE_INFINITY) {
  const controller = new AbortController();
  // Undici and the `openai` client each add listeners to the signal of a call.
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
    /** Starts the time limit; later calls change nothing. */
    start(): void {
      if (startedAt !== null) return;
      startedAt = performance.now();
      endAt(startedAt + limitMs);
    },
    /** Milliseconds since `start`, 0 before. */
    elapsedMs: () => (startedAt === null ? 0 : performance.now() - startedAt),
    /** Milliseconds left. */
    remainingMs: () => endsAt - performance.now(),
    /** Clears the timer and leaves the outer signal. */
    close(): void {
      clearTimeout(timer);
      unlink();
    },
  };
}
