import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';

/** Limit of a reply's body in bytes, also after decompression. A judgement has a few thousand. */
export const maxReplyBytes = 4 * 1024 * 1024;

export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError';
}

/** No connection was made, so the endpoint cannot have worked on the request. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
}

/** The HTTP client of all model calls. */
export type Http = Awaited<ReturnType<typeof openHttp>>;

/**
 * Opens the dispatcher of all model calls; a proxy would go here. It uses undici's `request`, which takes half the processor time of
 * its `fetch`.
 */
export async function openHttp() {
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
    /**
     * Sends one request and reads the whole reply into memory. Of a repeated header the first value counts. Redirects are not
     * followed: they would send the case and the key to another host. The signal is the only time limit.
     *
     * @throws ConnectError, ReplyTooLargeError, or undici's error if a connection is lost
     */
    async fetch(
      url: string | URL | Request,
      { method = 'GET', headers, body, signal }: RequestInit = {},
    ): Promise<Response> {
      const sent = new Headers(headers);
      sent.set('accept-encoding', 'identity');
      const reply = await request(String(url), {
        method,
        headers: sent,
        body: typeof body === 'string' ? body : null,
        signal: signal ?? null,
        dispatcher,
      });
      const received = new Headers();
      for (const [name, value] of Object.entries(reply.headers)) {
        const first = Array.isArray(value) ? value[0] : value;
        if (first !== undefined) received.set(name, first);
      }
      const status = reply.statusCode;
      const text = await readText(reply.body, received.get('content-encoding'));
      // An empty body must be null: some statuses do not allow a body at all.
      return new Response((status < 400 ? text : withErrorKey(text)) || null, { status, headers: received });
    },
    /** Closes all connections. */
    close: (): Promise<void> => dispatcher.destroy(),
  };
}

/** @throws ReplyTooLargeError */
async function readText(body: { bytes(): Promise<Uint8Array> }, encoding: string | null): Promise<string> {
  try {
    return new TextDecoder().decode(await decompress(await body.bytes(), encoding));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code === 'ERR_BUFFER_TOO_LARGE')
      throw new ReplyTooLargeError('the reply is too long', { cause: error });
    throw error;
  }
}

/** Some endpoints compress without being asked to. */
async function decompress(bytes: Uint8Array, encoding: string | null): Promise<Uint8Array> {
  const limit = { maxOutputLength: maxReplyBytes };
  switch (encoding?.trim().toLowerCase()) {
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

/** Some endpoints (Mistral, FastAPI) send errors without the `error` key that the `openai` client reads. */
function withErrorKey(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'error' in value) return text;
    return JSON.stringify({ error: { message: text } });
  } catch {
    return text;
  }
}
