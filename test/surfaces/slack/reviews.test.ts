import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { beginReview, reviewStatus, volunteer } from '../../../src/reviews/manage-reviews.ts';
import { openTrialStore } from '../../../src/stores/open-store.ts';
import { keepMadeRun } from '../../support/made-run.ts';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import { aWish } from '../../support/reviews.ts';
import type { SlackDouble } from '../../support/slack-double.ts';
import { nextTs, payloadsOf } from '../../support/slack-requests.ts';
import { type RunningJury, startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

const RUN = 'nightly-1';
const HOSTILE = '<!channel> <@U0001> *now* `{"a":1}` https://evil.test';

/** A service with a run of which answers are drawn for Ann, who has volunteered or not. */
async function aReview(slack: SlackDouble, isVolunteer = true) {
  const jury = await startJury(slack, 'http', { JURY_SECRET: 'for this test' });
  const store = await jury.parts.store();
  const runs = await openTrialStore(jury.parts.env.settings, () => {});
  const habit = { method: 'io', models: ['rules'], skill: 0.8, costUsd: 0, latencyMs: 1, judges: 1 };
  const shape = () => ({ response: HOSTILE });
  await keepMadeRun(runs, { name: RUN, cases: 24, repeats: 1, habits: [habit], shape });
  const voter = (await jury.parts.pseudonym())({ surface: 'slack', team: '', user: slack.users.ann });
  const parts = { store, runs, now: Date.now };
  await beginReview(parts, RUN, aWish({ size: 8, people: [voter] }));
  await runs.close();
  if (isVolunteer) await volunteer(parts, voter);
  return { jury, checked: async () => (await reviewStatus(parts, RUN))?.design.checked };
}

const command = (jury: RunningJury, slack: SlackDouble, user: string) =>
  jury.deliver.command('review', { channel: slack.channel, user });

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

test('/jury review shows the next answer to the person alone, in a channel too, and the one after it in its place', async () => {
  const slack = await withSlack();
  const { jury, checked } = await aReview(slack);
  await command(jury, slack, slack.users.ann);
  const { args } = await ephemeral(slack, 1);
  expect(args.user).toBe(slack.users.ann);
  expect(args.text).toBe('Answer 1 of at most 10 this week');
  const blocks = JSON.stringify(args.blocks);
  expect(blocks).not.toContain('mrkdwn');
  expect(blocks).toContain(JSON.stringify(HOSTILE).slice(1, -1));
  const [, value = ''] = /"action_id":"review_right","value":"([^"]+)"/.exec(blocks) ?? [];
  const { url, sent } = await aResponseUrl();
  const ann = payloadsOf(slack);
  await jury.deliver.interaction(ann.click('review_right', value, '1.1', { response_url: url }));
  await until(() => sent.length === 1);
  const next = JSON.parse(sent[0] ?? '');
  expect(next).toMatchObject({ replace_original: true, text: 'Answer 2 of at most 10 this week' });
  expect(await checked()).toBe(1);
  expect(await slack.written(slack.channel)).toEqual([]);
  expect(slack.problems).toEqual([]);
});

test('/jury review asks who has not volunteered, and has nothing for who is not named', async () => {
  const slack = await withSlack();
  const { jury } = await aReview(slack, false);
  await command(jury, slack, slack.users.ann);
  const { args } = await ephemeral(slack, 1);
  expect(args.text).toBe('8 answers to check, about 4 minutes');
  expect(JSON.stringify(args.blocks)).toContain('drawn by chance');
  await command(jury, slack, slack.users.ben);
  const other = await ephemeral(slack, 2);
  expect(other.args).toMatchObject({ user: slack.users.ben });
  expect(other.args.text).toContain('There is nothing to check for you now.');
  await jury.deliver.command('help', { channel: slack.channel, user: slack.users.ben }).then(({ body }) => {
    expect(JSON.stringify(body)).toContain('/jury review shows answers to check if you are asked to');
  });
});

test('other people who press what was sent to one answer nothing', async () => {
  const slack = await withSlack();
  const { jury, checked } = await aReview(slack);
  await command(jury, slack, slack.users.ann);
  const blocks = JSON.stringify((await ephemeral(slack, 1)).args.blocks);
  const [, value = ''] = /"action_id":"review_right","value":"([^"]+)"/.exec(blocks) ?? [];
  const { url, sent } = await aResponseUrl();
  const ben = payloadsOf(slack, slack.users.ben);
  await jury.deliver.interaction(ben.click('review_right', value, '1.1', { response_url: url }));
  await until(() => sent.length === 1);
  expect(sent[0]).toContain('This answer is no longer there to check.');
  expect(sent[0]).not.toContain('evil');
  expect(await checked()).toBe(0);
});

test('a reaction to an answer to check is no answer and no vote', async () => {
  const slack = await withSlack();
  const { jury, checked } = await aReview(slack);
  await jury.deliver.command('review', { channel: slack.im, user: slack.users.ann });
  const [message] = await until(async () => {
    const written = await slack.written(slack.im);
    return written.length > 0 && written;
  });
  const ann = payloadsOf(slack);
  const reaction = ann.reaction('reaction_added', '+1', message?.ts ?? '', nextTs());
  const item = { type: 'message', channel: slack.im, ts: message?.ts };
  expect((await jury.deliver.event({ ...reaction, item })).status).toBe(200);
  expect(await checked()).toBe(0);
  expect(await (await jury.parts.store()).recentVerdicts({ channel: null, limit: 9 })).toEqual([]);
  expect(await slack.written(slack.im)).toHaveLength(1);
});
