import { freeUsage, type Usage } from '../core/judgement.ts';
import type { Tokens } from './chat-reply.ts';
import { costOf } from './model-registry.ts';

/** Adds up what the attempts of one call took. */
export interface UsageMeter {
  /** A request goes out. */
  attempt(): void;
  /** A reply came, with the tokens that the endpoint reported, or a request that it may bill was given up (null). */
  took(tokens: Tokens | null): void;
  usage(latencyMs: number): Usage;
}

/**
 * Tokens are sums over the attempts that reported them; null when an answer came (or may have been made) and none was
 * reported. Rejected requests take nothing.
 */
export function createUsageMeter(modelId: string): UsageMeter {
  let attempts = 0;
  let silent = false;
  let sum: Tokens | null = null;
  return {
    attempt: () => void attempts++,
    took(tokens) {
      if (tokens === null) silent = true;
      else if (sum === null) sum = { ...tokens };
      else
        sum = {
          prompt: plus(sum.prompt, tokens.prompt),
          cached: plus(sum.cached, tokens.cached),
          completion: plus(sum.completion, tokens.completion),
        };
    },
    usage(latencyMs) {
      if (attempts === 0) return { ...freeUsage, latencyMs };
      const nothing = silent ? null : 0;
      const tokens = sum ?? { prompt: nothing, cached: nothing, completion: nothing };
      return {
        promptTokens: tokens.prompt,
        cachedTokens: tokens.cached,
        completionTokens: tokens.completion,
        costUsd: costOf(modelId, tokens),
        latencyMs,
        attempts,
        fromCache: false,
      };
    },
  };
}

const plus = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b);
