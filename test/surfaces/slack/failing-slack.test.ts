import { describe, expect, test } from 'vitest';
import { GOOD_PASTE, PASTE } from '../../support/pastes.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { oneQuickJudge } from '../../support/service-model.ts';
import { type SlackDouble, TEAM, tokens } from '../../support/slack-double.ts';
import { lastView, nextTs, payloadsOf, unchanged } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';
import { aCheck } from '../../support/store-builders.ts';

closeAfterEach();

const textIn = async (slack: SlackDouble, thread: string): Promise<string> =>
  (await slack.written(slack.channel, thread))[0]?.text ?? '';

const toAnn = (slack: SlackDouble) =>
  slack.called('chat.postMessage').filter(({ args }) => args.channel === slack.users.ann);

describe('a placeholder that was deleted', () => {
  test('is made up for in person, once, with a way to the verdict', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    slack.refuse('chat.update', 'message_not_found');
    const ts = await slack.say(PASTE);
    const ann = payloadsOf(slack);
    await jury.deliver.event(ann.mention(PASTE, ts));
    const store = await jury.parts.store();
    const [told] = await until(() => toAnn(slack).length > 0 && toAnn(slack));
    expect(told?.args.text).toMatch(/^Your verdict is fail, but I cannot show its card/);
    await until(async () => (await store.pendingSpotChecks()) === 0);
    const [record] = await store.recentVerdicts({ channel: null, limit: 9 });
    expect(JSON.stringify(told?.args.blocks)).toContain(`"value":"${record?.id}"`);
    await jury.deliver.interaction(ann.click('verdict_details', record?.id ?? '', '1.1'));
    const details = await until(() => slack.called('views.open').length > 0 && lastView(slack));
    expect(details.callback_id).toBe('details_view');
    expect(toAnn(slack)).toHaveLength(1);
  });

  test('is made up for in person where there was nothing to judge, too', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    slack.refuse('chat.update', 'message_not_found');
    const text = 'User: Find me a sushi place';
    const ts = await slack.say(text);
    await jury.deliver.event(payloadsOf(slack).mention(text, ts));
    await until(() => toAnn(slack).some(({ args }) => String(args.text).includes('Ask again')));
    const store = await jury.parts.store();
    await until(async () => (await store.pendingSpotChecks()) === 0);
  });

  test('of one of several cases does not keep the others from being shown and counted', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    slack.refuse('chat.update', 'message_not_found', Number.POSITIVE_INFINITY, ({ args }) =>
      String(args.text).includes('on gone'),
    );
    const ts = await slack.say('these');
    const files = ['one', 'gone', 'two', 'three', 'four', 'five'].map((name) =>
      slack.share(`${name}.txt`, GOOD_PASTE),
    );
    await jury.deliver.event(payloadsOf(slack).mention('these', ts, { files }));
    await until(async () => (await textIn(slack, ts)).startsWith('6 cases: 6 pass'));
    const store = await jury.parts.store();
    await until(async () => (await store.pendingSpotChecks()) === 0);
    const summary = JSON.stringify((await slack.written(slack.channel, ts))[0]?.blocks);
    expect(summary).not.toContain('check_stop');
  });
});

describe('a card that Slack refuses for good', () => {
  test('is not tried again: that is said in its place, and the verdict is told in person', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const isCard = ({ args }: { args: Record<string, unknown> }) => /^FAIL/.test(String(args.text));
    slack.refuse('chat.update', 'msg_too_long', Number.POSITIVE_INFINITY, isCard);
    const ts = await slack.say(PASTE);
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    const store = await jury.parts.store();
    const [told] = await until(() => toAnn(slack).length > 0 && toAnn(slack));
    await until(async () => (await store.pendingSpotChecks()) === 0);
    expect(told?.args.text).toBe(
      'Your verdict is fail, but I cannot show its card: Slack refuses it (msg_too_long).',
    );
    expect(await textIn(slack, ts)).toContain('The verdict stands, but it cannot be shown here');
    expect(slack.called('chat.update').filter(isCard)).toHaveLength(1);
    expect(toAnn(slack)).toHaveLength(1);
  });
});

describe('passing errors of Slack', () => {
  test.each(['chat.postMessage', 'conversations.replies', 'chat.postEphemeral', 'views.open'])(
    'of %s are tried again',
    async (method) => {
      const slack = await withSlack();
      const jury = await startJury(slack);
      const ann = payloadsOf(slack);
      const root = await slack.say(PASTE);
      const below = await slack.say('?', { thread: root });
      slack.refuse(method, 'service_unavailable', 2);
      await jury.deliver.event(ann.mention('?', below, { thread_ts: root }));
      await jury.deliver.interaction(ann.click('open_form', 'no-such-draft', '1.1'));
      await jury.deliver.interaction(ann.globalShortcut());
      await until(async () => (await textIn(slack, root)).startsWith('FAIL'));
      await until(() => slack.called('chat.postEphemeral').some(({ refused }) => !refused));
      await until(() => slack.called('views.open').some(({ refused }) => !refused));
      expect(slack.called(method).filter(({ refused }) => refused)).toHaveLength(2);
      expect(await slack.written(slack.channel, root)).toHaveLength(1);
    },
  );

  test('of a deletion are tried again', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say(PASTE, { channel: slack.im });
    const written = () => slack.written(slack.im, ts);
    await jury.deliver.event(payloadsOf(slack).directMessage(PASTE, ts));
    await until(async () => (await written())[0]?.text.startsWith('FAIL'));
    slack.refuse('chat.delete', 'internal_error', 7);
    const gone = { type: 'message', subtype: 'message_deleted', channel: slack.im, channel_type: 'im' };
    await jury.deliver.event({ ...gone, deleted_ts: ts });
    await until(async () => (await written()).length === 0);
    expect(slack.called('chat.delete')).toHaveLength(8);
  });
});

describe('a native stream, as version 0.1 began', () => {
  test('of a process that died before it could note it becomes the card', async () => {
    const slack = await withSlack({ streams: true });
    const ts = await slack.say(PASTE);
    const id = `slack:${TEAM}:${slack.channel}:${ts}`;
    const text = { type: 'plain_text', text: 'Stop' };
    const stop = { type: 'button', action_id: 'check_stop', value: id, text };
    const chunks = [{ type: 'blocks', blocks: [{ type: 'actions', elements: [stop] }] }];
    await fetch(`${slack.apiUrl}chat.startStream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.bot}` },
      body: new URLSearchParams({ channel: slack.channel, thread_ts: ts, chunks: JSON.stringify(chunks) }),
    });
    const jury = await startJury(slack);
    const place = { team: TEAM, channel: slack.channel, thread: ts, requestedBy: slack.users.ann };
    const input = { kind: 'message' as const, message: ts, text: PASTE, files: [] };
    await (await jury.parts.store()).addSpotCheck(
      aCheck({ id, surface: 'slack', at: Date.now(), ...place, input }),
    );
    await until(async () => (await textIn(slack, ts)).startsWith('FAIL'));
    expect(await slack.written(slack.channel, ts)).toHaveLength(1);
    expect(slack.streamStates()).toEqual(['ended']);
  });
});

describe('progress that Slack wants less of', () => {
  test('is left out and holds up neither forms nor the card', async () => {
    const { env, letGo } = await oneQuickJudge();
    const slack = await withSlack();
    const jury = await startJury(slack, 'http', env);
    const isProgress = ({ args }: { args: Record<string, unknown> }) =>
      String(args.text).includes('thinking');
    slack.refuse('chat.update', 'ratelimited', Number.POSITIVE_INFINITY, isProgress);
    const ts = await slack.say(PASTE);
    const ann = payloadsOf(slack);
    await jury.deliver.event(ann.mention(PASTE, ts));
    await until(() => slack.called('chat.update').some(isProgress));
    await jury.deliver.interaction(ann.globalShortcut());
    await until(() => slack.called('views.open').length > 0);
    letGo();
    await until(async () => (await textIn(slack, ts)).startsWith('FAIL'));
    const shown = slack
      .called('chat.update')
      .filter(isProgress)
      .map(({ args }) => args.text);
    expect(new Set(shown).size).toBe(shown.length);
  });
});

describe('two replicas that show votes at the same time', () => {
  test('end up with the newest count, whichever is last', async () => {
    const slack = await withSlack();
    const env = { JURY_DATA_DIR: newFolder() };
    const [one, two] = [await startJury(slack, 'http', env), await startJury(slack, 'http', env)];
    const ts = await slack.say(PASTE);
    await one.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await until(async () => (await textIn(slack, ts)).startsWith('FAIL'));
    const [card] = await slack.written(slack.channel, ts);
    const [record] = await (await one.parts.store()).recentVerdicts({ channel: null, limit: 1 });
    const shows = (text: string) =>
      until(async () =>
        JSON.stringify((await slack.message(slack.channel, card?.ts ?? '', ts))?.blocks).includes(text),
      );
    const says =
      (text: string) =>
      ({ args }: { args: Record<string, unknown> }) =>
        JSON.stringify(args.blocks).includes(text);
    const [isFirst, isSecond] = [says('👍 1'), says('👍 2')];
    const release = slack.hold('chat.update', isFirst);
    const vote = (user: string) =>
      payloadsOf(slack, user).click('vote_feedback', `agree ${record?.id}`, card?.ts ?? '');
    await one.deliver.interaction(vote(slack.users.ann));
    await until(() => slack.called('chat.update').some(isFirst));
    await two.deliver.interaction(vote(slack.users.ben));
    await shows('👍 2');
    const before = slack.called('chat.update').filter(isSecond).length;
    release();
    // The older count came last; who wrote it writes the newest one behind it.
    await until(() => slack.called('chat.update').filter(isSecond).length > before);
    await shows('👍 2');
  });
});

describe('reactions that come in another order than they were given', () => {
  test('leave no vote where the reaction was taken back, and the other one where there was one', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say(PASTE);
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await until(async () => (await textIn(slack, ts)).startsWith('FAIL'));
    const [card] = await slack.written(slack.channel, ts);
    const store = await jury.parts.store();
    const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
    const tally = () => store.tally(record?.id ?? '');
    const at = card?.ts ?? '';
    const [first, second, third] = [nextTs(), nextTs(), nextTs()];

    const ann = payloadsOf(slack);
    await jury.deliver.event(ann.reaction('reaction_removed', '+1', at, second));
    await jury.deliver.event(ann.reaction('reaction_added', '+1', at, first));
    expect(await tally()).toEqual({ agree: 0, disagree: 0, unsure: 0 });
    await jury.deliver.event(ann.reaction('reaction_added', '+1', at, third));
    expect(await tally()).toEqual({ agree: 1, disagree: 0, unsure: 0 });

    const ben = payloadsOf(slack, slack.users.ben);
    await jury.deliver.event(ben.reaction('reaction_removed', '+1', at, third));
    await jury.deliver.event(ben.reaction('reaction_added', '-1', at, second));
    await jury.deliver.event(ben.reaction('reaction_added', '+1', at, first));
    expect(await tally()).toEqual({ agree: 1, disagree: 1, unsure: 0 });
  });
});

describe('where the app may not write or read', () => {
  test('what cannot be said there is said in private', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    slack.refuse('chat.postEphemeral', 'channel_not_found');
    await jury.deliver.interaction(payloadsOf(slack).click('open_form', 'no-such-draft', '1.1'));
    await until(() => toAnn(slack).some(({ args }) => String(args.text).includes('Paste it again')));
  });

  test('a mention without a paste says what it takes to read the thread', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    slack.refuse('conversations.replies', 'not_in_channel');
    const root = await slack.say(PASTE);
    await jury.deliver.event(payloadsOf(slack).mention('?', nextTs(), { thread_ts: root }));
    await until(async () =>
      (await textIn(slack, root)).includes('I cannot read this thread (not_in_channel)'),
    );
  });
});

describe('several cases behind /jury', () => {
  test('are all in the form, and all are judged', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const line = JSON.stringify({ conversation: [{ role: 'user', text: 'Hi' }], response: 'Ho' });
    const where = { channel: slack.channel, user: slack.users.ann };
    await jury.deliver.command(`${line}\n${line}`, where);
    const view = await until(() => slack.called('views.open').length > 0 && lastView(slack));
    const sent = payloadsOf(slack).submit('judge_form', view.private_metadata ?? '', unchanged(view));
    await jury.deliver.interaction(sent);
    await until(async () =>
      (await slack.written(slack.channel)).some(({ text }) => text.startsWith('2 cases')),
    );
    expect(slack.problems).toEqual([]);
  });
});

test('an app that may not react shows its verdicts all the same: nothing waits for the mark, and nobody is told', async () => {
  const slack = await withSlack();
  const jury = await startJury(slack);
  const store = await jury.parts.store();
  await store.saveChannelSettings(slack.channel, { wish: {}, marks: true });
  for (const method of ['reactions.add', 'reactions.remove'])
    slack.refuse(method, 'missing_scope', Number.POSITIVE_INFINITY);
  const ts = await slack.say(PASTE);
  await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
  await until(async () => (await textIn(slack, ts)).startsWith('FAIL'));
  await until(() => slack.calls.some(({ refused }) => refused));
  await until(async () => (await store.pendingSpotChecks()) === 0);
  expect(toAnn(slack)).toEqual([]);
});
