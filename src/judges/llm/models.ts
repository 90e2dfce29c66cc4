import * as z from 'zod';
import { lazily } from '../../common/index.ts';
import { freeUsage, totalUsage, type Usage } from '../../judging/verdict/index.ts';
import file from './models.json' with { type: 'json' };

/** How to request a reply: with a strict schema, as any JSON object, or through the prompt alone. */
const ReplyFormat = z.enum(['json-schema', 'json-object', 'text']);
type ReplyFormat = z.infer<typeof ReplyFormat>;

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
function canonicalId(id: string): string {
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

/** What a model's endpoint supports. */
export interface EndpointCapabilities {
  format: ReplyFormat;
  temperature: boolean;
  seed: boolean;
}

/** A capability that can be dropped. */
export type Setting = keyof EndpointCapabilities;

/** The settings that a request contained. */
export type SentSettings = Readonly<Record<Setting, boolean>>;

/** The settings that an error message mentions. */
export function settingsNamedIn(refusal: string): Setting[] {
  const named: Setting[] = [];
  if (/response_?format|json_schema|json_object|json mode|structured|schema/i.test(refusal))
    named.push('format');
  if (/temperature/i.test(refusal)) named.push('temperature');
  if (/\bseed\b/i.test(refusal)) named.push('seed');
  return named;
}

/**
 * The capabilities to try after a refusal; null if there is nothing left to drop. First drops a setting that the message mentions, then
 * lowers the reply format step by step, then drops the other settings.
 */
function stepDown(
  capabilities: EndpointCapabilities,
  sent: SentSettings,
  named: readonly Setting[],
): EndpointCapabilities | null {
  const lower =
    capabilities.format === 'json-schema'
      ? 'json-object'
      : capabilities.format === 'json-object'
        ? 'text'
        : null;
  if (!(named.includes('format') && lower)) {
    if (sent.temperature && named.includes('temperature')) return { ...capabilities, temperature: false };
    if (sent.seed && named.includes('seed')) return { ...capabilities, seed: false };
  }
  if (lower !== null && sent.format) return { ...capabilities, format: lower };
  return sent.temperature || sent.seed ? { ...capabilities, temperature: false, seed: false } : null;
}

/** The capabilities that one call uses; refusals reduce them. */
export type CallCapabilities = ReturnType<ReturnType<typeof createCapabilityMemory>['begin']>;

const settings: readonly Setting[] = ['format', 'temperature', 'seed'];

/**
 * Remembers what each model's endpoint supports, for the life of the process. A setting counts as unsupported if the endpoint refused it
 * by name and then accepted a request without it. A refusal that names no setting may have had any cause: a setting dropped for it is
 * dropped for that call only, until a later call has the same result.
 */
export function createCapabilityMemory() {
  const byModel = new Map<string, EndpointCapabilities>();
  /** Reduced capabilities after refusals that named no setting, by setting. */
  const suspicions = new Map<string, ReadonlyMap<Setting, EndpointCapabilities>>();
  function of(id: string): EndpointCapabilities {
    const model = findModel(id);
    return (
      byModel.get(id) ?? {
        format: model?.output ?? 'json-schema',
        temperature: !model?.reasoning,
        seed: true,
      }
    );
  }

  function begin(id: string) {
    const start = of(id);
    const suspectedBefore = suspicions.get(id);
    const guessed = new Set<Setting>();
    let current = start;

    function learn(sent: SentSettings): void {
      const suspected = new Map(suspicions.get(id));
      let learned = of(id);
      for (const setting of settings) {
        if (current[setting] === start[setting]) {
          // The endpoint supports it after all; the refusal had another cause.
          if (sent[setting]) suspected.delete(setting);
        } else if (guessed.has(setting) && suspectedBefore?.get(setting)?.[setting] !== current[setting]) {
          suspected.set(setting, current);
        } else {
          suspected.delete(setting);
          learned = { ...learned, [setting]: current[setting] };
        }
      }
      suspicions.set(id, suspected);
      byModel.set(id, learned);
    }

    return {
      current: () => current,
      /** Reduces the capabilities after a refusal; false if there is nothing left to drop. */
      giveUp(sent: SentSettings, named: readonly Setting[]): boolean {
        const next = stepDown(current, sent, named);
        if (next === null) return false;
        for (const setting of settings)
          if (next[setting] !== current[setting] && !named.includes(setting)) guessed.add(setting);
        current = next;
        return true;
      },
      /** Records that the endpoint accepted a request with the current capabilities. */
      accepted(sent: SentSettings): void {
        if (current !== start || suspicions.has(id)) learn(sent);
      },
    };
  }

  return {
    /** What is known or assumed. */
    of: (modelId: string) => of(canonicalId(modelId)),
    begin: (modelId: string) => begin(canonicalId(modelId)),
  };
}
