import { describe, expect, it } from 'vitest';
import { createCapabilityMemory } from '../../../src/judges/llm/endpoint-capabilities.ts';
import { costOf, createPrices, findModel, knownModels } from '../../../src/judges/llm/models.ts';
import { providers } from '../../../src/judges/llm/providers.ts';

const { of: priceOf } = createPrices();

describe('the model registry', () => {
  it('has unique ids of known providers, dated prices that are not negative, and sensible windows', () => {
    expect(new Set(knownModels().map((model) => model.id)).size).toBe(knownModels().length);
    for (const model of knownModels()) {
      const { input, cachedInput, output } = model.price;
      expect(Object.keys(providers)).toContain(model.id.split('/')[0]);
      expect(Math.min(input, output, cachedInput ?? 0), model.id).toBeGreaterThanOrEqual(0);
      expect(cachedInput ?? 0, model.id).toBeLessThanOrEqual(input);
      expect(model.pricedAt, model.id).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
      expect(model.contextWindow ?? 8192, model.id).toBeGreaterThanOrEqual(8192);
      expect(createCapabilityMemory().of(model.id).temperature, model.id).toBe(!model.reasoning);
    }
  });

  it('has the models of the factual paper', () => {
    const ids = ['openai/gpt-4', 'openrouter/meta-llama/llama-3-8b-instruct'];
    expect([...ids, 'openrouter/meta-llama/llama-3-70b-instruct'].filter((id) => !findModel(id))).toEqual([]);
    expect(findModel('openai/gpt-4')?.price).toEqual({ input: 30, cachedInput: null, output: 60 });
  });

  it('finds the model of a dated snapshot', () => {
    expect(findModel('openai/gpt-4o-2024-08-06')?.id).toBe('openai/gpt-4o');
    expect(findModel('anthropic/claude-haiku-4-5-20251001')?.id).toBe('anthropic/claude-haiku-4-5');
    expect(findModel('openai/gpt-4o-custom')).toBeUndefined();
  });

  it('takes the provider in any case, as it is taken where it is asked', () => {
    expect(findModel('OpenAI/gpt-4o-2024-08-06')?.id).toBe('openai/gpt-4o');
    expect(findModel('OpenRouter/meta-llama/llama-3.1-8b-instruct')?.contextWindow).toBe(128_000);
    expect(findModel('openai/GPT-4o')).toBeUndefined();
    expect(findModel('gpt-4o')).toBeUndefined();
  });

  it('costs tokens by kind, and nothing it does not know', () => {
    // 1000 × 0.15 + 1000 × 0.075 + 500 × 0.6 = 525 dollars for a million
    expect(
      costOf(priceOf('openai/gpt-4o-mini'), { prompt: 2000, cached: 1000, completion: 500 }),
    ).toBeCloseTo(525e-6, 12);
    expect(costOf(priceOf('openai/gpt-4-turbo'), { prompt: 100, cached: 50, completion: 0 })).toBeCloseTo(
      1e-3,
      12,
    );
    expect(costOf(priceOf('openai/gpt-4o'), { prompt: 10, cached: null, completion: 1 })).toBeCloseTo(
      35e-6,
      12,
    );
    expect(costOf(priceOf('openai/double'), { prompt: 1, cached: 0, completion: 1 })).toBeNull();
    expect(costOf(priceOf('openai/gpt-4o'), { prompt: null, cached: null, completion: 1 })).toBeNull();
  });
});
