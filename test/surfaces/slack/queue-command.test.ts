import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { unknownCommand } from '../../../src/surfaces/slack/slash-command.ts';
import { readQueueCommand } from '../../../src/surfaces/views/lists.ts';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import type { SlackDouble } from '../../support/slack-double.ts';
import { lastView, payloadsOf } from '../../support/slack-requests.ts';
import { type RunningJury, startJury, withSlack } from '../../support/slack-service.ts';
import { aRecord } from '../../support/store-builders.ts';

closeAfterEach();

/** Keeps verdicts with cards, as if they had been asked for in a channel. */
async function judged(
  { parts }: RunningJury,
  ids: readonly string[],
  channel: string,
  more: { blind?: boolean } = {},
): Promise<void> {
  const store = await parts.store();
  for (const [index, id] of ids.entries()) {
    const record = aRecord({ id, channel, at: Date.now() + index });
    const source = { ...record.source, message: `1.${index}`, permalink: `https://acme.slack.com/${id}` };
    await store.saveVerdict({
      ...record,
      evalCase: { ...record.evalCase, id: `case ${id}` },
      source,
      ...more,
    });
  }
}

const ephemeral = (slack: SlackDouble, count: number) =>
  until(() => slack.called('chat.postEphemeral')[count - 1]);

/** Where Slack takes changes of a message that was clicked in. */
async function aResponseUrl() {
  const sent: string[] = [];
  const server = createServer(async (request, response) => {
    sent.push(await text(request));
    response.end('ok');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing(() => new Promise((done) => server.close(done)));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, sent };
}

describe('the text of /jury queue', () => {
  test('says how many, within what fits into a message', () => {
    expect(readQueueCommand('queue')).toBe(5);
    expect(readQueueCommand(' Queue 12 ')).toBe(12);
    expect(readQueueCommand('queue 0')).toBe(1);
    expect(readQueueCommand('queue 9999')).toBe(20);
    expect(readQueueCommand('queue up the next song')).toBeNull();
    expect(readQueueCommand('User: queue\nSystem: no')).toBeNull();
  });
});

describe('a word that is no command', () => {
  test.each([
    ['quue', 'Did you mean /jury queue?'],
    ['Setings', 'Did you mean /jury settings?'],
    ['studdy s1', 'Did you mean /jury study?'],
    ['frobnicate', 'Commands: help, queue, review, study, digest, alert, settings.'],
  ])('%s gets the nearest one', async (text, hint) => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    await jury.deliver.command(text, { channel: slack.channel, user: slack.users.ann });
    const { args } = await ephemeral(slack, 1);
    expect(args.text).toContain(hint);
    expect(slack.called('views.open')).toEqual([]);
  });

  test('is answered in the language of the person', () => {
    expect(unknownCommand('quue', 'de')).toMatch(/^\/jury quue gibt es nicht\. Meintest du \/jury queue\?/);
    expect(unknownCommand('queue up now', 'de')).toBe(
      '„up now“ nach /jury queue verstehe ich nicht. Gib /jury queue allein ein, oder /jury help.',
    );
  });

  test.each(['', 'User: queue\nSystem: no', '"turn it up" "done"', 'the car said it was closed'])(
    'is not in %j: the form opens',
    (text) => {
      expect(unknownCommand(text, 'en')).toBeNull();
    },
  );
});

describe('/jury queue', () => {
  test('lists for one person what needs their vote, with why and where, and how many more there are', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    await judged(jury, ['v1', 'v2', 'v3'], slack.channel);
    await judged(jury, ['v4'], 'C0SECRET0');
    await jury.deliver.command('queue 2', { channel: slack.channel, user: slack.users.ann });
    const { args } = await ephemeral(slack, 1);
    expect(args).toMatchObject({ user: slack.users.ann, text: '3 verdicts need your vote.' });
    const shown = JSON.stringify(args.blocks);
    expect(shown).toContain('Needs your vote: judges split 2–1, no vote yet, 3 needed');
    expect(shown).toContain('https://acme.slack.com/v1');
    expect(shown).toContain('and 1 more: /jury queue 3');
    expect(shown).not.toContain('v4');
    expect(slack.problems).toEqual([]);
  });

  test('is shown anew after a vote in it, without what was voted on', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    await judged(jury, ['v1', 'v2'], slack.channel);
    const { url, sent } = await aResponseUrl();
    const ann = payloadsOf(slack);
    await jury.deliver.interaction({
      ...ann.click('vote_agree', 'agree v1', '1.0', { response_url: url, message: undefined }),
      actions: [
        {
          type: 'button',
          action_id: 'vote_agree',
          block_id: 'queue 5 0',
          value: 'agree v1',
          action_ts: '1.5',
        },
      ],
    });
    const answer = await until(() => sent[0]);
    expect(JSON.parse(answer)).toMatchObject({ replace_original: true, text: '1 verdict needs your vote.' });
    expect(answer).not.toContain('agree v1');
    expect(answer).toContain('agree v2');
  });

  test('of hidden verdicts asks what is right and says no more', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    await judged(jury, ['v1'], slack.channel, { blind: true });
    await jury.deliver.command('queue', { channel: slack.channel, user: slack.users.ann });
    const shown = JSON.stringify((await ephemeral(slack, 1)).args);
    expect(shown).toContain('right v1');
    for (const said of ['split', 'closed', 'case v1', 'acme.slack.com', 'agree'])
      expect(shown).not.toContain(said);
  });

  test('is what a vote comes from that is given in a view opened from it', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const store = await jury.parts.store();
    await judged(jury, ['v1', 'v2'], slack.channel, { blind: true });
    const ann = payloadsOf(slack);
    for (const [id, block_id] of [
      ['v1', 'queue 5 0'],
      ['v2', 'b'],
    ] as const) {
      const opened = slack.called('views.open').length;
      const action = { type: 'button', action_id: 'verdict_details', block_id, value: id, action_ts: '1.5' };
      await jury.deliver.interaction({ ...ann.click('verdict_details', id, '1.0'), actions: [action] });
      await until(() => slack.called('views.open').length > opened);
      const view = { ...lastView(slack), id: 'V1', type: 'modal', hash: 'h', state: {} };
      const inView = { channel: undefined, message: undefined, view };
      await jury.deliver.interaction(ann.click('blind_right', `right ${id}`, '', inView));
    }
    const offered = async (id: string) => (await store.votes(id)).map((vote) => vote.offered);
    expect(await offered('v1')).toEqual([{ why: 'queue' }]);
    expect(await offered('v2')).toEqual([{ why: 'card' }]);
  });

  test('says so where nothing waits', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    await jury.deliver.command('queue', { channel: slack.im, user: slack.users.ann });
    const call = await until(() => slack.called('chat.postMessage')[0]);
    expect(call.args).toMatchObject({ channel: slack.im, text: 'No verdict needs your vote.' });
  });
});
