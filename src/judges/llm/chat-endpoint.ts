import type OpenAI from 'openai';
import { JuryError, messageOf } from '../../common/errors.ts';
import type { Stop } from './call-clock.ts';
import { type ChatClient, openChatClient } from './chat-client.ts';
import { type ChatReply, chatReplyOf } from './chat-completion.ts';
import { type ChatFailure, chatFailureOf, plainMessage, withStatus } from './chat-failure.ts';
import { createConnections } from './connections.ts';
import type { Endpoint } from './providers.ts';
import { type AdaptiveLimit, createAdaptiveLimit, type LimitFeedback } from './rate-limits.ts';

export type ChatBody = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;

/** What became of one request. `stopped`: in the queue or (`sent`) on its way. */
export type Sending =
  | { kind: 'reply'; reply: ChatReply }
  | { kind: 'failed'; failure: ChatFailure }
  | { kind: 'stopped'; sent: boolean };

export interface ChatEndpoint {
  /** Sends one request, once, as soon as a slot is free. Never rejects. */
  send(body: ChatBody, stop: Stop, onSend: () => void): Promise<Sending>;
  readonly limit: AdaptiveLimit;
  close(): void;
}

/**
 * One address with one key: its client, its connections, its pace.
 * @param ceiling most requests at the same time
 * @param now milliseconds since the epoch
 */
export function createChatEndpoint(endpoint: Endpoint, ceiling: number, now: () => number): ChatEndpoint {
  const limit = createAdaptiveLimit(ceiling);
  const connections = createConnections();
  let client: Promise<ChatClient> | null = null;

  /** The client, made once; what could not be made is tried again by the next one who needs it. */
  function opened(): Promise<ChatClient> {
    client ??= openChatClient(endpoint, connections).catch((error: unknown) => {
      client = null;
      throw error;
    });
    return client;
  }

  async function attempt(ask: ChatClient, body: ChatBody, stop: Stop): Promise<Sending> {
    try {
      return understand(await ask(JSON.stringify(body), stop));
    } catch (error) {
      if (stop.isStopped()) return { kind: 'stopped', sent: true };
      return { kind: 'failed', failure: chatFailureOf(error, endpoint, now()) };
    }
  }

  function understand(wire: unknown): Sending {
    const read = chatReplyOf(wire);
    if (read === null) {
      const message = 'this is no chat completion (is the base URL right? it often ends in /v1)';
      const failure = withStatus(200, '', message, null, endpoint);
      return { kind: 'failed', failure: { ...failure, kind: 'fatal', mayBill: true } };
    }
    if ('reply' in read) return { kind: 'reply', reply: read.reply };
    const status = Number(read.error.code) || 502;
    return {
      kind: 'failed',
      failure: withStatus(status, read.error.code, read.error.message, null, endpoint),
    };
  }

  return {
    limit,
    async send(body, stop, onSend) {
      let ask: ChatClient;
      try {
        ask = await opened();
      } catch (error) {
        return { kind: 'failed', failure: unopened(error, endpoint) };
      }
      const task = () => {
        onSend();
        return attempt(ask, body, stop);
      };
      return (await limit.run(task, paceOf, stop)) ?? { kind: 'stopped', sent: false };
    },
    close: () => connections.close(),
  };
}

function unopened(error: unknown, { apiKey }: Endpoint): ChatFailure {
  const message =
    error instanceof JuryError
      ? error.message
      : `the openai package cannot be used: ${plainMessage(messageOf(error), [apiKey])}; install the program again`;
  return { kind: 'fatal', message, retryAfterMs: null, named: [], mayBill: false };
}

function paceOf(sending: Sending): LimitFeedback {
  if (sending.kind === 'reply') return 'fine';
  return sending.kind === 'failed' && sending.failure.kind === 'rate-limited' ? 'slow-down' : 'unknown';
}
