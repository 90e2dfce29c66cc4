import { expect, test } from 'vitest';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { lastView, payloadsOf } from '../../support/slack-requests.ts';
import { type RunningJury, startJury, withSlack } from '../../support/slack-service.ts';
import { aBallot } from '../../support/store-builders.ts';

closeAfterEach();

type Slack = Awaited<ReturnType<typeof withSlack>>;

async function judged(slack: Slack, jury: RunningJury) {
  const thread = await slack.say(PASTE);
  await jury.deliver.event(payloadsOf(slack).mention(PASTE, thread));
  const { ts } = await until(async () => {
    const [message] = await slack.written(slack.channel, thread);
    return message?.text.startsWith('FAIL') && message;
  });
  const [record] = await (await jury.parts.store()).recentVerdicts({ channel: slack.channel, limit: 1 });
  const shown = async () => JSON.stringify((await slack.message(slack.channel, ts, thread))?.blocks);
  return { ts, record: record ?? expect.fail('a verdict is kept'), shown };
}

test('a verdict is kept and shown where what is known of its like cannot be read, and the log says so', async () => {
  const slack = await withSlack();
  const jury = await startJury(slack);
  Object.assign(await jury.parts.store(), { counts: () => Promise.reject(new Error('no counts')) });
  const { record, shown } = await judged(slack, jury);
  expect(record.trust).toBeUndefined();
  expect(await shown()).not.toContain('People agreed');
  expect(jury.logged.some((line) => line.includes('"where":"trust"'))).toBe(true);
});

test('the details say how often colleagues agreed with such verdicts, from twenty on, and stay as they were given; no card does', async () => {
  const slack = await withSlack();
  const folder = { JURY_DATA_DIR: newFolder() };
  const before = await startJury(slack, 'http', folder);
  const first = await judged(slack, before);
  const store = await before.parts.store();
  for (let n = 0; n < 20; n += 1) {
    const verdictId = `such-${n}`;
    await store.saveVerdict({ ...first.record, id: verdictId });
    for (const voter of ['ada', 'bea', 'cleo'])
      await store.castVote(
        aBallot({ verdictId, voter, value: n < 17 ? 'agree' : 'disagree', at: Date.now() }),
      );
  }
  expect(await first.shown()).not.toContain('People agreed');
  await before.close();

  const jury = await startJury(slack, 'http', folder);
  const second = await judged(slack, jury);
  // statsmodels 0.13.5, proportion_confint(17, 20, method='wilson'): 0.6396, 0.9476.
  const line = 'People agreed with 85 % of the 20 such verdicts they voted on; not a random sample';
  const details = async ({ record, ts }: typeof first): Promise<string> => {
    const opened = slack.called('views.open').length;
    await jury.deliver.interaction(payloadsOf(slack).click('verdict_details', record.id, ts));
    return JSON.stringify(await until(() => slack.called('views.open').length > opened && lastView(slack)));
  };
  expect(await details(second)).toContain(line);
  for (const card of [first, second])
    await jury.deliver.interaction(
      payloadsOf(slack).click('vote_feedback', `disagree ${card.record.id}`, card.ts),
    );
  await until(async () => (await first.shown()).includes('👎 1'));
  await until(async () => (await second.shown()).includes('👎 1'));
  expect(await details(first)).not.toContain('People agreed');
  expect(await details(second)).toContain(line);
  for (const card of [first, second]) expect(await card.shown()).not.toContain('People agreed');
  expect(slack.problems).toEqual([]);
});
