import type OpenAI from 'openai';
import { JuryError, messageOf } from '../../common/errors.ts';
import { type ChatBody, type ChatReply, chatReplyOf } from './chat-completion.ts';
import { type ChatFailure, chatFailure, chatFailureOf, failureOfStatus, redact } from './chat-failure.ts';
import type { Http } from './http.ts';
import { baseUrlVariable, type Endpoint, keyVariable } from './providers.ts';
import { createAdaptiveLimit, type LimitFeedback } from './rate-limits.ts';

/** The outcome of one request. `stopped`: while it waited for a slot or (`sent`) for the reply. */
export type SendOutcome =
  | { kind: 'reply'; reply: ChatReply }
  | { kind: 'failed'; failure: ChatFailure }
  | { kind: 'stopped'; sent: boolean };

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

export interface SendOptions {
  endpoint: Endpoint;
  connection: ChatConnection;
  signal: AbortSignal;
  /** Called when a slot is free and the request goes out. */
  onSend: () => void;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Sends one request, once, as soon as a slot is free. Never rejects. */
export async function sendOnce(body: ChatBody, options: SendOptions): Promise<SendOutcome> {
  const { endpoint, connection, signal, onSend, now } = options;
  let client: OpenAI;
  try {
    client = await connection.client();
  } catch (error) {
    return { kind: 'failed', failure: failureToOpen(error, endpoint) };
  }
  const task = async (): Promise<SendOutcome> => {
    onSend();
    try {
      return outcomeOf(await client.chat.completions.create(body, { signal }), endpoint);
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped', sent: true };
      return { kind: 'failed', failure: chatFailureOf(error, endpoint, now()) };
    }
  };
  return (await connection.limit.run(task, feedbackOf, signal)) ?? { kind: 'stopped', sent: false };
}

function outcomeOf(completion: unknown, endpoint: Endpoint): SendOutcome {
  const read = chatReplyOf(completion);
  if (read === null) {
    const { message } = failureOfStatus(
      200,
      '',
      'this is not a chat completion (is the base URL right? it often ends in /v1)',
      endpoint,
    );
    return { kind: 'failed', failure: chatFailure('fatal', message, { mayBill: true }) };
  }
  if ('reply' in read) return { kind: 'reply', reply: read.reply };
  const { code, message } = read.error;
  return { kind: 'failed', failure: failureOfStatus(Number(code) || 502, code, message, endpoint) };
}

function failureToOpen(error: unknown, { apiKey }: Endpoint): ChatFailure {
  if (error instanceof JuryError) return chatFailure('misconfigured', error.message);
  const why = redact(messageOf(error), apiKey);
  return chatFailure('fatal', `the HTTP client cannot be loaded: ${why}; reinstall Jury`);
}

function feedbackOf(outcome: SendOutcome): LimitFeedback {
  if (outcome.kind === 'reply') return 'fine';
  return outcome.kind === 'failed' && outcome.failure.kind === 'rate-limited' ? 'slow-down' : 'unknown';
}
