import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a request, headers and body, may take to arrive. Answers and event streams take as long as they need. */
export const RECEIVE_MS = 10_000;

/** Connections that may be without a whole request at the same time. */
const MOST = 500;
/** Younger ones are left alone: what was sent may not be read yet. */
const GRACE_MS = 500;

/**
 * Closes the oldest connections that have not sent a whole request where there are too many, so that a flood of them leaves room for
 * those that do.
 */
export function limitHalfSent(server: Server): void {
  /** Since when each has sent nothing whole, oldest first. */
  const waiting = new Map<Socket, number>();

  function evict(): void {
    const now = performance.now();
    for (const [socket, since] of waiting) {
      if (waiting.size <= MOST) return;
      if (now - since < GRACE_MS) return;
      waiting.delete(socket);
      socket.destroy();
    }
  }
  const looking = setInterval(evict, GRACE_MS).unref();
  server.once('close', () => clearInterval(looking));

  const wait = (socket: Socket) => void waiting.set(socket, performance.now());

  server.on('connection', (socket: Socket) => {
    wait(socket);
    socket.once('close', () => waiting.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request;
    const isWhole = headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
    if (isWhole) waiting.delete(socket);
    else request.once('end', () => waiting.delete(socket));
    // The next request on the same connection.
    response.once('finish', () => {
      waiting.delete(socket);
      if (!socket.destroyed) wait(socket);
    });
  });
}
