import type OpenAI from 'openai';
import type { Http } from './http.ts';
import type { Endpoint } from './providers.ts';

/**
 * Opens the `openai` client of an endpoint over our connections. Time limits and retries are the caller's, so that a retry can wait
 * without holding a slot.
 */
export async function openChatClient({ baseUrl, apiKey }: Endpoint, http: Http): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  // The client appends its paths to the base URL, so a query (`?api-version=…`) must follow them.
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
