import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { PUBLIC, withOverrides } from '@microsoft/teams.api';
import express from 'express';
import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { createSecretFilter } from '../../../src/common/secrets.ts';
import { routeService } from '../../../src/datasets/driving-routes.ts';
import { readEnv } from '../../../src/env.ts';
import { openHttp } from '../../../src/judges/llm/http.ts';
import { createOutgoing, proxyFor, readProxies } from '../../../src/judges/llm/proxies.ts';
import { createWebhooks } from '../../../src/surfaces/call-webhook.ts';
import { tokenOf } from '../../../src/surfaces/teams/entra-tokens.ts';
import { createTeamsApp } from '../../../src/surfaces/teams/teams-app.ts';
import { aCase } from '../../support/builders.ts';
import { startModelDouble } from '../../support/model-double.ts';
import { PASTE } from '../../support/pastes.ts';
import { withProxy } from '../../support/proxy-double.ts';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import { jury, scratch, spawnedJury, verdictsOf } from '../../support/run-jury.ts';
import { payloadsOf } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';
import { aPerson, CHANNEL, startTeamsJury, withTeams } from '../../support/teams-service.ts';

closeAfterEach();

const fixture = (file: string) => fileURLToPath(new URL(`../../fixtures/tls/${file}`, import.meta.url));
const { globalAgent } = https;
afterEach(() => {
  https.globalAgent = globalAgent;
});

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

/** A model behind the host models.test, which only the proxy knows. */
async function aModel(options: Parameters<typeof withProxy>[0] = {}) {
  const double = await startModelDouble();
  closing(double.close);
  const port = Number(new URL(double.baseUrl).port);
  const proxy = await withProxy({ ...options, hosts: { 'models.test': port } });
  const judge = (env: Record<string, string>) =>
    jury(['judge', '--json', '--model', 'openai/judge', '--method', 'io'], {
      input: JSON.stringify(aCase()),
      env: { OPENAI_BASE_URL: 'http://models.test/v1', OPENAI_API_KEY: 'sk-key-of-the-test', ...env },
    });
  return { double, proxy, judge };
}

/** A server with given answers, behind a host that only the proxy knows. */
async function aServer(host: string, answer: string, type = 'application/json') {
  const heard: { url: string; headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    heard.push({ url: request.url ?? '', headers: request.headers, body: await text(request) });
    response.writeHead(200, { 'content-type': type }).end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing(async () => {
    server.closeAllConnections();
    server.close();
  });
  const proxy = await withProxy({ hosts: { [host]: portOf(server.address()) } });
  return { heard, proxy, proxies: readProxies({ HTTP_PROXY: proxy.url }) };
}

describe('calls go through the proxy', () => {
  test('to models; who it is for stays between Jury and the model', async () => {
    const { double, proxy, judge } = await aModel({ login: 'jury:p@ss word' });
    const login = `http://jury:${encodeURIComponent('p@ss word')}@127.0.0.1:${proxy.port}`;
    const ran = await judge({ http_proxy: login });
    expect(verdictsOf(ran)[0]?.calls).toBe(1);
    expect(new Set(proxy.tunnels)).toEqual(new Set(['models.test:80']));
    expect(double.requests[0]?.headers).toMatchObject({
      host: 'models.test',
      authorization: 'Bearer sk-key-of-the-test',
    });
    expect(double.requests[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  test('to models over TLS with a private authority, and from a .env file', async () => {
    const { double, proxy } = await aModel();
    const tls = createTlsServer(
      { key: readFileSync(fixture('key.pem')), cert: readFileSync(fixture('cert.pem')) },
      (socket) => {
        socket.on('error', () => {});
        socket.pipe(relay()).pipe(socket);
      },
    ).listen(0, '127.0.0.1');
    await once(tls, 'listening');
    closing(async () => void tls.close());
    const { connect } = await import('node:net');
    const relay = () => connect(Number(new URL(double.baseUrl).port), '127.0.0.1').on('error', () => {});
    const cwd = scratch();
    writeFileSync(join(cwd, '.env'), `HTTPS_PROXY=${proxy.url}\n`);
    const port = portOf(tls.address());
    const ran = await spawnedJury(['judge', '--json', '--model', 'openai/judge', '--method', 'io'], {
      cwd,
      input: JSON.stringify(aCase()),
      env: {
        OPENAI_BASE_URL: `https://localhost:${port}/v1`,
        OPENAI_API_KEY: 'sk-1',
        NODE_EXTRA_CA_CERTS: fixture('cert.pem'),
      },
    });
    expect(ran.err).not.toContain('certificate');
    expect(verdictsOf(ran)[0]?.calls).toBe(1);
    expect(proxy.tunnels).toEqual([`localhost:${port}`]);
  });

  test('to Slack: its API, the socket and files', async () => {
    const slack = await withSlack();
    const proxy = await withProxy();
    const running = await startJury(slack, 'socket', { HTTP_PROXY: proxy.url });
    const ts = String(Date.now() / 1000);
    await running.deliver.event(
      payloadsOf(slack).mention('this one', ts, { files: [slack.share('paste.txt', PASTE)] }),
    );
    await until(() => slack.called('chat.update').length > 0 || slack.called('chat.postMessage').length > 1);
    expect(slack.calls.some(({ method }) => method === 'download')).toBe(true);
    // The API and the file over kept connections, the socket over one of its own.
    expect(proxy.tunnels.length).toBeGreaterThanOrEqual(2);
    expect(new Set(proxy.tunnels)).toEqual(new Set([`127.0.0.1:${slack.port}`]));
    expect(slack.sockets.size).toBe(1);
    expect(proxy.asked).toEqual([]);
  });

  test('to Teams: its connector and files', async () => {
    const teams = await withTeams();
    const proxy = await withProxy();
    const { service } = await startTeamsJury(teams, { HTTP_PROXY: proxy.url });
    const ann = aPerson(teams);
    teams.files.set('/v3/attachments/1/views/original', PASTE);
    const contentUrl = `${teams.url}/v3/attachments/1/views/original`;
    const attachments = [{ contentType: 'text/plain', name: 'case.txt', contentUrl }];
    await ann.deliver(service.port, ann.message(CHANNEL, 'judge this', { attachments }));
    await until(() => teams.posts.length > 0 && teams.calls.some(({ path }) => path.includes('attachments')));
    expect(new Set(proxy.tunnels)).toEqual(new Set([new URL(teams.url).host]));
  });

  test('to Microsoft, for the token of Teams; the secret is sent nowhere else', async () => {
    const given = { access_token: `${btoa('{"alg":"none"}')}.${btoa('{"appid":"x"}')}.x`, expires_in: 3599 };
    const { heard, proxy } = await aServer('login.test', JSON.stringify(given));
    const env = readEnv(
      {
        HTTP_PROXY: proxy.url,
        TEAMS_CLIENT_ID: '01234567-89ab-cdef-0123-456789abcdef',
        TEAMS_CLIENT_SECRET: 'secret-of-the-app',
      },
      '',
    );
    const { app } = createTeamsApp(env, express(), pino({ level: 'silent' }), {
      cloud: withOverrides(PUBLIC, { loginEndpoint: 'http://login.test' }),
    });
    expect(await tokenOf(app)).toBe(given.access_token);
    expect(await tokenOf(app)).toBe(given.access_token);
    expect(heard).toHaveLength(1);
    expect(heard[0]?.url).toBe('/botframework.com/oauth2/v2.0/token');
    expect(Object.fromEntries(new URLSearchParams(heard[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: '01234567-89ab-cdef-0123-456789abcdef',
      client_secret: 'secret-of-the-app',
      scope: PUBLIC.botScope,
    });
    expect(proxy.tunnels).toEqual(['login.test:80']);
  });

  test("to Microsoft's keys, which Teams' library fetches by itself", async () => {
    const tls = https
      .createServer(
        { key: readFileSync(fixture('key.pem')), cert: readFileSync(fixture('cert.pem')) },
        (_request, response) => response.end('{"keys":[]}'),
      )
      .listen(0, '127.0.0.1');
    await once(tls, 'listening');
    closing(async () => void tls.close());
    const proxy = await withProxy({ login: 'a:b' });
    const proxied = (login: string) => {
      const env = readEnv({ HTTPS_PROXY: `http://${login}@127.0.0.1:${proxy.port}` }, '');
      createTeamsApp(env, express(), pino({ level: 'silent' }));
      https.globalAgent.options.ca = readFileSync(fixture('cert.pem'));
    };
    const address = `https://localhost:${portOf(tls.address())}/v1/.well-known/keys`;
    const fetched = () =>
      new Promise<string>((resolve, reject) => {
        https.get(address, (response) => void text(response).then(resolve)).on('error', reject);
      });
    proxied('a:b');
    expect(await fetched()).toBe('{"keys":[]}');
    expect(proxy.tunnels).toEqual([new URL(address).host]);
    proxied('a:hidden');
    await expect(fetched()).rejects.toThrow(/a:\*\*\*@.*HTTPS_PROXY.*refuses its user and password/);
    https.globalAgent.destroy();
  });

  test.each([201, 204, 302, 403])(
    "and a proxy that answers %i itself cannot pass its own keys off as Microsoft's",
    async (status) => {
      const proxy = await withProxy({ status, body: '{"keys":[{"kid":"forged"}]}' });
      createTeamsApp(readEnv({ HTTPS_PROXY: proxy.url }, ''), express(), pino({ level: 'silent' }));
      const fetched = new Promise<string>((resolve, reject) => {
        https
          .get('https://login.test/keys', (response) => void text(response).then(resolve))
          .on('error', reject);
      });
      await expect(fetched).rejects.toThrow(`refuses to connect to login.test:443 (${status})`);
      expect(proxy.tunnels).toEqual(['login.test:443']);
    },
  );

  test('to webhooks', async () => {
    const { heard, proxy, proxies } = await aServer('hooks.test', '{}');
    const call = createWebhooks(
      new Map([['pager', 'http://hooks.test/T1/secret-path']]),
      proxies,
      createSecretFilter(),
    );
    await call('pager', 'key-1', { alert: 'a' });
    expect(heard).toMatchObject([{ url: '/T1/secret-path', body: '{"alert":"a"}' }]);
    expect(proxy.tunnels).toEqual(['hooks.test:80']);
    const refusing = await withProxy({ status: 403 });
    const refused = createWebhooks(
      new Map([['pager', 'http://hooks.test/T1/secret-path']]),
      readProxies({ HTTP_PROXY: refusing.url }),
      createSecretFilter(),
    );
    const failure = refused('pager', 'key-1', {});
    await expect(failure).rejects.toThrow(/HTTP_PROXY\) refuses to connect .* \(403\)/);
    await expect(failure).rejects.not.toThrow(/hooks\.test|secret-path/);
  });

  test('to route services', async () => {
    const { proxy, proxies } = await aServer(
      'routes.test',
      '{"code":"Ok","routes":[{"duration":60,"distance":1000}]}',
    );
    const { fetch } = createOutgoing(proxies);
    const router = routeService('http://routes.test/route/v1/driving', {
      fetch,
      signal: new AbortController().signal,
    });
    const here = { latitude: 52.5, longitude: 13.4 };
    expect(await router.drive(here, here)).toEqual({ distanceKm: 1, durationMin: 1 });
    expect(proxy.tunnels).toEqual(['routes.test:80']);
  });

  test('to systems under test', async () => {
    const { proxy, heard } = await aServer('assistant.test', 'Sure, 21 degrees.', 'text/plain');
    const cwd = scratch();
    writeFileSync(join(cwd, 'system.yaml'), 'http:\n  url: http://assistant.test/ask\n');
    writeFileSync(join(cwd, 'cases.jsonl'), `${JSON.stringify({ ...aCase(), id: 'c1' })}\n`);
    const args = ['collect', 'cases.jsonl', '--system', 'system.yaml', '--out', 'answers.jsonl'];
    const ran = await jury(args, { cwd, env: { HTTP_PROXY: proxy.url } });
    expect(ran.code).toBe(0);
    expect(heard).toHaveLength(1);
    expect(proxy.tunnels).toEqual(['assistant.test:80']);
  });
});

test.each([
  ['', 'http://models.test', false],
  ['models.test', 'http://models.test', true],
  ['models.test', 'http://eu.models.test', true],
  ['.models.test', 'http://eu.models.test', true],
  ['*.models.test', 'http://eu.models.test', true],
  ['models.test', 'http://notmodels.test', false],
  ['other.test, MODELS.test', 'http://models.test', true],
  ['models.test:80', 'http://models.test', true],
  ['models.test:8080', 'http://models.test', false],
  ['*', 'http://models.test', true],
])('NO_PROXY=%s calls %s directly: %s', async (NO_PROXY, address, isDirect) => {
  const proxy = await withProxy({ status: 403 });
  const proxies = readProxies({ HTTP_PROXY: proxy.url, NO_PROXY });
  expect(proxyFor(new URL(address), proxies) === null).toBe(isDirect);
  const http = await openHttp(proxies, createSecretFilter());
  closing(http.close);
  const request = { method: 'GET', url: address, headers: {}, body: null } as const;
  await expect(http.send(request, AbortSignal.timeout(5_000))).rejects.toThrow(
    isDirect ? /ENOTFOUND|EAI_AGAIN|timeout/ : /refuses to connect/,
  );
  expect(proxy.tunnels).toHaveLength(isDirect ? 0 : 1);
});

describe('a proxy that lets nothing through is named with what to do', () => {
  test.each([
    ['asks for a login', { login: 'jury:right' }, '', /asks for a user and a password: set HTTP_PROXY/],
    ['refuses the login', { login: 'jury:right' }, 'jury:wrong-password@', /correct them in HTTP_PROXY/],
    ['refuses the host', { status: 403 }, '', /refuses to connect to models\.test:80 \(403\).*NO_PROXY/],
  ])('one that %s', async (_what, options, login, said) => {
    const { proxy, judge } = await aModel(options);
    const ran = await judge({ HTTP_PROXY: `http://${login}127.0.0.1:${proxy.port}` });
    expect(ran.code).toBe(69);
    expect(ran.err).toMatch(said);
    expect(ran.err + ran.out).not.toContain('wrong-password');
    // No further try can get through, and what one call learns holds for the others.
    expect(proxy.tunnels).toHaveLength(1);
  });

  test('one that is not there', async () => {
    const { fetch } = createOutgoing(readProxies({ HTTP_PROXY: 'http://jury:hidden@127.0.0.1:9' }));
    await expect(fetch('http://models.test/')).rejects.toThrow(
      /the proxy http:\/\/jury:\*\*\*@127\.0\.0\.1:9 \(HTTP_PROXY\) cannot be reached \(.*ECONNREFUSED/,
    );
  });

  test('one whose certificate is not trusted', async () => {
    const [key, cert] = [readFileSync(fixture('key.pem')), readFileSync(fixture('cert.pem'))];
    const server = https.createServer({ key, cert }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing(async () => void server.close());
    const { fetch } = createOutgoing(
      readProxies({ HTTP_PROXY: `https://localhost:${portOf(server.address())}` }),
    );
    await expect(fetch('http://models.test/')).rejects.toThrow(
      /the certificate of the proxy \S+ \(HTTP_PROXY\) is not trusted .*NODE_EXTRA_CA_CERTS/,
    );
  });

  test('to the doctor, for each that cannot be reached by it', async () => {
    const proxy = await withProxy({ login: 'jury:right' });
    const ran = await jury(['doctor'], {
      env: {
        HTTPS_PROXY: `http://jury:wrong-one@127.0.0.1:${proxy.port}`,
        JURY_MODEL: 'openai/gpt-4o-mini',
        OPENAI_API_KEY: 'sk-1',
        SLACK_BOT_TOKEN: 'xoxb-1',
        SLACK_APP_TOKEN: 'xapp-1',
        TEAMS_CLIENT_ID: '01234567-89ab-cdef-0123-456789abcdef',
        TEAMS_CLIENT_SECRET: 'secret-of-the-app',
      },
    });
    const refused = `the proxy http://jury:***@127.0.0.1:${proxy.port} (HTTPS_PROXY) refuses its user and password: correct them in HTTPS_PROXY`;
    expect(ran.out).toContain(`✗ model openai/gpt-4o-mini: ${refused}\n`);
    expect(ran.out).toContain(`✗ Slack: Slack cannot be reached: ${refused}\n`);
    expect(ran.out).toContain(
      `✗ Teams: login.microsoftonline.com could not be asked for a token: ${refused}.\n`,
    );
    expect(ran.out + ran.err).not.toMatch(/wrong-one|secret-of-the-app|xoxb|xapp/);
    expect(proxy.tunnels).toEqual(['api.openai.com:443', 'slack.com:443', 'login.microsoftonline.com:443']);
  });

  test('and the doctor says which ones are used, without their passwords', async () => {
    const env = { HTTPS_PROXY: 'http://jury:hidden@proxy.test:3128', NO_PROXY: '.corp.test' };
    const ran = await jury(['doctor'], { env });
    expect(ran.out).toContain(
      '✓ proxy: https through http://jury:***@proxy.test:3128 (HTTPS_PROXY); directly to .corp.test (NO_PROXY)',
    );
    expect(ran.out).not.toContain('hidden');
    expect((await jury(['doctor'])).out).toContain('– proxy: none');
  });

  test.each(['ftp://proxy.test', 'http://user@proxy.test', 'http://a:%zz@proxy.test', 'http://'])(
    'and what is no proxy stops the start: %s',
    (HTTPS_PROXY) => {
      expect(() => readEnv({ HTTPS_PROXY }, '')).toThrow(/HTTPS_PROXY: must be http:\/\/host:port/);
    },
  );
});

test('NODE_EXTRA_CA_CERTS in a .env file is refused, because Node does not read it there', () => {
  const file = join(scratch(), '.env');
  writeFileSync(file, 'NODE_EXTRA_CA_CERTS=/etc/ca.pem\n');
  expect(() => readEnv({}, file)).toThrow(/NODE_EXTRA_CA_CERTS: .*set it in the environment/);
  expect(() => readEnv({ NODE_EXTRA_CA_CERTS: '/etc/ca.pem' }, file)).not.toThrow();
});
