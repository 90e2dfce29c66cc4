import { Redis } from 'ioredis';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { assemble } from '../../../src/compose.ts';
import { readEnv } from '../../../src/env.ts';
import { startService } from '../../../src/surfaces/service/start-service.ts';
import { docHtml } from '../../../src/surfaces/web/public-pages.tsx';
import { openLink } from '../../support/open-link.ts';
import { call } from '../../support/page-service.ts';
import { redisOfRun } from '../../support/redis.ts';
import { prepareRedis } from '../../support/redis-server.ts';
import { closeAfterEach, closing, newFolder } from '../../support/resources.ts';
import { slackEnv, startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

async function aService(env: Record<string, string> = {}) {
  const logged: string[] = [];
  const parts = await assemble(readEnv({ JURY_DATA_DIR: newFolder(), PORT: '0', ...env }, ''), {
    cache: false,
    warn: (message) => logged.push(message),
  });
  closing(() => parts.close());
  const service = await startService(parts, pino({}, { write: (line: string) => void logged.push(line) }));
  closing(() => service.close(0));
  const { cookie } = await openLink(service.link ?? '');
  const get = (path: string) => fetch(`http://127.0.0.1:${service.port}${path}`, { headers: { cookie } });
  return { get, logged: () => logged.join('\n') };
}

describe('a service with nothing set up', () => {
  test('serves health and metrics, and says what Slack needs', async () => {
    const { get, logged } = await aService();
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
    expect(await (await get('/readyz')).json()).toEqual({ parts: [{ name: 'store (sqlite)', ready: true }] });
    expect(await (await get('/metrics')).text()).toContain('jury_verdicts_total');
    const missing = await get('/slack/events');
    expect([missing.status, await missing.text()]).toEqual([404, 'There is no such page. Start at /.']);
    expect(logged()).toContain('slack: off; set SLACK_BOT_TOKEN, and SLACK_APP_TOKEN');
  });

  test('says on a page of its own what is on and how to turn on the rest', async () => {
    const { get, logged } = await aService({ JURY_MODEL: 'openai/gpt-4o-mini' });
    const response = await get('/status');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    const html = await response.text();
    expect(policy).toContain("style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect((await get('/assets/console.css')).status).toBe(200);
    expect(html).toContain('Set SLACK_BOT_TOKEN, and SLACK_APP_TOKEN (Socket Mode)');
    expect(html).toMatch(/Model <span class="state broken">.*OPENAI_API_KEY/);
    expect(html).toContain('Store <span class="state on">');
    expect(html).toContain('Digests <span class="state off">');
    expect(html).not.toMatch(/https?:|<script|src=/);
    expect(html).toContain('<nav aria-label="Pages"><a href="/">Ask</a><a href="/verdicts">Verdicts</a>');
    expect(logged()).toContain('console: on, in the browser');
    expect(logged()).toMatch(/web: http:\/\/127\.0\.0\.1:\d+\/ \(\/status shows what is on\)/);
    expect(logged()).toContain('store: ready');
  });

  test('links its docs, and serves no other file', async () => {
    const { get } = await aService();
    expect(await (await get('/status')).text()).toContain('<a href="/docs/deployment.md">Deployment</a>');
    const doc = await (await get('/docs/console.md')).text();
    expect(doc).toContain('<h2 id="sign-in">Sign-in</h2>');
    expect(doc).toContain('<a href="permissions.md" rel="noreferrer">may rule</a>');
    expect(doc).toContain('<a href="benchmarks.md#report" rel="noreferrer">report</a>');
    // What is not served is no link.
    expect(doc).not.toMatch(/href="images|\]\(/);
    // The text of a link may continue in the next line; no link is left as it is written.
    expect(doc).toMatch(
      /<a href="labels-and-studies.md#unbiased-votes" rel="noreferrer">Cases with a known\s+answer<\/a>/,
    );
    for (const path of ['/docs/architecture.md', '/docs/slack.md']) {
      const page = await (await get(path)).text();
      expect(page).toContain('<table>');
      expect(page).not.toMatch(/\]\(|\*\*|\|---|^```|<!--/m);
    }
    for (const path of ['/docs/nothing.md', '/docs/..%2Fpackage.json', '/docs/..%2FREADME.md'])
      expect((await get(path)).status).toBe(404);
  });

  test('shows what a doc holds of HTML as text, and leads to nothing but docs and other sites', async () => {
    const hostile = [
      '# A <script>alert(1)</script>',
      '<img src=x onerror=alert(2)>',
      '[a](javascript:alert(3)) [b](data:text/html,x) [c](/verdicts) ![d](https://x.example/d.png)',
      '[e](https://x.example/?"onclick=alert(4)) [f](slack.md#card) [g](nothing.md)',
      // Not closed: the HTML that comes next would close it.
      'Press <kbd>a <img src=x onerror=alert(5) </kbd>, <code>b <svg onload=alert(6) \n\nthen',
      '<!-- for editors -->',
      '| one | two |\n|---|---|\n| **bold** | `<b>` |',
    ];
    const html = await docHtml(hostile.join('\n\n'), ['slack.md']);
    expect(html).not.toMatch(/<(?:script|img|svg|b)\b|javascript:|data:|"onclick|href="\/|editors/);
    expect(html).toContain('&lt;script>alert(1)&lt;/script>');
    expect(html).toContain('<a href="slack.md#card" rel="noreferrer">f</a>');
    expect(html).toContain('<strong>bold</strong>');
    expect(html.match(/<a /g)).toHaveLength(2);
  });

  test('says in whole sentences that a chat cannot be reached and is tried again', async () => {
    const { get, logged } = await aService({
      TEAMS_CLIENT_ID: '01234567-89ab-cdef-0123-456789abcdef',
      TEAMS_CLIENT_SECRET: 'secret',
      // No proxy listens there.
      HTTPS_PROXY: 'http://127.0.0.1:9',
    });
    expect(logged()).toMatch(/teams: off; login\.microsoftonline\.com .*[^.]\. Jury keeps trying"/);
    expect((await get('/readyz')).status).toBe(503);
  });

  test('says what is missing where a token alone is set', async () => {
    const { logged } = await aService({ SLACK_BOT_TOKEN: 'xoxb-alone' });
    expect(logged()).toContain('set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP) too');
    expect(logged()).not.toContain('xoxb-alone');
  });
});

test('the page of a service with a chat says where to ask, and nothing of a secret', async () => {
  const slack = await withSlack();
  const jury = await startJury(slack, 'socket');
  const { text: html } = await call(jury.service.port, '/status');
  expect(html).toMatch(/In Slack at <a href="https?:[^"]+" rel="noreferrer">[^<]+<\/a>: mention @Jury/);
  expect(html).toContain('Slack <span class="state on">');
  expect(html).toContain('None scheduled: in Slack, type /jury digest in a channel');
  for (const secret of Object.values(slackEnv(slack, 'socket'))) expect(html).not.toContain(secret);
});

describe('readiness', () => {
  test.skipIf(redisOfRun().binary === null)(
    'ends while Redis takes no writes, although it can be read',
    async () => {
      const { binary } = redisOfRun();
      if (binary === null) return;
      const redis = await prepareRedis(binary);
      closing(() => redis.remove());
      await redis.start();
      const admin = new Redis(redis.url.replace('unix://', ''));
      await admin.config('SET', 'maxmemory', '1');
      const { get, logged } = await aService({ REDIS_URL: redis.url });
      const refused = await get('/readyz');
      expect(refused.status).toBe(503);
      expect(await refused.text()).toContain('its memory is full: raise maxmemory');
      expect(await (await get('/status')).text()).toContain('Store <span class="state broken">');
      expect(logged()).toContain('store: off; ');
      expect(logged()).not.toContain('store: ready');
      await admin.config('SET', 'maxmemory', '0');
      admin.disconnect();
      expect((await get('/readyz')).status).toBe(200);
    },
  );

  test.skipIf(redisOfRun().binary === null)(
    'ends while the store is away and comes back with it',
    async () => {
      const { binary } = redisOfRun();
      if (binary === null) return;
      const redis = await prepareRedis(binary);
      closing(() => redis.remove());
      await redis.start();
      const { get } = await aService({ REDIS_URL: redis.url });
      expect((await get('/readyz')).status).toBe(200);
      await redis.kill();
      expect((await get('/readyz')).status).toBe(503);
      expect(await (await get('/status')).text()).toContain('Store <span class="state broken">');
      expect((await get('/healthz')).status).toBe(200);
      await redis.start();
      while ((await get('/readyz')).status !== 200) await new Promise((done) => setTimeout(done, 20));
    },
  );
});
