export const DAY_MS = 86_400_000;

/** A hundred years, for values that stay until they are replaced or deleted. */
export const FOREVER_MS = 100 * 365 * DAY_MS;

/**
 * Small values that expire: drafts, leases, run-once markers. Every call is atomic and rejects with a `JuryError` `store-unavailable` if
 * the store cannot be reached; a rejected call may still have taken effect.
 * Times are in ms since the epoch; the caller's clock decides whether a value has expired.
 */
export interface KeyValue {
  /** The value, or null if there is none or it has expired. */
  get(key: string, now: number): Promise<string | null>;
  /**
   * Sets a value that expires at `now + ttlMs` unless one exists, so that only one of several replicas does something. If the value is
   * unique, the caller can find out after a rejection whether its call took effect.
   */
  setIfAbsent(
    key: string,
    value: string,
    now: number,
    ttlMs: number,
  ): Promise<{ set: true } | { set: false; value: string }>;
  /** Replaces the value if it equals `expected`; the new one expires at `now + ttlMs`. Resolves to false if it is different or missing. */
  compareAndSet(key: string, expected: string, value: string, now: number, ttlMs: number): Promise<boolean>;
  delete(key: string): Promise<void>;
}

/** Atomically updates a text; resolves to the previous value. @throws JuryError `store-unavailable` */
export async function changeText(
  store: KeyValue,
  key: string,
  to: (before: string | null) => string,
  now: number,
  ttlMs: number,
): Promise<string | null> {
  for (;;) {
    const before = await store.get(key, now);
    const after = to(before);
    if (after === before) return before;
    const isChanged =
      before === null
        ? (await store.setIfAbsent(key, after, now, ttlMs)).set
        : await store.compareAndSet(key, before, after, now, ttlMs);
    if (isChanged) return before;
  }
}
