import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { keepDigestPage } from '../../../src/digests/digest-page.ts';
import { readEnv } from '../../../src/env.ts';
import type { Person } from '../../../src/labels/access/permissions.ts';
import { slack } from '../../../src/surfaces/slack/surface.ts';
import type { Surface } from '../../../src/surfaces/surface.ts';
import { teams } from '../../../src/surfaces/teams/surface.ts';
import { createViews } from '../../../src/surfaces/web/live-views.ts';
import { page } from '../../../src/surfaces/web/page-surface.ts';
import { aBrowser, CLIENT, type OpenIdProvider, startOpenIdProvider } from '../../support/openid-provider.ts';
import { call, textOfHtml } from '../../support/page-service.ts';
import { PASTE } from '../../support/pastes.ts';
import { withProxy } from '../../support/proxy-double.ts';
import { redisOfRun } from '../../support/redis.ts';
import { closeAfterEach, closing, newFolder, until } from '../../support/resources.ts';
import { jury as runJury } from '../../support/run-jury.ts';
import { type RunningService, runService } from '../../support/run-service.ts';
import { TEAM } from '../../support/slack-double.ts';
import { payloadsOf } from '../../support/slack-requests.ts';
import { ownRedis, startJury, withSlack } from '../../support/slack-service.ts';
import { aRecord } from '../../support/store-builders.ts';
import { aPerson, CHANNEL, TENANT, withTeams } from '../../support/teams-service.ts';

closeAfterEach();

const JURY = 'https://jury.example';
const DONE = `${JURY}/sign-in/done`;
const ACCOUNTS = {
  ann: { name: 'Ann', email: 'Ann@example.com', email_verified: true },
  bob: { name: 'Bob', email: 'bob@other.example', email_verified: true },
  eve: { email: 'ann@example.com', email_verified: false },
};
const HOUR = 3_600_000;

const envOf = ({ issuer }: Pick<OpenIdProvider, 'issuer'>, more: Record<string, string> = {}) => ({
  JURY_PUBLIC_URL: JURY,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  ...more,
});

const provide = (client: Record<string, string> = {}) => startOpenIdProvider([DONE], ACCOUNTS, client);

/** A browser for which the console is where the service is, as behind a proxy for TLS. */
function browserAt({ issuer }: Pick<OpenIdProvider, 'issuer'>, port: number) {
  const at = { port };
  const browser = aBrowser((host) => (host === 'jury.example' ? at.port : Number(new URL(issuer).port)));
  const post = (path: string, body: object, headers: Record<string, string> = { origin: JURY }) =>
    browser.visit(`${JURY}${path}`, { method: 'POST', body, headers });
  return { ...browser, at, post };
}

/** A console that people sign in to, with a browser that has been nowhere. */
async function setUp(more: Record<string, string> = {}, now?: () => number, surfaces?: readonly Surface[]) {
  const provider = await provide();
  const jury = await runService(envOf(provider, more), surfaces, now);
  return { provider, jury, browser: browserAt(provider, jury.service.port) };
}

const isBack = (next: string) => next.startsWith(DONE);
/** Signs in as far as the provider's answer, which has yet to come to Jury. */
const answered = async (browser: ReturnType<typeof browserAt>, from = `${JURY}/sign-in`) =>
  (await browser.follow(from, isBack)).at;
const isOut = async (browser: ReturnType<typeof browserAt>) =>
  (await browser.visit(`${JURY}/verdicts`)).status === 302;

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

const signedInTwice = async (
  first: RunningService,
  provider: OpenIdProvider,
  second: () => Promise<RunningService>,
): Promise<void> => {
  const browser = browserAt(provider, first.service.port);
  await browser.follow(`${JURY}/`);
  const begun = await answered(browser);
  const { service } = await second();
  browser.at.port = service.port;
  expect(await isOut(browser)).toBe(false);
  // Begun at one, finished at the other.
  expect((await browser.visit(begun)).status).toBe(303);
  expect(await isOut(browser)).toBe(false);
};

describe('sessions', () => {
  test('outlast a restart', async () => {
    const provider = await provide();
    const env = envOf(provider, { JURY_DATA_DIR: newFolder() });
    const first = await runService(env);
    await signedInTwice(first, provider, async () => {
      await first.close();
      return runService(env);
    });
  });

  test.skipIf(redisOfRun().binary === null)('are shared by replicas on Redis', async () => {
    const provider = await provide();
    const redis = await ownRedis();
    const env = envOf(provider, { REDIS_URL: redis.url, JURY_SECRET: 'of-this-test' });
    const first = await runService(env);
    const browser = browserAt(provider, first.service.port);
    await signedInTwice(first, provider, () => runService(env));
    await browser.follow(`${JURY}/`);
    // While the store is away no one is let in, nor sent to sign in again.
    await redis.kill();
    const away = await Promise.all([`${JURY}/verdicts`, `${JURY}/sign-in`].map((at) => browser.visit(at)));
    for (const { status, text } of away)
      expect([status, text]).toEqual([503, expect.stringContaining('store cannot be reached')]);
  });

  test('are kept as hashes, and end when a person is forgotten, by either of their names', async () => {
    const asSlack = {
      ...slack,
      identify: async (): Promise<Person> => ({ surface: 'slack', team: '', user: 'U0ANN' }),
    };
    const folder = newFolder();
    const { browser, provider, jury } = await setUp({ JURY_DATA_DIR: folder }, Date.now, [asSlack, page]);
    for (const name of [`oidc:${provider.issuer}:ann`, 'U0ANN']) {
      await browser.follow(`${JURY}/`);
      const secret = browser.cookies.get('jury.example')?.get('__Host-jury') ?? '';
      expect(await (await jury.parts.store()).get(`session:${secret}`, Date.now())).toBeNull();
      const { out } = await runJury(['labels', 'forget', name], { env: { JURY_DATA_DIR: folder } });
      expect(out).toContain('Erased 1 session');
      expect(await isOut(browser)).toBe(true);
    }
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

describe('who is signed in', () => {
  test('is known in a chat by what its own issuer says alone', async () => {
    const env = readEnv({}, '');
    const ann = { 'https://slack.com/user_id': 'U0ANN', 'https://slack.com/team_id': 'T1', sub: 'U0ANN' };
    const inSlack = (issuer: string, claims: object) => slack.identify?.(issuer, { ...claims }, env);
    expect(await inSlack('https://slack.com', ann)).toEqual({ surface: 'slack', team: '', user: 'U0ANN' });
    expect(await inSlack('https://evil.example', ann)).toBeNull();
    expect(await inSlack('https://slack.com', { ...ann, 'https://slack.com/user_id': 'ann' })).toBeNull();
    const [tid, oid] = ['9f0e8d7c-6b5a-4c3d-8e2f-1a0b9c8d7e6f', '11111111-2222-4333-8444-555555555555'];
    const issuer = `https://login.microsoftonline.com/${tid}/v2.0`;
    const inTeams = (at: string, claims: object) => teams.identify?.(at, { ...claims }, env);
    expect(await inTeams(issuer, { tid, oid })).toEqual({ surface: 'teams', team: tid, user: oid });
    expect(await inTeams(issuer, { tid: oid, oid })).toBeNull();
    expect(await inTeams('https://evil.example/v2.0', { tid, oid })).toBeNull();
  });

  test('with Slack is of the workspace that the bot is in, and is no one while its token is refused', async () => {
    const double = await withSlack();
    const at = (team: string | undefined) => ({
      'https://slack.com/user_id': 'U0ANN',
      'https://slack.com/team_id': team,
    });
    const provider = await startOpenIdProvider([DONE], {
      ann: at(TEAM),
      bob: at('T0OTHER'),
      eve: at(undefined),
    });
    // The provider of this test stands for Slack's.
    const asSlack: Surface = {
      ...slack,
      identify: async (_issuer, claims, env) =>
        (await slack.identify?.('https://slack.com', claims, env)) ?? null,
    };
    const jury = await startJury(double, 'http', envOf(provider), [asSlack, page]);
    const opened = async (who: keyof typeof ACCOUNTS) => {
      provider.signsIn(who);
      const browser = browserAt(provider, jury.service.port);
      const { status, text } = await browser.follow(`${JURY}/`);
      return [status, await isOut(browser), textOfHtml(text)];
    };
    const refused = expect.stringMatching(/Jury is for people of https?:\S+: sign in to that workspace\./);
    expect(await opened('ann')).toEqual([200, false, expect.stringContaining('Sign out')]);
    expect(await opened('bob')).toEqual([403, true, refused]);
    expect(await opened('eve')).toEqual([403, true, refused]);
    double.refuse('auth.test', 'invalid_auth');
    expect(await opened('ann')).toEqual([
      503,
      true,
      expect.stringContaining('Slack refuses SLACK_BOT_TOKEN'),
    ]);
  });

  test("sees the console's verdicts, and of a chat those of conversations that they are in, by id too", async () => {
    const double = await withSlack();
    const provider = await provide();
    // Slack vouches for Ann alone; the provider of this test stands for Slack's.
    const { ann } = double.users;
    const own = {
      ...slack,
      identify: async (
        _issuer: string,
        { sub }: Readonly<Record<string, unknown>>,
      ): Promise<Person | null> => (sub === 'ann' ? { surface: 'slack', team: '', user: ann } : null),
    };
    const jury = await startJury(double, 'http', envOf(provider), [own, page]);
    const asked = await double.say(PASTE);
    await jury.deliver.event(payloadsOf(double).mention(PASTE, asked));
    const store = await jury.parts.store();
    await expect.poll(async () => store.pendingSpotChecks()).toBe(0);
    const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
    const { id = '' } = record ?? {};
    const signedIn = async (who: keyof typeof ACCOUNTS) => {
      provider.signsIn(who);
      const browser = browserAt(provider, jury.service.port);
      await browser.follow(`${JURY}/`);
      return browser;
    };
    const sees = async (who: keyof typeof ACCOUNTS) => {
      const browser = await signedIn(who);
      const list = await browser.visit(`${JURY}/verdicts`);
      const one = await browser.visit(`${JURY}/verdicts/${id}`);
      const voted = await browser.post(`/ui/verdicts/${id}/vote`, { value: 'agree' });
      const told = await browser.visit(`${JURY}/api/v1/verdicts/${id}`);
      return [list.text.includes(id), one.status, told.status, voted.text.includes('vote counts')];
    };
    // How a digest of the conversation knows its numbers is for its members, too.
    const known = [
      { kind: 'facts' as const, title: 'How we know', facts: [{ label: 'nightly: 81 %', value: 'n: 240' }] },
    ];
    const digest = { surface: 'slack', channel: double.channel, at: 0, headline: '81 % pass', known };
    await keepDigestPage(store, 'd1', 900, digest, Date.now());
    const reads = async (who: keyof typeof ACCOUNTS, path: string) => {
      const { status, text } = await (await signedIn(who)).visit(`${JURY}${path}`);
      return [status, text.includes('nightly: 81 %') && text.includes('n: 240')];
    };
    expect(await reads('bob', '/digests/d1/900')).toEqual([404, false]);
    expect(await reads('ann', '/digests/d1/900')).toEqual([200, true]);
    expect(await reads('ann', '/digests/d1/901')).toEqual([404, false]);
    expect(await sees('bob')).toEqual([false, 404, 404, false]);
    expect(await store.votes(id)).toEqual([]);
    expect(await sees('ann')).toEqual([true, 200, 200, true]);
    // One person, one vote, here or there.
    const pseudonym = await jury.parts.pseudonym();
    expect(await store.votes(id)).toMatchObject([
      { voter: pseudonym({ surface: 'slack', team: '', user: ann }) },
    ]);
    // Judged again at the console, the case stays with the conversation that it is from.
    const judgeAgain = async (who: keyof typeof ACCOUNTS) => {
      const body = { key: `again-by-${who}`, text: PASTE, again: id };
      return (await signedIn(who)).post('/ui/requests', body);
    };
    expect((await judgeAgain('bob')).status).toBe(409);
    const accepted = await judgeAgain('ann');
    expect(accepted.status).toBe(202);
    await expect.poll(async () => store.pendingSpotChecks()).toBe(0);
    const [again] = await store.recentVerdicts({ channel: null, limit: 1 });
    expect(again?.source).toMatchObject({ surface: 'page', channel: double.channel });
    const readsAgain = async (who: keyof typeof ACCOUNTS) =>
      (await (await signedIn(who)).visit(`${JURY}/verdicts/${again?.id}`)).status;
    expect(await readsAgain('bob')).toBe(404);
    expect(await readsAgain('ann')).toBe(200);
    // So do the page of the request and what is asked below it, even for those who have its address.
    const { view } = z.object({ view: z.string() }).parse(JSON.parse(accepted.text));
    const question = { key: 'why-did-it-fail', text: 'Why?', below: view };
    const follows = async (who: keyof typeof ACCOUNTS) => {
      const browser = await signedIn(who);
      const asked = await browser.post('/ui/requests', question);
      await expect.poll(async () => store.pendingSpotChecks()).toBe(0);
      const paths = [`/requests/${view}`, `/ui/views/${view}/events`];
      const pages = await Promise.all(paths.map((path) => browser.visit(`${JURY}${path}`)));
      return { statuses: [asked, ...pages].map(({ status }) => status), text: pages[0]?.text ?? '' };
    };
    expect((await follows('bob')).statuses).toEqual([404, 404, 204]);
    const followed = await follows('ann');
    expect(followed.statuses).toEqual([202, 200, 200]);
    expect(textOfHtml(followed.text)).toContain('To answer questions I need a model');
  });

  test('in Teams sees the verdicts of conversations that they are in, and no others', async () => {
    const double = await withTeams();
    const provider = await provide();
    const [ann, bob] = [aPerson(double, 'Ann'), aPerson(double, 'Bob')];
    const users: Record<string, string> = { ann: ann.user, bob: bob.user };
    const own = {
      ...teams,
      identify: async (_issuer: string, { sub }: Readonly<Record<string, unknown>>): Promise<Person> => ({
        surface: 'teams',
        team: TENANT,
        user: users[String(sub)] ?? '',
      }),
    };
    const jury = await runService(envOf(provider, { TEAMS_PLAYGROUND_URL: double.url }), [own, page]);
    await ann.deliver(jury.service.port, ann.message(CHANNEL, PASTE));
    const store = await jury.parts.store();
    const { id } = await until(async () => (await store.recentVerdicts({ channel: null, limit: 1 }))[0]);
    for (const [who, status] of [
      ['ann', 200],
      ['bob', 404],
      ['eve', 404],
    ] as const) {
      provider.signsIn(who);
      const browser = browserAt(provider, jury.service.port);
      const { text } = await browser.follow(`${JURY}/verdicts`);
      expect(text.includes(id)).toBe(status === 200);
      expect((await browser.visit(`${JURY}/verdicts/${id}`)).status).toBe(status);
    }
  });

  test('is shown what they may see also below thousands of verdicts that they may not', async () => {
    const { browser, jury } = await setUp();
    const store = await jury.parts.store();
    const own = aRecord({ id: 'own', at: 1_000 });
    const mine = { ...own.source, surface: 'terminal', channel: 'terminal' };
    await store.saveVerdict({ ...own, source: mine });
    const others = Array.from({ length: 2_050 }, (_, n) => aRecord({ id: `chat-${n}`, at: 2_000 + n }));
    await Promise.all(others.map((one) => store.saveVerdict(one)));
    const { text } = await browser.follow(`${JURY}/verdicts`);
    expect([...text.matchAll(/href="\/verdicts\/([\w-]+)"/g)].map(([, id]) => id)).toEqual(['own']);
    const elsewhere = await browser.visit(`${JURY}/verdicts?surface=slack`);
    expect(textOfHtml(elsewhere.text)).toContain('None found among the newest 2000');
  });

  test('votes as the subject of the issuer', async () => {
    const { browser, jury, provider } = await setUp();
    await browser.follow(`${JURY}/`);
    const { text } = await browser.post('/api/v1/verdicts', { paste: PASTE });
    const { id } = JSON.parse(text) as { id: string };
    await browser.post(`/ui/verdicts/${id}/vote`, { value: 'agree' });
    const store = await jury.parts.store();
    const pseudonym = await jury.parts.pseudonym();
    const voter = pseudonym({ surface: 'page', team: '', user: `oidc:${provider.issuer}:ann` });
    expect(await store.votes(id)).toMatchObject([{ voter, value: 'agree' }]);
  });
});
