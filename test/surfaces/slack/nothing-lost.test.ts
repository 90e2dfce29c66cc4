import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { startModelDouble } from '../../support/model-double.ts';
import { redisOfRun } from '../../support/redis.ts';
import { prepareRedis } from '../../support/redis-server.ts';
import { spawnJury as startProcess } from '../../support/run-jury.ts';
import { TEAM } from '../../support/slack-double.ts';
import { PASTE } from '../../support/slack-pastes.ts';
import { eventBody, overHttp, payloadsOf } from '../../support/slack-requests.ts';
import {
  closeAfterEach,
  closing,
  newFolder,
  slackEnv,
  startJury,
  type Transport,
  until,
  withSlack,
} from '../../support/slack-service.ts';
import { aCheck } from '../../support/store-builders.ts';

closeAfterEach();

const withOwnRedis = test.skipIf(redisOfRun().binary === null);

describe.each([
  ['with a wrong signature', { secret: 'another-secret' }],
  ['that was signed more than five minutes ago', { ageS: 301 }],
])('a request %s', (_, signing) => {
  test('is refused with 401, and nothing happens', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say(PASTE);
    const forged = overHttp(jury.service.port, slack.users.jury, signing);
    expect((await forged.event(payloadsOf(slack).mention(PASTE, ts))).status).toBe(401);
    expect((await forged.interaction(payloadsOf(slack).globalShortcut())).status).toBe(401);
    expect(await (await jury.parts.store()).pendingSpotChecks()).toBe(0);
    expect(slack.called('chat.postMessage')).toEqual([]);
  });
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
      return written[0]?.text.startsWith('Judging') && written;
    });
    const id = `slack:${TEAM}:${slack.channel}:${ts}`;
    await two.deliver.interaction(payloadsOf(slack).click('check_stop', id, message?.ts ?? ''));
    await until(async () => (await slack.written(slack.channel, ts))[0]?.text.startsWith('UNDECIDED'));
  });
});

describe('when Redis goes away', () => {
  withOwnRedis(
    'who asks or votes is told at once, nothing shows as counted, and all works when it is back',
    async () => {
      const redis = await ownRedis();
      const slack = await withSlack();
      const jury = await startJury(slack, 'http', { REDIS_URL: redis.url });
      const ann = payloadsOf(slack);
      const first = await slack.say(PASTE);
      await jury.deliver.event(ann.mention(PASTE, first));
      const card = await until(async () => {
        const [message] = await slack.written(slack.channel, first);
        return message?.text.startsWith('FAIL') && message;
      });
      const [record] = await (await jury.parts.store()).recentVerdicts({ channel: null, limit: 1 });
      await redis.kill();

      expect(
        (await jury.deliver.interaction(ann.click('vote_feedback', `agree ${record?.id}`, card.ts))).status,
      ).toBe(200);
      await until(() =>
        slack
          .called('chat.postEphemeral')
          .some(({ args }) => String(args.text).includes('your vote was not kept')),
      );
      const second = await slack.say(PASTE);
      expect((await jury.deliver.event(ann.mention(PASTE, second))).status).toBe(200);
      await until(() =>
        slack
          .called('chat.postEphemeral')
          .some(({ args }) => String(args.text).includes('your request was not kept')),
      );
      const shown = await slack.message(slack.channel, card.ts, first);
      expect(JSON.stringify(shown?.blocks)).toContain('No votes yet');

      await redis.start();
      await until(async () =>
        (await jury.parts.store()).ping().then(
          () => true,
          () => false,
        ),
      );
      await jury.deliver.interaction(ann.click('vote_feedback', `agree ${record?.id}`, card.ts));
      await until(async () =>
        JSON.stringify((await slack.message(slack.channel, card.ts, first))?.blocks).includes('1 agrees'),
      );
    },
  );

  withOwnRedis(
    'a case that is being judged is finished when it is back, in the same message',
    async () => {
      const redis = await ownRedis();
      const slack = await withSlack();
      let answerNow = () => {};
      const answered = new Promise<void>((done) => {
        answerNow = done;
      });
      const model = await withModel({ until: answered });
      const jury = await startJury(slack, 'http', { REDIS_URL: redis.url, ...model });
      const ts = await slack.say(PASTE);
      await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
      const [placeholder] = await until(async () => {
        const written = await slack.written(slack.channel, ts);
        return written[0]?.text.startsWith('Judging') && written;
      });
      await redis.kill();
      answerNow();
      await until(async () =>
        (await slack.written(slack.channel, ts))[0]?.text.startsWith('The store cannot be reached'),
      );
      await redis.start();
      const [card] = await until(async () => {
        const written = await slack.written(slack.channel, ts);
        return written[0]?.text.startsWith('PASS') && written;
      });
      expect(card?.ts).toBe(placeholder?.ts);
    },
    60_000,
  );
});

describe.each([
  ['a placeholder', false],
  ['a native stream', true],
])('a process that is killed between %s and card', (_, streams) => {
  test('leaves the case to the next one, which puts the card into the same message, once', async () => {
    const slack = await withSlack({ streams });
    const model = await withModel({ until: new Promise(() => {}) });
    const folder = newFolder();
    const env = { ...slackEnv(slack, 'socket'), ...model, JURY_DATA_DIR: folder, PORT: '0' };
    const first = startProcess(['serve'], { env });
    await until(() => slack.sockets.size > 0);
    const ts = await slack.say(PASTE);
    await slack.sendEnvelope('events_api', eventBody(payloadsOf(slack).mention(PASTE, ts), slack.users.jury));
    const [placeholder] = await until(async () => {
      const written = await slack.written(slack.channel, ts);
      const isUnderWay =
        written[0]?.text.startsWith('Judging') || slack.called('chat.appendStream').length > 0;
      return isUnderWay && written;
    });
    first.kill('SIGKILL');
    await until(() => slack.sockets.size === 0);
    const quick = await withModel({});
    const second = startProcess(['serve'], { env: { ...env, ...quick } });
    closing(async () => {
      second.kill('SIGTERM');
      await once(second, 'exit');
    });
    const [card] = await until(async () => {
      const written = await slack.written(slack.channel, ts);
      return written[0]?.text.startsWith('PASS') && written;
    });
    expect(card?.ts).toBe(placeholder?.ts);
    expect(await slack.written(slack.channel, ts)).toHaveLength(1);
  }, 60_000);
});

describe('a socket that breaks', () => {
  test('is opened again, however often Slack cannot be reached meanwhile', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, 'socket');
    slack.cut('apps.connections.open', 6);
    for (const socket of slack.sockets) socket.close();
    await until(() => slack.called('apps.connections.open').length === 8 && slack.sockets.size > 0);
    const ts = await slack.say(PASTE);
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await until(async () => (await slack.written(slack.channel, ts))[0]?.text.startsWith('FAIL'));
  }, 60_000);

  test('is closed where the service cannot start for another reason', async () => {
    const slack = await withSlack();
    const first = await startJury(slack, 'http');
    const taken = { PORT: String(first.service.port) };
    await expect(startJury(slack, 'socket', taken)).rejects.toThrow(/set PORT or HOST/);
    await until(() => slack.sockets.size === 0);
  });

  test('that Slack refuses to open stops the start with what to mend', async () => {
    const slack = await withSlack();
    slack.refuse('apps.connections.open', 'invalid_auth');
    await expect(startJury(slack, 'socket')).rejects.toThrow(/SLACK_APP_TOKEN \(invalid_auth\)/);
    slack.refuse('auth.test', 'account_inactive');
    await expect(startJury(slack, 'http')).rejects.toThrow(/SLACK_BOT_TOKEN \(account_inactive\)/);
  });
});

describe('a service that is told to stop', () => {
  test('leaves what it cannot finish to the next one', async () => {
    const slack = await withSlack();
    const folder = newFolder();
    const slow = await withModel({ until: new Promise(() => {}) });
    const first = await startJury(slack, 'http', { ...slow, JURY_DATA_DIR: folder });
    const ts = await slack.say(PASTE);
    await first.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await until(async () => (await slack.written(slack.channel, ts))[0]?.text.startsWith('Judging'));
    await first.service.close(0);
    await first.parts.close();
    const quick = await withModel({});
    await startJury(slack, 'http', { ...quick, JURY_DATA_DIR: folder });
    await until(async () => (await slack.written(slack.channel, ts))[0]?.text.startsWith('PASS'));
    expect(await slack.written(slack.channel, ts)).toHaveLength(1);
  }, 60_000);
});

describe('several cases that a stop interrupts', () => {
  test('each get one card: those that were judged keep theirs, the others are judged by the next process', async () => {
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
    await until(async () =>
      (await slack.written(slack.channel, ts))[0]?.text.startsWith('6 cases: 6 passed'),
    );
    const written = await slack.written(slack.channel, ts);
    expect(written).toHaveLength(7);
    expect(
      written
        .slice(1)
        .map(({ text }) => text.split(':')[0])
        .sort(),
    ).toEqual(cases.map((_, index) => `PASS on n${index}`));
    const after = await (await second.parts.store()).recentVerdicts({ channel: null, limit: 9 });
    expect(after).toHaveLength(6);
    expect(after).toEqual(expect.arrayContaining(before));
  }, 60_000);
});

/** A Redis of the test's own. */
async function ownRedis() {
  const { binary } = redisOfRun();
  if (binary === null) throw new Error('there is no redis-server');
  const redis = await prepareRedis(binary);
  closing(() => redis.remove());
  await redis.start();
  return redis;
}

/** The environment of a model that passes everything, at once, later or never. */
async function withModel({
  until: moment,
  hang = false,
  atOnce = 0,
}: {
  until?: Promise<void>;
  hang?: boolean;
  /** So many are answered at once all the same. */
  atOnce?: number;
}) {
  const double = await startModelDouble({
    answer: async ({ n }) => {
      if (n > atOnce) await moment;
      return { hang, fields: { decision: 'pass' } };
    },
  });
  closing(() => double.close());
  return { JURY_MODEL: 'openai/gpt-4o-mini', OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: double.baseUrl };
}
