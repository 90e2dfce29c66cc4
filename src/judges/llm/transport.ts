import type { ClientRequest } from 'node:http';
import { setImmediate as turnEnd } from 'node:timers/promises';
import { onAbort } from '../../common/index.ts';

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
   * @throws ConnectError, ReplyTooLargeError, the signal's reason, or the error that ended the connection
   */
  exchange: (request: HttpRequest, signal: AbortSignal) => Promise<RawReply>;
  /** Closes all connections. */
  close: () => Promise<void>;
}

/** How long an idle connection is kept, in ms. Most endpoints close theirs after five seconds or more. */
const IDLE_MS = 4_000;

/** How long a connection may take to be made, in ms. */
const CONNECT_MS = 10_000;

/** Calls `failed` if there is no connection after {@link CONNECT_MS}, `made` once there is one. */
function watchConnection(
  request: ClientRequest,
  event: 'connect' | 'secureConnect',
  { made, failed }: { made: () => void; failed: (why: Error) => void },
): void {
  request.once('socket', (socket) => {
    if (request.reusedSocket) return made();
    const timer = setTimeout(() => failed(new Error(`timed out after ${CONNECT_MS} ms`)), CONNECT_MS);
    socket.once('close', () => clearTimeout(timer));
    socket.once(event, () => {
      clearTimeout(timer);
      made();
    });
  });
}

/** Sends requests with Node's own client, which costs a start and a request less than any other. */
export async function openDirect(): Promise<Transport> {
  const [http, https] = await Promise.all([import('node:http'), import('node:https')]);
  const options = { keepAlive: true, timeout: IDLE_MS };
  const [plain, secure] = [new http.Agent(options), new https.Agent(options)];
  return {
    async exchange({ method, url, headers, body }, signal) {
      // A connection that the endpoint has closed is noticed in this turn of the event loop, and not used.
      await turnEnd();
      signal.throwIfAborted();
      const { protocol, hostname, port, pathname, search } = new URL(url);
      const isSecure = protocol === 'https:';
      const target = {
        // Without the brackets of an IPv6 address.
        ...{ method, headers, port, hostname: hostname.replace(/^\[|\]$/g, ''), path: pathname + search },
      };
      const request = isSecure
        ? https.request({ ...target, agent: secure })
        : http.request({ ...target, agent: plain });
      return new Promise<RawReply>((resolve, reject) => {
        let isConnected = false;
        const fail = (why: Error) => {
          forget();
          if (signal.aborted) reject(signal.reason);
          else reject(isConnected ? why : new ConnectError(why.message, { cause: why }));
          request.destroy();
        };
        const forget = onAbort(signal, () => fail(new Error('stopped')));
        watchConnection(request, isSecure ? 'secureConnect' : 'connect', {
          made: () => {
            isConnected = true;
          },
          failed: fail,
        });
        request.on('error', fail);
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
