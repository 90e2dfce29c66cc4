import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { readEnv } from '../../../src/env.ts';
import { slack } from '../../../src/surfaces/slack/surface.ts';
import { createViews } from '../../../src/surfaces/web/live-views.ts';
import { page } from '../../../src/surfaces/web/page-surface.ts';
import { startOpenIdProvider } from '../../support/openid-provider.ts';
import { call, textOfHtml } from '../../support/page-service.ts';
import { PASTE } from '../../support/pastes.ts';
import { withProxy } from '../../support/proxy-double.ts';
import { closeAfterEach, closing } from '../../support/resources.ts';
import { jury as runJury } from '../../support/run-jury.ts';
import { runService } from '../../support/run-service.ts';
import {
  ACCOUNTS,
  answered,
  browserAt,
  DONE,
  envOf,
  isOut,
  JURY,
  provide,
  setUp,
} from '../../support/sign-in.ts';

closeAfterEach();

const HOUR = 3_600_000;

describe('signing in', () => {
  test('leads to the page that was wanted, and is known there by name', async () => {
    const { browser, provider } = await setUp();
    const { at, text, status, headers } = await browser.follow(`${JURY}/verdicts?q=sushi`);
    expect([status, at]).toEqual([200, `${JURY}/verdicts?q=sushi`]);
    expect(textOfHtml(text)).toMatch(/Ann Sign out/);
    expect(headers['strict-transport-security']).toBeDefined();
    expect((await browser.post('/ui/parse', { text: '' })).status).toBe(200);
    const asked = await browser.post('/api/v1/verdicts', { paste: PASTE });
    expect(asked.status).toBe(200);
    // What the browser keeps is for this host, over TLS, out of reach of scripts; the provider saw PKCE, state and nonce.
    const begun = await browserAt(provider, browser.at.port).visit(`${JURY}/sign-in`);
    expect(begun.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    const asking = new URL(String(begun.headers.location)).searchParams;
    expect(Object.fromEntries(asking)).toMatchObject({
      redirect_uri: DONE,
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test.each(['client_secret_basic', 'client_secret_post'])(
    'works with a client that proves itself by %s',
    async (token_endpoint_auth_method) => {
      const provider = await provide({ token_endpoint_auth_method });
      const { service } = await runService(envOf(provider));
      expect((await browserAt(provider, service.port).follow(`${JURY}/`)).status).toBe(200);
    },
  );

  test('is refused for another state, nonce, code or browser, and for an answer that comes twice', async () => {
    const { browser, provider } = await setUp();
    const refused = async (why: string, address: string, who = browser) => {
      const { status, text } = await who.visit(address);
      expect(status).toBe(403);
      expect(textOfHtml(text)).toContain(why);
      expect(await isOut(who)).toBe(true);
    };
    const used = 'This sign-in has run out or was used before';
    const changed = (address: string, name: string, value: string) => {
      const url = new URL(address);
      url.searchParams.set(name, value);
      return url.href;
    };
    await refused(used, changed(await answered(browser), 'state', 'x'.repeat(43)));
    await refused(used, changed(await answered(browser), 'code', 'x'.repeat(43)));
    await refused('unexpected "iss"', changed(await answered(browser), 'iss', 'https://evil.example'));
    // What the provider says is text.
    const answer = new URL(await answered(browser));
    answer.searchParams.delete('code');
    answer.searchParams.set('error', 'server_error');
    answer.searchParams.set('error_description', '<script>alert(1)</script>');
    expect((await browser.visit(answer.href)).text).toContain(
      'server_error: &lt;script>alert(1)&lt;/script>',
    );
    const begun = await browser.visit(`${JURY}/sign-in`);
    const otherNonce = changed(String(begun.headers.location), 'nonce', 'other');
    await refused('unexpected ID Token "nonce" claim value', await answered(browser, otherNonce));
    const [one, other] = [await answered(browser), await answered(browser)];
    const codeOf = (address: string) => new URL(address).searchParams.get('code') ?? '';
    await refused(used, changed(one, 'code', codeOf(other)));
    // A link that signs others in as its sender.
    await refused('another browser', await answered(browser), browserAt(provider, browser.at.port));
    const good = await answered(browser);
    expect((await browser.visit(good)).status).toBe(303);
    const stolen = browserAt(provider, browser.at.port);
    await refused(used, good, stolen);
    expect((await browser.visit(good)).status).toBe(403);
    provider.signsIn(null);
    const { text } = await stolen.follow(`${JURY}/`);
    expect(textOfHtml(text)).toContain('did not let you in');
  });

  test.each([
    ['an address', 'https://evil.example/'],
    ['an address without a scheme', '//evil.example'],
    ['a backslash', '/\\evil.example'],
    ['a path that becomes an address', '/.//evil.example'],
    ['a scheme without slashes', 'https:evil.example'],
    ['an address of its own that is no page', 'blob:https://jury.example/0f0f'],
    ['a script', 'javascript:alert(1)'],
    ['a circle', '/sign-in?to=/x'],
    ['a long path', `/${'x'.repeat(3_000)}`],
  ])('never leads to another site by %s', async (_, to) => {
    const { browser } = await setUp();
    const back = await answered(browser, `${JURY}/sign-in?${new URLSearchParams({ to })}`);
    const { location } = (await browser.visit(back)).headers;
    expect(new URL(String(location)).origin).toBe(JURY);
    expect(location).toMatch(/^https:/);
  });

  test('ends by signing out, after twelve hours, and for a cookie that was changed', async () => {
    let later = 0;
    const { browser } = await setUp({}, () => Date.now() + later);
    await browser.follow(`${JURY}/`);
    const cookies = browser.cookies.get('jury.example');
    const session = cookies?.get('__Host-jury') ?? '';
    for (const wrong of [`${session}x`, session.slice(1), '', 'x=y', 'x'.repeat(43), `${session}%00`]) {
      cookies?.set('__Host-jury', wrong);
      expect(await isOut(browser)).toBe(true);
    }
    cookies?.set('__Host-jury', session);
    later = 11 * HOUR;
    expect(await isOut(browser)).toBe(false);
    later = 12 * HOUR + 1_000;
    expect(await isOut(browser)).toBe(true);
    const ended = await browser.post('/ui/parse', { text: '' });
    expect(ended).toMatchObject({ status: 401, text: expect.stringContaining('Reload the page') });
    await browser.follow(`${JURY}/`);
    const kept = cookies?.get('__Host-jury') ?? '';
    expect(JSON.parse((await browser.post('/ui/sign-out', {})).text)).toEqual({ goTo: '/signed-out' });
    expect(cookies?.has('__Host-jury')).toBe(false);
    cookies?.set('__Host-jury', kept);
    expect(await isOut(browser)).toBe(true);
    expect(textOfHtml((await browser.visit(`${JURY}/signed-out`)).text)).toContain('You are signed out');
  });

  test('ends the event streams of who signs out: what comes later is not shown', async () => {
    const { browser, jury } = await setUp();
    await browser.follow(`${JURY}/`);
    const views = createViews(await jury.parts.store(), Date.now);
    await views.begin('judged-later', 'oidc:ann', 'page');
    const stream = browser.visit(`${JURY}/ui/views/judged-later/events`);
    await browser.post('/ui/parse', { text: '' });
    await browser.post('/ui/sign-out', {});
    await views.change('judged-later', { kind: 'verdict', id: 'after' });
    const { text } = await stream;
    expect(text).toContain('Reading the case');
    expect(text.match(/^data:/gm)).toHaveLength(1);
  });

  test('asks the provider through a proxy, and says so where that lets nothing through', async () => {
    const proxy = await withProxy();
    const { browser, provider } = await setUp({ HTTP_PROXY: proxy.url });
    const { status } = await browser.follow(`${JURY}/verdicts`);
    expect(status).toBe(200);
    expect(new Set(proxy.tunnels)).toEqual(new Set([new URL(provider.issuer).host]));
    const refusing = await withProxy({ status: 403 });
    const ran = await runJury(['doctor'], { env: envOf(provider, { HTTP_PROXY: refusing.url }) });
    expect(ran.out).toMatch(
      /✗ Console: \S+ cannot be reached: the proxy \S+ \(HTTP_PROXY\) refuses to connect/,
    );
  });

  test('is for one name of the console, and no other page acts with it', async () => {
    const { browser } = await setUp();
    await browser.follow(`${JURY}/`);
    const body = { key: '12345678', text: PASTE };
    for (const origin of ['https://evil.example', 'null', 'http://jury.example', 'https://jury.example:8443'])
      for (const path of ['/ui/requests', '/ui/sign-out', '/api/v1/verdicts'])
        expect((await browser.post(path, body, { origin })).status).toBe(403);
    for (const host of [
      'evil.example',
      'localhost:3000',
      '127.0.0.1',
      'jury.example.evil.example',
      'x@jury.example',
    ])
      for (const path of ['/', '/sign-in', '/sign-in/done', '/signed-out', '/verdicts']) {
        const { status, text } = await browser.visit(`${JURY}${path}`, { headers: { host } });
        expect(status).toBe(403);
        expect(text).toContain(`Open the console at ${JURY}`);
      }
    const forwarded = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const { headers } = await browser.visit(`${JURY}/sign-in`, { headers: forwarded });
    expect(String(headers.location)).toContain(encodeURIComponent(DONE));
    expect(await isOut(browser)).toBe(false);
  });

  test('can be begun only so often from one address', async () => {
    const { browser } = await setUp();
    const begin = (from: string) =>
      browser.visit(`${JURY}/sign-in`, { headers: { 'x-forwarded-for': from } });
    const answers = await Promise.all(Array.from({ length: 125 }, () => begin('203.0.113.7')));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    expect((await begin('203.0.113.8')).status).toBe(302);
  });

  test('lets in people of some domains alone, by an address that the provider has verified', async () => {
    const { jury, provider } = await setUp({ OIDC_EMAIL_DOMAINS: 'Example.com' });
    const opened = async (who: keyof typeof ACCOUNTS) => {
      provider.signsIn(who);
      const { status, text } = await browserAt(provider, jury.service.port).follow(`${JURY}/`);
      return [status, textOfHtml(text)];
    };
    expect(await opened('bob')).toEqual([403, expect.stringContaining('not for bob@other.example')]);
    expect(await opened('eve')).toEqual([403, expect.stringContaining('no verified address')]);
    expect(await opened('ann')).toEqual([200, expect.stringContaining('Sign out')]);
    // What is wrong with one sign-in names people, and stays out of the log.
    expect(jury.logged.join()).toContain('a sign-in failed');
    expect(jury.logged.join()).not.toContain('bob@');
  });
});

describe('setting sign-in up', () => {
  const inspected = (env: Record<string, string>) => page.inspect(readEnv(env, ''), [slack, page]);

  test('lists everything that is malformed', () => {
    const env = {
      JURY_PUBLIC_URL: 'https://jury.example.com/console',
      OIDC_ISSUER: 'http://issuer.example.com',
      OIDC_EMAIL_DOMAINS: 'ann@example.com',
    };
    expect(() => readEnv(env, '')).toThrow(
      /JURY_PUBLIC_URL: must be an address without a path[\s\S]*OIDC_ISSUER: must begin with https[\s\S]*OIDC_EMAIL_DOMAINS: must be domains/,
    );
    const every = { OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' };
    expect(() => readEnv(every, '')).toThrow(/must name your tenant/);
    expect(readEnv({ JURY_PUBLIC_URL: 'http://localhost:3000/' }, '').settings.JURY_PUBLIC_URL).toBe(
      'http://localhost:3000',
    );
  });

  test('opens nothing while a part is missing, and says which', async () => {
    const { service, logged } = await runService({ OIDC_ISSUER: 'https://issuer.example.com' });
    expect((await call(service.port, '/')).headers.location).toBe('/status');
    expect((await call(service.port, '/api/v1/models')).status).toBe(404);
    expect(logged.join()).toMatch(
      /console: off; OIDC_ISSUER is set; set OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, and/,
    );
    const { kind } = page.setup(readEnv({ HOST: '0.0.0.0' }, ''));
    expect(kind).toBe('off');
  });

  test('leaves programs with a token and monitoring as they are', async () => {
    const { jury } = await setUp({ JURY_API_TOKENS: 'ci:a-token-for-ci-0123456789', HOST: '0.0.0.0' });
    const { port } = jury.service;
    const headers = { authorization: 'Bearer a-token-for-ci-0123456789' };
    expect((await call(port, '/api/v1/models', { headers })).status).toBe(200);
    expect((await call(port, '/api/v1/models', { headers: { host: 'jury.example' } })).status).toBe(401);
    // A loopback address is no proof of being at this machine any more.
    expect((await call(port, '/api/v1/models')).status).toBe(401);
    for (const path of ['/healthz', '/readyz', '/status']) expect((await call(port, path)).status).toBe(200);
  });

  test('lets the service start while the provider is away, says so, and works when it is back', async () => {
    const away = createServer((_request, response) => response.writeHead(502).end('{}'));
    await new Promise<void>((done) => away.listen(0, '127.0.0.1', done));
    closing(async () => away.close());
    const address = away.address();
    const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const { service, logged } = await runService(envOf({ issuer }));
    const browser = browserAt({ issuer }, service.port);
    const { status, text } = await browser.follow(`${JURY}/`);
    expect(status).toBe(503);
    expect(textOfHtml(text)).toContain(`${issuer} answers 502`);
    expect(logged.join()).toContain('no one can sign in');
    const onStatus = async () => textOfHtml((await call(service.port, '/status')).text);
    expect(await onStatus()).toContain(`Console ✗ not working No one can sign in: ${issuer} answers 502`);
    await expect(inspected(envOf({ issuer }))).rejects.toThrow(/answers 502/);
    const closed = new Promise((done) => away.close(done));
    away.closeAllConnections();
    await closed;
    await expect(inspected(envOf({ issuer }))).rejects.toThrow(/cannot be reached \(ECONNREFUSED\)/);
    await startOpenIdProvider([DONE], ACCOUNTS, {}, Number(new URL(issuer).port));
    expect((await browser.follow(`${JURY}/`)).status).toBe(200);
    expect(await onStatus()).toContain('Console ✓ on');
  });

  test('is checked by the doctor, which says what the provider answers', async () => {
    const provider = await provide();
    expect(await inspected(envOf(provider))).toEqual({
      works: expect.stringMatching(
        /which knows this client; the redirect URI to set there is .*sign-in\/done$/,
      ),
      lacks: [],
    });
    await expect(inspected(envOf(provider, { OIDC_CLIENT_SECRET: 'wrong' }))).rejects.toThrow(
      /does not take OIDC_CLIENT_ID or OIDC_CLIENT_SECRET/,
    );
    // No client connects to that port.
    await expect(inspected(envOf({ issuer: 'http://localhost:1' }))).rejects.toThrow(/cannot be reached/);
    const alias = provider.issuer.replace('127.0.0.1', 'localhost');
    await expect(inspected(envOf({ issuer: alias }))).rejects.toThrow(/set OIDC_ISSUER to exactly that/);
    await expect(inspected({ ...envOf(provider), OIDC_CLIENT_ID: '' })).rejects.toThrow(
      /set OIDC_CLIENT_ID too/,
    );
  });

  test('is said by the doctor to be open to other workspaces of Slack where nothing says which is yours', async () => {
    const issuer = 'https://slack.com';
    const answers = async (address: string | URL | Request) =>
      String(address).includes('/.well-known/')
        ? Response.json({ issuer, token_endpoint: `${issuer}/token`, authorization_endpoint: `${issuer}/go` })
        : Response.json({ error: 'invalid_grant' }, { status: 400 });
    const lacks = async (more: Record<string, string> = {}) => {
      const env = readEnv(envOf({ issuer }, more), '');
      return (await page.inspect({ ...env, outgoing: { ...env.outgoing, fetch: answers } }, [slack, page]))
        .lacks;
    };
    expect(await lacks()).toEqual([expect.stringMatching(/SLACK_BOT_TOKEN.*OIDC_EMAIL_DOMAINS/)]);
    expect(await lacks({ SLACK_BOT_TOKEN: 'xoxb-1' })).toEqual([]);
    expect(await lacks({ OIDC_EMAIL_DOMAINS: 'example.com' })).toEqual([]);
  });
});
