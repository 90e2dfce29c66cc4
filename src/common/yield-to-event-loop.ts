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
