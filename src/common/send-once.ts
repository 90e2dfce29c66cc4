import { JuryError, messageOf } from './errors.ts';
import type { KeyValue } from './key-value.ts';

/** One of several processes that send the same messages. */
export interface Sender {
  store: Pick<KeyValue, 'setIfAbsent' | 'compareAndSet'>;
  /** Unique id of this process. */
  holder: string;
  now: () => number;
}

/** `waiting`: another process is sending it, or it failed recently. */
export type SentOnce = { outcome: 'sent' | 'known' | 'waiting' } | { outcome: 'failed'; reason: string };

const SENT = 'sent';
/** Longer than all attempts to send take together. */
const LEASE_MS = 300_000;
/** How long to wait after the platform refused a message. */
const REFUSED_MS = 3_600_000;

/**
 * Sends a message once, no matter how many processes call this or die halfway. A process that dies after the message arrived leaves a
 * lease; who takes over calls `send` again, which has to find out that it did.
 *
 * @param send rejects with a JuryError `usage` if the message can never be sent
 * @param keptMs how long it is remembered that the message was sent
 * @throws JuryError `store-unavailable`; calling it again resumes
 */
export async function sendOnce(
  { store, holder, now }: Sender,
  key: string,
  send: () => Promise<void>,
  keptMs: number,
): Promise<SentOnce> {
  const claim = await store.setIfAbsent(key, holder, now(), LEASE_MS);
  if (!claim.set && claim.value !== holder) return { outcome: claim.value === SENT ? 'known' : 'waiting' };
  if (!claim.set) await store.compareAndSet(key, holder, holder, now(), LEASE_MS);
  try {
    await send();
  } catch (thrown) {
    const isRefused = thrown instanceof JuryError && thrown.code === 'usage';
    // Blocks further attempts for a while. After other errors the lease simply expires.
    if (isRefused) await store.compareAndSet(key, holder, 'refused', now(), REFUSED_MS);
    return { outcome: 'failed', reason: messageOf(thrown) };
  }
  await store.compareAndSet(key, holder, SENT, now(), keptMs);
  return { outcome: 'sent' };
}
