import type { ClientRequest } from 'node:http';
import { setImmediate as turnEnd } from 'node:timers/promises';
import { hasCode, onAbort } from '../../common/index.ts';

/** Maximum size of a reply's body in bytes, before and after decompression. A judgement has a few thousand. */
export const maxReplyBytes = 4 * 1024 * 1024;

export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError';

  constructor(options?: ErrorOptions) {
    super('the reply is too long', options);
  }
}

/** No connection was made, so the endpoint cannot have started on the request. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: string;
  /** Keys in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

/** A reply as it came. */
interface RawReply {
  status: number;
  /** Keys in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array;
}

/** Sends requests over kept connections. */
export interface Transport {
  /**
   * Sends one request and reads the whole reply into memory. Follows no redirect. The signal is the only time limit once there is a
   * connection.
   * @throws ConnectError, ProxyError, ReplyTooLargeError, the signal's reason, or the error that ended the connection
   */
  exchange: (request: HttpRequest, signal: AbortSignal) => Promise<RawReply>;
  /** Closes all connections. */
  close: () => Promise<void>;
}

/** How long an idle connection is kept, in ms. Most endpoints close theirs after five seconds or more. */
const IDLE_MS = 4_000;

/** How long a connection may take to be made by default, in ms. */
const CONNECT_MS = 10_000;

/** Calls `failed` if there is no connection after `limitMs`, `made` once there is one. */
function watchConnection(
  request: ClientRequest,
  event: 'connect' | 'secureConnect',
  limitMs: number,
  { made, failed }: { made: () => void; failed: (why: Error) => void },
): void {
  request.once('socket', (socket) => {
    if (request.reusedSocket) return made();
    const timer = setTimeout(() => failed(new Error(`timed out after ${limitMs} ms`)), limitMs);
    socket.once('close', () => clearTimeout(timer));
    socket.once(event, () => {
      clearTimeout(timer);
      made();
    });
  });
}

/** Node's own words for a connection that the other side closed, in words that do not sound as if we had. */
const lost = (why: Error): Error =>
  hasCode(why, 'ECONNRESET') && /^(aborted|socket hang up)$/.test(why.message)
    ? new Error('the endpoint closed the connection')
    : why;

/**
 * Sends requests with Node's own client. Undici knows proxies, but takes longer to load and for each request.
 * @param connectMs how long a connection may take to be made
 */
export async function openDirect(connectMs = CONNECT_MS): Promise<Transport> {
  const [http, https] = await Promise.all([import('node:http'), import('node:https')]);
  const options = { keepAlive: true, timeout: IDLE_MS };
  const [plain, secure] = [new http.Agent(options), new https.Agent(options)];
  return {
    async exchange({ method, url, headers, body }, signal) {
      // A kept connection whose end has been read by now is not used. One that ends later counts as a lost request.
      await turnEnd();
      signal.throwIfAborted();
      const { protocol, hostname, port, pathname, search } = new URL(url);
      const isSecure = protocol === 'https:';
      // Without the brackets of an IPv6 address.
      const host = hostname.replace(/^\[|\]$/g, '');
      const target = { method, headers, port, hostname: host, path: pathname + search };
      const request = isSecure
        ? https.request({ ...target, agent: secure })
        : http.request({ ...target, agent: plain });
      return new Promise<RawReply>((resolve, reject) => {
        let isConnected = false;
        const fail = (why: Error) => {
          forget();
          if (signal.aborted) reject(signal.reason);
          else reject(isConnected ? lost(why) : new ConnectError(why.message, { cause: why }));
          request.destroy();
        };
        const forget = onAbort(signal, () => fail(new Error('stopped')));
        watchConnection(request, isSecure ? 'secureConnect' : 'connect', connectMs, {
          made: () => {
            isConnected = true;
          },
          failed: fail,
        });
        request.on('error', fail);
        // Such as after an answer with status 101, of which nothing else is heard.
        request.once('close', () => fail(new Error('the endpoint closed the connection')));
        request.once('response', (reply) => {
          const chunks: Buffer[] = [];
          let size = 0;
          reply.on('error', fail);
          reply.on('data', (chunk: Buffer) => {
            size += chunk.length;
            if (size > maxReplyBytes) fail(new ReplyTooLargeError());
            else chunks.push(chunk);
          });
          reply.once('end', () => {
            forget();
            const { statusCode = 0, headersDistinct } = reply;
            resolve({ status: statusCode, headers: headersDistinct, body: Buffer.concat(chunks) });
          });
        });
        request.end(body ?? undefined);
      });
    },
    close: async () => {
      plain.destroy();
      secure.destroy();
    },
  };
}
