import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { closing } from './resources.ts';

interface ProxyOptions {
  /** What it asks callers for, as `user:password`. */
  login?: string;
  /** What it answers instead of connecting. */
  status?: number;
  /** The body of that answer. */
  body?: string;
  /** Ports on this machine that stand behind hosts that do not exist. */
  hosts?: Readonly<Record<string, number>>;
}

/** A proxy that makes tunnels and notes where to. It does nothing else, so that a call that asks it directly gets 405. */
export async function withProxy({ login, status, body = '', hosts = {} }: ProxyOptions = {}) {
  const tunnels: string[] = [];
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(405).end();
  });
  server.on('connect', (request, client: Socket, head) => {
    const to = request.url ?? '';
    tunnels.push(to);
    const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
    const refusal = request.headers['proxy-authorization'] === wanted ? status : 407;
    client.on('error', () => {});
    if (refusal !== undefined)
      return void client.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    const { hostname, port } = new URL(`http://${to}`);
    const server = connect(hosts[hostname] ?? Number(port || 80), '127.0.0.1');
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    server.on('error', () => client.destroy());
    server.on('connect', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      if (head.length > 0) server.write(head);
      server.pipe(client).pipe(server);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing(async () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    /** `host:port` of every tunnel that was asked for. */
    tunnels,
    /** What was asked of it that is no tunnel. */
    asked,
  };
}
