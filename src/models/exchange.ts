import type { UnscoredReason } from '../core/judgement.ts';
import { type Asked, askForObject, type Repair } from './ask-for-object.ts';
import { type Backoff, waitBeforeRetry } from './backoff.ts';
import type { CallClock } from './call-clock.ts';
import type { ChatBody, ChatEndpoint, Sending } from './chat-endpoint.ts';
import type { ChatFailure } from './chat-failure.ts';
import type { ChatReply } from './chat-reply.ts';
import type { CallDialect, Sent } from './dialect.ts';
import type { Pace } from './pace.ts';
import { withoutKey } from './plain-message.ts';
import type { Endpoint } from './providers.ts';
import type { UsageMeter } from './usage-meter.ts';

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
