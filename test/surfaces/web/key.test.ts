import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEY_SESSION_MS } from '../../../src/surfaces/web/console-key.ts';
import { createViews } from '../../../src/surfaces/web/live-views.ts';
import { keyedConsole, WORDS } from '../../support/keyed-console.ts';
import { keyIn, openLink, sessionOf } from '../../support/open-link.ts';
import { call, callWithout, textOfHtml } from '../../support/page-service.ts';
import { closeAfterEach, newFolder } from '../../support/resources.ts';
import { jury } from '../../support/run-jury.ts';
import { runService } from '../../support/run-service.ts';

closeAfterEach();

const pathOf = (link: string): string => new URL(link).pathname + new URL(link).search;
const keyOf = (link: string): string => new URL(link).searchParams.get('key') ?? '';

async function start(env: Record<string, string> = {}, now?: () => number) {
  const folder = newFolder();
  const { service, logged, parts } = await runService({ JURY_DATA_DIR: folder, ...env }, undefined, now);
  const { port, link } = service;
  return { folder, port, link: link ?? '', logged, parts, key: link === null ? '' : keyOf(link) };
}

describe('/metrics', () => {
  const token = 'a-token-for-the-scraper';
  const read = async (port: number, given?: string) =>
    (
      await callWithout(
        port,
        '/metrics',
        given === undefined ? {} : { headers: { authorization: `Bearer ${given}` } },
      )
    ).status;

  test('are read with their token or the key on this machine', async () => {
    const { port, key } = await start({ JURY_METRICS_TOKEN: token });
    for (const given of [token, key]) expect(await read(port, given)).toBe(200);
    for (const given of [undefined, 'another-token-of-this-length'])
      expect(await read(port, given)).toBe(401);
    expect(
      (await callWithout(port, '/verdicts', { headers: { authorization: `Bearer ${token}` } })).status,
    ).toBe(401);
  });

  test.each([{ HOST: '0.0.0.0' }, { JURY_CONSOLE: 'off' }])('take a token elsewhere: %o', async (env) => {
    const { port } = await start({ ...env, JURY_METRICS_TOKEN: token });
    expect(await read(port)).toBe(401);
    expect(await read(port, token)).toBe(200);
    const all: number[] = [];
    for (let n = 0; n < 120; n += 1) all.push(await read(port, 'another-token-of-this-length'));
    expect(all).toEqual(Array.from({ length: 120 }, () => 401));
    expect(await read(port, 'another-token-of-this-length')).toBe(429);
    expect(await read(port, token)).toBe(200);
    const without = await start(env);
    expect(await read(without.port)).toBe(401);
  });
});

describe('without the key', () => {
  test('not one route of the service answers with anything but that it takes one', async () => {
    const { jury: running, keyed, addressOf } = await keyedConsole();
    // As many as today's, so that a list that is not read whole is noticed.
    expect(keyed.length).toBeGreaterThan(60);
    for (const path of [
      '/',
      '/status',
      '/metrics',
      '/api/v1/verdicts',
      '/ui/views/:view/events',
      '/runs/:name',
    ])
      expect(keyed).toContainEqual({ method: 'GET', path });
    const { port } = running.service;
    for (const route of keyed) {
      const { method } = route;
      const answer = await callWithout(port, addressOf(route), { method });
      expect([route, answer.status]).toEqual([route, 401]);
      expect(answer.text).not.toMatch(WORDS);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    for (const path of ['/api/v1/none', '/verdicts/none', '/queue/none', '/ui/none'])
      expect((await callWithout(port, path)).status).toBe(401);
    const others = ['/VERDICTS', '//verdicts', '/%76erdicts', '/verdicts/', '/./verdicts', '/x/../verdicts'];
    const more = [
      '/STATUS',
      '/Metrics',
      '/metrics/',
      '/API/V1/verdicts',
      '//api/v1/verdicts',
      '/api/v1/verdicts;x',
    ];
    for (const path of [...others, ...more]) {
      const answer = await callWithout(port, path);
      expect([401, 404]).toContain(answer.status);
      expect(answer.text).not.toMatch(WORDS);
    }
  });

  test('health and readiness answer, and say nothing of any data', async () => {
    const { jury: running, open, addressOf } = await keyedConsole();
    expect(open.map(({ path }) => path)).toEqual(expect.arrayContaining(['/healthz', '/readyz']));
    for (const route of open)
      expect((await callWithout(running.service.port, addressOf(route))).status).toBe(200);
    const { text } = await callWithout(running.service.port, '/readyz');
    expect(JSON.parse(text)).toEqual({ parts: [{ name: 'store (sqlite)', ready: true }] });
  });

  test('a page says in words how to get the link, and a program what to send', async () => {
    const { port, key } = await start();
    const page = await callWithout(port, '/verdicts', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(page.headers['content-type']).toContain('text/html');
    expect(textOfHtml(page.text)).toMatch(
      /in the folder in which it was started, run npx jury open and open/,
    );
    expect(page.text).not.toContain('href="/verdicts"');
    const { status, text } = await callWithout(port, '/api/v1/verdicts');
    expect([status, JSON.parse(text)]).toEqual([
      401,
      { error: { code: 'unauthorized', message: expect.stringMatching(/key.*Bearer.*npx jury open/) } },
    ]);
    expect(page.text + text).not.toContain(key);
    for (const path of ['/metrics', '/verdicts'])
      for (const headers of [{}, { accept: '*/*' }]) {
        const asked = await callWithout(port, path, { headers });
        expect(asked.headers['content-type']).toContain('text/plain');
        expect(asked.text).toMatch(/^Send the console’s key as Authorization: Bearer …;/);
      }
  });

  test.each([
    ['another name for this machine, as DNS rebinding makes one', { host: 'evil.example' }],
    ['a proxy', { via: '1.1 proxy' }],
    ['a tunnel', { 'x-forwarded-for': '203.0.113.7' }],
  ])('nothing opens to %s; with a session through the same, everything does', async (_, headers) => {
    const { port, link } = await start();
    for (const path of ['/', '/verdicts', '/status', '/metrics', '/api/v1/verdicts', '/ui/views/x/events'])
      expect((await callWithout(port, path, { headers })).status).toBe(401);
    const opened = await callWithout(port, pathOf(link), { headers });
    const [cookie = ''] = opened.headers['set-cookie'] ?? [];
    const session = { ...headers, cookie: cookie.replace(/;.*/, '') };
    for (const path of ['/', '/verdicts', '/status', '/metrics', '/api/v1/verdicts'])
      expect((await callWithout(port, path, { headers: session })).status).toBe(200);
  });
});

describe('the link', () => {
  test('begins a session and takes the key out of the address; neither browser nor proxy keeps it', async () => {
    const { port, link, key } = await start();
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, text } = await callWithout(port, pathOf(link), { method });
      expect([status, headers.location]).toEqual([303, '/']);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      const [cookie = ''] = headers['set-cookie'] ?? [];
      expect(cookie).toMatch(
        new RegExp(`^jury-${port}=[^;]{60,}; Max-Age=\\d+; Path=/;.*HttpOnly; SameSite=Lax$`),
      );
      expect(cookie + text).not.toContain(key);
    }
  });

  test.each(['/open', '/open?key=', '/open?key=wrong', '/open?key=a&key=b', '/open?key[a]=b'])(
    'begins none with %s',
    async (path) => {
      const { port } = await start();
      const { status, headers } = await callWithout(port, path);
      expect([status, headers['set-cookie']]).toEqual([401, undefined]);
    },
  );

  test('wrong keys are refused for a while where they come too often; the right one still opens', async () => {
    const { port, link, key } = await start();
    const tries: (() => Promise<{ status: number }>)[] = [
      () => callWithout(port, '/open?key=wrong'),
      () => callWithout(port, '/api/v1/runs', { headers: { authorization: 'Bearer wrong' } }),
      () => callWithout(port, '/metrics', { headers: { authorization: 'Bearer wrong' } }),
    ];
    for (const attempt of tries) {
      const all: number[] = [];
      for (let n = 0; n < 121; n += 1) all.push((await attempt()).status);
      expect([all.slice(0, 120).every((status) => status === 401), all[120]]).toEqual([true, 429]);
    }
    await openLink(link);
    const headers = { authorization: `Bearer ${key}` };
    for (const path of ['/api/v1/runs', '/metrics'])
      expect((await callWithout(port, path, { headers })).status).toBe(200);
  });
});

describe('the key', () => {
  test('is in a file of its owner, the same after a restart, and in no log', async () => {
    const { folder, key, logged } = await start({ LOG_LEVEL: 'trace' });
    const path = join(folder, 'console-key');
    expect(readFileSync(path, 'utf8')).toBe(key);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = await runService({ JURY_DATA_DIR: folder });
    expect(keyOf(again.service.link ?? '')).toBe(key);
    expect([...logged, ...again.logged].join()).not.toContain(key);
    expect(logged.join()).toContain('npx jury open');
  });

  test('lets programs on the machine in as the person there, to pages, API, status and metrics', async () => {
    const { folder, port } = await start();
    const headers = keyIn(folder);
    for (const path of ['/', '/runs', '/status', '/metrics', '/api/v1/rubrics'])
      expect((await callWithout(port, path, { headers })).status).toBe(200);
    const wrong = { authorization: `${headers.authorization}x` };
    for (const path of ['/', '/runs', '/status', '/metrics', '/api/v1/rubrics'])
      expect((await callWithout(port, path, { headers: wrong })).status).toBe(401);
  });

  test('is replaced by jury open --new-key, which ends sessions, streams and programs of a running service', async () => {
    const { folder, port, key, parts } = await start();
    const store = await (await runService({ JURY_DATA_DIR: folder })).parts.store();
    const views = createViews(store, Date.now);
    await views.begin('judged-later', 'page:local', 'page');
    const before = { ...keyIn(folder), ...sessionOf(port) };
    const response = await fetch(`http://127.0.0.1:${port}/ui/views/judged-later/events`, {
      headers: sessionOf(port),
    });
    const { code, out } = await jury(['open', '--new-key'], {
      env: { JURY_DATA_DIR: folder, PORT: `${port}` },
    });
    expect(code).toBe(0);
    expect(keyOf(out.trim())).not.toBe(key);
    expect(
      (await callWithout(port, '/', { headers: sessionOf(port) as Record<string, string> })).status,
    ).toBe(401);
    expect(
      (await callWithout(port, '/api/v1/runs', { headers: { authorization: before.authorization } })).status,
    ).toBe(401);
    await views.change('judged-later', { kind: 'withdrawn' });
    expect(await response.text()).not.toContain('withdrawn');
    await openLink(out.trim());
    expect((await call(port, '/')).status).toBe(200);
    // What leaves the service from now on is cleaned of it, as of every secret.
    expect(parts.env.secrets.hide(`the key ${keyOf(out.trim())}`)).toBe('the key [console-key]');
  });

  test('that can no longer be read opens nothing', async () => {
    const folder = newFolder();
    const { service } = await runService({ JURY_DATA_DIR: folder });
    const { authorization } = keyIn(folder);
    rmSync(join(folder, 'console-key'));
    mkdirSync(join(folder, 'console-key'));
    for (const path of ['/', '/status', '/api/v1/runs'])
      expect((await callWithout(service.port, path, { headers: { authorization } })).status).toBe(401);
  });

  test('turns the console off where it cannot be kept or is none; the rest runs and stays shut', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'console-key'), 'short');
    const { service, logged } = await runService({ JURY_DATA_DIR: folder });
    expect(service.link).toBeNull();
    expect(logged.join()).toContain('npx jury open --new-key makes another one');
    for (const path of ['/status', '/metrics'])
      for (const headers of [{}, { authorization: 'Bearer short' }])
        expect((await callWithout(service.port, path, { headers })).status).toBe(401);
    expect((await callWithout(service.port, '/api/v1/verdicts')).status).toBe(404);
    expect((await callWithout(service.port, '/healthz')).status).toBe(200);
  });
});

test('a session ends after thirty days, and no one can sign or lengthen one without the key', async () => {
  let time = Date.now();
  const { port } = await start({}, () => time);
  const { cookie = '' } = sessionOf(port);
  const [name = '', begun = '', nonce = '', signature = ''] = cookie.split(/[=.]/);
  const later = (Number.parseInt(begun, 36) + 1_000).toString(36);
  for (const forged of [
    `${name}=${later}.${nonce}.${signature}`,
    `${name}=${begun}.${nonce}.`,
    `${name}=${begun}.${nonce}`,
    `${name}=..`,
    `${name}=`,
    `jury=${begun}.${nonce}.${signature}`,
  ])
    expect((await callWithout(port, '/', { headers: { cookie: forged } })).status).toBe(401);
  time += KEY_SESSION_MS - 60_000;
  expect((await call(port, '/')).status).toBe(200);
  time += 60_000;
  expect((await call(port, '/')).status).toBe(401);
});

test('where people sign in, or the console is off, there is no key', async () => {
  for (const env of [{ JURY_CONSOLE: 'off' }, { HOST: '0.0.0.0' }]) {
    const { service } = await runService(env);
    expect(service.link).toBeNull();
    expect((await callWithout(service.port, '/status')).status).toBe(200);
  }
});
