/** How long, in ms, nothing else may come to its turn. */
const LONGEST_BREATH_MS = 10;

/**
 * What work that takes no time off, such as exact checks, awaits in between: now and then it lets everything else have its turn. Only
 * then signals are noticed, and that a reader went away.
 */
export function breathing(): () => Promise<void> | undefined {
  let breathedAt = performance.now();
  return () =>
    performance.now() - breathedAt < LONGEST_BREATH_MS
      ? undefined
      : new Promise((resolve) =>
          setImmediate(() => {
            breathedAt = performance.now();
            resolve();
          }),
        );
}
