import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { keepDigestPage } from '../../../src/digests/digest-page.ts';
import { readEnv } from '../../../src/env.ts';
import type { Person } from '../../../src/labels/access/permissions.ts';
import { slack } from '../../../src/surfaces/slack/surface.ts';
import type { Surface } from '../../../src/surfaces/surface.ts';
import { teams } from '../../../src/surfaces/teams/surface.ts';
import { page } from '../../../src/surfaces/web/page-surface.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../support/openid-provider.ts';
import { textOfHtml } from '../../support/page-service.ts';
import { PASTE } from '../../support/pastes.ts';
import { redisOfRun } from '../../support/redis.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { jury as runJury } from '../../support/run-jury.ts';
import { type RunningService, runService } from '../../support/run-service.ts';
import {
  type ACCOUNTS,
  answered,
  browserAt,
  DONE,
  envOf,
  isOut,
  JURY,
  provide,
  setUp,
} from '../../support/sign-in.ts';
import { TEAM } from '../../support/slack-double.ts';
import { payloadsOf } from '../../support/slack-requests.ts';
import { ownRedis, startJury, withSlack } from '../../support/slack-service.ts';
import { aRecord } from '../../support/store-builders.ts';
import { aPerson, CHANNEL, TENANT, withTeams } from '../../support/teams-service.ts';

closeAfterEach();

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
      expect([status, text]).toEqual([503, expect.stringContaining('cannot reach my storage')]);
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
