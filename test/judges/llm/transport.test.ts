import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ConnectError, openDirect } from '../../../src/judges/llm/transport.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** A server of plain TCP, which does with each connection what it is told. */
async function listening(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  opened.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `127.0.0.1:${address.port}`;
}

/** Asks an address, with as long as this for a connection. @returns what it is refused with */
async function refusal(url: string, connectMs?: number): Promise<unknown> {
  const transport = await openDirect(connectMs);
  opened.push(transport.close);
  return transport
    .exchange({ method: 'GET', url, headers: {}, body: null }, new AbortController().signal)
    .catch((thrown: unknown) => thrown);
}

test('a handshake that is never answered ends with the time for a connection, as none was made', async () => {
  const host = await listening(() => {});
  const why = await refusal(`https://${host}/`, 50);
  expect(why).toBeInstanceOf(ConnectError);
  expect(why).toMatchObject({ message: 'timed out after 50 ms' });
});

test('a connection that is open may wait for its reply longer than that', async () => {
  const host = await listening((socket) =>
    socket.once('data', () =>
      setTimeout(() => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'), 150),
    ),
  );
  expect(await refusal(`http://${host}/`, 50)).toMatchObject({ status: 204 });
});

test.each([
  ['before its reply', ''],
  ['in the middle of it', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegun'],
  [
    'with a change of protocol',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
  ],
])('a connection that is closed %s is said to be closed by the endpoint', async (_when, reply) => {
  const host = await listening((socket) => socket.once('data', () => socket.end(reply)));
  const why = await refusal(`http://${host}/`);
  expect(why).not.toBeInstanceOf(ConnectError);
  expect(why).toMatchObject({ message: 'the endpoint closed the connection' });
});
