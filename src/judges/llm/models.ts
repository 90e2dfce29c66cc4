import { freeUsage, type Usage } from '../../judging/judgement.ts';
import type { Tokens } from './chat-completion.ts';
import type { ReplyFormat } from './endpoint-capabilities.ts';

/** US dollars for a million tokens; `cachedInput` null where repeated prompts cost the same. */
interface Price {
  input: number;
  cachedInput: number | null;
  output: number;
}

export interface KnownModel {
  /** `provider/name`. */
  id: string;
  /** Tokens of prompt and answer together; null where not known for certain. */
  contextWindow: number | null;
  price: Price;
  /** Month in which the price was documented, as in 2025-07. */
  pricedAt: string;
  /** Thinks before it answers; is never sent a temperature. */
  reasoning: boolean;
  /** Whether it takes a temperature. */
  temperature: boolean;
  /** The strictest way in which it can be asked for its reply. */
  output: ReplyFormat;
  /**
   * US dollars for a million tokens as given in Table 2 of the contextual-understanding paper, for the 13 models
   * studied there. Some differ from the providers' list prices of that month, by which `price` goes.
   */
  study: { input: number; output: number } | null;
}

type Traits = Partial<Pick<KnownModel, 'reasoning' | 'output'>> & { study?: [input: number, output: number] };

function model(
  id: string,
  contextWindow: number | null,
  [input, cachedInput, output]: [number, number | null, number],
  pricedAt: string,
  traits: Traits = {},
): KnownModel {
  const reasoning = traits.reasoning ?? false;
  return {
    id,
    contextWindow,
    price: { input, cachedInput, output },
    pricedAt,
    reasoning,
    temperature: !reasoning,
    output: traits.output ?? 'json-schema',
    study: traits.study ? { input: traits.study[0], output: traits.study[1] } : null,
  };
}

const thinks = { reasoning: true };

/**
 * Prices are the providers' list prices (standard tier, prompts of ordinary length) as documented in the month given,
 * looked up in pydantic/genai-prices, platform.claude.com, api-docs.deepseek.com and OpenRouter's listing; windows in
 * the papers and the same sources. A model that is not here works as well; its cost is unknown.
 */
export const models: readonly KnownModel[] = [
  model('openai/gpt-3.5-turbo', 16_385, [0.5, null, 1.5], '2025-07', {
    output: 'json-object',
    study: [0.5, 1.5],
  }),
  model('openai/gpt-4-turbo', 128_000, [10, null, 30], '2025-07', { output: 'json-object', study: [10, 30] }),
  model('openai/gpt-4o', 128_000, [2.5, 1.25, 10], '2025-07', { study: [5, 15] }),
  model('openai/gpt-4o-mini', 128_000, [0.15, 0.075, 0.6], '2025-07'),
  model('openai/gpt-4.1', 1_047_576, [2, 0.5, 8], '2025-07', { study: [2, 8] }),
  model('openai/gpt-4.1-mini', 1_047_576, [0.4, 0.1, 1.6], '2025-07'),
  model('openai/gpt-4.1-nano', 1_047_576, [0.1, 0.025, 0.4], '2025-07'),
  model('openai/o3-mini', 200_000, [1.1, 0.55, 4.4], '2025-07', { ...thinks, study: [1.1, 4.4] }),
  model('openai/o3', 200_000, [2, 0.5, 8], '2025-07', { ...thinks, study: [10, 40] }),
  model('openai/o4-mini', 200_000, [1.1, 0.275, 4.4], '2025-07', { ...thinks, study: [1.1, 4.4] }),
  model('openai/gpt-5', 400_000, [1.25, 0.125, 10], '2025-11', thinks),
  model('openai/gpt-5-mini', 400_000, [0.25, 0.025, 2], '2025-11', thinks),
  model('openai/gpt-5-nano', 400_000, [0.05, 0.005, 0.4], '2025-11', thinks),
  model('openai/gpt-5.1', 400_000, [1.25, 0.125, 10], '2025-11', thinks),
  model('openai/gpt-5.4', null, [2.5, 0.25, 15], '2026-06', thinks),
  model('openai/gpt-5.4-mini', null, [0.75, 0.075, 4.5], '2026-06', thinks),
  model('openai/gpt-5.4-nano', null, [0.2, 0.02, 1.25], '2026-06', thinks),
  model('openai/gpt-5.5', null, [5, 0.5, 30], '2026-06', thinks),

  model('deepseek/deepseek-chat', 128_000, [0.28, 0.028, 0.42], '2025-12', {
    output: 'json-object',
    study: [0.27, 1.1],
  }),
  model('deepseek/deepseek-reasoner', 128_000, [0.28, 0.028, 0.42], '2025-12', {
    ...thinks,
    output: 'json-object',
    study: [0.55, 2.19],
  }),
  model('deepseek/deepseek-v4-flash', 1_000_000, [0.14, 0.0028, 0.28], '2026-05', {
    ...thinks,
    output: 'json-object',
  }),
  model('deepseek/deepseek-v4-pro', 1_000_000, [0.435, 0.003625, 0.87], '2026-06', {
    ...thinks,
    output: 'json-object',
  }),

  model('mistral/open-mistral-nemo', 128_000, [0.15, null, 0.15], '2025-07', { study: [0.3, 0.3] }),
  model('mistral/mistral-large-latest', 128_000, [2, null, 6], '2025-07', { study: [3, 9] }),
  model('mistral/mistral-large-2512', null, [0.5, 0.05, 1.5], '2026-06'),
  model('mistral/mistral-medium-2508', 128_000, [0.4, 0.04, 2], '2026-08'),
  model('mistral/mistral-small-latest', 128_000, [0.1, null, 0.3], '2025-07'),
  model('mistral/mistral-small-2603', null, [0.15, 0.015, 0.6], '2026-06'),
  model('mistral/ministral-8b-2512', null, [0.15, 0.015, 0.15], '2026-08'),

  model('openrouter/meta-llama/llama-3.1-8b-instruct', 128_000, [0.02, null, 0.03], '2026-06', {
    study: [0.3, 0.61],
  }),
  model('openrouter/meta-llama/llama-3.1-405b-instruct', 128_000, [0.8, null, 0.8], '2025-07', {
    study: [5.33, 16],
  }),
  model('openrouter/meta-llama/llama-3.3-70b-instruct', 131_072, [0.1, null, 0.32], '2026-06'),
  model('openrouter/qwen/qwen-2.5-72b-instruct', null, [0.38, null, 0.4], '2026-06'),
  model('groq/llama-3.1-8b-instant', 131_072, [0.05, null, 0.08], '2025-11', { output: 'json-object' }),
  model('groq/llama-3.3-70b-versatile', 131_072, [0.59, null, 0.79], '2025-11', { output: 'json-object' }),
  model('groq/openai/gpt-oss-120b', 131_072, [0.15, null, 0.6], '2026-03', thinks),

  // The OpenAI-compatible layer of Anthropic ignores response_format, so the prompt alone has to ask.
  model('anthropic/claude-sonnet-4-0', 200_000, [3, 0.3, 15], '2025-06', { output: 'text' }),
  model('anthropic/claude-haiku-4-5', 200_000, [1, 0.1, 5], '2026-10', { output: 'text' }),
  model('anthropic/claude-haiku-5-5', 1_000_000, [0.1, 0.01, 0.5], '2026-10', { ...thinks, output: 'text' }),
  model('anthropic/claude-sonnet-5-5', 1_000_000, [2, 0.1, 10], '2026-10', { ...thinks, output: 'text' }),
  model('google/gemini-2.0-flash', 1_048_576, [0.1, null, 0.4], '2025-06'),
  model('google/gemini-2.5-flash-lite', 1_048_576, [0.1, 0.025, 0.4], '2025-06'),
  model('google/gemini-2.5-flash', 1_048_576, [0.3, 0.075, 2.5], '2025-06', thinks),
  model('google/gemini-2.5-pro', 1_048_576, [1.25, 0.31, 10], '2025-06', thinks),
];

const byId = new Map(models.map((known) => [known.id, known]));

/** An id as typed with its provider in lower case; the model's name stays as typed. */
export function canonicalId(id: string): string {
  const slash = Math.max(0, id.indexOf('/'));
  return id.slice(0, slash).toLowerCase() + id.slice(slash);
}

/**
 * A model by its id as typed, or, where the id names a dated snapshot (`openai/gpt-4o-2024-08-06`), the model it belongs
 * to.
 */
export function findModel(typed: string): KnownModel | undefined {
  const id = canonicalId(typed);
  return byId.get(id) ?? byId.get(id.replace(/-(\d{4}-\d{2}-\d{2}|\d{8})$/, ''));
}

/**
 * US dollars for the tokens, null when the model or the tokens are unknown. `cached` is part of `prompt`; unreported it
 * counts as none.
 */
export function costOf(model: KnownModel | undefined, tokens: Tokens): number | null {
  const price = model?.price;
  if (price === undefined || tokens.prompt === null || tokens.completion === null) return null;
  const cached = Math.min(tokens.cached ?? 0, tokens.prompt);
  const input = (tokens.prompt - cached) * price.input + cached * (price.cachedInput ?? price.input);
  return (input + tokens.completion * price.output) / 1_000_000;
}

/** Adds up what the attempts of one call took. */
export interface UsageMeter {
  /** A request goes out. */
  attempt(): void;
  /** A request took tokens: as the endpoint reported them, or null where it may bill some but reported none. */
  took(tokens: Tokens | null): void;
  /** Sums over the attempts; one unknown part makes its sum, and the cost, unknown. Rejected requests take nothing. */
  usage(latencyMs: number): Usage;
  /** US dollars for what is known of it, which is the least that the call cost. */
  knownCostUsd(): number;
}

const nothing: Tokens = { prompt: 0, cached: 0, completion: 0 };
const unknown: Tokens = { prompt: null, cached: null, completion: null };

export function createUsageMeter(modelId: string): UsageMeter {
  const model = findModel(modelId);
  let attempts = 0;
  let sum = nothing;
  let costUsd = costOf(model, nothing);
  let knownCostUsd = 0;
  return {
    attempt: () => void attempts++,
    took(tokens) {
      const { prompt, cached, completion } = tokens ?? unknown;
      sum = {
        prompt: plus(sum.prompt, prompt),
        cached: plus(sum.cached, cached),
        completion: plus(sum.completion, completion),
      };
      costUsd = plus(costUsd, costOf(model, { prompt, cached, completion }));
      knownCostUsd += costOf(model, { prompt: prompt ?? 0, cached, completion: completion ?? 0 }) ?? 0;
    },
    usage(latencyMs) {
      if (attempts === 0) return { ...freeUsage, latencyMs };
      return {
        promptTokens: sum.prompt,
        cachedTokens: sum.cached,
        completionTokens: sum.completion,
        costUsd,
        latencyMs,
        attempts,
        fromCache: false,
      };
    },
    knownCostUsd: () => knownCostUsd,
  };
}

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);
