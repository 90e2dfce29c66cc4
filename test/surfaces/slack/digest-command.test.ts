import { describe, expect, test } from 'vitest';
import { readDigestCommand } from '../../../src/surfaces/desks/digest-command.ts';
import { channelIn } from '../../../src/surfaces/slack/digests.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { lastView, payloadsOf, unchanged } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';
import { aSchedule } from '../../support/store-builders.ts';

closeAfterEach();

const read = (text: string) => readDigestCommand(text, channelIn);

describe('the text of the command', () => {
  test('is read with quotes of any form or none, and channels as Slack writes them', () => {
    const weekly = {
      kind: 'schedule',
      cron: '0 9 * * 1',
      channel: 'C0123ABC',
      timezone: 'Europe/Berlin',
      benchmarks: ['nightly', 'trip'],
      by: null,
    };
    for (const when of ['“0 9 * * 1”', '"0 9 * * 1"', '0 9 * * 1', 'every monday 9am', '„jeden Montag um 9“'])
      expect(read(`digest schedule ${when} <#C0123ABC|quality> Europe/Berlin nightly trip`)).toEqual(weekly);
    expect(read('digest schedule "0 9 * * 1"')).toMatchObject({ channel: null, timezone: null });
    expect(read('digest weekdays at 8:30 in europe/berlin')).toMatchObject({
      cron: '30 8 * * 1,2,3,4,5',
      timezone: 'Europe/Berlin',
      benchmarks: [],
    });
    expect(read('digest every monday 9am nightly')).toMatchObject({
      timezone: null,
      benchmarks: ['nightly'],
    });
    expect(read('digest every monday 9am nightly by language')).toMatchObject({
      benchmarks: ['nightly'],
      by: 'language',
    });
    expect(read('digest daily at noon by weekday nightly')).toMatchObject({
      benchmarks: ['nightly'],
      by: 'weekday',
    });
    expect(read('digest every monday 9am Europe/Berlin nightly votes of everybody')).toMatchObject({
      timezone: 'Europe/Berlin',
      benchmarks: ['nightly'],
      votes: 'everywhere',
    });
    expect(read('digest every monday 9am')).not.toHaveProperty('votes');
    for (const people of ['<@U0123ABCD|ann>, <@U0456EFGH>', 'U0123ABCD,U0456EFGH', 'U0123ABCD and U0456EFGH'])
      expect(read(`digest every monday 9am nightly checked by ${people} votes of everybody`)).toMatchObject({
        benchmarks: ['nightly'],
        reviewers: ['U0123ABCD', 'U0456EFGH'],
        votes: 'everywhere',
      });
    expect(read('digest every monday 9am nightly by language checked by U0123ABCD')).toMatchObject({
      benchmarks: ['nightly'],
      by: 'language',
      reviewers: ['U0123ABCD'],
    });
    expect(read('digest every monday 9am nightly')).not.toHaveProperty('reviewers');
    expect(read('DIGEST Pause d1')).toEqual({ kind: 'pause', id: 'd1' });
    expect(read('digest send now')).toEqual({ kind: 'send', id: null });
    expect(read('digest send d2')).toEqual({ kind: 'send', id: 'd2' });
  });

  test('without a time opens the form; without what else it needs it is answered with help, and a paste is a paste', () => {
    expect(read('digest schedule')).toEqual({ kind: 'form' });
    expect(read('digest')).toEqual({ kind: 'help' });
    expect(read('digest remove')).toEqual({ kind: 'help' });
    expect(read('digest schedule someday')).toEqual({ kind: 'help', unread: 'someday' });
    expect(read('User: digest this\nSystem: no')).toBeNull();
    expect(read('digest schedule\nSystem: no')).toBeNull();
  });
});

test('a channel schedules, lists, previews, pauses and removes its own digests', async () => {
  const slack = await withSlack();
  const { deliver, parts } = await startJury(slack);
  const store = await parts.store();
  const where = { channel: slack.channel, user: slack.users.ann };
  const said: string[] = [];
  const say = async (text: string, channel = where.channel, user = where.user) => {
    const before = slack.called('chat.postEphemeral').length;
    await deliver.command(text, { user, channel });
    const call = await until(() => slack.called('chat.postEphemeral')[before]);
    said.push(String(call.args.text));
    return said.at(-1) ?? '';
  };
  expect(await say('digest list')).toContain('No digests are scheduled here');
  expect(await say('digest schedule "0 9 * * 1" Europe/Berlin')).toContain(
    'Scheduled. d1: Mondays at 9:00 (Europe/Berlin); next',
  );
  expect(await store.schedules()).toMatchObject([{ id: 'd1', owner: slack.users.ann, paused: false }]);
  expect(await say('digest every monday at 9:00 Europe/Berlin')).toMatch(
    /^d1 does that already.*Nothing was added/,
  );
  expect(await say('digest schedule "* * * * *"')).toContain('more often than once an hour');
  expect(await say('digest schedule "0 9 * * 1" Mars/Olympus')).toContain('not a time zone');
  expect(await say('digest every monday berlin')).toContain('did you mean Europe/Berlin?');
  expect(await say('digest every blue moon')).toContain('could not read a time in “every blue moon”');
  expect(await say('digest schedule "0 9 * * 1" UTC secret')).toContain(
    'There is no benchmark or series of runs named "secret"',
  );
  expect(await say('digest benchmarks')).toContain('navigation: ');
  expect(await say('digest schedule "0 9 * * 1" C0THERS00')).toContain('A channel schedules its own digests');
  expect(await say('digest pause d1')).toBe('d1 is paused.');
  const list = await say('digest list');
  expect(list).toContain('paused');
  expect(list).toContain(`scheduled by ${slack.users.ann}`);
  expect(JSON.stringify(slack.called('chat.postEphemeral').at(-1)?.args.blocks)).toContain(
    `{"type":"user","user_id":"${slack.users.ann}"}`,
  );
  expect(await say('digest preview')).toContain('spot check');
  expect(await say('digest remove d1', 'C000000099')).toContain('belongs to another channel');
  expect(await slack.written(slack.channel)).toEqual([]);
  // What is announced is not said to the asker once more.
  const privately = slack.called('chat.postEphemeral').length;
  await deliver.command('digest resume d1', { ...where, user: slack.users.ben });
  const [told] = await until(async () => {
    const written = await slack.written(slack.channel);
    return written.length > 0 && written;
  });
  expect(told?.text).toBe(
    `${slack.users.ben} resumed the digest d1 (Mondays at 9:00), which ${slack.users.ann} had scheduled.`,
  );
  expect(slack.called('chat.postEphemeral')).toHaveLength(privately);
  expect(await say('digest remove d1')).toBe('d1 is removed.');
  expect(await store.schedules()).toEqual([]);
  const target = { surface: 'slack', team: '', channel: slack.channel };
  await store.saveSchedule(aSchedule({ id: 'd9', owner: null, target }));
  await deliver.command('digest pause d9', where);
  const paused = `${slack.users.ann} paused the digest d9 (Mondays at 9:00).`;
  await until(async () => (await slack.written(slack.channel)).some(({ text }) => text === paused));
  expect(slack.problems).toEqual([]);
});

describe('the form of a schedule', () => {
  test('asks for days, time and time zone, the own one by default, and schedules', async () => {
    const slack = await withSlack();
    const { deliver, parts } = await startJury(slack);
    const ann = payloadsOf(slack);
    await deliver.command('digest schedule', { channel: slack.channel, user: slack.users.ann });
    const view = await until(() => slack.called('views.open').length > 0 && lastView(slack));
    expect(slack.called('users.info')[0]?.args).toMatchObject({ user: slack.users.ann });
    const inputs = view.blocks.map(({ block_id }) => block_id).filter((id) => id !== undefined);
    expect(inputs).toEqual(['digest_days', 'digest_time', 'digest_timezone']);
    const values = {
      ...unchanged(view),
      digest_days: { digest_days: { selected_options: [{ value: '4' }, { value: '1' }] } },
      digest_time: { digest_time: { selected_time: '08:30' } },
      digest_timezone: { form_search: { selected_option: { value: 'Europe/Berlin' } } },
    };
    const submit = (changed = {}) =>
      deliver.interaction(
        ann.submit('schedule_form', view.private_metadata ?? '', { ...values, ...changed }),
      );
    const empty = await submit({ digest_days: { digest_days: { selected_options: [] } } });
    expect(empty.body).toMatchObject({ errors: { digest_days: 'Choose at least one day.' } });
    expect((await submit()).body).toBe('');
    const schedules = await (await parts.store()).schedules();
    expect(schedules).toMatchObject([
      { cron: '30 8 * * 1,4', timezone: 'Europe/Berlin', benchmarks: [], owner: slack.users.ann },
    ]);
    expect((await submit()).body).toMatchObject({
      errors: { digest_days: expect.stringContaining('d1 does that already: Mondays and Thursdays at 8:30') },
    });
    await deliver.interaction(ann.clickIn(view, 'form_advanced', values));
    const updated = await until(
      () => slack.called('views.update').length > 0 && lastView(slack, 'views.update'),
    );
    expect(JSON.stringify(updated.blocks)).toContain('navigation');
    const reviewers = (value: string) => ({
      ...values,
      digest_days: { digest_days: { selected_options: [{ value: '2' }] } },
      digest_reviewers: { digest_reviewers: { value } },
    });
    const sendMore = (value: string) =>
      deliver.interaction(ann.submit('schedule_form', updated.private_metadata ?? '', reviewers(value)));
    expect((await sendMore('somebody')).body).toMatchObject({
      errors: { digest_days: expect.stringContaining('"somebody" is not a person') },
    });
    expect((await sendMore(`${slack.users.ann}, name:ben`)).body).toBe('');
    const all = await (await parts.store()).schedules();
    expect(all.at(-1)).toMatchObject({ review: { size: 40, people: [slack.users.ann, 'name:ben'] } });
    expect(unchanged(updated).digest_time).toMatchObject({ digest_time: { selected_time: '08:30' } });
    expect(slack.problems).toEqual([]);
  });

  test('looks time zones up, and takes UTC where the profile cannot be read', async () => {
    const slack = await withSlack();
    slack.refuse('users.info', 'missing_scope');
    const { deliver } = await startJury(slack);
    await deliver.command('digest schedule', { channel: slack.channel, user: slack.users.ann });
    const view = await until(() => slack.called('views.open').length > 0 && lastView(slack));
    expect(JSON.stringify(unchanged(view).digest_timezone)).toContain('"value":"UTC"');
    const found = await deliver.interaction({
      type: 'block_suggestion',
      user: { id: slack.users.ann },
      team: { id: 'T000000001', domain: 'acme' },
      action_id: 'form_search',
      block_id: 'digest_timezone',
      value: 'new york',
    });
    expect(Object(found.body).options).toEqual([
      { text: { type: 'plain_text', text: 'America/New York', emoji: false }, value: 'America/New_York' },
    ]);
  });
});

test('a digest is sent now, once, and the next one comes at its time', async () => {
  const slack = await withSlack();
  const { deliver, parts } = await startJury(slack);
  const store = await parts.store();
  const where = { channel: slack.channel, user: slack.users.ann };
  await deliver.command('digest every monday 9am', where);
  await until(async () => (await store.schedules()).length > 0);
  await deliver.command('digest send now', where);
  const posted = await until(async () => {
    const written = await slack.written(slack.channel);
    return written.length > 0 && written;
  });
  expect(posted).toHaveLength(1);
  await until(async () => (await store.digestProgress('d1'))?.text.includes('"current":null') === true);
  const before = slack.called('chat.postEphemeral').length;
  await deliver.command('digest list', where);
  const list = await until(() => slack.called('chat.postEphemeral')[before]);
  expect(list.args.text).toMatch(/next \d+ \w+ \d{4}, 09:00; last one/);
});

test('a channel sets, lists, pauses and removes its own alerts, and reads who changed them', async () => {
  const slack = await withSlack();
  const { deliver, parts } = await startJury(slack);
  const store = await parts.store();
  const say = async (text: string, channel = slack.channel, user = slack.users.ann) => {
    const before = slack.called('chat.postEphemeral').length;
    await deliver.command(text, { user, channel });
    const call = await until(() => slack.called('chat.postEphemeral')[before]);
    return String(call.args.text);
  };
  const told = async () => (await slack.written(slack.channel)).map(({ text }) => text);
  expect(await say('alert')).toContain('/jury alert nightly below 90%');
  expect(await say('alert list')).toContain('No alerts are set here');
  expect(await say('alert below 90%')).toContain('Name the benchmark first, such as “nightly below 90 %”');
  expect(await say('alert navigation under ninety')).toContain('is not an alert rule. Write “below 90 %”');
  const announced = async (text: string) => {
    const privately = slack.called('chat.postEphemeral').length;
    await until(async () => (await told()).includes(text));
    expect((await told()).filter((one) => one === text)).toHaveLength(1);
    return slack.called('chat.postEphemeral').length - privately;
  };
  await deliver.command('alert navigation below 90 %', { user: slack.users.ann, channel: slack.channel });
  const set = `${slack.users.ann} set an alert (a1): navigation below 90 %; no run is finished yet. I’ll post here once it has clearly changed.`;
  expect(await announced(set)).toBe(0);
  expect(await say('alert list')).toContain(
    `a1: navigation below 90 %; no run is finished yet; set by ${slack.users.ann}`,
  );
  expect(await say('alert pause a1', 'C000000099')).toContain('belongs to another channel');
  await deliver.interaction(
    payloadsOf(slack, slack.users.ben).click('pause_alert', 'a1', '1700000000.000100'),
  );
  const paused = `${slack.users.ben} paused the alert a1 (navigation below 90 %), which ${slack.users.ann} had set.`;
  expect(await announced(paused)).toBe(0);
  expect(await say('digest list')).toContain('No digests are scheduled here');
  await deliver.command('alert remove a1', { user: slack.users.ann, channel: slack.channel });
  const removed = `${slack.users.ann} removed the alert a1 (navigation below 90 %).`;
  expect(await announced(removed)).toBe(0);
  expect(await store.schedules()).toEqual([]);
  expect(slack.problems).toEqual([]);
});
