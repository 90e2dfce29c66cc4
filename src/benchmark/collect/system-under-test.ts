import * as z from 'zod';
import { fieldOf, isRecord } from '../../case/index.ts';
import { type SecretFilter, sleep } from '../../common/index.ts';
import { readJson } from '../../common/text/index.ts';
import {
  type CompletionClient,
  createHttpSender,
  createTurns,
  type Proxies,
  runCommand,
  type Unanswered,
} from '../../judges/llm/index.ts';
import { filledTemplate, filledText, type Sendable, type SystemFile } from './system-file.ts';

/** A system's answer, and other case fields from its reply, by path. */
export interface Answer {
  text: string;
  fields: ReadonlyMap<string, unknown>;
  /** Latency of the request that succeeded. */
  latencyMs: number;
}

/** `costUsd`: 0 for a system without a price; null if the model's price is unknown. */
export type Asked = ({ answer: Answer } | Unanswered) & { costUsd: number | null };

/** A system under test. */
export type System = ReturnType<typeof openSystem>;

type Reply = ({ text: string; latencyMs: number } | Unanswered) & { costUsd: number | null };

/** Sends one request. Failures are returned, not thrown. */
type Ask = (values: Sendable, signal: AbortSignal) => Promise<Reply>;

const askModel =
  (
    { model: modelId, instructions, temperature }: NonNullable<SystemFile['openai']>,
    client: Pick<CompletionClient, 'chat'>,
    limitMs: number,
  ): Ask =>
  async (values, signal) => {
    const systemTexts = instructions === undefined ? [] : [filledText(instructions, values)];
    const messages = [
      ...systemTexts.map((content) => ({ role: 'system' as const, content })),
      ...values.messages,
    ];
    const deadlineAt = performance.now() + limitMs;
    const outcome = await client.chat({ modelId, messages, temperature, signal, deadlineAt });
    const { costUsd } = outcome.usage;
    return outcome.status === 'answered' ? { ...outcome.value, costUsd } : { ...outcome, costUsd };
  };

/** `toWellFormed`, because an earlier answer may end in half a surrogate pair, which `encodeURIComponent` rejects. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

const askHttp =
  (
    { method, url, headers, body }: NonNullable<SystemFile['http']>,
    { send }: ReturnType<typeof createHttpSender>,
    costUsd: number,
  ): Ask =>
  async (values, signal) => {
    const isText = typeof body === 'string';
    const filled = Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      filledText(value, values, encoded),
    ]);
    const request = {
      method,
      url: filledText(url, values, encoded),
      headers: { ...(isText ? { 'content-type': 'text/plain' } : {}), ...Object.fromEntries(filled) },
      body: body === undefined ? null : asText(filledTemplate(body, values)),
    };
    const { requests, ...reply } = await send(request, signal);
    return { ...reply, costUsd: requests * costUsd };
  };

const DEFAULT_INPUT = {
  request: '{{request}}',
  conversation: '{{conversation}}',
  context: '{{context}}',
  language: '{{language}}',
  session: '{{session}}',
};

const askCommand =
  (
    { run, env, input = DEFAULT_INPUT }: NonNullable<SystemFile['command']>,
    limitMs: number,
    { secrets, environment }: SystemPorts,
    costUsd: number,
  ): Ask =>
  async (values, signal) => {
    const text = asText(filledTemplate(input, values));
    const options = { limitMs, signal, secrets, environment: { ...environment, ...env } };
    return { ...(await runCommand(run, `${text}\n`, options)), costUsd };
  };

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const malformed = (message: string): Unanswered => ({ reason: 'malformed', message });

/** Extracts the answer and fields from a reply, as the system file describes. */
function answerIn(
  { answer: place, fields }: SystemFile,
  { text, latencyMs }: { text: string; latencyMs: number },
): Answer | Unanswered {
  const places = Object.entries(fields);
  const isRead = place !== undefined || places.length > 0;
  const reply = isRead ? readJson(z.unknown(), text) : null;
  if (isRead && reply === null) return malformed('the reply is not JSON, so no place in it can be read');
  const answer = place === undefined ? text.trim() : fieldOf(reply?.value, place);
  if (typeof answer !== 'string') {
    const keys = isRecord(reply?.value) ? `; its keys are ${Object.keys(reply.value).join(', ')}` : '';
    return malformed(`the reply has no text at "${place}"${keys}`);
  }
  if (answer.trim() === '') return malformed('the answer is empty');
  // A reply without any call says that nothing was called.
  const unsaid = (path: string) => (path === 'toolCalls' ? [] : null);
  const given = places.map(([path, at]): [string, unknown] => [
    path,
    fieldOf(reply?.value, at) ?? unsaid(path),
  ]);
  return {
    text: answer,
    latencyMs,
    fields: new Map(given.filter(([, value]) => value !== null)),
  };
}

/** Sends requests for files with `openai`, and knows model prices. */
type SystemClient = Pick<CompletionClient, 'chat' | 'priceOf'>;

/** Everything needed to send requests to a system. */
export interface SystemPorts {
  client: SystemClient;
  proxies: Proxies;
  /** Secrets to remove from answers and messages; the file's own are added. */
  secrets: SecretFilter;
  /** Environment that programs of files with `command` inherit. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** Prepares a system under test. Nothing is sent before the first `ask`. */
export function openSystem(file: SystemFile, ports: SystemPorts) {
  const { client, proxies, secrets } = ports;
  const { name, build = null, concurrency, openai, http, command, perSecond, costUsd = 0, address } = file;
  const limitMs = file.timeoutSeconds * 1000;
  for (const [secret, variable] of file.secrets) secrets.add(secret, variable);
  const nextTurn = createTurns(new Map(perSecond === undefined ? [] : [[name, perSecond]]), () =>
    performance.now(),
  );
  const turn = async (stop: AbortSignal): Promise<void> => {
    const waitMs = nextTurn(name);
    if (waitMs > 0) await sleep(waitMs, stop);
  };
  const sender = createHttpSender({ address, concurrency, limitMs, secrets, turn, proxies });
  const ask =
    openai !== undefined
      ? askModel(openai, client, limitMs)
      : http !== undefined
        ? askHttp(http, sender, costUsd)
        : askCommand(command ?? { run: '', env: {} }, limitMs, ports, costUsd);
  return {
    name,
    build,
    concurrency,
    /** Price of one request, US dollars; 0 if it is only known afterwards, or not at all. */
    costUsd,
    /** Whether the cost of a request is known in advance. */
    isPriced: file.costUsd !== undefined || (openai !== undefined && client.priceOf(openai.model) !== null),
    /** Waits until the rate limit allows another request, or until stopped. */
    turn,
    /** Sends a request and resolves to the answer or the failure. */
    async ask(values: Sendable, signal: AbortSignal): Promise<Asked> {
      const { costUsd: spent, ...reply } = await ask(values, signal);
      if ('reason' in reply) return { ...reply, costUsd: spent };
      const answer = answerIn(file, reply);
      return 'reason' in answer ? { ...answer, costUsd: spent } : { answer, costUsd: spent };
    },
    close: sender.close,
  };
}
