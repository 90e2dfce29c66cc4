import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { onAbort } from '../../common/async.ts';
import type { UnscoredReason } from '../../judging/judgement.ts';
import {
  type ChatBody,
  type ChatQuestion,
  type ChatReply,
  chatBodyOf,
  type Repair,
} from './chat-completion.ts';
import { type ChatConnection, type SendOutcome, sendOnce } from './chat-endpoint.ts';
import type { ChatFailure } from './chat-failure.ts';
import type { CallCapabilities, SentSettings } from './endpoint-capabilities.ts';
import type { UsageMeter } from './models.ts';
import type { Endpoint } from './providers.ts';
import type { Pace } from './rate-limits.ts';

export interface Backoff {
  /** Ceiling of the first random wait, doubled with every attempt up to `capMs`. */
  baseMs: number;
  capMs: number;
  /** Maximum requests for one reply; more for rate limits, because waiting helps there. */
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
 * Milliseconds to wait before the next attempt. Full jitter (a random part of an exponentially growing ceiling) keeps clients that
 * failed together from retrying together. The wait is never shorter than the endpoint asked for, plus a little jitter.
 * @param failures failed attempts so far, 1 or more
 */
export function waitBeforeRetry(failures: number, retryAfterMs: number | null, backoff: Backoff): number {
  const own = backoff.random() * Math.min(backoff.capMs, backoff.baseMs * 2 ** (failures - 1));
  if (retryAfterMs === null) return own;
  // The endpoint may ask for no wait although its limit still applies: then our own backoff counts.
  return Math.max(own, retryAfterMs + backoff.random() * Math.min(backoff.baseMs, retryAfterMs / 10));
}

/** The longest delay of a timer. */
const maxTimerMs = 2_147_483_647;

/**
 * The time limit of one call.
 *
 * @param outer cancels the call
 * @param limitMs time limit, counted from `start`, that is without waiting for the first slot
 * @param deadlineAt absolute limit on the clock of `performance.now()`
 */
export function startCallTimer(outer: AbortSignal, limitMs: number, deadlineAt = Number.POSITIVE_INFINITY) {
  const controller = new AbortController();
  // Undici and the `openai` client each add listeners to the signal of a call.
  setMaxListeners(0, controller.signal);
  let startedAt: number | null = null;
  let endsAt = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function endAt(time: number): void {
    if (time >= endsAt) return;
    endsAt = time;
    clearTimeout(timer);
    const leftMs = Math.max(0, endsAt - performance.now());
    timer = setTimeout(() => controller.abort('timeout'), Math.min(maxTimerMs, leftMs));
  }

  // Not `AbortSignal.any`: it leaks memory for every call under a long-lived signal.
  const unlink = onAbort(outer, () => controller.abort('cancelled'));
  endAt(deadlineAt);
  return {
    /** Aborts with the reason `'cancelled'` or `'timeout'`. */
    signal: controller.signal,
    /** Starts the time limit; later calls change nothing. */
    start(): void {
      if (startedAt !== null) return;
      startedAt = performance.now();
      endAt(startedAt + limitMs);
    },
    /** Milliseconds since `start`, 0 before. */
    elapsedMs: () => (startedAt === null ? 0 : performance.now() - startedAt),
    /** Milliseconds left. */
    remainingMs: () => endsAt - performance.now(),
    /** Clears the timer and leaves the outer signal. */
    close(): void {
      clearTimeout(timer);
      unlink();
    },
  };
}

/** Why a call ends without an answer. */
export interface Unanswered {
  reason: UnscoredReason;
  message: string;
  /** Every call would end like this until a person changes a setting. */
  misconfigured?: true;
}

export interface Call {
  endpoint: Endpoint;
  connection: ChatConnection;
  capabilities: CallCapabilities;
  backoff: Backoff;
  timer: ReturnType<typeof startCallTimer>;
  meter: UsageMeter;
  limitMs: number;
  /** Paces all requests, including retries. */
  pace: Pace | null;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Gets one reply, whatever its content: retries failures that may pass, and gives up settings that the endpoint refuses, at least for
 * the rest of the call.
 */
export async function sendWithRetry(
  question: ChatQuestion,
  repair: Repair | null,
  call: Call,
): Promise<{ reply: ChatReply } | Unanswered> {
  const { capabilities, connection, endpoint, meter, now, timer } = call;
  const { signal } = timer;
  const onSend = () => {
    timer.start();
    meter.attempt();
  };
  let failures = 0;
  for (;;) {
    await pauseFor((await call.pace?.(endpoint.provider)) ?? 0, signal);
    const body = chatBodyOf(question, endpoint.model, capabilities.current(), repair);
    const outcome = await sendOnce(body, { endpoint, connection, signal, onSend, now });
    if (outcome.kind === 'stopped') return stopped(outcome, call);
    if (outcome.kind === 'reply') {
      meter.add(outcome.reply.tokens);
      capabilities.accepted(settingsOf(body));
      return outcome;
    }
    const { failure } = outcome;
    if (failure.mayBill) meter.add(null);
    if (failure.kind === 'unsupported') {
      if (capabilities.giveUp(settingsOf(body), failure.named)) continue;
      return { reason: 'error', message: failure.message };
    }
    const end = await waitToRetry(failure, ++failures, call);
    if (end !== null) return end;
  }
}

const settingsOf = (body: ChatBody): SentSettings => ({
  format: body.response_format !== undefined,
  temperature: body.temperature !== undefined,
  seed: body.seed !== undefined,
});

/** What a failure means for the call: the reason if it ends like this, and the most requests; one is not worth repeating. */
const endings: Record<
  ChatFailure['kind'],
  Omit<Unanswered, 'message'> & { requests: 'attempts' | 'rateLimitedAttempts' | 1 | 2 }
> = {
  'rate-limited': { reason: 'rate-limited', requests: 'rateLimitedAttempts' },
  unavailable: { reason: 'error', requests: 'attempts' },
  timeout: { reason: 'timeout', requests: 'attempts' },
  garbled: { reason: 'malformed', requests: 2 },
  malformed: { reason: 'malformed', requests: 1 },
  refused: { reason: 'refused', requests: 1 },
  unsupported: { reason: 'error', requests: 1 },
  fatal: { reason: 'error', requests: 1 },
  quota: { reason: 'rate-limited', misconfigured: true, requests: 1 },
  misconfigured: { reason: 'error', misconfigured: true, requests: 1 },
};

/** Waits for the next attempt, or explains why there is none. */
async function waitToRetry(failure: ChatFailure, failures: number, call: Call): Promise<Unanswered | null> {
  const { backoff, timer } = call;
  const { message } = failure;
  const { requests, ...ending } = endings[failure.kind];
  if (requests === 1) return { ...ending, message };
  const most = requests === 2 ? 2 : backoff[requests];
  if (failures >= most) return { ...ending, message: `${message} (${failures} attempts)` };
  const waitMs = waitBeforeRetry(failures, failure.retryAfterMs, backoff);
  const leftMs = timer.remainingMs();
  if (waitMs > leftMs) {
    const asks = failure.retryAfterMs === null ? 'the next attempt would wait' : 'it asks to wait';
    return {
      ...ending,
      message: `${message}; ${asks} ${seconds(waitMs)}, but only ${seconds(leftMs)} are left`,
    };
  }
  await pauseFor(waitMs, timer.signal);
  return timer.signal.aborted ? stopped({ kind: 'stopped', sent: false }, call) : null;
}

/** Waits, at most until the signal aborts. */
async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(Math.min(maxTimerMs, ms), undefined, { signal }).catch(() => {});
}

function stopped({ sent }: Extract<SendOutcome, { kind: 'stopped' }>, call: Call): Unanswered {
  const { endpoint, limitMs, meter, timer } = call;
  // The endpoint may finish and bill a request that was abandoned.
  if (sent) meter.add(null);
  if (timer.signal.reason === 'cancelled')
    return { reason: 'cancelled', message: 'cancelled before the answer' };
  const elapsedMs = timer.elapsedMs();
  const what =
    elapsedMs === 0 ? 'no free slot before the deadline' : `no answer within ${seconds(elapsedMs)}`;
  return { reason: 'timeout', message: `${what} from ${endpoint.provider} (limit ${seconds(limitMs)})` };
}

const seconds = (ms: number) => `${(Math.max(0, ms) / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`;
