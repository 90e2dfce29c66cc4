import { freeUsage, type Usage } from '../core/judgement.ts';
import type { Tokens } from './chat-reply.ts';
import { costOf, findModel } from './model-registry.ts';

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
