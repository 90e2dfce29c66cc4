import type OpenAI from 'openai';
import { messageOf, sleep } from '../../common/index.ts';
import type { EndpointTrouble, UnscoredReason } from '../../judging/verdict/index.ts';
import { type ChatBody, type ChatReply, chatReplyOf } from './chat-completion.ts';
import { type ChatFailure, chatFailure, chatFailureOf, failureOfStatus } from './chat-failure.ts';
import type { CallCapabilities, EndpointCapabilities, SentSettings } from './endpoint-capabilities.ts';
import { noTokens, type Tokens, type UsageMeter } from './models.ts';
import { baseUrlVariable, type Endpoint } from './providers.ts';
import {
  type AdaptiveLimit,
  type LimitFeedback,
  maxTimerMs,
  type Pace,
  type startCallTimer,
} from './rate-limits.ts';

export interface Backoff {
  /** Upper bound of the first random wait, doubled with every attempt up to `capMs`. */
  baseMs: number;
  capMs: number;
  /** Maximum requests for one reply. Rate limits get more, because waiting helps there. */
  attempts: number;
  rateLimitedAttempts: number;
  /** Maximum attempts to connect to an endpoint that has never answered: its address is probably wrong, or it is not running. */
  firstContactAttempts: number;
  /** A number in [0, 1). */
  random: () => number;
}

export const defaultBackoff: Backoff = {
  baseMs: 250,
  capMs: 8000,
  attempts: 6,
  rateLimitedAttempts: 8,
  firstContactAttempts: 3,
  random: Math.random,
};

/**
 * Milliseconds to wait before the next attempt. Full jitter (a random part of an exponentially growing ceiling) keeps clients that failed
 * together from retrying together. The wait is never shorter than the endpoint asked for, plus a little jitter.
 * @param failures failed attempts so far, 1 or more
 */
export function waitBeforeRetry(failures: number, retryAfterMs: number | null, backoff: Backoff): number {
  const backoffMs = backoff.random() * Math.min(backoff.capMs, backoff.baseMs * 2 ** (failures - 1));
  if (retryAfterMs === null) return backoffMs;
  // An endpoint may report a wait of 0 while its limit still applies; then our own backoff is used.
  return Math.max(backoffMs, retryAfterMs + backoff.random() * Math.min(backoff.baseMs, retryAfterMs / 10));
}

/** Why a call ended without an answer. */
export interface Unanswered {
  reason: UnscoredReason;
  message: string;
  /** Every call would end this way until a setting is changed. */
  misconfigured?: true;
  /** What is wrong with the endpoint, if that is why. */
  trouble?: EndpointTrouble;
  /** The endpoint failed regardless of the question; it may work later. */
  unavailable?: true;
}

/** The cost of one request, until it is known. */
export interface Spending {
  /** @param tokens null if the request may be billed for an unknown amount */
  charge: (tokens: Tokens | null) => void;
}

export interface Call {
  endpoint: Endpoint;
  /** Client and limit are shared by all models with the same base URL and key. */
  client: () => Promise<OpenAI>;
  limit: AdaptiveLimit;
  /** Removes known secrets from a reply. */
  hide: (text: string) => string;
  /** Whether the endpoint has ever answered in this process. */
  contact: { made: boolean };
  capabilities: CallCapabilities;
  backoff: Backoff;
  timer: ReturnType<typeof startCallTimer>;
  meter: UsageMeter;
  /** Reserves what a request may cost. */
  reserve: (body: ChatBody) => Promise<Spending | Unanswered>;
  limitMs: number;
  /** Paces all requests, including retries. */
  pace: Pace | null;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Builds the request body for the model's name at the endpoint and the supported capabilities. */
export type BodyOf = (model: string, capabilities: EndpointCapabilities) => ChatBody;

/** The outcome of one request. `stopped`: it ended while waiting for a slot or, if `sent`, for the reply. */
type SendOutcome =
  | { kind: 'reply'; reply: ChatReply; latencyMs: number }
  | { kind: 'failed'; failure: ChatFailure }
  | { kind: 'stopped'; sent: boolean };

/** Sends one request, without retries, as soon as a slot is free. Never rejects. */
async function sendOnce(body: ChatBody, call: Call): Promise<SendOutcome> {
  const { endpoint, hide, limit, meter, now, timer } = call;
  const { signal } = timer;
  let client: OpenAI;
  try {
    // Loaded before the time limit starts, which should not include loading packages.
    client = await call.client();
  } catch (error) {
    return failed(
      chatFailure('fatal', `the HTTP client cannot be loaded: ${messageOf(error)}; reinstall Jury`),
    );
  }
  const task = async (): Promise<SendOutcome> => {
    timer.start();
    meter.attempt();
    const sentAt = performance.now();
    try {
      const completion = await client.chat.completions.create(body, { signal });
      return outcomeOf(completion, performance.now() - sentAt, endpoint, hide);
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped', sent: true };
      return failed(chatFailureOf(error, endpoint, now()));
    }
  };
  return (await limit.run(task, feedbackOf, signal)) ?? { kind: 'stopped', sent: false };
}

const failed = (failure: ChatFailure): SendOutcome => ({ kind: 'failed', failure });

function outcomeOf(
  completion: unknown,
  latencyMs: number,
  endpoint: Endpoint,
  hide: Call['hide'],
): SendOutcome {
  const read = chatReplyOf(completion);
  if (read === null) {
    const what = `this is not a chat completion; check ${baseUrlVariable(endpoint.provider)}, which often ends in /v1`;
    const { message } = failureOfStatus(200, '', what, endpoint);
    return failed(chatFailure('fatal', message, { mayBill: true }));
  }
  if ('reply' in read) {
    const { text, refusal } = read.reply;
    // Hidden again: a reply may come in parts that each hold half of a secret.
    const reply = { ...read.reply, text: hide(text), refusal: refusal === null ? null : hide(refusal) };
    return { kind: 'reply', reply, latencyMs };
  }
  const { code, about, message } = read.error;
  return failed(failureOfStatus(Number(code) || 502, about, message, endpoint));
}

export const feedbackOn = ({ kind }: ChatFailure): LimitFeedback =>
  kind === 'rate-limited' ? 'slow-down' : 'unknown';

function feedbackOf(outcome: SendOutcome): LimitFeedback {
  if (outcome.kind === 'reply') return 'fine';
  return outcome.kind === 'failed' ? feedbackOn(outcome.failure) : 'unknown';
}

/**
 * Gets one reply, whatever its content. Retries failures that may pass, and drops settings that the endpoint refuses, at least for the
 * rest of the call.
 * @returns `latencyMs` is that of the request that was answered
 */
export async function sendWithRetry(
  bodyOf: BodyOf,
  call: Call,
): Promise<{ reply: ChatReply; latencyMs: number } | Unanswered> {
  const { capabilities, endpoint, meter, timer } = call;
  let failures = 0;
  for (;;) {
    await pauseFor(await turnOf(call), timer.signal);
    const body = bodyOf(endpoint.model, capabilities.current());
    const spending = await call.reserve(body);
    if ('reason' in spending) return spending;
    const outcome = await sendOnce(body, call);
    const tokens = tokensOf(outcome);
    spending.charge(tokens);
    meter.add(tokens);
    if (outcome.kind === 'stopped') return stopped(endpoint.provider, call);
    if (outcome.kind === 'reply') {
      call.contact.made = true;
      capabilities.accepted(settingsOf(body));
      return outcome;
    }
    const { failure } = outcome;
    if (failure.kind === 'unsupported') {
      if (capabilities.giveUp(settingsOf(body), failure.named)) continue;
      return { reason: 'error', message: failure.message, unavailable: true };
    }
    const end = await waitToRetry(failure, ++failures, call);
    if (end !== null) return end;
  }
}

/** How long the next request has to wait, in ms. An error in pacing must not fail the request. */
async function turnOf({ pace, endpoint }: Call): Promise<number> {
  try {
    return (await pace?.(endpoint.provider)) ?? 0;
  } catch {
    return 0;
  }
}

/** The tokens a request used; null if it may be billed for an unknown amount. */
function tokensOf(outcome: SendOutcome): Tokens | null {
  if (outcome.kind === 'reply') return outcome.reply.tokens;
  // The endpoint may finish and bill a request that was abandoned.
  const mayBill = outcome.kind === 'stopped' ? outcome.sent : outcome.failure.mayBill;
  return mayBill ? null : noTokens;
}

const settingsOf = (body: ChatBody): SentSettings => ({
  format: 'response_format' in body,
  temperature: 'temperature' in body,
  seed: 'seed' in body,
});

/** What each failure means for the call: the reason reported if it is final, and the maximum number of requests. 1 means no retry. */
const endings: Record<
  ChatFailure['kind'],
  Omit<Unanswered, 'message'> & { requests: 'attempts' | 'rateLimitedAttempts' | 1 | 2 }
> = {
  'rate-limited': { reason: 'rate-limited', requests: 'rateLimitedAttempts' },
  unavailable: { reason: 'error', unavailable: true, requests: 'attempts' },
  timeout: { reason: 'timeout', unavailable: true, requests: 'attempts' },
  garbled: { reason: 'malformed', requests: 2 },
  malformed: { reason: 'malformed', requests: 1 },
  refused: { reason: 'refused', requests: 1 },
  unsupported: { reason: 'error', unavailable: true, requests: 1 },
  unfit: { reason: 'error', requests: 1 },
  fatal: { reason: 'error', unavailable: true, requests: 1 },
  quota: { reason: 'rate-limited', misconfigured: true, requests: 1 },
  misconfigured: { reason: 'error', misconfigured: true, requests: 1 },
};

/** Waits before the next attempt (at most until the signal aborts), or explains why there is none. */
export async function waitToRetry(
  failure: ChatFailure,
  failures: number,
  { backoff, timer, contact }: Pick<Call, 'backoff' | 'timer' | 'contact'>,
): Promise<Unanswered | null> {
  const { message, trouble } = failure;
  const { requests, ...usualEnding } = endings[failure.kind];
  const ending = { ...usualEnding, ...(trouble === null ? {} : { trouble }) };
  if (requests === 1) return { ...ending, message };
  const usual = requests === 2 ? 2 : backoff[requests];
  const isFirst = !failure.connected && !contact.made;
  const most = isFirst ? Math.min(usual, backoff.firstContactAttempts) : usual;
  if (failures >= most) return { ...ending, message: `${message} (${failures} attempts)` };
  const waitMs = waitBeforeRetry(failures, failure.retryAfterMs, backoff);
  const leftMs = timer.remainingMs();
  if (waitMs > leftMs) {
    const asks = (failure.retryAfterMs ?? 0) > leftMs ? 'it asks to wait' : 'the next attempt would wait';
    return {
      ...ending,
      message: `${message}; ${asks} ${seconds(waitMs)}, but only ${seconds(leftMs)} are left`,
    };
  }
  await pauseFor(waitMs, timer.signal);
  return null;
}

/** Waits, at most until the signal aborts. */
async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(Math.min(maxTimerMs, ms), signal);
}

/** Why a call ended before its answer. @param name what was asked */
export function stopped(name: string, { limitMs, timer }: Pick<Call, 'limitMs' | 'timer'>): Unanswered {
  if (timer.signal.reason === 'cancelled')
    return { reason: 'cancelled', message: 'cancelled before the answer' };
  const elapsedMs = timer.elapsedMs();
  const what =
    elapsedMs === 0 ? 'no free slot before the deadline' : `no answer within ${seconds(elapsedMs)}`;
  return {
    reason: 'timeout',
    message: `${what} from ${name} (limit ${seconds(limitMs)})`,
    ...(elapsedMs === 0 ? {} : { unavailable: true, trouble: 'overloaded' }),
  };
}

/** `0.5 s`, `9.9 s`, `10 s`. */
const seconds = (ms: number) => `${(Math.max(0, ms) / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`;
