import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import type { Agent } from 'undici';
import type { SecretFilter } from '../../common/index.ts';
import { hasProxy, type Proxies, proxyErrorIn, proxyOptions } from './proxies.ts';

/** Maximum size of a reply's body in bytes, before and after decompression. A judgement has a few thousand. */
export const maxReplyBytes = 4 * 1024 * 1024;

export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError';
}

/** No connection was made, so the endpoint cannot have started on the request. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: string;
  /** Keys in lower case. Added to the default headers. */
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

export interface HttpReply {
  status: number;
  /** Keys in lower case. For repeated headers, the first value. */
  headers: Readonly<Record<string, string | undefined>>;
  text: string;
}

/** A reply whose status reports an error. */
export class ErrorReply extends Error {
  override readonly name = 'ErrorReply';
  readonly reply: HttpReply;

  constructor(reply: HttpReply) {
    super(`status ${reply.status}`);
    this.reply = reply;
  }
}

/** The HTTP client of all model calls, and of systems under test. */
export type Http = Awaited<ReturnType<typeof openHttp>>;

/**
 * Opens the dispatcher for all model calls. It uses undici's `request`, which takes half the CPU time of its `fetch`.
 * @param secrets removed from every reply before anything else sees it, as an endpoint may echo what it was sent
 */
export async function openHttp(proxies: Proxies, { hide }: Pick<SecretFilter, 'hide'>) {
  // When bundled, a CommonJS package has no named exports.
  const undici = (await import('undici')).default;
  const connect = undici.buildConnector({});
  const options: Agent.Options = {
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxReplyBytes,
    connect: (target, done) =>
      connect(target, (error, socket) => {
        if (error === null) done(null, socket);
        else done(new ConnectError(error.message, { cause: error }), null);
      }),
  };
  const dispatcher = hasProxy(proxies)
    ? new undici.EnvHttpProxyAgent({ ...options, ...proxyOptions(undici, proxies) })
    : new undici.Agent(options);

  /**
   * Sends one request and reads the whole reply into memory. Redirects are not followed: they would send the case and the key to another
   * host. The signal is the only time limit.
   * @throws ConnectError, ProxyError, ReplyTooLargeError, or undici's error if the connection is lost
   */
  async function send({ method, url, headers, body }: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
    const reply = await undici
      .request(url, {
        method,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'user-agent': 'jury',
          ...headers,
          'accept-encoding': 'identity',
        },
        body,
        signal,
        dispatcher,
      })
      .catch((thrown) => {
        throw proxyErrorIn(thrown) ?? thrown;
      });
    const received = Object.fromEntries(
      Object.entries(reply.headers).map(([name, value]) => [name, hide([value].flat()[0] ?? '')]),
    );
    // Filtered as a whole: a secret may be split between two chunks of the body.
    const text = hide(await readText(reply.body, received['content-encoding']));
    return { status: reply.statusCode, headers: received, text };
  }

  return {
    send,
    /** `send` for the `openai` client, with its own headers. @throws ErrorReply besides what `send` throws */
    async fetch(url: string | URL | Request, { headers, body, signal }: RequestInit = {}): Promise<Response> {
      const plainHeaders = Object.fromEntries(new Headers(headers));
      const request = {
        method: 'POST',
        url: String(url),
        headers: plainHeaders,
        body: String(body),
      } as const;
      const reply = await send(request, signal ?? new AbortController().signal);
      if (reply.status >= 300) throw new ErrorReply(reply);
      const { 'content-type': type = '' } = reply.headers;
      // Some endpoints send another content type, or none. The client parses only JSON; an HTML page keeps its type so that it is not parsed.
      return new Response(reply.text, {
        headers: { 'content-type': type.includes('html') ? type : 'application/json' },
      });
    },
    /** Closes all connections. */
    close: (): Promise<void> => dispatcher.destroy(),
  };
}

/** @throws ReplyTooLargeError */
async function readText(
  body: { bytes(): Promise<Uint8Array> },
  encoding: string | undefined,
): Promise<string> {
  try {
    return new TextDecoder().decode(await decompress(await body.bytes(), encoding));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code === 'ERR_BUFFER_TOO_LARGE')
      throw new ReplyTooLargeError('the reply is too long', { cause: error });
    throw error;
  }
}

/** Some endpoints compress even though we do not accept it. */
async function decompress(bytes: Uint8Array, encoding = ''): Promise<Uint8Array> {
  const limit = { maxOutputLength: maxReplyBytes };
  switch (encoding.trim().toLowerCase()) {
    case 'br':
      return promisify(brotliDecompress)(bytes, limit);
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return promisify(unzip)(bytes, limit);
    default:
      return bytes;
  }
}
