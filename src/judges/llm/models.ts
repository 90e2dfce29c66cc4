import * as z from 'zod';
import { lazily } from '../../common/collections.ts';
import { freeUsage, totalUsage, type Usage } from '../../judging/judgement.ts';
import file from './models.json' with { type: 'json' };

/** How a reply is requested: with a strict schema, as any JSON object, or in the prompt alone. */
const ReplyFormat = z.enum(['json-schema', 'json-object', 'text']);
export type ReplyFormat = z.infer<typeof ReplyFormat>;

/** US dollars per million tokens. */
const usd = z.number().nonnegative('must be 0 or more');

/** `cachedInput` is null if cached prompts cost the same. */
const Price = z.strictObject({ input: usd, cachedInput: usd.nullable(), output: usd });
export type Price = z.infer<typeof Price>;

/** An entry of `models.json`. */
const Entry = z.strictObject({
  /** The provider's list price. */
  price: Price,
  /** Month in which the price was documented, as in 2025-07. */
  pricedAt: z.string(),
  /** Tokens of prompt and answer together; null if uncertain. */
  contextWindow: z.int().positive().nullable(),
  /** Reasoning models are never sent a temperature. */
  reasoning: z.boolean().default(false),
  /** The strictest supported format. Anthropic's OpenAI-compatible API ignores `response_format`, hence `text`. */
  output: ReplyFormat.default('json-schema'),
});

export interface KnownModel extends z.infer<typeof Entry> {
  /** `provider/name`. */
  id: string;
  /** Whether it supports a temperature. */
  temperature: boolean;
}

/**
 * Prices are list prices (standard tier, prompts of ordinary length) from pydantic/genai-prices, platform.claude.com,
 * api-docs.deepseek.com and OpenRouter's listing; context windows are from the papers and the same sources. A model that
 * is not listed works too, but its cost is unknown.
 */
export const knownModels = lazily((): readonly KnownModel[] =>
  Object.entries(z.record(z.string(), Entry).parse(file)).map(([id, entry]) => ({
    id,
    ...entry,
    temperature: !entry.reasoning,
  })),
);

/** Tokens that one request used; null if not reported. `cached` is part of `prompt`. */
export interface Tokens {
  prompt: number | null;
  cached: number | null;
  completion: number | null;
}

const byId = lazily(() => new Map(knownModels().map((known) => [known.id, known])));

/** The id with its provider in lower case; the model's name stays as typed. */
export function canonicalId(id: string): string {
  const slash = Math.max(0, id.indexOf('/'));
  return id.slice(0, slash).toLowerCase() + id.slice(slash);
}

const withoutDate = (id: string): string => id.replace(/-(\d{4}-\d{2}-\d{2}|\d{8})$/, '');

/** A model by its id as typed, or that of a dated snapshot (`openai/gpt-4o-2024-08-06`). */
export function findModel(typed: string): KnownModel | undefined {
  const id = canonicalId(typed);
  return byId().get(id) ?? byId().get(withoutDate(id));
}

/** What a model costs; null if that is unknown. */
export type PriceOf = (modelId: string) => Price | null;

/** A file of `JURY_PRICES`: models, or `*` for all whose price is not known otherwise. */
export const PriceFile = z.record(
  z
    .string()
    .regex(/^\*$|^[^/\s]+\/\S+$/, 'is no model: write provider/model, or "*" for all that are not known'),
  Price.extend({ cachedInput: usd.nullable().default(null) }),
);

const FREE: Price = { input: 0, cachedInput: null, output: 0 };

export interface Prices {
  of: PriceOf;
  /** Those of the file. */
  own: ReadonlyMap<string, Price>;
}

/** The prices of a file, then list prices. What runs on Ollama is free unless the file says otherwise. */
export function createPrices(file: z.infer<typeof PriceFile> = {}): Prices {
  const own = new Map(Object.entries(file).map(([id, price]) => [canonicalId(id), price]));
  const of: PriceOf = (typed) => {
    const id = canonicalId(typed);
    const known = own.get(id) ?? own.get(withoutDate(id)) ?? findModel(id)?.price;
    return known ?? (id.startsWith('ollama/') ? FREE : null) ?? own.get('*') ?? null;
  };
  return { of, own };
}

/** US dollars; null if the price or the tokens are unknown. Unreported cached tokens count as none. */
export function costOf(price: Price | null, tokens: Tokens): number | null {
  if (price === null || tokens.prompt === null || tokens.completion === null) return null;
  const cached = Math.min(tokens.cached ?? 0, tokens.prompt);
  const input = (tokens.prompt - cached) * price.input + cached * (price.cachedInput ?? price.input);
  return (input + tokens.completion * price.output) / 1_000_000;
}

/** Tokens that an answer is expected not to exceed. */
const MOST_TOKENS = { answer: 4_096, reasoning: 32_768 };

/** What a request may cost at most, in US dollars: no token is shorter than a byte. */
export function mostCost(modelId: string, price: Price, promptBytes: number): number {
  const completion = findModel(modelId)?.reasoning === true ? MOST_TOKENS.reasoning : MOST_TOKENS.answer;
  return (promptBytes * price.input + completion * price.output) / 1_000_000;
}

export type UsageMeter = ReturnType<typeof createUsageMeter>;

const nothing: Tokens = { prompt: 0, cached: 0, completion: 0 };
const unknown: Tokens = { prompt: null, cached: null, completion: null };

/** Adds up the usage of one call's attempts. */
export function createUsageMeter(price: Price | null) {
  let attempts = 0;
  const parts = [nothing];
  return {
    /** Counts a request. */
    attempt: () => void attempts++,
    /** Adds a request's tokens as reported; null if the endpoint may bill some but reported none. */
    add: (tokens: Tokens | null) => void parts.push(tokens ?? unknown),
    /** Sums over the attempts. One unknown part makes its sum, and the cost, unknown; rejected requests use nothing. */
    usage(latencyMs: number): Usage {
      if (attempts === 0) return { ...freeUsage, latencyMs };
      const used = parts.map(({ prompt, cached, completion }) => ({
        promptTokens: prompt,
        cachedTokens: cached,
        completionTokens: completion,
        costUsd: costOf(price, { prompt, cached, completion }),
      }));
      return { ...totalUsage(used), latencyMs, attempts, fromCache: false };
    },
  };
}
