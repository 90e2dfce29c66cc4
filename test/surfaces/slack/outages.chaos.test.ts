import { describe, expect, inject, test } from 'vitest';
import { PASTE } from '../../support/pastes.ts';
import { redisOfRun } from '../../support/redis.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { withModel } from '../../support/service-model.ts';
import type { SlackDouble } from '../../support/slack-double.ts';
import { payloadsOf } from '../../support/slack-requests.ts';
import { ownRedis, startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();
const { rounds } = inject('counts');
const withOwnRedis = test.skipIf(redisOfRun().binary === null);

const textIn = async (slack: SlackDouble, thread: string): Promise<string> =>
  (await slack.written(slack.channel, thread))[0]?.text ?? '';

describe('when Redis goes away', () => {
  withOwnRedis(
    'a person who asks or votes is notified at once, nothing shows as counted, and all works when it is back',
    { repeats: rounds - 1 },
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
          .some(({ args }) => String(args.text).includes('nothing was saved')),
      );
      const second = await slack.say(PASTE);
      expect((await jury.deliver.event(ann.mention(PASTE, second))).status).toBe(503);
      await until(() =>
        slack
          .called('chat.postEphemeral')
          .some(({ args }) => String(args.text).includes('Slack sends your request again')),
      );
      const shown = await slack.message(slack.channel, card.ts, first);
      expect(JSON.stringify(shown?.blocks)).toContain('"text":"👍"');

      await redis.start();
      await until(async () =>
        (await jury.parts.store()).ping().then(
          () => true,
          () => false,
        ),
      );
      await jury.deliver.interaction(ann.click('vote_feedback', `agree ${record?.id}`, card.ts));
      await until(async () =>
        JSON.stringify((await slack.message(slack.channel, card.ts, first))?.blocks).includes('👍 1'),
      );
    },
  );

  withOwnRedis(
    'a case that is being judged is finished when it is back, in the same message',
    { repeats: rounds - 1 },
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
        return written[0]?.text.includes('thinking') && written;
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
  );
});

describe('a socket that breaks', () => {
  test('is opened again, however often Slack cannot be reached meanwhile', {
    repeats: rounds - 1,
  }, async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, 'socket');
    slack.cut('apps.connections.open', 6);
    for (const socket of slack.sockets) socket.close();
    await until(() => slack.called('apps.connections.open').length === 8 && slack.sockets.size > 0);
    const ts = await slack.say(PASTE);
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await until(async () => (await slack.written(slack.channel, ts))[0]?.text.startsWith('FAIL'));
  });
});

describe('a service that is stopped while Slack does not answer', () => {
  test('ends all the same and leaves the card to the next one', async () => {
    const slack = await withSlack();
    const folder = newFolder();
    const first = await startJury(slack, 'http', { JURY_DATA_DIR: folder });
    const release = slack.hold('chat.update');
    const ts = await slack.say(PASTE);
    await first.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await until(() => slack.called('chat.update').length > 0);
    await first.close();
    expect(await textIn(slack, ts)).toMatch(/^Reading/);
    release();
    await startJury(slack, 'http', { JURY_DATA_DIR: folder });
    await until(async () => (await textIn(slack, ts)).startsWith('FAIL'));
    expect(await slack.written(slack.channel, ts)).toHaveLength(1);
  });
});
