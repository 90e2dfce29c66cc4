import { DAY_MS } from './text.ts';

/** A hundred years: for what stays until it is replaced or removed. */
export const FOREVER_MS = 100 * 365 * DAY_MS;

/**
 * Small values with expiry: drafts, leases, once-only marks. Every call is atomic and rejects with a `JuryError` `store-unavailable` if
 * the store cannot be reached; a rejected call may have taken effect.
 *
 * Times are ms since the epoch; the caller's clock decides whether a value has expired.
 */
export interface KeyValue {
  /** Null if there is none, or it has expired. */
  get(key: string, now: number): Promise<string | null>;
  /**
   * Sets a value that expires at `now + ttlMs`, unless there is one, so that something is done once among replicas. With a unique value
   * the caller can tell after a rejection whether its call took effect.
   */
  setIfAbsent(
    key: string,
    value: string,
    now: number,
    ttlMs: number,
  ): Promise<{ set: true } | { set: false; value: string }>;
  /** Replaces the value `expected` by one that expires at `now + ttlMs`. `false` if there is another value, or none. */
  compareAndSet(key: string, expected: string, value: string, now: number, ttlMs: number): Promise<boolean>;
  delete(key: string): Promise<void>;
}

/** Changes a kept text, atomically; resolves to what it was before. @throws JuryError `store-unavailable` */
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
