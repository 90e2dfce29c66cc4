import { JuryError } from '../../common/errors.ts';
import { freeUsage, type UnscoredReason, type Usage } from '../../judging/judgement.ts';
import { type AnswerCache, cacheKeyOf } from './answer-cache.ts';
import { createCallClock } from './call-clock.ts';
import { type Asked, type ChatReply, type Repair, replyObjectOf } from './chat-completion.ts';
import { type ChatEndpoint, createChatEndpoint } from './chat-endpoint.ts';
import type { DailyBudget } from './daily-budget.ts';
import { createDialectMemory, type Dialect } from './endpoint-capabilities.ts';
import { createUsageMeter } from './models.ts';
import { type Endpoint, type ProviderSettings, resolveEndpoint } from './providers.ts';
import type { Pace } from './rate-limits.ts';
import { type Backoff, defaultBackoff, type Ending, exchange } from './send-with-retry.ts';

/** One question to a model, to be answered by one JSON object. */
export interface CompletionRequest<T> extends Asked {
  /** `provider/name`. */
  modelId: string;
  /** The check of a reply; `problem` is told to the model in its one further turn. */
  accept: (value: unknown) => { ok: true; value: T } | { ok: false; problem: string };
  /** Which sample and round this is: part of the cache key, so that samples are never one cached answer. */
  variant: string;
  /** Whether it is asked although an answer is known, and its answer not kept. */
  fresh?: boolean;
  /** Cancels the call. */
  signal: AbortSignal;
  /** `performance.now()` in milliseconds at which it must have ended, the queue included. */
  deadlineAt?: number | undefined;
}

type CompletionOutcome<T> =
  | { status: 'answered'; value: T; usage: Usage }
  | { status: 'unanswered'; reason: UnscoredReason; message: string; usage: Usage };

export interface CompletionClient {
  /** Never rejects for what an endpoint or a model did: that is an unanswered outcome with a reason. */
  complete<T>(request: CompletionRequest<T>): Promise<CompletionOutcome<T>>;
  /** What the model's endpoint is known or assumed to take. */
  dialectOf(modelId: string): Dialect;
  /**
   * Waits for the questions under way, so that what they cost is booked (abort their signals first for them to end
   * promptly), and for what is still being written; then closes the connections.
   */
  close(): Promise<void>;
}

export interface CompletionClientOptions {
  settings: ProviderSettings;
  /**
   * Earlier answers of models that were sent a temperature of 0; others answer differently each time and are asked each
   * time. Null or absent: every question is asked.
   */
  cache?: AnswerCache | null;
  budget?: DailyBudget | null;
  /** Most requests at the same time to one endpoint; default 128. */
  concurrency?: number;
  /** Milliseconds for one call from its first request, retries included; default 120 s. */
  limitMs?: number;
  backoff?: Partial<Backoff>;
  /** When the turn of each request comes; absent: none has to wait. */
  pace?: Pace;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** The client side of every LLM judge: one question in, one checked answer or the reason for none out. */
export function createCompletionClient(options: CompletionClientOptions): CompletionClient {
  const {
    settings,
    cache = null,
    budget = null,
    concurrency = 128,
    limitMs = 120_000,
    now = Date.now,
  } = options;
  const backoff = { ...defaultBackoff, ...options.backoff };
  const dialects = createDialectMemory();
  const endpoints = new Map<string, ChatEndpoint>();
  const resolved = new Map<string, Endpoint>();
  const underWay = new Set<Promise<unknown>>();

  /** @throws JuryError `config` that names the variable to set */
  function endpointOf(modelId: string): Endpoint {
    const endpoint = resolved.get(modelId) ?? resolveEndpoint(modelId, settings);
    resolved.set(modelId, endpoint);
    return endpoint;
  }

  function chatOf(endpoint: Endpoint): ChatEndpoint {
    const key = `${endpoint.baseUrl}\n${endpoint.apiKey ?? ''}`;
    const known = endpoints.get(key) ?? createChatEndpoint(endpoint, concurrency, now);
    endpoints.set(key, known);
    return known;
  }

  async function ask<T>(request: CompletionRequest<T>, endpoint: Endpoint): Promise<CompletionOutcome<T>> {
    const spent = (await budget?.exceeded()) ?? null;
    if (spent !== null) return { status: 'unanswered', reason: 'budget', message: spent, usage: freeUsage };
    const clock = createCallClock(request.signal, limitMs, request.deadlineAt);
    const meter = createUsageMeter(request.modelId);
    const dialect = dialects.begin(request.modelId);
    const pace = options.pace ?? null;
    const parts = { endpoint, chat: chatOf(endpoint), dialect, backoff, clock, meter, limitMs, pace };
    try {
      const found = await answerWithin(request, (repair) => exchange(request, repair, parts));
      const usage = meter.usage(clock.elapsedMs());
      budget?.spend(meter.knownCostUsd());
      if ('reason' in found) return { status: 'unanswered', ...found, usage };
      if (!request.fresh && isRepeatable(request, dialect.current()))
        cache?.write(keyOf(request, endpoint), found.text);
      return { status: 'answered', value: found.value, usage };
    } finally {
      clock.close();
    }
  }

  async function recall<T>(
    request: CompletionRequest<T>,
    endpoint: Endpoint,
  ): Promise<CompletionOutcome<T> | null> {
    if (cache === null || request.fresh || !isRepeatable(request, dialects.of(request.modelId))) return null;
    const startedAt = performance.now();
    const text = await cache.read(keyOf(request, endpoint));
    const read = text === null ? null : readText(text, request.accept);
    if (!read?.ok) return null;
    const usage = { ...freeUsage, fromCache: true, latencyMs: performance.now() - startedAt };
    return { status: 'answered', value: read.value, usage };
  }

  return {
    async complete(request) {
      const none = (reason: UnscoredReason, message: string) =>
        ({ status: 'unanswered', reason, message, usage: freeUsage }) as const;
      if (request.signal.aborted) return none('cancelled', 'cancelled before it was asked');
      let endpoint: Endpoint;
      try {
        endpoint = endpointOf(request.modelId);
      } catch (error) {
        if (error instanceof JuryError) return none('error', error.message);
        throw error;
      }
      const asking = recall(request, endpoint).then((earlier) => earlier ?? ask(request, endpoint));
      underWay.add(asking);
      try {
        return await asking;
      } finally {
        underWay.delete(asking);
      }
    },
    dialectOf: (modelId) => dialects.of(modelId),
    async close() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await Promise.all([cache?.flush(), budget?.flush()]);
      for (const endpoint of endpoints.values()) endpoint.close();
    },
  };
}

/** Takes the first reply, or the one that answers to its repair. */
async function answerWithin<T>(
  { accept }: Pick<CompletionRequest<T>, 'accept'>,
  next: (repair: Repair | null) => Promise<{ reply: ChatReply } | Ending>,
): Promise<{ value: T; text: string } | Ending> {
  let repair: Repair | null = null;
  for (;;) {
    const came = await next(repair);
    if ('reason' in came) return came;
    const { reply } = came;
    if (reply.refusal !== null)
      return { reason: 'refused', message: `the model declined: ${short(reply.refusal)}` };
    if (reply.finishReason === 'content_filter')
      return { reason: 'refused', message: "the provider's content filter withheld the answer" };
    if (reply.finishReason === 'length')
      return {
        reason: 'malformed',
        message: 'the answer was cut off at the most tokens that the model may write',
      };
    const read = readText(reply.text, accept);
    if (read.ok) return { value: read.value, text: reply.text };
    if (repair !== null)
      return {
        reason: 'malformed',
        message: `no answer in the asked-for form, asked twice: ${short(read.problem)}`,
      };
    repair = { text: reply.text, problem: read.problem };
  }
}

function readText<T>(text: string, accept: CompletionRequest<T>['accept']): ReturnType<typeof accept> {
  const object = replyObjectOf(text);
  return object.ok ? accept(object.value) : object;
}

const short = (text: string) => (text.length <= 200 ? text : `${text.slice(0, 200)}…`);

/** Whether the model is sent a temperature of 0. In a call that gave the temperature up, its last dialect says so. */
const isRepeatable = ({ temperature }: Asked, dialect: Dialect): boolean =>
  temperature === 0 && dialect.temperature;

/** Whatever could change the answer. */
const keyOf = (request: CompletionRequest<unknown>, { baseUrl, model }: Endpoint): string => {
  const { system, user, schema, temperature, seed, variant } = request;
  return cacheKeyOf([baseUrl, model, system, user, schema, temperature, seed, variant]);
};
