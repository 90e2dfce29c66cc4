import { describe, expect, test } from 'vitest';
import { readDigestCommand } from '../../../src/surfaces/digest-command.ts';
import { channelIn } from '../../../src/surfaces/slack/ask.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

const read = (text: string) => readDigestCommand(text, channelIn);

describe('the text of the command', () => {
  test('is read with quotes of any form, and channels as Slack writes them', () => {
    expect(read('digest schedule “0 9 * * 1” <#C0123ABC|quality> Europe/Berlin nightly trip')).toEqual({
      kind: 'schedule',
      cron: '0 9 * * 1',
      channel: 'C0123ABC',
      timezone: 'Europe/Berlin',
      benchmarks: ['nightly', 'trip'],
    });
    expect(read('digest schedule "0 9 * * 1"')).toMatchObject({
      channel: null,
      timezone: 'UTC',
    });
    expect(read('DIGEST Pause d1')).toEqual({ kind: 'pause', id: 'd1' });
  });

  test('without what it needs is answered with help, and a paste is a paste', () => {
    expect(read('digest')).toEqual({ kind: 'help' });
    expect(read('digest remove')).toEqual({ kind: 'help' });
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
  const say = async (text: string, channel = where.channel) => {
    const before = slack.called('chat.postEphemeral').length;
    await deliver.command(text, { ...where, channel });
    const call = await until(() => slack.called('chat.postEphemeral')[before]);
    said.push(String(call.args.text));
    return said.at(-1) ?? '';
  };
  expect(await say('digest list')).toContain('No digests are scheduled here');
  expect(await say('digest schedule "0 9 * * 1" Europe/Berlin')).toContain(
    `d1: 0 9 * * 1 (Europe/Berlin) to ${slack.channel}`,
  );
  expect(await store.schedules()).toMatchObject([{ id: 'd1', owner: slack.users.ann, paused: false }]);
  expect(await say('digest schedule "* * * * *"')).toContain('more often than once an hour');
  expect(await say('digest schedule "0 9 * * 1" Mars/Olympus')).toContain('not a time zone');
  expect(await say('digest schedule "0 9 * * 1" UTC secret')).toContain(
    'There is no benchmark or run named "secret"',
  );
  expect(await say('digest benchmarks')).toContain('navigation: ');
  expect(await say('digest schedule "0 9 * * 1" C0THERS00')).toContain('A channel schedules its own digests');
  expect(await say('digest pause d1')).toBe('d1 is paused.');
  expect(await say('digest list')).toContain('paused');
  expect(await say('digest preview')).toContain('spot check');
  expect(await say('digest remove d1', 'C000000099')).toContain('of another channel');
  expect(await say('digest remove d1')).toBe('d1 is removed.');
  expect(await store.schedules()).toEqual([]);
  expect(slack.problems).toEqual([]);
});
