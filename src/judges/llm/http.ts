import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';

/** The most bytes of a reply's body that are read, also when decompressed. A judgement is a few thousand. */
export const maxReplyBytes = 4 * 1024 * 1024;

/** The reply was longer than `maxReplyBytes` and was not read to its end. */
export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError';
}

/** No connection was made, so the endpoint cannot have worked on the request. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
}

/** The way out for all model calls. */
export interface Http {
  /**
   * Sends one request and reads the whole reply into memory. Of a header that is repeated the first value counts. No redirect is
   * followed: it would carry the case and the key to another host. There is no time limit but the signal.
   *
   * @throws ConnectError, ReplyTooLargeError, or what undici throws where a connection is lost
   */
  fetch(url: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Opens the one dispatcher through which all model calls leave. `request` of undici takes half the processor time of its `fetch`. */
export async function openHttp(): Promise<Http> {
  // Bundled, a CommonJS package has no named exports.
  const { Agent, buildConnector, request } = (await import('undici')).default;
  const connect = buildConnector({});
  const dispatcher = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxReplyBytes,
    connect: (options, done) =>
      connect(options, (error, socket) => {
        if (error === null) done(null, socket);
        else done(new ConnectError(error.message, { cause: error }), null);
      }),
  });
  return {
    async fetch(url, { method = 'GET', headers, body, signal } = {}) {
      const reply = await request(String(url), {
        method,
        headers: { ...Object.fromEntries(new Headers(headers)), 'accept-encoding': 'identity' },
        body: typeof body === 'string' ? body : null,
        signal: signal ?? null,
        dispatcher,
      });
      const received = new Headers();
      for (const [name, value = []] of Object.entries(reply.headers))
        for (const first of [value].flat().slice(0, 1)) received.set(name, first);
      const status = reply.statusCode;
      try {
        const bytes = await decompressed(await reply.body.bytes(), received.get('content-encoding'));
        const text = new TextDecoder().decode(bytes);
        // An empty body must be null: some statuses do not allow a body at all.
        return new Response((status < 400 ? text : withErrorKey(text)) || null, {
          status,
          headers: received,
        });
      } catch (error) {
        throw isTooLarge(error) ? new ReplyTooLargeError('the reply is too long', { cause: error }) : error;
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** Some endpoints compress, though it was not asked for. */
async function decompressed(bytes: Uint8Array, encoding: string | null): Promise<Uint8Array> {
  const limit = { maxOutputLength: maxReplyBytes };
  if (encoding === 'br') return promisify(brotliDecompress)(bytes, limit);
  if (encoding === 'gzip' || encoding === 'deflate') return promisify(unzip)(bytes, limit);
  return bytes;
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || error.code === 'ERR_BUFFER_TOO_LARGE');

/** Some endpoints (Mistral, FastAPI) send their errors bare; the `openai` client only sees what stands in `error`. */
function withErrorKey(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'error' in value) return text;
    return JSON.stringify({ error: { message: text } });
  } catch {
    return text;
  }
}
