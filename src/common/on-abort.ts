/** All who wait for one signal, which itself has one listener for them. */
interface Crowd {
  waiting: Set<() => void>;
  listener: () => void;
}

const crowds = new WeakMap<AbortSignal, Crowd>();

/** Tells everybody, in the order in which they came, also those behind one who throws. */
export function tell(waiting: ReadonlySet<() => void>): void {
  for (const told of waiting)
    try {
      told();
    } catch (thrown) {
      // As of any listener: nobody here can answer for it.
      queueMicrotask(() => {
        throw thrown;
      });
    }
}

function crowdAt(signal: AbortSignal): Crowd {
  const known = crowds.get(signal);
  if (known !== undefined) return known;
  const waiting = new Set<() => void>();
  const crowd = { waiting, listener: () => tell(waiting) };
  crowds.set(signal, crowd);
  signal.addEventListener('abort', crowd.listener, { once: true });
  return crowd;
}

/**
 * Calls `told` once when the signal aborts, at once where it has. What comes back ends the waiting. However many calls under way
 * wait for one signal, each joins and leaves at the same price, where a signal looks through all its listeners.
 *
 * @param told a function of this call alone
 */
export function onAbort(signal: AbortSignal, told: () => void): () => void {
  if (signal.aborted) {
    told();
    return () => {};
  }
  const { waiting, listener } = crowdAt(signal);
  waiting.add(told);
  return () => {
    if (!waiting.delete(told) || waiting.size > 0) return;
    // A signal made of others is kept alive by whoever listens to it.
    crowds.delete(signal);
    signal.removeEventListener('abort', listener);
  };
}
