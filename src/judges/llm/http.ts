import { promisify } from 'node:util';
import { hasCode, type SecretFilter } from '../../common/index.ts';
import { hasProxy, type Proxies } from './proxies.ts';
import { type HttpRequest, maxReplyBytes, openDirect, ReplyTooLargeError } from './transport.ts';

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
 * Opens the connections of all model calls.
 * @param filter of the known secrets, which are removed from every reply before anything else sees it, as an endpoint may echo what it was sent
 */
export async function openHttp(proxies: Proxies, { hide }: Pick<SecretFilter, 'hide'>) {
  const transport = hasProxy(proxies)
    ? await (await import('./proxy-transport.ts')).openThroughProxies(proxies)
    : await openDirect();

  /**
   * Sends one request and reads the whole reply into memory. Redirects are not followed: they would send the case and the key to another
   * host. The signal is the only time limit once there is a connection.
   * @param request its headers are added to the default ones
   * @throws ConnectError, ProxyError, ReplyTooLargeError, or the error that ended the connection
   */
  async function send({ headers, ...request }: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
    const sent = {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'jury',
      ...headers,
      'accept-encoding': 'identity',
    };
    const reply = await transport.exchange({ ...request, headers: sent }, signal);
    const received = Object.fromEntries(
      Object.entries(reply.headers).map(([name, value]) => [name, hide([value].flat()[0] ?? '')]),
    );
    // Filtered as a whole: a secret may be split between two chunks of the body.
    const text = hide(new TextDecoder().decode(await decompress(reply.body, received['content-encoding'])));
    return { status: reply.status, headers: received, text };
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
    close: transport.close,
  };
}

/** Some endpoints compress even though we do not accept it. @throws ReplyTooLargeError */
async function decompress(bytes: Uint8Array, encoding = ''): Promise<Uint8Array> {
  const name = encoding.trim().toLowerCase();
  if (!['br', 'gzip', 'x-gzip', 'deflate'].includes(name)) return bytes;
  const { brotliDecompress, unzip } = await import('node:zlib');
  const unpack = name === 'br' ? promisify(brotliDecompress) : promisify(unzip);
  try {
    return await unpack(bytes, { maxOutputLength: maxReplyBytes });
  } catch (thrown) {
    if (hasCode(thrown, 'ERR_BUFFER_TOO_LARGE')) throw new ReplyTooLargeError({ cause: thrown });
    throw thrown;
  }
}
