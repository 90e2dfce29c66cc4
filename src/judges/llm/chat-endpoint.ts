import type OpenAI from 'openai';
import { JuryError, messageOf } from '../../common/errors.ts';
import { redact } from './chat-failure.ts';
import type { Http } from './http.ts';
import { baseUrlVariable, type Endpoint, keyVariable } from './providers.ts';
import { createAdaptiveLimit } from './rate-limits.ts';

export type ChatConnection = ReturnType<typeof createChatConnection>;

/**
 * Shared by all models with the same address and key.
 *
 * @param ceiling most concurrent requests
 */
export function createChatConnection(endpoint: Endpoint, ceiling: number, http: () => Promise<Http>) {
  let client: Promise<OpenAI> | null = null;
  return {
    limit: createAdaptiveLimit(ceiling),
    /** Created on first use; after a failure the next request tries again. */
    client(): Promise<OpenAI> {
      client ??= openClient(endpoint, http).catch((error: unknown) => {
        client = null;
        throw error;
      });
      return client;
    },
  };
}

/** @throws JuryError `config` if the key cannot be sent; Node's error if a package cannot be loaded */
async function openClient(
  { provider, baseUrl, apiKey }: Endpoint,
  http: () => Promise<Http>,
): Promise<OpenAI> {
  // The client requires a key; endpoints without keys ignore it.
  const key = apiKey ?? 'no-key-needed';
  try {
    new Headers({ authorization: `Bearer ${key}` });
  } catch (error) {
    const why = redact(messageOf(error), apiKey).replace(/\.$/, '');
    throw new JuryError(
      'config',
      `the settings of ${provider} are invalid: ${why}; check ${keyVariable(provider)} and ${baseUrlVariable(provider)}`,
      { cause: error },
    );
  }
  // Before the first request is sent, as its time limit is no time to load packages.
  const [{ default: Client }, { fetch }] = await Promise.all([import('openai'), http()]);
  // The client appends its paths to the base URL, so a query (`?api-version=…`) must follow them.
  const address = new URL(baseUrl);
  const defaultQuery = Object.fromEntries(address.searchParams);
  address.search = '';
  address.hash = '';
  return new Client({
    baseURL: address.href,
    defaultQuery,
    apiKey: key,
    adminAPIKey: null,
    organization: null,
    project: null,
    // Time limit and retries are the caller's, so that a retry can wait without holding a slot.
    timeout: 2_147_483_647,
    maxRetries: 0,
    // Other levels would log pasted text.
    logLevel: 'off',
    fetch,
  });
}
