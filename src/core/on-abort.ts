/** Who is told when a signal aborts, in the order in which they asked. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** All who wait for this signal, which itself has one listener for them. */
function waitingFor(signal: AbortSignal): Set<() => void> {
  const known = waiting.get(signal);
  if (known !== undefined) return known;
  const all = new Set<() => void>();
  waiting.set(signal, all);
  const tell = () => {
    waiting.delete(signal);
    for (const told of all) told();
  };
  signal.addEventListener('abort', tell, { once: true });
  return all;
}

/**
 * Calls `told` once when the signal aborts, at once where it has. What comes back ends the waiting. However many calls under way
 * wait for one signal, each joins and leaves at the same price, where a signal looks through all its listeners.
 */
export function onAbort(signal: AbortSignal, told: () => void): () => void {
  if (signal.aborted) {
    told();
    return () => {};
  }
  const all = waitingFor(signal);
  all.add(told);
  return () => {
    all.delete(told);
  };
}
