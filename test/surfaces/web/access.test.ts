import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createViews } from '../../../src/surfaces/web/live-views.ts';
import { sessionOf } from '../../support/open-link.ts';
import { call, textOfHtml } from '../../support/page-service.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { runService } from '../../support/run-service.ts';

closeAfterEach();

const TOKEN = 'a-token-for-ci-0123456789';
const start = async (env: Record<string, string> = {}) => (await runService(env)).service.port;
const judge = (port: number, headers: Record<string, string> = {}) =>
  call(port, '/api/v1/verdicts', { method: 'POST', body: { paste: PASTE }, headers });

describe('the door of the console', () => {
  test('is closed for the page of another site, whose visitor cannot be made to ask or vote', async () => {
    const port = await start();
    const body = { key: '12345678', text: PASTE };
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${port + 1}` },
      { origin: `https://127.0.0.1:${port}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      expect((await call(port, '/ui/requests', { method: 'POST', body, headers })).status).toBe(403);
      expect((await judge(port, headers)).status).toBe(403);
    }
    const origin = `http://127.0.0.1:${port}`;
    for (const headers of [
      { origin, 'sec-fetch-site': 'same-origin' },
      { origin },
      // A proxy that keeps no name: the browser says that the page is ours, or its script does.
      { origin: 'http://jury.example', 'sec-fetch-site': 'same-origin' },
      { origin: 'http://jury.example', 'x-jury-page': '1' },
    ])
      expect((await call(port, '/ui/requests', { method: 'POST', body, headers })).status).toBe(202);
  });

  test('says on every page that nothing of another host is loaded, run or framed', async () => {
    const { headers, text } = await call(await start(), '/');
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/,
    );
    expect(String(headers['content-security-policy'])).not.toContain('unsafe');
    expect(text).not.toMatch(/https?:\/\//);
    expect(text).not.toMatch(/ style=| on\w+=/);
  });

  test('is not there where other machines reach the service, nor where it is turned off; the rest runs', async () => {
    for (const [env, how] of [
      [{ HOST: '0.0.0.0' }, 'set OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, and JURY_PUBLIC_URL'],
      [{ JURY_CONSOLE: 'off' }, 'JURY_CONSOLE is off'],
    ] as const) {
      const port = await start(env);
      expect(await call(port, '/')).toMatchObject({ status: 302, headers: { location: '/status' } });
      expect((await call(port, '/verdicts')).status).toBe(404);
      expect((await judge(port)).status).toBe(404);
      const status = textOfHtml((await call(port, '/status')).text);
      expect(status).toMatch(/Console – off/);
      expect(status).toContain(how);
    }
  });

  test('is open to programs with a token alone where it is off for people', async () => {
    for (const env of [{ HOST: '0.0.0.0' }, { JURY_CONSOLE: 'off' }]) {
      const port = await start({ ...env, JURY_API_TOKENS: `ci:${TOKEN}` });
      expect((await judge(port, { authorization: `Bearer ${TOKEN}` })).status).toBe(200);
      // A name for this machine is no proof of being on it.
      expect((await judge(port, { host: 'localhost' })).status).toBe(401);
      expect((await call(port, '/verdicts')).status).toBe(404);
    }
  });

  test('opens the API to programs elsewhere by a token, and tells them from each other', async () => {
    const port = await start({ JURY_API_TOKENS: `ci:${TOKEN},nightly:${TOKEN}-2` });
    const elsewhere = { host: 'jury.example', 'x-forwarded-for': '203.0.113.7' };
    expect((await judge(port, { ...elsewhere, authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    const wrong = await judge(port, { ...elsewhere, authorization: 'Bearer wrong-token-0123456789' });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain('JURY_API_TOKENS');
    expect(wrong.text).not.toContain(TOKEN);
    // Pages are for people.
    expect(
      (await call(port, '/', { headers: { ...elsewhere, authorization: `Bearer ${TOKEN}` } })).status,
    ).toBe(401);
    await expect(start({ JURY_API_TOKENS: 'ci:short' })).rejects.toThrow(
      /JURY_API_TOKENS: must be name:token pairs/,
    );
  });
});

test('the first page loads less than 80 kB, compressed, and all of it from here', async () => {
  const port = await start();
  const { text } = await call(port, '/');
  const loaded = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(loaded).toEqual(['/assets/console.css', '/assets/console.js']);
  const all = await Promise.all(loaded.map((path) => call(port, path)));
  expect(all.map(({ status }) => status)).toEqual([200, 200]);
  expect(gzipSync(all.map((one) => one.text).join('')).length).toBeLessThan(80_000);
});

test('takes at most so many requests a minute of one visitor; reading continues', async () => {
  const port = await start();
  const parse = () => call(port, '/ui/parse', { method: 'POST', body: { text: '' } });
  const answers = await Promise.all(Array.from({ length: 1_210 }, parse));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  expect((await call(port, '/')).status).toBe(200);
});

test('holds a hundred event streams open for one visitor, and no more until one is closed', async () => {
  const { service, parts } = await runService({});
  await createViews(await parts.store(), Date.now).begin('judged-later', 'page:local', 'page');
  const headers = sessionOf(service.port);
  const stop = new AbortController();
  const first = new AbortController();
  // A response that nothing holds is collected, and its stream closed.
  const held: Response[] = [];
  const stream = async (signal: AbortSignal) => {
    const response = await fetch(`http://127.0.0.1:${service.port}/ui/views/judged-later/events`, {
      signal,
      headers,
    });
    held.push(response);
    return response.status;
  };
  const all = [first, ...Array.from({ length: 99 }, () => stop)];
  expect(new Set(await Promise.all(all.map(({ signal }) => stream(signal))))).toEqual(new Set([200]));
  expect(await stream(stop.signal)).toBe(429);
  first.abort();
  await until(async () => (await stream(stop.signal)) === 200);
  expect(held.filter(({ ok }) => ok)).toHaveLength(101);
  stop.abort();
});

test('says in words what is too large, and leads on from a page that is not there', async () => {
  const port = await start();
  const large = await call(port, '/ui/parse', { method: 'POST', body: { text: 'x'.repeat(2_000_000) } });
  expect(large).toMatchObject({ status: 413, text: expect.stringContaining('too large') });
  for (const path of ['/verdicts/none', '/verdicts/none/prompts/0', '/runs/none', '/requests/none']) {
    const { status, text } = await call(port, path);
    expect(status).toBe(404);
    expect(text).toContain('<h1>Not found</h1>');
    expect(text).toContain('<a href="/queue">Queue</a>');
  }
});

test('what is pasted is text on every page', async () => {
  const port = await start();
  const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'`--></textarea><!--';
  const body = { conversation: [{ role: 'user', text: hostile }], response: hostile, id: hostile };
  const answered = await call(port, '/api/v1/verdicts', { method: 'POST', body });
  const { id } = z.object({ id: z.string() }).parse(JSON.parse(answered.text));
  for (const path of ['/verdicts', `/verdicts/${id}`, `/?again=${id}`]) {
    const { text, status } = await call(port, path);
    expect(status).toBe(200);
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('<img');
    expect(text).toContain('&lt;script>alert');
  }
});
