import { describe, expect, test } from 'vitest';
import { GOOD_PASTE, PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { withModel } from '../../support/service-model.ts';
import { nextTs, payloadsOf } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

/** A request in a conversation with the app, judged, and what Slack sends when it changes. */
async function judged(direct = true) {
  const slack = await withSlack();
  const jury = await startJury(slack);
  const channel = direct ? slack.im : slack.channel;
  const ts = await slack.say(PASTE, { channel });
  const { directMessage, mention } = payloadsOf(slack);
  await jury.deliver.event(direct ? directMessage(PASTE, ts) : mention(PASTE, ts));
  const written = () => slack.written(channel, ts);
  await until(async () => (await written())[0]?.text.startsWith('FAIL'));
  const store = await jury.parts.store();
  await until(async () => (await store.pendingSpotChecks()) === 0);
  const message = (text: string) => ({ type: 'message', user: slack.users.ann, text, ts });
  const change = (more: Record<string, unknown>) =>
    jury.deliver.event({ type: 'message', channel, channel_type: direct ? 'im' : 'channel', ...more });
  return {
    slack,
    jury,
    store,
    channel,
    ts,
    written,
    edit: (text: string) =>
      change({
        subtype: 'message_changed',
        message: { ...message(text), edited: { user: slack.users.ann, ts: nextTs() } },
        previous_message: message(PASTE),
      }),
    change,
    message,
    verdicts: () => store.recentVerdicts({ channel: null, limit: 9 }),
  };
}

describe('a request that was edited', () => {
  test('offers to judge again, and is judged as it reads then, once', async () => {
    const { slack, jury, store, ts, written, edit, change, verdicts } = await judged();
    await edit(GOOD_PASTE.replace('4.3\n', '4.2\n'));
    await edit(GOOD_PASTE);
    const offers = async () =>
      (await written()).filter(({ blocks }) => JSON.stringify(blocks).includes('judge_edited'));
    const [offer] = await until(async () => (await offers()).length > 0 && offers());
    expect(await offers()).toHaveLength(1);
    expect(offer?.text).toContain('You changed this message after it was judged');
    const [, value = ''] = /"value":"([^"]+)"/.exec(JSON.stringify(offer?.blocks)) ?? [];
    const inConversation = { channel: { id: slack.im, name: 'directmessage' }, message: { ts, text: '' } };
    const click = payloadsOf(slack).click('judge_edited', value, offer?.ts ?? '', inConversation);
    await Promise.all([jury.deliver.interaction(click), jury.deliver.interaction(click)]);
    await until(async () => (await written()).some(({ text }) => text.startsWith('PASS')));
    expect((await verdicts()).map(({ verdict }) => verdict.decision).sort()).toEqual(['fail', 'pass']);
    expect((await verdicts())[0]?.evalCase.recommendation).toMatchObject({ rating: 4.3 });
    await until(async () => (await store.pendingSpotChecks()) === 0);
    await change({ subtype: 'message_deleted', deleted_ts: ts });
    await until(async () => !(await written()).some(({ text }) => /^(FAIL|PASS)/.test(text)));
    expect(slack.problems).toEqual([]);
  });

  test('is offered with the next edit if Slack did not take the offer', async () => {
    const { slack, written, edit } = await judged();
    slack.refuse('chat.postMessage', 'restricted_action', 1);
    await edit(GOOD_PASTE.replace('4.3\n', '4.2\n'));
    await until(() => slack.called('chat.postMessage').some(({ refused }) => refused));
    const isOffered = async () => (await written()).some(({ text }) => text.startsWith('You changed this'));
    expect(await isOffered()).toBe(false);
    await until(async () => {
      await edit(GOOD_PASTE);
      return isOffered();
    });
  });

  test('is not offered for a link that Slack has looked at, nor for a message that asked nothing', async () => {
    const { slack, change, message, store } = await judged();
    await change({
      subtype: 'message_changed',
      message: { ...message(PASTE), attachments: [{ text: 'a page' }] },
      previous_message: message(PASTE),
    });
    await change({
      subtype: 'message_changed',
      message: { ...message('other'), ts: '1.1', edited: { user: slack.users.ann, ts: '1.2' } },
      previous_message: { ...message('before'), ts: '1.1' },
    });
    await until(async () => (await store.pendingSpotChecks()) === 0);
    expect(slack.called('chat.postMessage')).toHaveLength(1);
  });
});

describe('a request that was deleted', () => {
  test.each([true, false])(
    'withdraws its card and its verdict from every list (direct: %s)',
    async (direct) => {
      const { slack, jury, ts, channel, change, written, verdicts } = await judged(direct);
      const [card] = await written();
      const [record] = await verdicts();
      // As Slack says it where answers stand in the thread: a stone in the place of the message.
      await change({
        subtype: 'message_changed',
        message: { type: 'message', subtype: 'tombstone', user: 'USLACKBOT', text: 'deleted', ts },
      });
      await until(() => slack.called('chat.delete').length === 1);
      expect(slack.called('chat.delete')[0]?.args).toMatchObject({ channel, ts: card?.ts });
      await jury.deliver.interaction(payloadsOf(slack).click('verdict_details', record?.id ?? '', ts));
      await until(() =>
        [...slack.called('chat.postEphemeral'), ...slack.called('chat.postMessage')].some(({ args }) =>
          String(args.text).includes('no longer kept'),
        ),
      );
      expect(slack.called('views.open')).toEqual([]);
      await jury.deliver.event({
        type: 'app_home_opened',
        user: slack.users.ann,
        channel: slack.im,
        tab: 'home',
        event_ts: '1.1',
      });
      const home = await until(() => slack.called('views.publish')[0]);
      expect(JSON.stringify(home.args.view)).not.toContain('rated at least 4.5');
    },
  );

  test('while it is judged is stopped, and its message goes; no one reads a verdict', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, 'http', await withModel({ hang: true }));
    const ts = await slack.say(PASTE, { channel: slack.im });
    await jury.deliver.event(payloadsOf(slack).directMessage(PASTE, ts));
    await until(async () => (await slack.written(slack.im, ts)).length === 1);
    await jury.deliver.event({
      type: 'message',
      subtype: 'message_deleted',
      channel: slack.im,
      channel_type: 'im',
      deleted_ts: ts,
    });
    const store = await jury.parts.store();
    await until(async () => (await store.pendingSpotChecks()) === 0);
    await until(async () => (await slack.written(slack.im, ts)).length === 0);
    expect(slack.called('chat.postMessage')).toHaveLength(1);
  });

  test('that asked nothing leaves all as it is', async () => {
    const { slack, change } = await judged(false);
    await change({ subtype: 'message_deleted', deleted_ts: '1.1' });
    const own = {
      subtype: 'message_deleted',
      deleted_ts: '1.2',
      previous_message: { ts: '1.2', bot_id: 'B1' },
    };
    await change({ ...own, channel: slack.im, channel_type: 'im' });
    expect(slack.called('chat.delete')).toEqual([]);
  });
});
