import { setMaxListeners } from 'node:events';

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
