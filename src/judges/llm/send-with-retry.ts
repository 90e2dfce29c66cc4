import type { UnscoredReason } from '../../judging/judgement.ts';
import type { CallClock } from './call-clock.ts';
import { type Asked, askForObject, type ChatReply, type Repair } from './chat-completion.ts';
import type { ChatBody, ChatEndpoint, Sending } from './chat-endpoint.ts';
import { type ChatFailure, withoutKey } from './chat-failure.ts';
import type { CallDialect, Sent } from './endpoint-capabilities.ts';
import type { UsageMeter } from './models.ts';
import type { Endpoint } from './providers.ts';
import type { Pace } from './rate-limits.ts';

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

/** Why a call ends without an answer. */
export interface Ending {
  reason: UnscoredReason;
  message: string;
}

export interface ExchangeParts {
  endpoint: Endpoint;
  chat: ChatEndpoint;
  dialect: CallDialect;
  backoff: Backoff;
  clock: CallClock;
  meter: UsageMeter;
  limitMs: number;
  /** When the turn of a request comes, retries included. */
  pace: Pace | null;
}

/**
 * Gets one reply, whatever it says: repeats what may succeed later and gives up settings that the endpoint refuses, for
 * the rest of the call at least.
 */
export async function exchange(
  asked: Asked,
  repair: Repair | null,
  parts: ExchangeParts,
): Promise<{ reply: ChatReply } | Ending> {
  const { chat, clock, dialect, endpoint, meter } = parts;
  let failures = 0;
  for (;;) {
    const turnInMs = (await parts.pace?.(endpoint.provider)) ?? 0;
    if (turnInMs > 0) await clock.sleep(turnInMs);
    const body = askForObject(asked, endpoint, dialect.current(), repair);
    const sending = await chat.send(body, clock, () => {
      clock.start();
      meter.attempt();
    });
    if (sending.kind === 'stopped') return stopped(sending, parts);
    if (sending.kind === 'reply') {
      meter.took(sending.reply.tokens);
      dialect.accepted(sentIn(body));
      const { reply } = sending;
      return { reply: { ...reply, text: withoutKey(reply.text, endpoint.apiKey) } };
    }
    const { failure } = sending;
    if (failure.mayBill) meter.took(null);
    if (failure.kind === 'unsupported') {
      if (!dialect.giveUp(sentIn(body), failure.named)) return { reason: 'error', message: failure.message };
      continue;
    }
    const ending = await waitToRetry(failure, ++failures, parts);
    if (ending !== null) return ending;
  }
}

const sentIn = (body: ChatBody): Sent => ({
  format: body.response_format !== undefined,
  temperature: body.temperature !== undefined,
  seed: body.seed !== undefined,
});

/** Waits, or says why that makes no sense. */
async function waitToRetry(
  failure: ChatFailure,
  failures: number,
  parts: ExchangeParts,
): Promise<Ending | null> {
  const { backoff, clock } = parts;
  if (failure.kind === 'refused' || failure.kind === 'malformed')
    return { reason: failure.kind, message: failure.message };
  if (failure.kind === 'quota') return { reason: 'rate-limited', message: failure.message };
  if (failure.kind === 'fatal') return { reason: 'error', message: failure.message };
  const { kind } = failure;
  const reason = kind === 'rate-limited' || kind === 'timeout' ? kind : 'error';
  const most = kind === 'rate-limited' ? backoff.rateLimitedAttempts : backoff.attempts;
  if (failures >= most) return { reason, message: `${failure.message} (${failures} attempts)` };
  const waitMs = waitBeforeRetry(failures, failure.retryAfterMs, backoff);
  const leftMs = clock.remainingMs();
  if (waitMs > leftMs) {
    const asks = failure.retryAfterMs === null ? 'the next attempt would wait' : 'it asks to wait';
    return {
      reason,
      message: `${failure.message}; ${asks} ${seconds(waitMs)}, only ${seconds(leftMs)} are left`,
    };
  }
  await clock.sleep(waitMs);
  return clock.isStopped() ? stopped({ kind: 'stopped', sent: false }, parts) : null;
}

function stopped(sending: Extract<Sending, { kind: 'stopped' }>, parts: ExchangeParts): Ending {
  // The endpoint may finish and bill what it was no longer listened to.
  if (sending.sent) parts.meter.took(null);
  if (parts.clock.endedBy() === 'cancelled')
    return { reason: 'cancelled', message: 'cancelled before the answer' };
  const elapsed = parts.clock.elapsedMs();
  const what = elapsed === 0 ? 'no free slot before the deadline' : `no answer within ${seconds(elapsed)}`;
  return {
    reason: 'timeout',
    message: `${what} from ${parts.endpoint.provider} (limit ${seconds(parts.limitMs)})`,
  };
}

const seconds = (ms: number) => `${(Math.max(0, ms) / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`;
