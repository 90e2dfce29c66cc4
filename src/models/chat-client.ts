import type OpenAI from 'openai';
import type { Connections } from './connections.ts';
import { PlainHeaders } from './plain-headers.ts';
import type { Endpoint } from './providers.ts';

/** Asks for one chat completion, once. Rejects as the `openai` client does. */
export type ChatClient = (body: string, signal: AbortSignal) => Promise<unknown>;

const PATH = '/chat/completions';

const never = new AbortController().signal;

/** In the place of headers, which the client writes out for its log at each request, whether there is a log or not. */
const untold = new PlainHeaders();

/**
 * The `openai` client of one endpoint, by which nothing but chat completions is asked for. Their address and their headers are
 * worked out once, where the client by itself does it for each request; how long one may take, and whether it is tried
 * again, is up to who asks.
 *
 * @throws where the package cannot be loaded
 */
export async function openChatClient(
  { baseUrl, apiKey }: Endpoint,
  connections: Connections,
): Promise<ChatClient> {
  const { default: Client } = await import('openai');
  const options = {
    baseURL: baseUrl,
    // The client insists on a key; an endpoint without keys ignores it.
    apiKey: apiKey ?? 'no-key-needed',
    adminAPIKey: null,
    organization: null,
    project: null,
    defaultHeaders: { 'content-type': 'application/json' },
    maxRetries: 0,
    // At a lower level it would log what people pasted.
    logLevel: 'off',
  } as const;
  const plain = new Client(options);

  async function prepare(): Promise<OpenAI> {
    const { req, url, timeout } = await plain.buildRequest({ method: 'post', path: PATH });
    const post = await connections.to(url, req.headers);

    class Prepared extends Client {
      override async buildRequest({ body, signal = null }: Parameters<OpenAI['buildRequest']>[0]) {
        return { req: { headers: untold, body: String(body), signal }, url, timeout };
      }

      override fetchWithTimeout(...[, init]: Parameters<OpenAI['fetchWithTimeout']>) {
        return post(String(init?.body), init?.signal ?? never);
      }
    }

    return new Prepared(options);
  }

  let prepared: Promise<OpenAI> | null = null;
  return async (body, signal) => {
    prepared ??= prepare();
    return (await prepared).post(PATH, { body, signal });
  };
}
