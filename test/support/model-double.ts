import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { fillSchema } from './fill-schema.ts';

/** What of a chat-completions request tests look at. */
const ChatBody = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
  temperature: z.number().optional(),
  seed: z.number().optional(),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z
        .looseObject({ name: z.string(), strict: z.boolean().optional(), schema: z.unknown() })
        .optional(),
    })
    .optional(),
});
type ChatBody = z.infer<typeof ChatBody>;

type ReplyFormat = 'json-schema' | 'json-object' | 'text';

/** One request as the double saw it. */
export interface DoubleRequest {
  /** 1 for the first request, refused and rate-limited ones included. */
  n: number;
  body: ChatBody;
  headers: IncomingMessage['headers'];
  /** How the reply was asked for. */
  format: ReplyFormat;
  /** The JSON schema of the reply, where one was sent. */
  schema: unknown;
  /** Text of the system messages and of all user messages, joined by blank lines. */
  system: string;
  user: string;
  /** `performance.now()` when it arrived. */
  at: number;
}

/**
 * What the double answers. Without `content`, `json`, `error` or `raw` the reply is filled in from the request's JSON
 * schema, with `fields` scripting some of it (see `fillSchema`).
 */
export interface DoubleAnswer {
  /** Fields of a reply that is generated from the request's schema: `{ decision: 'fail', confidence: 0.65 }`. */
  fields?: Record<string, unknown>;
  /** The reply's object, whatever the schema says. */
  json?: unknown;
  /** The reply's text, verbatim; null for none. */
  content?: string | null;
  refusal?: string;
  finishReason?: string;
  /** Token counts; null leaves them out. Default: 100 prompt, 20 completion. */
  usage?: Record<string, unknown> | null;
  /** HTTP status, default 200; with `error` default 400. */
  status?: number;
  /** The `error` object of an error reply, or just its message. */
  error?: string | { message: string; code?: string; type?: string; param?: string };
  headers?: Record<string, string>;
  /** The body, verbatim, instead of a completion. */
  raw?: string;
  /** Instead of a completion a body that never ends: the same bytes again and again, until the client goes away. */
  endless?: { chunk: string; everyMs: number };
  /** Instead of the double's own delay, milliseconds. */
  delayMs?: number;
  /** Never answer (until the client goes away). */
  hang?: boolean;
  /** Close the connection without an answer. */
  drop?: boolean;
}

export interface ModelDoubleOptions {
  /** Scripts the answers; default: fill in the schema. */
  answer?: (request: DoubleRequest) => DoubleAnswer | Promise<DoubleAnswer>;
  /** Time to answer, milliseconds; default 0. */
  delayMs?: number;
  /** What the endpoint answers 400 to. */
  refuse?: { formats?: ReplyFormat[]; temperature?: boolean; seed?: boolean };
  /** A share of requests (0–1) answered 429, in a pattern that the seed fixes. */
  rateLimit?: { share: number; seed?: number; headers?: Record<string, string> };
  /** Default 0: any free port. */
  port?: number;
  /** Whether requests are kept in `requests`; default true. */
  record?: boolean;
}

export interface ModelDouble {
  /** To be given as `OPENAI_BASE_URL`. */
  baseUrl: string;
  /** Provider settings for `createCompletionClient`: every provider is this double. */
  settings: (provider: string) => { apiKey: string; baseUrl: string };
  /** Every request so far, in order of arrival. */
  requests: DoubleRequest[];
  /** Requests received; of these answered with 200, with 429, with another error; and most at the same time. */
  counts: { received: number; answered: number; rateLimited: number; refused: number; most: number };
  close: () => Promise<void>;
}

export const doubleKey = 'sk-double-0123456789abcdef';

/**
 * Starts a local HTTP server that speaks chat completions, so that tests exercise the real client over a real wire.
 *
 *     const double = await startModelDouble({ answer: ({ n }) => ({ fields: { decision: n === 2 ? 'fail' : 'pass' } }) });
 *     const client = createCompletionClient({ settings: double.settings });
 *     …
 *     expect(double.counts.received).toBe(3);
 *     await double.close();
 */
export async function startModelDouble(options: ModelDoubleOptions = {}): Promise<ModelDouble> {
  const requests: DoubleRequest[] = [];
  const counts = { received: 0, answered: 0, rateLimited: 0, refused: 0, most: 0 };
  const random = seededRandom(options.rateLimit?.seed ?? 1);
  let open = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readAll(request);
    const seen = understand(++counts.received, request, text);
    if (options.record !== false) requests.push(seen);
    const answer = refusal(seen, options) ?? rateLimited() ?? (await options.answer?.(seen)) ?? {};
    if (answer.hang) return;
    const delay = answer.delayMs ?? options.delayMs ?? 0;
    if (delay > 0) await new Promise((done) => setTimeout(done, delay));
    if (answer.drop) return void request.socket.destroy();
    if (answer.endless !== undefined) return pour(response, answer.endless);
    const { status, body } = render(seen, answer);
    if (status === 200) counts.answered++;
    else if (status === 429) counts.rateLimited++;
    else counts.refused++;
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...answer.headers,
    });
    response.end(body);
  }

  const rateLimited = (): DoubleAnswer | undefined =>
    options.rateLimit !== undefined && random() < options.rateLimit.share
      ? { status: 429, error: 'Rate limit reached, slow down', headers: options.rateLimit.headers ?? {} }
      : undefined;

  const server = createServer((request, response) => {
    counts.most = Math.max(counts.most, ++open);
    response.once('close', () => open--);
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(JSON.stringify({ error: { message: `the model double failed: ${String(error)}` } }));
    });
  });
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model double has no port');
  const baseUrl = `http://127.0.0.1:${address.port}/v1`;
  return {
    baseUrl,
    settings: () => ({ apiKey: doubleKey, baseUrl }),
    requests,
    counts,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function pour(response: ServerResponse, { chunk, everyMs }: { chunk: string; everyMs: number }) {
  response.writeHead(200, { 'content-type': 'application/json' });
  while (!response.destroyed) {
    response.write(chunk);
    await new Promise((done) => setTimeout(done, everyMs));
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function understand(n: number, request: IncomingMessage, text: string): DoubleRequest {
  const at = performance.now();
  const body = ChatBody.parse(JSON.parse(text));
  const type = body.response_format?.type;
  const said = (role: string) =>
    body.messages
      .filter((message) => message.role === role)
      .map((message) => message.content)
      .join('\n\n');
  return {
    n,
    body,
    headers: request.headers,
    format: type === 'json_schema' ? 'json-schema' : type === 'json_object' ? 'json-object' : 'text',
    schema: body.response_format?.json_schema?.schema ?? null,
    system: said('system'),
    user: said('user'),
    at,
  };
}

function refusal(request: DoubleRequest, { refuse }: ModelDoubleOptions): DoubleAnswer | undefined {
  const no = (param: string) => ({
    error: { message: `Unsupported parameter: '${param}' is not supported with this model.`, param },
  });
  if (refuse?.formats?.includes(request.format)) return no('response_format');
  if (refuse?.temperature && request.body.temperature !== undefined) return no('temperature');
  if (refuse?.seed && request.body.seed !== undefined) return no('seed');
  return undefined;
}

function render(request: DoubleRequest, answer: DoubleAnswer): { status: number; body: string } {
  if (answer.raw !== undefined) return { status: answer.status ?? 200, body: answer.raw };
  if (answer.error !== undefined) {
    const error = typeof answer.error === 'string' ? { message: answer.error } : answer.error;
    return { status: answer.status ?? 400, body: JSON.stringify({ error }) };
  }
  const content =
    answer.content !== undefined
      ? answer.content
      : JSON.stringify(answer.json ?? fillSchema(request.schema, answer.fields));
  const usage = answer.usage === undefined ? { prompt_tokens: 100, completion_tokens: 20 } : answer.usage;
  const body = {
    id: `chatcmpl-${request.n}`,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: request.body.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: answer.refusal ?? null },
        finish_reason: answer.finishReason ?? 'stop',
      },
    ],
    ...(usage === null ? {} : { usage }),
  };
  return { status: answer.status ?? 200, body: JSON.stringify(body) };
}

/** Numbers in [0, 1) that the seed fixes (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
