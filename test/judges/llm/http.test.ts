import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSecretFilter } from '../../../src/common/secrets.ts';
import { type Http, openHttp } from '../../../src/judges/llm/http.ts';
import { noProxies, readProxies } from '../../../src/judges/llm/proxies.ts';
import { maxReplyBytes } from '../../../src/judges/llm/transport.ts';
import { completionRequest } from '../../support/completion-request.ts';
import { withDouble } from '../../support/with-double.ts';

const messageOf = (outcome: object) => ('message' in outcome ? String(outcome.message) : '');

/** A chat completion that the double's schema accepts. */
const completion = JSON.stringify({
  choices: [{ message: { content: '{"rationale":"it holds","decision":"pass"}' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 20 },
});

const running: { server?: Server; http?: Http } = {};
afterEach(async () => {
  await running.http?.close();
  running.server?.close().closeAllConnections();
});

/** Starts a server, and says where. */
async function serve(answer: RequestListener, onConnection: (socket: Socket) => void = () => {}) {
  const server = createServer(answer).on('connection', onConnection).listen(0, '127.0.0.1');
  running.server = server;
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/v1`;
}

/** An address at which nothing listens. */
async function closedAddress(): Promise<string> {
  const address = await serve(() => {});
  running.server?.close();
  return address;
}

describe('a kept connection', () => {
  it('counts a request whose answer was lost as an attempt, since it may have been worked on', async () => {
    const { double, client } = await withDouble({ answer: ({ n }) => (n === 2 ? { drop: true } : {}) });
    await client.complete(completionRequest());
    expect(await client.complete(completionRequest({ modelId: 'openai/gpt-4o' }))).toMatchObject({
      status: 'answered',
      usage: { attempts: 2, promptTokens: null, costUsd: null },
    });
    expect(double.counts.received).toBe(3);
  });

  it.each(['destroy', 'end', 'resetAndDestroy'] as const)(
    'is replaced when the endpoint closed it before a request was written: %s',
    async (close) => {
      let received = 0;
      const sockets: Socket[] = [];
      const baseUrl = await serve(
        (request, response) => {
          received += 1;
          request
            .resume()
            .on('end', () => response.setHeader('content-type', 'application/json').end(completion));
        },
        (socket) => sockets.push(socket),
      );
      const { client } = await withDouble({}, { settings: () => ({ baseUrl }) });
      const ask = () => client.complete(completionRequest({ modelId: 'openai/gpt-4o' }));
      await ask();
      await new Promise((done) => setImmediate(done));
      // In one turn of the event loop: the client cannot have noticed yet.
      sockets[0]?.[close]();
      expect(await ask()).toMatchObject({ status: 'answered', usage: { attempts: 1 } });
      expect([received, sockets.length]).toEqual([2, 2]);
    },
  );

  it('serves one request after the other', async () => {
    const ports = new Set<number | undefined>();
    const baseUrl = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('{}');
    });
    const http = await openHttp(noProxies, createSecretFilter());
    running.http = http;
    for (let count = 0; count < 3; count += 1) {
      await http.fetch(baseUrl, { body: '{}' });
      await new Promise((done) => setImmediate(done));
    }
    expect(ports.size).toBe(1);
  });
});

describe('a request', () => {
  it('that could not connect took nothing', async () => {
    const baseUrl = await closedAddress();
    const { client } = await withDouble({}, { settings: () => ({ baseUrl }) });
    const outcome = await client.complete(completionRequest({ modelId: 'openai/gpt-4o' }));
    expect(outcome).toMatchObject({ reason: 'error', usage: { attempts: 3, promptTokens: 0, costUsd: 0 } });
    expect(messageOf(outcome)).toContain(`no connection to ${baseUrl}: connect ECONNREFUSED`);
  });

  it('follows no redirect', async () => {
    const elsewhere = await withDouble();
    const { client } = await withDouble({
      answer: () => ({ status: 307, raw: '', headers: { location: `${elsewhere.double.baseUrl}/x` } }),
    });
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ reason: 'error', usage: { attempts: 1 } });
    expect(messageOf(outcome)).toContain('set OPENAI_BASE_URL to the address it redirects to');
    expect(elsewhere.double.counts.received).toBe(0);
  });

  it('says host and length once, asks for no compression, and ignores a password in the address', async () => {
    let seen: string[] = [];
    const baseUrl = await serve((request, response) => {
      seen = request.rawHeaders;
      request
        .resume()
        .on('end', () => response.setHeader('content-type', 'application/json').end(completion));
    });
    const settings = () => ({ apiKey: 'k', baseUrl: baseUrl.replace('//', '//me:secret@') });
    const { client } = await withDouble({}, { settings });
    expect(await client.complete(completionRequest({ user: 'ä' }))).toMatchObject({ status: 'answered' });
    const values = (name: string) =>
      seen.filter((_, at) => at % 2 === 1 && seen[at - 1]?.toLowerCase() === name);
    expect(values('host')).toEqual([new URL(baseUrl).host]);
    expect(values('content-length')).toHaveLength(1);
    expect(values('accept-encoding')).toEqual(['identity']);
    expect(values('content-type')).toEqual(['application/json']);
    expect(values('authorization')).toEqual(['Bearer k']);
  });

  it.each([
    ['/v1?api-version=2024-10-21', '/v1/chat/completions?api-version=2024-10-21'],
    ['/v1/?a=1&b=x%20y', '/v1/chat/completions?a=1&b=x%20y'],
    ['/v1?a=1#here', '/v1/chat/completions?a=1'],
  ])('keeps the query of a base URL behind the path: %s', async (path, wanted) => {
    let seen = '';
    const baseUrl = await serve((request, response) => {
      seen = request.url ?? '';
      request
        .resume()
        .on('end', () => response.setHeader('content-type', 'application/json').end(completion));
    });
    const { client } = await withDouble({}, { settings: () => ({ baseUrl: new URL(path, baseUrl).href }) });
    expect(await client.complete(completionRequest())).toMatchObject({ status: 'answered' });
    expect(seen.replaceAll('+', '%20')).toBe(wanted);
  });

  it.each(['before it is sent', 'before a reply', 'within a reply'])(
    'ends when it is stopped %s',
    async (when) => {
      const controller = new AbortController();
      const requests: IncomingMessage[] = [];
      const closed: Promise<unknown>[] = [];
      const baseUrl = await serve((request, response) => {
        requests.push(request);
        // A stopped request may reset the connection.
        closed.push(new Promise((done) => request.socket.on('error', () => {}).once('close', done)));
        if (when === 'within a reply') response.writeHead(200).write('{');
        setTimeout(() => controller.abort(), 20);
      });
      const http = await openHttp(noProxies, createSecretFilter());
      running.http = http;
      if (when === 'before it is sent') controller.abort();
      const sent = http.fetch(baseUrl, { body: '{}', signal: controller.signal });
      await expect(sent).rejects.toHaveProperty('name', 'AbortError');
      await Promise.all(closed);
      expect(requests).toHaveLength(when === 'before it is sent' ? 0 : 1);
    },
  );

  it.each([
    ['retry-after-ms', '300000'],
    ['retry-after', '300'],
  ])('waits as long as the first of two %s headers says', async (name, wait) => {
    const baseUrl = await serve((request, response) => {
      response.setHeader('content-type', 'application/json');
      request.resume().on('end', () => response.writeHead(429, { [name]: [wait, '3600000'] }).end('{}'));
    });
    const { client } = await withDouble({}, { settings: () => ({ baseUrl }) });
    expect(messageOf(await client.complete(completionRequest()))).toContain('asks to wait 300 s');
  });

  it('is of the model that failures name, where several share an address', async () => {
    const { client } = await withDouble({ answer: () => ({ status: 403, error: 'no' }) });
    expect(messageOf(await client.complete(completionRequest({ modelId: 'openai/one' })))).toContain(
      'may use one',
    );
    expect(messageOf(await client.complete(completionRequest({ modelId: 'mistral/two' })))).toContain(
      'mistral answered 403 no; check that the key in MISTRAL_API_KEY may use two',
    );
  });
});

/** Both ways to send: Node's own client, and the one that knows proxies, here for addresses that need none. */
const clients = [
  ['sent directly', noProxies],
  ['sent by the client that knows proxies', readProxies({ HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '*' })],
] as const;

describe.each(clients)('a reply without measure, %s', (_client, proxies) => {
  it.each([
    ['of 50 MB', { raw: 'x'.repeat(50_000_000) }],
    ['of 50 MB that says it is an error', { raw: 'x'.repeat(50_000_000), status: 500 }],
    ['that never ends', { endless: { chunk: ' '.repeat(1_000_000), everyMs: 0 } }],
  ])('%s is not read on and not asked for again', async (_name, answer) => {
    const { double, client } = await withDouble({ answer: () => answer }, { proxies });
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ reason: 'malformed', usage: { attempts: 1, promptTokens: null } });
    expect(messageOf(outcome)).toContain('longer than 4 MB');
    expect(double.counts.received).toBe(1);
  });

  it('that trickles ends with the time of the call', async () => {
    const { client } = await withDouble(
      { answer: () => ({ endless: { chunk: ' ', everyMs: 5 } }) },
      { limitMs: 100, proxies },
    );
    expect(await client.complete(completionRequest())).toMatchObject({ reason: 'timeout' });
  });

  it('is shown again to its model only in its beginning', async () => {
    const { double, client } = await withDouble(
      { answer: () => ({ content: 'x'.repeat(100_000) }) },
      { proxies },
    );
    expect(await client.complete(completionRequest())).toMatchObject({ reason: 'malformed' });
    const repeated = double.requests[1]?.body.messages[2]?.content ?? '';
    expect(repeated).toHaveLength(20_000 + ' … (80000 more characters)'.length);
  });

  it('of an impossible status is an error of the connection', async () => {
    const { client } = await withDouble(
      { answer: ({ n }) => (n === 1 ? { status: 700, raw: '' } : {}) },
      { proxies },
    );
    expect(await client.complete(completionRequest())).toMatchObject({
      status: 'answered',
      usage: { attempts: 2 },
    });
  });
});

describe.each(clients)('a compressed reply, %s', (_client, proxies) => {
  const gzipped = (size: number) => gzipSync(`${' '.repeat(size)}${completion}`);
  const answering = async (body: Buffer, status = 200, encoding = 'gzip') => {
    const baseUrl = await serve((request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': encoding });
      request.resume().on('end', () => response.end(body));
    });
    const { client } = await withDouble({}, { settings: () => ({ baseUrl }), proxies });
    return client.complete(completionRequest());
  };

  it('is read, though none was asked for', async () => {
    expect(await answering(gzipped(0))).toMatchObject({ status: 'answered' });
    for (const encoding of ['GZIP', 'x-gzip'])
      expect(await answering(gzipped(0), 200, encoding)).toMatchObject({ status: 'answered' });
  });

  it.each(['deflate', 'br'] as const)('is read by %s', async (encoding) => {
    const body = encoding === 'br' ? brotliCompressSync(completion) : deflateSync(completion);
    expect(await answering(body, 200, encoding)).toMatchObject({ status: 'answered' });
  });

  it.each([200, 500])('of status %i is measured after decompression', async (status) => {
    const bomb = gzipped(50_000_000);
    expect(bomb.length).toBeLessThan(maxReplyBytes / 10);
    const outcome = await answering(bomb, status);
    expect(outcome).toMatchObject({ reason: 'malformed', usage: { attempts: 1, promptTokens: null } });
    expect(messageOf(outcome)).toContain('longer than 4 MB');
  });
});

describe('a client that cannot be made', () => {
  afterEach(() => {
    vi.doUnmock('undici');
    vi.resetModules();
  });

  it('ends the question, and the next one tries again', async () => {
    let made = 0;
    vi.doMock('undici', async (original) => {
      const real = await original<typeof import('undici')>();
      class EnvHttpProxyAgent extends real.EnvHttpProxyAgent {
        constructor(...options: ConstructorParameters<typeof real.EnvHttpProxyAgent>) {
          if (made++ === 0) throw new Error('no such module');
          super(...options);
        }
      }
      return { default: { ...real.default, EnvHttpProxyAgent } };
    });
    const [, [, proxies]] = clients;
    const { client } = await withDouble({}, { proxies });
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
    expect(messageOf(outcome)).toMatch(/OPENAI_API_KEY has a character that keys do not have: copy it again/);
    expect(messageOf(outcome)).not.toContain('secret');
  });
});
