import type OpenAI from 'openai';
import { JuryError } from '../../common/index.ts';
import { didYouMean } from '../../common/text/index.ts';
import type { Http } from './http.ts';
import models from './models.json' with { type: 'json' };

interface Provider {
  /** Null if it differs for every user. */
  baseUrl: string | null;
  needsKey: boolean;
  /** What its keys start with: letters, digits, `-` and `_`. A word that starts with it is hidden in messages. */
  keyPrefix?: string;
}

/** Providers with a known OpenAI-compatible base URL. Any other provider works if its base URL is set. */
export const providers: Readonly<Record<string, Provider>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', needsKey: true, keyPrefix: 'sk-' },
  deepseek: { baseUrl: 'https://api.deepseek.com/v1', needsKey: true, keyPrefix: 'sk-' },
  mistral: { baseUrl: 'https://api.mistral.ai/v1', needsKey: true },
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1', needsKey: true, keyPrefix: 'sk-' },
  ollama: { baseUrl: 'http://127.0.0.1:11434/v1', needsKey: false },
  azure: { baseUrl: null, needsKey: true },
  groq: { baseUrl: 'https://api.groq.com/openai/v1', needsKey: true, keyPrefix: 'gsk_' },
  together: { baseUrl: 'https://api.together.xyz/v1', needsKey: true },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', needsKey: true, keyPrefix: 'sk-' },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    needsKey: true,
    keyPrefix: 'AIza',
  },
  xai: { baseUrl: 'https://api.x.ai/v1', needsKey: true, keyPrefix: 'xai-' },
};

/** The user's settings for a provider. An empty string counts as unset. */
export type ProviderSettings = (provider: string) => { apiKey?: string; baseUrl?: string };

export interface Endpoint {
  provider: string;
  /** The model's name as the endpoint knows it; may contain slashes. */
  model: string;
  baseUrl: string;
  /** Null if no key is needed and none was set. */
  apiKey: string | null;
}

const variable = (provider: string, suffix: string) =>
  `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_${suffix}`;

/** The environment variables of a provider, for reading settings and for messages. */
export const keyVariable = (provider: string): string => variable(provider, 'API_KEY');
export const baseUrlVariable = (provider: string): string => variable(provider, 'BASE_URL');

/** Splits `provider/model` at the first slash: `openrouter/meta-llama/llama-3.1-8b`. @throws JuryError `config` */
export function modelParts(modelId: string): { provider: string; model: string } {
  const slash = modelId.indexOf('/');
  const model = modelId.slice(slash + 1);
  if (slash >= 1 && model !== '') return { provider: modelId.slice(0, slash).toLowerCase(), model };
  throw new JuryError(
    'config',
    `"${modelId}" is not a model: write provider/model, such as openai/gpt-4o-mini.${meantModel(modelId)}`,
  );
}

/** The endpoint of a model. @throws JuryError `config` that names the variable to set */
export function resolveEndpoint(modelId: string, settings: ProviderSettings): Endpoint {
  const { provider, model } = modelParts(modelId);
  const listed = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  const set = settings(provider);
  const baseUrl = set.baseUrl?.trim() || listed?.baseUrl;
  if (!baseUrl) throw new JuryError('config', missingUrl(modelId, provider, listed !== undefined));
  if (!URL.canParse(baseUrl) || !/^\s*https?:/i.test(baseUrl))
    throw new JuryError('config', `${baseUrlVariable(provider)} must be an http or https address`);
  const apiKey = set.apiKey?.trim() || null;
  // A custom base URL may be a local endpoint that needs no key.
  if (apiKey === null && !set.baseUrl?.trim() && listed?.needsKey)
    throw new JuryError(
      'config',
      `${modelId} needs a key: set ${keyVariable(provider)} (or ${baseUrlVariable(provider)} to use another endpoint)`,
    );
  if (apiKey !== null && !/^[\x20-\x7e]+$/.test(apiKey))
    throw new JuryError(
      'config',
      `${keyVariable(provider)} has a character that keys do not have: copy it again`,
    );
  return { provider, model, baseUrl: baseUrl.trim().replace(/\/+$/, ''), apiKey };
}

const missingUrl = (modelId: string, provider: string, isListed: boolean) =>
  isListed
    ? `${modelId} needs an address: set ${baseUrlVariable(provider)}`
    : `provider "${provider}" of ${modelId} is unknown: set ${baseUrlVariable(provider)} to its OpenAI-compatible address, or use one of ${Object.keys(providers).join(', ')}.${didYouMean(provider, Object.keys(providers))}`;

/** ` Did you mean "x"?` with the closest known model, with or without its provider; empty if none is close. */
export function meantModel(name: string): string {
  const ids = ['rules', ...Object.keys(models)];
  const meantId = ids.find((id) => id.endsWith(`/${name.toLowerCase()}`));
  return meantId === undefined ? didYouMean(name, ids) : ` Did you mean "${meantId}"?`;
}

/**
 * Creates the `openai` client for an endpoint, over our own connections. The caller handles time limits and retries, so that a retry can
 * wait without holding a slot.
 */
export async function openChatClient({ baseUrl, apiKey }: Endpoint, http: Http): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  // The client appends paths to the base URL, so a query (`?api-version=…`) has to be passed separately.
  const address = new URL(baseUrl);
  const defaultQuery = Object.fromEntries(address.searchParams);
  address.search = '';
  address.hash = '';
  return new Client({
    baseURL: address.href,
    defaultQuery,
    // The client requires a key; endpoints without keys ignore it.
    apiKey: apiKey ?? 'no-key-needed',
    adminAPIKey: null,
    organization: null,
    project: null,
    timeout: 2_147_483_647,
    maxRetries: 0,
    // Other levels would log pasted text.
    logLevel: 'off',
    fetch: http.fetch,
  });
}
