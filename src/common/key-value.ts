/**
 * Small values under keys, each for a limited time: drafts, leases, what is done once among replicas. Every call is atomic and rejects
 * with a `JuryError` `store-unavailable` where the store cannot be reached; what rejected may have been done all the same.
 *
 * Times are ms since the epoch; the caller's clock decides whether a value has expired.
 */
export interface KeyValue {
  /** Null where there is none, or it has expired. */
  get(key: string, now: number): Promise<string | null>;
  /**
   * Sets a value that expires at `now + ttlMs`, unless one stands already; the way to do something once among replicas. A value of the
   * caller's own tells, after a rejection, whether the one that stands is its own.
   */
  setIfAbsent(
    key: string,
    value: string,
    now: number,
    ttlMs: number,
  ): Promise<{ set: true } | { set: false; value: string }>;
  /** Replaces a value that is `expected`, and lets the new one expire at `now + ttlMs`. `false` where another one stands, or none. */
  compareAndSet(key: string, expected: string, value: string, now: number, ttlMs: number): Promise<boolean>;
  delete(key: string): Promise<void>;
}
