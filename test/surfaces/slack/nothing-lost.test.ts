import { describe, expect, test } from 'vitest';
import { sessionOf } from '../../support/open-link.ts';
import { PASTE } from '../../support/pastes.ts';
import { redisOfRun } from '../../support/redis.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { withModel } from '../../support/service-model.ts';
import { TEAM, tokens } from '../../support/slack-double.ts';
import { overHttp, overSocket, payloadsOf, signedPost } from '../../support/slack-requests.ts';
import {
  ownRedis,
  type RunningJury,
  startJury,
  type Transport,
  withSlack,
} from '../../support/slack-service.ts';
import { aCheck } from '../../support/store-builders.ts';

closeAfterEach();

const withOwnRedis = test.skipIf(redisOfRun().binary === null);

describe.each([
  ['with a wrong signature', { secret: 'another-secret' }],
  ['that was signed more than five minutes ago', { ageS: 301 }],
  ['that was signed more than five minutes ahead', { ageS: -310 }],
])('a request %s', (_, signing) => {
  test('is refused with 401, and nothing happens', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say(PASTE);
    const forged = overHttp(jury.service.port, slack.users.jury, signing);
    expect((await forged.event(payloadsOf(slack).mention(PASTE, ts))).status).toBe(401);
    expect((await forged.interaction(payloadsOf(slack).globalShortcut())).status).toBe(401);
    await until(async () => (await (await jury.parts.store()).pendingSpotChecks()) === 0);
    expect(slack.called('chat.postMessage')).toEqual([]);
  });
});

test('refused signatures are one line of the log a minute, with how many there were', async () => {
  const slack = await withSlack();
  const jury = await startJury(slack);
  const event = payloadsOf(slack).mention(PASTE, '1700000000.000100');
  for (const signing of [{ secret: 'another' }, { ageS: 301 }, { ageS: -310 }, { secret: 'a third' }])
    await overHttp(jury.service.port, slack.users.jury, signing).event(event);
  const lines = jury.logged.filter((line) => /signature|verification|REFUSED/i.test(line));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, requests: 1 }]);
});

test('what is signed and yet nothing that Slack sends gets 400', async () => {
  const slack = await withSlack();
  const jury = await startJury(slack);
  const post = (body: string, type: string) =>
    signedPost(`http://127.0.0.1:${jury.service.port}/slack/events`, body, type);
  const [json, form] = ['application/json', 'application/x-www-form-urlencoded'];
  const nowhere = '{"type":"event_callback","team_id":null,"event":{"type":"message","channel_type":"im"}}';
  for (const body of [
    '{',
    'null',
    '[]',
    '7',
    '"x"',
    '{}',
    '{"type":"event_callback"}',
    '{"event":7}',
    '',
    nowhere,
  ])
    expect([body, (await post(body, json)).status]).toEqual([body, 400]);
  for (const body of [
    'payload=%7B',
    'payload=null',
    'payload=7',
    'a=b',
    'payload=%7B%22type%22%3A%22x%22%7D',
    `payload=${encodeURIComponent('{"type":"block_actions","actions":[{"action_id":"vote_feedback"}]}')}`,
  ])
    expect([body, (await post(body, form)).status]).toEqual([body, 400]);
});

describe.each<Transport>(['http', 'socket'])('an event over %s', (transport) => {
  test('is recorded before it is acknowledged', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, transport);
    const store = await jury.parts.store();
    const release = slack.hold('chat.postMessage');
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, '1700000000.000100'));
    const id = `slack:${TEAM}:${slack.channel}:1700000000.000100`;
    expect(await store.addSpotCheck(aCheck({ id }))).toBe('known');
    release();
  });

  test('that comes five times is judged once', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, transport);
    const ts = await slack.say(PASTE);
    const event = payloadsOf(slack).mention(PASTE, ts);
    await Promise.all(Array.from({ length: 4 }, () => jury.deliver.event(event)));
    await until(async () => (await slack.written(slack.channel, ts))[0]?.text.startsWith('FAIL'));
    await jury.deliver.event(event);
    expect(await slack.written(slack.channel, ts)).toHaveLength(1);
    expect(await (await jury.parts.store()).recentVerdicts({ channel: null, limit: 9 })).toHaveLength(1);
  });
});

describe('two replicas on one Redis', () => {
  withOwnRedis('judge an event that both are given once', async () => {
    const redis = await ownRedis();
    const slack = await withSlack();
    const env = { REDIS_URL: redis.url };
    const [one, two] = [await startJury(slack, 'http', env), await startJury(slack, 'http', env)];
    const ts = await slack.say(PASTE);
    const event = payloadsOf(slack).mention(PASTE, ts);
    await Promise.all([one, two, one, two, two].map(({ deliver }) => deliver.event(event)));
    await until(async () => (await slack.written(slack.channel, ts))[0]?.text.startsWith('FAIL'));
    expect(await slack.written(slack.channel, ts)).toHaveLength(1);
    expect(await (await one.parts.store()).recentVerdicts({ channel: null, limit: 9 })).toHaveLength(1);
  });

  withOwnRedis('stop a check of the other one', async () => {
    const redis = await ownRedis();
    const model = await withModel({ hang: true });
    const slack = await withSlack();
    const env = { REDIS_URL: redis.url, ...model };
    const [one, two] = [await startJury(slack, 'http', env), await startJury(slack, 'http', env)];
    const ts = await slack.say(PASTE);
    await one.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    const [message] = await until(async () => {
      const written = await slack.written(slack.channel, ts);
      return written[0]?.text.includes('thinking') && written;
    });
    const id = `slack:${TEAM}:${slack.channel}:${ts}`;
    await two.deliver.interaction(payloadsOf(slack).click('check_stop', id, message?.ts ?? ''));
    await until(async () => (await slack.written(slack.channel, ts))[0]?.text.startsWith('NOT DECIDED'));
  });
});

describe('a socket that breaks', () => {
  test('is closed where the service cannot start for another reason', async () => {
    const slack = await withSlack();
    const first = await startJury(slack, 'http');
    const taken = { PORT: String(first.service.port) };
    await expect(startJury(slack, 'socket', taken)).rejects.toThrow(/set PORT or HOST/);
    await until(() => slack.sockets.size === 0);
  });

  test.each<Transport>(['http', 'socket'])(
    'that cannot be opened since Slack is not reached is tried again over %s, and the rest runs meanwhile',
    async (transport) => {
      const slack = await withSlack();
      slack.refuse('auth.test', 'internal_error', 2);
      const isSocket = transport === 'socket';
      const jury = await startJury(slack, 'http', isSocket ? { SLACK_APP_TOKEN: tokens.app } : {});
      const deliver = isSocket ? overSocket(slack) : jury.deliver;
      const read = async (path: string) => {
        const { port } = jury.service;
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: sessionOf(port) });
        return { status: response.status, text: await response.text() };
      };
      expect(jury.logged.join()).toMatch(/slack: off; Slack cannot be reached \(internal_error\)/);
      expect(await read('/readyz')).toMatchObject({ status: 503 });
      expect((await read('/readyz')).text).toContain('"name":"slack","ready":false');
      expect((await read('/status')).text).toMatch(/Slack <span class="state broken">.*Jury keeps trying/);
      expect((await read('/verdicts')).status).toBe(200);
      await until(async () => (await read('/readyz')).status === 200);
      expect(jury.logged.join()).toContain('slack: on');
      const ts = await slack.say(PASTE);
      await deliver.event(payloadsOf(slack).mention(PASTE, ts));
      await until(async () => (await slack.written(slack.channel, ts))[0]?.text.startsWith('FAIL'));
    },
  );

  test('that is tried again is given up at a stop, and where its credentials are refused', async () => {
    const slack = await withSlack();
    slack.refuse('auth.test', 'internal_error', 1);
    const socket = { SLACK_APP_TOKEN: tokens.app };
    const stopped = await startJury(slack, 'http', socket);
    await stopped.service.close(0);
    slack.refuse('auth.test', 'internal_error', 1);
    const refused = await startJury(slack, 'http', socket);
    slack.refuse('auth.test', 'account_inactive', 1);
    await until(() => refused.logged.join().includes('refuses SLACK_BOT_TOKEN (account_inactive)'));
    expect(slack.sockets.size).toBe(0);
  });

  test('whose credentials Slack refuses turns Slack off; the rest runs, and the log says what to mend', async () => {
    const slack = await withSlack();
    const running = async ({ service }: RunningJury) =>
      (await fetch(`http://127.0.0.1:${service.port}/readyz`)).status;
    slack.refuse('apps.connections.open', 'invalid_auth');
    const socket = await startJury(slack, 'http', { SLACK_APP_TOKEN: tokens.app });
    expect(socket.logged.join()).toMatch(/slack: off; Slack refuses SLACK_APP_TOKEN \(invalid_auth\)/);
    expect(socket.logged.join()).not.toContain('slack: on');
    expect(await running(socket)).toBe(200);
    slack.refuse('auth.test', 'account_inactive');
    const http = await startJury(slack, 'http');
    expect(http.logged.join()).toMatch(/slack: off; Slack refuses SLACK_BOT_TOKEN \(account_inactive\)/);
    expect(await running(http)).toBe(200);
    expect(http.logged.join()).not.toContain(tokens.bot);
  });
});

describe('a service that is stopped', () => {
  test('leaves what it cannot finish to the next one', async () => {
    const slack = await withSlack();
    const folder = newFolder();
    const slow = await withModel({ until: new Promise(() => {}) });
    const first = await startJury(slack, 'http', { ...slow, JURY_DATA_DIR: folder });
    const ts = await slack.say(PASTE);
    await first.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await until(async () => (await slack.written(slack.channel, ts))[0]?.text.includes('thinking'));
    await first.service.close(0);
    await first.parts.close();
    const quick = await withModel({});
    await startJury(slack, 'http', { ...quick, JURY_DATA_DIR: folder });
    await until(async () => (await slack.written(slack.channel, ts))[0]?.text.startsWith('PASS'));
    expect(await slack.written(slack.channel, ts)).toHaveLength(1);
  });
});

describe('several cases that a stop interrupts', () => {
  test('stay in one message: those that were judged keep their verdicts, the others are judged by the next process', async () => {
    const slack = await withSlack();
    const folder = newFolder();
    const half = await withModel({ until: new Promise(() => {}), atOnce: 7 });
    const first = await startJury(slack, 'http', { ...half, JURY_DATA_DIR: folder });
    const cases = Array.from({ length: 6 }, (_, index) =>
      JSON.stringify({
        id: `n${index}`,
        conversation: [{ role: 'user', text: 'Hi' }],
        response: `Ho ${index}`,
      }),
    );
    const ts = await slack.say('these');
    const files = [slack.share('cases.jsonl', cases.join('\n'))];
    await first.deliver.event(payloadsOf(slack).mention('these', ts, { files }));
    const store = await first.parts.store();
    const before = await until(async () => {
      const records = await store.recentVerdicts({ channel: null, limit: 9 });
      return records.length > 0 && records;
    });
    await first.close();
    const quick = await withModel({});
    const second = await startJury(slack, 'http', { ...quick, JURY_DATA_DIR: folder });
    await until(async () => (await slack.written(slack.channel, ts))[0]?.text.startsWith('6 cases: 6 pass'));
    const written = await slack.written(slack.channel, ts);
    expect(written).toHaveLength(1);
    const after = await (await second.parts.store()).recentVerdicts({ channel: null, limit: 9 });
    expect(after).toHaveLength(6);
    expect(after).toEqual(expect.arrayContaining(before));
  });
});
