import * as z from 'zod';
import { lazily } from '../../common/index.ts';
import { freeUsage, totalUsage, type Usage } from '../../judging/verdict/index.ts';
import file from './models.json' with { type: 'json' };

/** How to request a reply: with a strict schema, as any JSON object, or through the prompt alone. */
const ReplyFormat = z.enum(['json-schema', 'json-object', 'text']);
export type ReplyFormat = z.infer<typeof ReplyFormat>;

/** US dollars per million tokens. */
const usd = z.number().nonnegative('must be 0 or more');

/** `cachedInput` is null if cached input costs the same. */
const Price = z.strictObject({ input: usd, cachedInput: usd.nullable(), output: usd });
export type Price = z.infer<typeof Price>;

/** An entry of `models.json`. */
const Entry = z.strictObject({
  /** The provider's list price. */
  price: Price,
  /** Month in which the price was documented, as in 2025-07. */
  pricedAt: z.string(),
  /** Maximum tokens of prompt and answer together; null if uncertain. */
  contextWindow: z.int().positive().nullable(),
  /** Reasoning models are never sent a temperature. */
  reasoning: z.boolean().default(false),
  /** The strictest supported format. Anthropic's OpenAI-compatible API ignores `response_format`, hence `text`. */
  output: ReplyFormat.default('json-schema'),
});

export interface KnownModel extends z.infer<typeof Entry> {
  /** `provider/name`. */
  id: string;
  /** Whether it accepts a temperature. Included in the machine-readable lists of models. */
  temperature: boolean;
}

/**
 * Prices are list prices (standard tier, prompts of ordinary length) from pydantic/genai-prices, platform.claude.com,
 * api-docs.deepseek.com and OpenRouter's listing; context windows are from the papers and the same sources. Unlisted models work too,
 * but their cost is unknown.
 */
export const knownModels = lazily((): readonly KnownModel[] =>
  Object.entries(z.record(z.string(), Entry).parse(file)).map(([id, entry]) => ({
    id,
    ...entry,
    temperature: !entry.reasoning,
  })),
);

/** Tokens used by one request; null if not reported. `cached` is included in `prompt`. */
export interface Tokens {
  prompt: number | null;
  cached: number | null;
  completion: number | null;
}

/** The id with a lower-case provider; the model's name is kept as typed. */
export function canonicalId(id: string): string {
  const slash = Math.max(0, id.indexOf('/'));
  return id.slice(0, slash).toLowerCase() + id.slice(slash);
}

const withoutDate = (id: string): string => id.replace(/-(\d{4}-\d{2}-\d{2}|\d{8})$/, '');

/** Finds a model by its id as typed, or by the id of a dated snapshot (`openai/gpt-4o-2024-08-06`). */
export function findModel(typed: string): KnownModel | undefined {
  const id = canonicalId(typed);
  const named = (name: string) => knownModels().find((model) => model.id === name);
  return named(id) ?? named(withoutDate(id));
}

/** The price of a model; null if unknown. */
export type PriceOf = (modelId: string) => Price | null;

/** The file named by `JURY_PRICES`: prices by model, with `*` for models that have no known price. */
export const PriceFile = z.record(
  z
    .string()
    .regex(/^\*$|^[^/\s]+\/\S+$/, 'is no model: write provider/model, or "*" for all that are not known'),
  Price.extend({ cachedInput: usd.nullable().default(null) }),
);

const FREE: Price = { input: 0, cachedInput: null, output: 0 };

export interface Prices {
  of: PriceOf;
  /** The prices from the file. */
  own: ReadonlyMap<string, Price>;
}

/** Prices from the file first, then list prices. Ollama models are free unless the file says otherwise. */
export function createPrices(file: z.infer<typeof PriceFile> = {}): Prices {
  const ownPrices = new Map(Object.entries(file).map(([id, price]) => [canonicalId(id), price]));
  const of: PriceOf = (typed) => {
    const id = canonicalId(typed);
    const price = ownPrices.get(id) ?? ownPrices.get(withoutDate(id)) ?? findModel(id)?.price;
    return price ?? (id.startsWith('ollama/') ? FREE : null) ?? ownPrices.get('*') ?? null;
  };
  return { of, own: ownPrices };
}

/** Cost in US dollars; null if the price or the tokens are unknown. Cached tokens that are not reported count as none. */
export function costOf(price: Price | null, tokens: Tokens): number | null {
  if (price === null || tokens.prompt === null || tokens.completion === null) return null;
  const cached = Math.min(tokens.cached ?? 0, tokens.prompt);
  const input = (tokens.prompt - cached) * price.input + cached * (price.cachedInput ?? price.input);
  return (input + tokens.completion * price.output) / 1_000_000;
}

/** Typical of mostly English text and JSON. */
const CHARS_PER_TOKEN = 4;

/** About how many tokens a text of so many characters has. */
export const tokensOf = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);

/** Assumed maximum number of tokens in an answer. */
const MOST_TOKENS = { answer: 4_096, reasoning: 32_768 };

/** The maximum cost of a request in US dollars. Counts one token per byte, as no token is shorter. */
export function mostCost(modelId: string, price: Price, promptBytes: number): number {
  const completion = findModel(modelId)?.reasoning === true ? MOST_TOKENS.reasoning : MOST_TOKENS.answer;
  return (promptBytes * price.input + completion * price.output) / 1_000_000;
}

export type UsageMeter = ReturnType<typeof createUsageMeter>;

export const noTokens: Tokens = { prompt: 0, cached: 0, completion: 0 };
const unknown: Tokens = { prompt: null, cached: null, completion: null };

/** Sums the usage of a call's attempts. */
export function createUsageMeter(price: Price | null) {
  let attempts = 0;
  const parts = [noTokens];
  return {
    /** Counts a request. */
    attempt: () => void attempts++,
    /** Adds the tokens that a request reported; null if it may be billed but reported none. */
    add: (tokens: Tokens | null) => void parts.push(tokens ?? unknown),
    /** Totals over all attempts. An unknown part makes its total, and the cost, unknown. Rejected requests use nothing. */
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
