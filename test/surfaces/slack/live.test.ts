import { describe, expect, test } from 'vitest';
import { call } from '../../support/page-service.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { oneQuickJudge } from '../../support/service-model.ts';
import { type SlackDouble, TEAM } from '../../support/slack-double.ts';
import { payloadsOf } from '../../support/slack-requests.ts';
import { startJury, type Transport, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

const textIn = async (slack: SlackDouble, thread: string): Promise<string> =>
  (await slack.written(slack.channel, thread))[0]?.text ?? '';

describe.each<Transport>(['http', 'socket'])('Stop over %s', (transport) => {
  test('cancels the calls that are under way and keeps what was said', async () => {
    const { env, double } = await oneQuickJudge();
    const slack = await withSlack();
    const jury = await startJury(slack, transport, env);
    const ts = await slack.say(PASTE);
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await until(async () => (await textIn(slack, ts)).includes('1 fail so far'));
    const [message] = await slack.written(slack.channel, ts);
    const id = `slack:${TEAM}:${slack.channel}:${ts}`;
    await jury.deliver.interaction(payloadsOf(slack).click('check_stop', id, message?.ts ?? ''));
    await until(async () => (await textIn(slack, ts)).startsWith('NOT DECIDED'));
    const [record] = await (await jury.parts.store()).recentVerdicts({ channel: null, limit: 1 });
    expect(record?.verdict.cancelled).toBe(true);
    const shown = JSON.stringify((await slack.written(slack.channel, ts))[0]?.blocks);
    expect(shown).toContain('asked by ann · stopped by ann');
    expect(record?.verdict.judgements.filter(({ status }) => status === 'scored')).toHaveLength(1);
    expect(double.counts.answered).toBe(1);
  });
});

describe('while the message is changed', () => {
  test('what judges say comes with its next change', async () => {
    const { env, letGo, double } = await oneQuickJudge();
    const slack = await withSlack();
    const jury = await startJury(slack, 'http', env);
    const ts = await slack.say(PASTE);
    const release = slack.hold('chat.update');
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await until(() => slack.called('chat.update').length === 1);
    letGo();
    await until(() => double.counts.answered === double.counts.received && double.counts.answered > 2);
    release();
    await until(async () => (await textIn(slack, ts)).startsWith('FAIL'));
    // What the first judge said, and what all of them came to.
    expect(slack.called('chat.update')).toHaveLength(2);
  });
});

describe('a placeholder whose answer is lost on the way', () => {
  test('is not posted twice', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    slack.cut('chat.postMessage', 1);
    const ts = await slack.say(PASTE);
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await until(async () => (await textIn(slack, ts)).startsWith('FAIL'));
    expect(await slack.written(slack.channel, ts)).toHaveLength(1);
  });

  test('is posted after the time that Slack names, where there are too many', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    slack.refuse('chat.postMessage', 'ratelimited', 1);
    const ts = await slack.say(PASTE);
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await until(async () => (await textIn(slack, ts)).startsWith('FAIL'));
    expect(await slack.written(slack.channel, ts)).toHaveLength(1);
  });
});

describe('where the app may not write', () => {
  test('the person who asked is notified in private, and it is not tried again', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    slack.refuse(
      'chat.postMessage',
      'not_in_channel',
      Number.POSITIVE_INFINITY,
      ({ args }) => args.channel === slack.channel,
    );
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, '1700000000.000200'));
    await until(() =>
      slack
        .called('chat.postMessage')
        .some(({ args }) => args.channel === slack.users.ann && /invite me/i.test(String(args.text))),
    );
    const store = await jury.parts.store();
    await until(async () => (await store.pendingSpotChecks()) === 0);
  });
});

describe('logs', () => {
  test('never hold what was pasted, nor who asked', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say(PASTE);
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await until(async () => (await textIn(slack, ts)).startsWith('FAIL'));
    const logged = jury.logged.join('\n');
    expect(logged).toContain('"msg":"judged"');
    expect(logged).not.toMatch(/sushi|Sakura/);
    expect(logged).not.toContain(slack.users.ann);
  });
});

describe('/metrics', () => {
  test('counts verdicts, judgements, votes and what waits', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say(PASTE);
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    await until(async () => (await textIn(slack, ts)).startsWith('FAIL'));
    const [record] = await (await jury.parts.store()).recentVerdicts({ channel: null, limit: 1 });
    await jury.deliver.interaction(payloadsOf(slack).click('vote_agree', `agree ${record?.id}`, ts));
    const { text } = await call(jury.service.port, '/metrics');
    expect(text).toMatch(/jury_verdicts_total\{surface="slack",rubric="navigation",method="\w+"\} 1/);
    expect(text).toMatch(/jury_judgements_total\{model="rules",outcome="answered"\} 3/);
    expect(text).toMatch(/jury_votes_total 1/);
    expect(text).toMatch(/jury_queue_depth\{state="waiting"\} 0/);
  });
});
