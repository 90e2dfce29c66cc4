import type OpenAI from 'openai';
import { JuryError, messageOf } from '../../common/errors.ts';
import type { Stop } from './call-clock.ts';
import { plainMessage } from './chat-failure.ts';
import type { Connections } from './connections.ts';
import { baseUrlVariable, type Endpoint, keyVariable } from './providers.ts';

/** Asks for one chat completion, once. Rejects as the `openai` client does. */
export type ChatClient = (body: string, stop: Stop) => Promise<unknown>;

const PATH = '/chat/completions';

/** One request, as it goes through the client to the connections. */
class Outgoing {
  readonly headers: Headers;
  readonly body: string;
  readonly stop: Stop;

  constructor(headers: Headers, body: string, stop: Stop) {
    this.headers = headers;
    this.body = body;
    this.stop = stop;
  }
}

/** What comes to these methods is what `openChatClient` has sent through the client. */
function outgoing(given: unknown): Outgoing {
  if (given instanceof Outgoing) return given;
  throw new JuryError('internal', 'The openai client was asked for something else than a chat completion.');
}

/**
 * The `openai` client of one endpoint, by which nothing but chat completions is asked for. Their address and their headers are
 * worked out once, where the client by itself does it for each request; how long one may take, and whether it is tried
 * again, is up to who asks.
 *
 * @throws JuryError `config` where key and address make no request; whatever Node throws where the package cannot be loaded
 */
export async function openChatClient(endpoint: Endpoint, connections: Connections): Promise<ChatClient> {
  const { default: Client } = await import('openai');
  const options = {
    baseURL: endpoint.baseUrl,
    // The client insists on a key; an endpoint without keys ignores it.
    apiKey: endpoint.apiKey ?? 'no-key-needed',
    adminAPIKey: null,
    organization: null,
    project: null,
    defaultHeaders: { 'content-type': 'application/json' },
    maxRetries: 0,
    // At a lower level it would log what people pasted.
    logLevel: 'off',
    fetch: () => Promise.reject(new Error('requests go over connections that are kept')),
  } as const;
  const { headers, url, timeout, post } = await prepared(new Client(options), endpoint, connections);

  class Prepared extends Client {
    override async buildRequest({ body }: Parameters<OpenAI['buildRequest']>[0]) {
      return { req: outgoing(body), url, timeout };
    }

    override fetchWithTimeout(...[, init]: Parameters<OpenAI['fetchWithTimeout']>) {
      const { body, stop } = outgoing(init);
      return post(body, stop);
    }
  }

  const client = new Prepared(options);
  return (body, stop) => client.post(PATH, { body: new Outgoing(headers, body, stop) });
}

/** What is the same for every request, and what sends them. */
async function prepared(client: OpenAI, { provider, apiKey }: Endpoint, connections: Connections) {
  try {
    const { req, url, timeout } = await client.buildRequest({ method: 'post', path: PATH });
    return { headers: req.headers, url, timeout, post: await connections.to(url, req.headers) };
  } catch (thrown) {
    const why = plainMessage(messageOf(thrown), [apiKey]);
    throw new JuryError(
      'config',
      `no request can be made of what is set for ${provider}: ${why.replace(/\.$/, '')}; set ${keyVariable(provider)} and ${baseUrlVariable(provider)} anew`,
      { cause: thrown },
    );
  }
}
