import { once } from 'node:events';
import { describe, expect, inject, test } from 'vitest';
import { openStore } from '../../../src/stores/open-store.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, closing, newFolder, until } from '../../support/resources.ts';
import { spawnJury as startProcess } from '../../support/run-jury.ts';
import { withModel } from '../../support/service-model.ts';
import type { SlackDouble } from '../../support/slack-double.ts';
import { eventBody, payloadsOf } from '../../support/slack-requests.ts';
import { slackEnv, withSlack } from '../../support/slack-service.ts';

closeAfterEach();
const { rounds } = inject('counts');

const shows = async (slack: SlackDouble, thread: string, start: string): Promise<boolean> =>
  (await slack.written(slack.channel, thread)).some(({ text }) => text.startsWith(start));

/** When the process is killed: resolves then, to what is let go afterwards. */
type Moment = (slack: SlackDouble, thread: string) => Promise<() => void>;

/** Kept, and maybe acknowledged; nothing is shown, nor will it be. */
const beforeThePlaceholder: Moment = async (slack) => {
  let takesNothing = true;
  slack.refuse('chat.postMessage', 'ratelimited', Number.POSITIVE_INFINITY, () => takesNothing);
  await until(() => slack.called('chat.postMessage').length > 0);
  return () => {
    takesNothing = false;
  };
};

/** Slack has the placeholder, but its answer comes too late. */
const whileThePlaceholderIsPosted: Moment = async (slack) => {
  const release = slack.hold('chat.postMessage');
  await until(() => slack.called('chat.postMessage').length > 0);
  return release;
};

/** Somewhere between the card, the end of the request and quiet. */
const asSoonAsTheCardIsThere: Moment = async (slack, thread) => {
  await until(() => shows(slack, thread, 'FAIL'));
  return () => {};
};

describe.each([
  ['before the placeholder', beforeThePlaceholder, false],
  ['while the placeholder is posted', whileThePlaceholderIsPosted, true],
  ['as soon as the card is there', asSoonAsTheCardIsThere, true],
])('a process that is killed %s', (_, moment, isPosted) => {
  test('leaves one card, of one verdict, with the help of the next one', {
    repeats: rounds - 1,
  }, async () => {
    const slack = await withSlack();
    const folder = newFolder();
    const env = { ...slackEnv(slack, 'socket'), JURY_DATA_DIR: folder, PORT: '0' };
    const first = startProcess(['serve'], { env });
    await until(() => slack.sockets.size > 0);
    const ts = await slack.say(PASTE);
    const reached = moment(slack, ts);
    const body = eventBody(payloadsOf(slack).mention(PASTE, ts), slack.users.jury);
    void slack.sendEnvelope('events_api', body);
    const release = await reached;
    first.kill('SIGKILL');
    await until(() => slack.sockets.size === 0);
    release();
    if (isPosted) await until(async () => (await slack.written(slack.channel, ts)).length > 0);

    const second = startProcess(['serve'], { env });
    closing(async () => {
      second.kill('SIGTERM');
      await once(second, 'exit');
    });
    await until(() => slack.sockets.size > 0);
    // Slack sends again what it got no answer for.
    void slack.sendEnvelope('events_api', body);
    const store = await openStore({ JURY_DATA_DIR: folder }, () => {});
    closing(() => store.close());
    await until(async () => (await shows(slack, ts, 'FAIL')) && (await store.pendingSpotChecks()) === 0);
    expect(await slack.written(slack.channel, ts)).toHaveLength(1);
    expect(await store.recentVerdicts({ channel: null, limit: 9 })).toHaveLength(1);
  });
});

describe('a process that is killed between placeholder and card', () => {
  test('leaves the case to the next one, which puts the card into the same message, once', {
    repeats: rounds - 1,
  }, async () => {
    const slack = await withSlack();
    const model = await withModel({ until: new Promise(() => {}) });
    const folder = newFolder();
    const env = { ...slackEnv(slack, 'socket'), ...model, JURY_DATA_DIR: folder, PORT: '0' };
    const first = startProcess(['serve'], { env });
    await until(() => slack.sockets.size > 0);
    const ts = await slack.say(PASTE);
    await slack.sendEnvelope('events_api', eventBody(payloadsOf(slack).mention(PASTE, ts), slack.users.jury));
    const [placeholder] = await until(async () => {
      const written = await slack.written(slack.channel, ts);
      const isUnderWay = written[0]?.text.includes('thinking');
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
  });
});
