import type http from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { messageOf } from '../../common/errors.ts';
import type { Stop } from './call-clock.ts';
import { PlainHeaders } from './plain-headers.ts';
import { ReadResponse } from './read-response.ts';

/** The most bytes of a reply's body that are read. A judgement is a few thousand. */
export const mostReplyBytes = 4 * 1024 * 1024;

/**
 * How a request ended without a whole reply.
 * - `unsent`: it had not left in full, so nobody can have worked on it
 * - `lost`: it had left; the endpoint may have answered, and bill it
 * - `too-large`: the reply was longer than `mostReplyBytes` and is not read on
 */
type WireErrorKind = 'unsent' | 'lost' | 'too-large';

export class WireError extends Error {
  readonly kind: WireErrorKind;

  constructor(kind: WireErrorKind, message: string, cause?: Error) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'WireError';
    this.kind = kind;
  }
}

/** The wire's error among the causes of what was thrown; the `openai` client wraps it. */
export function wireErrorIn(thrown: unknown): WireError | null {
  if (thrown instanceof WireError) return thrown;
  return thrown instanceof Error ? wireErrorIn(thrown.cause) : null;
}

/**
 * Sends one text to an address and reads all of the answer. Rejects with a `WireError`, or with an `AbortError` when it was
 * stopped.
 */
type Post = (body: string, stop: Stop) => Promise<Response>;

/** Connections that are kept, for requests that follow each other. */
export interface Connections {
  /** @param headers what every request to the address carries; its length is added, and its host where it is missing */
  to(address: string, headers: Headers): Promise<Post>;
  /** Closes the connections. */
  close(): void;
}

/** Where requests go, and by which client. */
interface Target {
  open: typeof http.request;
  hostname: string | null | undefined;
  port: string | number | null | undefined;
  path: string | null | undefined;
  agent: http.Agent;
  /** Names and values in turn. */
  headers: readonly string[];
}

/**
 * Milliseconds for which an idle connection is kept. Common servers close theirs after 5 s or more; to be the first
 * makes it rare that a request is lost to a connection that closes at that moment.
 */
const idleMs = 4000;

/**
 * Connections by node's own HTTP client: its requests take half the processor time of the built-in fetch of Node 20 and less
 * memory (`npm run bench:overhead`). The whole body is read before it is passed on, up to `mostReplyBytes`; no redirect is
 * followed and no compression asked for, none of which a completion needs.
 */
export function createConnections(): Connections {
  const agents: http.Agent[] = [];
  return {
    async to(address, headers) {
      const url = new URL(address);
      // Encryption takes time to load.
      const { Agent, request } =
        url.protocol === 'https:' ? await import('node:https') : await import('node:http');
      const agent = new Agent({ keepAlive: true, timeout: idleMs });
      agents.push(agent);
      const { hostname, port, path } = urlToHttpOptions(url);
      const sent = new PlainHeaders(headers);
      sent.delete('content-length');
      if (!sent.has('host')) sent.set('host', url.host);
      const target = { open: request, hostname, port, path, agent, headers: [...sent].flat() };
      return (body, stop) => send(target, body, stop);
    },
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}

function send(target: Target, body: string, stop: Stop): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { open, hostname, port, path, agent } = target;
    const headers = [...target.headers, 'content-length', String(Buffer.byteLength(body))];
    const request = open({ method: 'POST', hostname, port, path, agent, headers });

    const end = stop.onStop(() => {
      reject(new DOMException('The request was aborted', 'AbortError'));
      request.destroy();
    });

    let stage: 'writing' | 'written' | 'answered' = 'writing';
    request.on('finish', () => {
      if (stage === 'writing') stage = 'written';
    });
    const fail = (error: Error) => {
      end();
      const unsent = stage === 'writing' || (stage === 'written' && isOfWriting(error));
      // A kept connection turned out to be closed before the request was written whole: nobody can have worked on it,
      // so that sending it on another one is no second attempt. Any other reset may come after the work was done.
      if (unsent && request.reusedSocket && !stop.isStopped()) return resolve(send(target, body, stop));
      reject(new WireError(unsent ? 'unsent' : 'lost', error.message, error));
    };
    request.on('error', fail);
    request.on('response', (response) => {
      stage = 'answered';
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= mostReplyBytes) return void chunks.push(chunk);
        end();
        reject(new WireError('too-large', `the reply is longer than ${mostReplyBytes} bytes`));
        request.destroy();
      });
      response.on('error', fail);
      response.on('end', () => {
        end();
        try {
          resolve(responseOf(response, chunks));
        } catch (error) {
          reject(new WireError('lost', `the reply is no HTTP response: ${messageOf(error)}`));
        }
      });
    });
    request.end(body);
  });
}

/** Whether the system did not take all of what was written, which node reports only after it said it was finished. */
const isOfWriting = (error: Error): boolean => 'syscall' in error && error.syscall === 'write';

/** Leaves out a byte order mark, which JSON does not know. */
const utf8 = new TextDecoder();

function responseOf(message: http.IncomingMessage, chunks: readonly Buffer[]): Response {
  const status = message.statusCode ?? 502;
  const text = utf8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  return new ReadResponse(status < 400 ? text : errorBody(text), status, headersOf(message));
}

/** What anybody wants to know of a reply: its form, its name for support, and when to ask again. */
const READ = new Set(['content-type', 'content-length', 'x-request-id', 'retry-after', 'retry-after-ms']);

/** Of one that comes twice the first counts. */
function headersOf({ rawHeaders }: http.IncomingMessage): PlainHeaders {
  const headers = new PlainHeaders();
  for (const [at, text] of rawHeaders.entries()) {
    const name = at % 2 === 0 ? text.toLowerCase() : '';
    if (READ.has(name) && !headers.has(name)) headers.set(name, rawHeaders[at + 1] ?? '');
  }
  return headers;
}

/** Some endpoints (Mistral, FastAPI) send their errors bare; the `openai` client only sees what stands in `error`. */
function errorBody(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'error' in value) return text;
    return JSON.stringify({ error: { message: text } });
  } catch {
    return text;
  }
}
