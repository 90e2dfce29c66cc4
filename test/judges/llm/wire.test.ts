import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createConnections } from '../../../src/judges/llm/connections.ts';
import { PlainHeaders } from '../../../src/judges/llm/plain-headers.ts';
import { completionRequest } from '../../support/completion-request.ts';
import { never, stopping } from '../../support/stopping.ts';
import { withDouble } from '../../support/with-double.ts';

const messageOf = (outcome: object) => ('message' in outcome ? String(outcome.message) : '');

describe('a connection that is kept', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close().closeAllConnections());

  it('counts a request whose answer was lost as one, since it may have been worked on', async () => {
    const { double, client } = await withDouble({ answer: ({ n }) => (n === 2 ? { drop: true } : {}) });
    await client.complete(completionRequest());
    expect(await client.complete(completionRequest({ modelId: 'openai/gpt-4o' }))).toMatchObject({
      status: 'answered',
      usage: { attempts: 2, promptTokens: null, costUsd: null },
    });
    expect(double.counts.received).toBe(3);
  });

  it('is replaced without a word when it had been closed before the request was written', async () => {
    let received = 0;
    const sockets: Socket[] = [];
    const listening = createServer((request, response) => {
      received++;
      request.resume().on('end', () => response.end('{}'));
    });
    server = listening.on('connection', (socket: Socket) => sockets.push(socket));
    await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
    const address = listening.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const connections = createConnections();
    const post = await connections.to(`http://127.0.0.1:${port}/`, new PlainHeaders());
    const ask = () => post('{}', never());
    await ask();
    await new Promise((done) => setImmediate(done));
    // In one turn of the event loop: the client cannot have noticed yet.
    sockets[0]?.resetAndDestroy();
    expect((await ask()).status).toBe(200);
    expect([received, sockets.length]).toEqual([2, 2]);
    connections.close();
  });

  it('knows that a request which reached nobody took nothing', async () => {
    const settings = () => ({ baseUrl: 'http://127.0.0.1:9/v1' });
    const { client } = await withDouble({}, { settings });
    expect(await client.complete(completionRequest({ modelId: 'openai/gpt-4o' }))).toMatchObject({
      reason: 'error',
      usage: { attempts: 6, promptTokens: 0, costUsd: 0 },
    });
  });

  it('follows no redirect', async () => {
    const elsewhere = await withDouble();
    const { client } = await withDouble({
      answer: () => ({ status: 307, raw: '', headers: { location: `${elsewhere.double.baseUrl}/x` } }),
    });
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ reason: 'error', usage: { attempts: 1 } });
    expect(messageOf(outcome)).toContain('set OPENAI_BASE_URL to the address that it redirects to');
    expect(elsewhere.double.counts.received).toBe(0);
  });
});

describe('a request', () => {
  let server: Server | undefined;
  const connections = createConnections();
  afterEach(() => {
    connections.close();
    server?.close().closeAllConnections();
  });

  /** A server, and what posts to it. */
  async function posting(answer: RequestListener, headers = new PlainHeaders()) {
    const listening = createServer(answer).listen(0, '127.0.0.1');
    server = listening;
    await once(listening, 'listening');
    const address = listening.address();
    return connections.to(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`, headers);
  }

  const rejection = (sent: Promise<unknown>) => sent.then(String, (thrown: Error) => thrown.name);

  it('says host and length once, whatever it is told to carry', async () => {
    let seen: string[] = [];
    const given = new PlainHeaders([
      ['host', 'gateway.example'],
      ['content-length', '7'],
    ]);
    const post = await posting((request, response) => {
      seen = request.rawHeaders;
      response.end('{}');
    }, given);
    await post('ä', never());
    expect(seen).toEqual(['host', 'gateway.example', 'content-length', '2', 'Connection', 'keep-alive']);
  });

  it.each(['before it is sent', 'before a reply', 'within a reply'])(
    'ends when it is stopped %s',
    async (when) => {
      const { stop, end } = stopping();
      const closed: Promise<unknown>[] = [];
      let received = 0;
      const post = await posting((request, response) => {
        received += 1;
        closed.push(once(request.socket, 'close'));
        if (when === 'within a reply') response.writeHead(200).write('{');
        setTimeout(end, 20);
      });
      if (when === 'before it is sent') end();
      expect(await rejection(post('{}', stop))).toBe('AbortError');
      await Promise.all(closed);
      expect(received).toBe(when === 'before it is sent' ? 0 : 1);
    },
  );

  it('leaves the connection for the next one, and nobody waiting for a stop', async () => {
    const ports = new Set<number | undefined>();
    const post = await posting((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('{}');
    });
    let waiting = 0;
    const onStop = () => {
      waiting += 1;
      return () => {
        waiting -= 1;
      };
    };
    for (let count = 0; count < 3; count += 1) {
      await post('{}', { isStopped: () => false, onStop });
      await new Promise((done) => setImmediate(done));
    }
    expect(ports.size).toBe(1);
    expect(waiting).toBe(0);
  });

  it.each(['retry-after', 'retry-after-ms'])('reads the first %s of two', async (name) => {
    const post = await posting((_, response) => response.writeHead(429, { [name]: ['5', '9'] }).end('{}'));
    const { headers } = await post('{}', never());
    expect(headers.get(name)).toBe('5');
  });
});

describe('a reply without measure', () => {
  it.each([
    ['of 50 MB', { raw: 'x'.repeat(50_000_000) }],
    ['of 50 MB that says it is an error', { raw: 'x'.repeat(50_000_000), status: 500 }],
    ['that never ends', { endless: { chunk: ' '.repeat(1_000_000), everyMs: 0 } }],
  ])('%s is not read on and not asked for again', async (_name, answer) => {
    const { double, client } = await withDouble({ answer: () => answer });
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ reason: 'malformed', usage: { attempts: 1, promptTokens: null } });
    expect(messageOf(outcome)).toContain('longer than 4 MB');
    expect(double.counts.received).toBe(1);
  });

  it('that trickles ends with the time of the call', async () => {
    const { client } = await withDouble(
      { answer: () => ({ endless: { chunk: ' ', everyMs: 5 } }) },
      { limitMs: 100 },
    );
    expect(await client.complete(completionRequest())).toMatchObject({ reason: 'timeout' });
  });

  it('is shown again to its model only in its beginning', async () => {
    const { double, client } = await withDouble({ answer: () => ({ content: 'x'.repeat(100_000) }) });
    expect(await client.complete(completionRequest())).toMatchObject({ reason: 'malformed' });
    const repeated = double.requests[1]?.body.messages[2]?.content ?? '';
    expect(repeated).toHaveLength(20_000 + '… (80000 characters more)'.length);
  });

  it('of an impossible status is an error of the connection', async () => {
    const { client } = await withDouble({ answer: ({ n }) => (n === 1 ? { status: 700, raw: '' } : {}) });
    expect(await client.complete(completionRequest())).toMatchObject({
      status: 'answered',
      usage: { attempts: 2 },
    });
  });
});

describe('a client that cannot be made', () => {
  afterEach(() => {
    vi.doUnmock('openai');
    vi.resetModules();
  });

  it('ends the question, and the next one tries again', async () => {
    let made = 0;
    vi.doMock('openai', async (original) => {
      const { default: Real } = await original<typeof import('openai')>();
      return {
        default: class extends Real {
          constructor(...options: ConstructorParameters<typeof Real>) {
            if (made++ === 0) throw new Error('no such module');
            super(...options);
          }
        },
      };
    });
    const { client } = await withDouble();
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ reason: 'error', usage: { attempts: 0, costUsd: 0 } });
    expect(messageOf(outcome)).toContain('no such module');
    expect(await client.complete(completionRequest())).toMatchObject({ status: 'answered' });
  });

  it('for a key that cannot be sent, says what to set', async () => {
    const settings = () => ({ apiKey: 'sk-\u2028secret', baseUrl: 'http://127.0.0.1:9/v1' });
    const { client } = await withDouble({}, { settings });
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ reason: 'error', usage: { attempts: 0, costUsd: 0 } });
    expect(messageOf(outcome)).toMatch(
      /no request can be made .*; set OPENAI_API_KEY and OPENAI_BASE_URL anew/,
    );
    expect(messageOf(outcome)).not.toContain('secret');
  });
});
