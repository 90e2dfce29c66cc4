/** How often and how patiently failed requests are repeated. */
export interface Backoff {
  /** First ceiling of the random wait, doubled with every attempt up to `capMs`. */
  baseMs: number;
  capMs: number;
  /** Most requests for one reply; for rate limits somewhat more, as waiting does help there. */
  attempts: number;
  rateLimitedAttempts: number;
  /** A number in [0, 1). */
  random: () => number;
}

export const defaultBackoff: Backoff = {
  baseMs: 250,
  capMs: 8000,
  attempts: 6,
  rateLimitedAttempts: 8,
  random: Math.random,
};

/**
 * Milliseconds to wait before the next attempt. Full jitter (a random part of an exponentially growing ceiling) keeps
 * clients that failed together from coming back together. What the endpoint asked for is the least; a little is added,
 * for the same reason.
 * @param failures failed attempts so far, 1 or more
 */
export function waitBeforeRetry(failures: number, retryAfterMs: number | null, backoff: Backoff): number {
  const own = backoff.random() * Math.min(backoff.capMs, backoff.baseMs * 2 ** (failures - 1));
  if (retryAfterMs === null) return own;
  // "Now" is no answer to a limit that is still in force: then our own pace counts.
  return Math.max(own, retryAfterMs + backoff.random() * Math.min(backoff.baseMs, retryAfterMs / 10));
}

/**
 * What `Retry-After` (seconds or an HTTP date) or `retry-after-ms` asks for, in milliseconds; null when neither says.
 * @param now milliseconds since the epoch
 */
export function retryAfterOf(
  headers: { get(name: string): string | null } | undefined,
  now: number,
): number | null {
  const milliseconds = headers?.get('retry-after-ms')?.trim();
  if (milliseconds && isWait(milliseconds)) return Number(milliseconds);
  const after = headers?.get('retry-after')?.trim();
  if (!after) return null;
  if (isWait(after)) return Number(after) * 1000;
  // Numbers that are no wait (negative, endless) would be read as years.
  const date = Number.isNaN(Number(after)) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

const isWait = (text: string): boolean => Number(text) >= 0 && Number.isFinite(Number(text));
