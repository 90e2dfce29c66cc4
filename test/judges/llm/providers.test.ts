import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/judges/llm/chat-failure.ts';
import { providers, resolveEndpoint } from '../../../src/judges/llm/providers.ts';

const key = () => ({ apiKey: 'k' });
const nothing = () => ({});

describe('resolving a model', () => {
  it('takes what stands before the first slash for the provider', () => {
    expect(resolveEndpoint('openrouter/meta-llama/llama-3.1-8b-instruct', key)).toEqual({
      provider: 'openrouter',
      model: 'meta-llama/llama-3.1-8b-instruct',
      baseUrl: 'https://openrouter.ai/api/v1',
      apiKey: 'k',
    });
  });

  it('needs no key of local endpoints and of addresses of the user', () => {
    expect(resolveEndpoint('ollama/llama3.1', nothing)).toMatchObject({
      baseUrl: 'http://127.0.0.1:11434/v1',
      apiKey: null,
    });
    expect(resolveEndpoint('openai/x', () => ({ baseUrl: ' http://localhost:8000/v1/ ' }))).toMatchObject({
      baseUrl: 'http://localhost:8000/v1',
      apiKey: null,
    });
  });

  it.each([
    ['openai/gpt-4o', nothing, /OPENAI_API_KEY/],
    ['openai/gpt-4o', () => ({ apiKey: '  ', baseUrl: '' }), /OPENAI_API_KEY/],
    ['azure/gpt-4o', key, /AZURE_BASE_URL/],
    ['my-llm/x', key, /MY_LLM_BASE_URL/],
    ['constructor/x', key, /CONSTRUCTOR_BASE_URL/],
    ['openai/x', () => ({ baseUrl: 'ftp://x' }), /OPENAI_BASE_URL must be an http/],
    ['gpt-4o', key, /write provider\/model/],
    ['openai/', key, /write provider\/model/],
  ])('says of %s what is wrong', (id, settings, message) => {
    expect(() => resolveEndpoint(id, settings)).toThrow(message);
    expect(() => resolveEndpoint(id, settings)).toThrow(expect.objectContaining({ code: 'config' }));
  });
});

describe('what looks like a key', () => {
  const prefixes = Object.values(providers).flatMap(({ keyPrefix }) => keyPrefix ?? []);

  it.each([...new Set([...prefixes, 'pk-', 'sk-proj-'])])('%s… is not shown', (prefix) => {
    expect(redact(`Incorrect API key provided: ${prefix}Ab3****wxYZ.`)).toBe(
      'Incorrect API key provided: [key]',
    );
  });

  it('is shown where it is a word', () => {
    expect(redact('the risk-averse desk-top model')).toBe('the risk-averse desk-top model');
  });
});
