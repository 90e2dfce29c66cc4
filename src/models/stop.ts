/**
 * What may end a request before its answer is there. An `AbortSignal` of its own for each request would do, but is so slow to make and
 * to listen to that it costs more than to send the request (`npm run bench:overhead`).
 */
export interface Stop {
  isStopped(): boolean;
  /** Calls `told` once when it stops, at once where it has. What comes back ends the waiting. */
  onStop(told: () => void): () => void;
}
