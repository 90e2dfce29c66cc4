import { createSecretFilter, JuryError, memoized, once, type SecretFilter } from '../../common/index.ts';
import { clipped } from '../../common/text/index.ts';
import type { Payers } from '../../judging/index.ts';
import { freeUsage, type Usage } from '../../judging/verdict/index.ts';
import {
  type Chat,
  type ChatBody,
  type ChatQuestion,
  type ChatReply,
  chatBodyOf,
  freeBodyOf,
  type Repair,
  replyObjectOf,
} from './chat-completion.ts';
import { type Budget, unpriced } from './daily-budget.ts';
import {
  type CallCapabilities,
  createCapabilityMemory,
  type EndpointCapabilities,
} from './endpoint-capabilities.ts';
import { openHttp } from './http.ts';
import { costOf, createPrices, createUsageMeter, mostCost, type PriceOf } from './models.ts';
import {
  type Endpoint,
  keyVariable,
  openChatClient,
  type ProviderSettings,
  resolveEndpoint,
} from './providers.ts';
import { noProxies, type Proxies } from './proxies.ts';
import { createAdaptiveLimit, type Pace, startCallTimer } from './rate-limits.ts';
import { type AnswerCache, cacheKeyOf } from './reply-cache.ts';
import {
  type Backoff,
  type BodyOf,
  type Call,
  defaultBackoff,
  type Spending,
  sendWithRetry,
  stopped,
  type Unanswered,
} from './send-with-retry.ts';

/** Which model to ask, and until when. */
interface Asked {
  /** `provider/name`. */
  modelId: string;
  /** Cancels the call. */
  signal: AbortSignal;
  /** Deadline on the clock of `performance.now()`, which includes time in the queue. */
  deadlineAt?: number | undefined;
  /** Whose budgets the call counts toward, in addition to the shared one. */
  payers?: Payers | undefined;
}

/** One question to a model, to be answered with one JSON object. */
export interface CompletionRequest<T> extends ChatQuestion, Asked {
  /** Checks a reply. `problem` is shown to the model in its second attempt. */
  accept: (value: unknown) => { ok: true; value: T } | { ok: false; problem: string };
  /** Sample and round. Part of the cache key, so that samples never share a cached answer. */
  variant: string;
  /** Bypasses the cache for both reading and writing. */
  fresh?: boolean;
}

type CompletionOutcome<T> =
  | { status: 'answered'; value: T; usage: Usage }
  | ({ status: 'unanswered'; usage: Usage } & Unanswered);

/** Sends one request of a call, with retries. */
type Send = (bodyOf: BodyOf) => ReturnType<typeof sendWithRetry>;

/** How long a model is not asked again after its endpoint refused the key or the model, in ms. */
const REFUSED_MS = 5_000;

export type CompletionClient = ReturnType<typeof createCompletionClient>;

export interface CompletionClientOptions {
  settings: ProviderSettings;
  /** Default: none. */
  proxies?: Proxies;
  /** Removes secrets from answers and messages; the endpoints' keys are added to it. Default: only those keys. */
  secrets?: SecretFilter;
  /** Default: list prices. */
  priceOf?: PriceOf;
  /** Caches answers at temperature 0; at other temperatures models answer differently each time. Default: no cache. */
  cache?: AnswerCache | null;
  budget?: Budget | null;
  /** Maximum concurrent requests per endpoint; default 128. */
  concurrency?: number;
  /** Time limit of a call from its first request, including retries, in ms; default 120 s. */
  limitMs?: number;
  backoff?: Partial<Backoff>;
  /** Default: no pacing. */
  pace?: Pace;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** The client behind every LLM judge: one question yields one validated answer, or the reason why there is none. */
export function createCompletionClient(options: CompletionClientOptions) {
  const {
    settings,
    proxies = noProxies,
    secrets = createSecretFilter(),
    priceOf = createPrices().of,
    cache = null,
    budget = null,
    concurrency = 128,
    limitMs = 120_000,
    pace = null,
    now = Date.now,
  } = options;
  const backoff = { ...defaultBackoff, ...options.backoff };
  const memory = createCapabilityMemory();
  /** The latest refusal of each model, so that concurrent questions are not refused one by one. */
  const refusals = new Map<string, { at: number; why: Unanswered }>();
  const underWay = new Set<Promise<unknown>>();
  const http = once(() => openHttp(proxies, secrets));
  /** @throws JuryError `config` that names the variable to set */
  const endpointOf = memoized((modelId: string) => {
    const endpoint = resolveEndpoint(modelId, settings);
    secrets.add(endpoint.apiKey ?? '', keyVariable(endpoint.provider));
    return endpoint;
  });
  const connectionOf = memoized(
    (endpoint: Endpoint) => ({
      client: once(async () => openChatClient(endpoint, await http.get())).get,
      ...{ limit: createAdaptiveLimit(concurrency), contact: { made: false } },
    }),
    ({ baseUrl, apiKey }) => `${baseUrl}\n${apiKey ?? ''}`,
  );

  /** Reserves the maximum cost of a request if there is a budget. */
  async function setAside(
    modelId: string,
    body: ChatBody,
    { timer, limitMs, endpoint }: Pick<Call, 'timer' | 'limitMs' | 'endpoint'>,
    payers: Payers,
  ): Promise<Spending | Unanswered> {
    const limit = budget?.limitOf(payers) ?? null;
    if (budget === null || limit === null) return { charge: () => {} };
    const price = priceOf(modelId);
    if (price === null) return { reason: 'budget', message: unpriced(modelId, limit) };
    const most = mostCost(modelId, price, Buffer.byteLength(JSON.stringify(body)));
    const reserved = await budget.reserve(most, timer.signal, payers);
    if (reserved === null) return stopped(endpoint.provider, { timer, limitMs });
    if (typeof reserved === 'string') return { reason: 'budget', message: reserved };
    return { charge: (tokens) => reserved.charge(tokens === null ? null : costOf(price, tokens)) };
  }

  /**
   * Does not reject when an endpoint or model fails: that is an unanswered outcome with a reason.
   * @param converse sends the requests needed for an answer
   * @param recall looks up a cached answer
   */
  async function ask<T>(
    { modelId, signal, deadlineAt, payers = {} }: Asked,
    converse: (
      send: Send,
      endpoint: Endpoint,
      capabilities: CallCapabilities,
    ) => Promise<{ value: T } | Unanswered>,
    recall?: (endpoint: Endpoint) => Promise<CompletionOutcome<T> | null>,
  ): Promise<CompletionOutcome<T>> {
    const unasked = (why: Unanswered) => ({ status: 'unanswered', ...why, usage: freeUsage }) as const;
    if (signal.aborted) return unasked({ reason: 'cancelled', message: 'cancelled before it was asked' });
    let endpoint: Endpoint;
    try {
      endpoint = endpointOf(modelId);
    } catch (error) {
      if (error instanceof JuryError) return unasked({ reason: 'error', message: error.message });
      throw error;
    }
    const earlier = await recall?.(endpoint);
    if (earlier) return earlier;
    const refusal = refusals.get(modelId);
    if (refusal !== undefined && performance.now() - refusal.at < REFUSED_MS) return unasked(refusal.why);
    const timer = startCallTimer(signal, limitMs, deadlineAt);
    const meter = createUsageMeter(priceOf(modelId));
    const capabilities = memory.begin(modelId);
    const connection = connectionOf(endpoint);
    const reserve = (body: ChatBody) => setAside(modelId, body, { timer, limitMs, endpoint }, payers);
    const call = {
      ...connection,
      ...{ endpoint, capabilities, backoff, timer, meter, reserve, limitMs, pace, now },
      hide: secrets.hide,
    };
    try {
      const result = await converse((bodyOf) => sendWithRetry(bodyOf, call), endpoint, capabilities);
      const usage = meter.usage(timer.elapsedMs());
      if (!('reason' in result)) return { status: 'answered', value: result.value, usage };
      if (result.misconfigured) refusals.set(modelId, { at: performance.now(), why: result });
      return { status: 'unanswered', ...result, usage };
    } finally {
      timer.close();
    }
  }

  const openUntilEnded = <T>(asking: Promise<T>): Promise<T> => {
    underWay.add(asking);
    return asking.finally(() => underWay.delete(asking));
  };

  async function recall<T>(
    request: CompletionRequest<T>,
    endpoint: Endpoint,
  ): Promise<CompletionOutcome<T> | null> {
    if (cache === null || request.fresh || !isRepeatable(request, memory.of(request.modelId))) return null;
    const startedAt = performance.now();
    const text = await cache.read(keyOf(request, endpoint));
    // The entry may come from a version that cached replies without removing secrets.
    const read = text === null ? null : readText(secrets.hide(text), request.accept);
    if (!read?.ok) return null;
    const usage = { ...freeUsage, fromCache: true, latencyMs: performance.now() - startedAt };
    return { status: 'answered', value: read.value, usage };
  }

  return {
    /** The answer to one question, from the cache or from the model. */
    complete<T>(request: CompletionRequest<T>): Promise<CompletionOutcome<T>> {
      const converse = async (send: Send, endpoint: Endpoint, capabilities: CallCapabilities) => {
        const accepted = await firstAccepted(request, (repair) =>
          send((model, supported) => chatBodyOf(request, model, supported, repair)),
        );
        if (!('reason' in accepted) && !request.fresh && isRepeatable(request, capabilities.current()))
          cache?.write(keyOf(request, endpoint), accepted.text);
        return accepted;
      };
      return openUntilEnded(ask(request, converse, (endpoint) => recall(request, endpoint)));
    },
    /** Continues a conversation in free text, never from the cache. `latencyMs` is that of the request that succeeded. */
    chat(request: Chat & Asked): Promise<CompletionOutcome<{ text: string; latencyMs: number }>> {
      const converse = async (send: Send) => {
        const sent = await send((model, supported) => freeBodyOf(request, model, supported));
        if ('reason' in sent) return sent;
        const { reply, latencyMs } = sent;
        // A refusal counts as an answer here.
        const text = reply.refusal ?? reply.text;
        return refusalOf({ ...reply, refusal: null }) ?? { value: { text, latencyMs } };
      };
      return openUntilEnded(ask(request, converse));
    },
    priceOf,
    /** What the model's endpoint is known or assumed to support. */
    capabilitiesOf: (modelId: string) => memory.of(modelId),
    /**
     * Waits for open questions, so that their costs are booked (abort their signals first to end them quickly), and for pending writes; then
     * closes the connections.
     */
    async close(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await Promise.all([cache?.flush(), budget?.flush()]);
      await (await http.made())?.close();
    },
  };
}

/** The first accepted reply: the model's first one, or its repair. */
async function firstAccepted<T>(
  { accept }: Pick<CompletionRequest<T>, 'accept'>,
  next: (repair: Repair | null) => Promise<{ reply: ChatReply } | Unanswered>,
): Promise<{ value: T; text: string } | Unanswered> {
  let repair: Repair | null = null;
  for (;;) {
    const sent = await next(repair);
    if ('reason' in sent) return sent;
    const { reply } = sent;
    const refused = refusalOf(reply);
    if (refused !== null) return refused;
    const read = readText(reply.text, accept);
    if (read.ok) return { value: read.value, text: reply.text };
    if (repair !== null)
      return {
        reason: 'malformed',
        message: `no answer in the requested format, asked twice: ${clipped(read.problem, 200)}`,
      };
    repair = { text: reply.text, problem: read.problem };
  }
}

/** Why a reply is not a complete answer; null if it is. */
function refusalOf({ refusal, finishReason }: ChatReply): Unanswered | null {
  if (refusal !== null) return { reason: 'refused', message: `the model declined: ${clipped(refusal, 200)}` };
  if (finishReason === 'content_filter')
    return { reason: 'refused', message: "the provider's content filter withheld the answer" };
  if (finishReason === 'length')
    return { reason: 'malformed', message: 'the answer was cut off at the token limit of the model' };
  return null;
}

function readText<T>(text: string, accept: CompletionRequest<T>['accept']): ReturnType<typeof accept> {
  const object = replyObjectOf(text);
  return object.ok ? accept(object.value) : object;
}

/** Whether the request is sent with temperature 0. It is not if the endpoint does not support temperature. */
const isRepeatable = ({ temperature }: ChatQuestion, capabilities: EndpointCapabilities): boolean =>
  temperature === 0 && capabilities.temperature;

const keyOf = (request: CompletionRequest<unknown>, { baseUrl, model }: Endpoint): string => {
  const { system, user, schema, temperature, seed, variant } = request;
  return cacheKeyOf([baseUrl, model, system, user, schema, temperature, seed, variant]);
};
