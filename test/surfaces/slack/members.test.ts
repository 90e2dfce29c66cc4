import { expect, test } from 'vitest';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { payloadsOf } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

/** A card in a private channel of Ann and Ben, and what Ben does with it. */
async function aCard(env: Record<string, string> = {}) {
  const slack = await withSlack();
  const { ann, ben, jury: self } = slack.users;
  slack.room(slack.channel, [ann, ben, self], true);
  const clock = { ahead: 0 };
  const jury = await startJury(slack, 'http', env, undefined, () => Date.now() + clock.ahead);
  const ts = await slack.say(PASTE);
  await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
  const store = await jury.parts.store();
  await until(async () => (await store.pendingSpotChecks()) === 0);
  const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
  const id = record?.id ?? '';
  const told = () =>
    [...slack.called('chat.postEphemeral'), ...slack.called('chat.postMessage')].filter(
      ({ args }) => args.user === ben || args.channel === ben,
    );
  /** From within a view, which names no channel, or from a message in one. */
  const click = async (action: string, value: string, at: string | null = null) => {
    const where = at === null ? { channel: undefined, message: undefined } : { channel: { id: at } };
    await jury.deliver.interaction(payloadsOf(slack, ben).click(action, value, '1.1', where));
  };
  const opensDetails = async (at: string | null = null): Promise<boolean> => {
    const before = { opened: slack.called('views.open').length, told: told().length };
    await click('verdict_details', id, at);
    await until(() => slack.called('views.open').length > before.opened || told().length > before.told);
    return slack.called('views.open').length > before.opened;
  };
  const votes = async (at: string | null = null): Promise<boolean> => {
    const before = (await store.tally(id)).agree;
    await click('vote_agree', `agree ${id}`, at);
    const isCounted = (await store.tally(id)).agree > before;
    await click('vote_retract', `retract ${id}`, at);
    return isCounted;
  };
  const setsBlind = async (user = ben) => {
    const blind = { settings_shown: { settings_shown: { selected_option: { value: 'blind' } } } };
    const form = payloadsOf(slack, user).submit(
      'settings_form',
      JSON.stringify({ channel: slack.channel }),
      blind,
    );
    const { body } = await jury.deliver.interaction(form);
    return { body: JSON.stringify(body), isSet: (await store.channelSettings(slack.channel)).blind === true };
  };
  return { slack, jury, store, clock, id, told, click, opensDetails, votes, setsBlind, ann, ben, self };
}

test('who left a private channel loses its buttons within five minutes, in open views too', async () => {
  const { slack, clock, opensDetails, votes, setsBlind, told, ann, self } = await aCard();
  expect(await opensDetails()).toBe(true);
  expect(await votes()).toBe(true);
  slack.room(slack.channel, [ann, self], true);
  clock.ahead = 240_000;
  expect(await opensDetails()).toBe(true);
  clock.ahead = 301_000;
  expect([await opensDetails(), await votes(), (await setsBlind()).isSet]).toEqual([false, false, false]);
  // What is said is what is said of a verdict that does not exist.
  expect(JSON.stringify(told().at(-1)?.args)).toContain('it belongs to another conversation');
});

test('one lookup is enough for five minutes', async () => {
  const { slack, opensDetails, votes } = await aCard();
  await opensDetails();
  const before = slack.called('conversations.members').length;
  for (let n = 0; n < 5; n += 1) await votes();
  expect(slack.called('conversations.members')).toHaveLength(before);
});

test('who was just added need not wait for them', async () => {
  const { slack, clock, opensDetails, ann, ben, self } = await aCard();
  slack.room(slack.channel, [ann, self], true);
  expect(await opensDetails()).toBe(false);
  slack.room(slack.channel, [ann, ben, self], true);
  clock.ahead = 11_000;
  expect(await opensDetails()).toBe(true);
});

test('while Slack does not say who is there, a vote counts, and nothing is changed or shown elsewhere', async () => {
  const { slack, clock, opensDetails, votes, setsBlind } = await aCard();
  slack.refuse('conversations.members', 'fatal_error');
  expect(await votes()).toBe(true);
  expect(await opensDetails(slack.channel)).toBe(true);
  expect(await opensDetails()).toBe(false);
  expect(await opensDetails('C0OTHER')).toBe(false);
  const refused = await setsBlind();
  expect(refused.isSet).toBe(false);
  expect(refused.body).toContain('I cannot see who is in this conversation');
  slack.allow();
  clock.ahead = 11_000;
  expect((await setsBlind()).isSet).toBe(true);
});

test('and a vote elsewhere opens nothing that was not read before', async () => {
  const { slack, jury, store, id, click, told, ben } = await aCard();
  const record = await store.verdict(id);
  if (record === null) throw new Error('There is no verdict.');
  await store.saveVerdict({ ...record, id: 'hidden', blind: true });
  slack.refuse('conversations.members', 'fatal_error');
  await click('vote_agree', 'agree hidden');
  await until(() => told().some(({ args }) => String(args.text).includes('another conversation')));
  await click('blind_right', 'right hidden');
  await until(async () => (await store.tally('hidden')).disagree > 0);
  const here = { trigger_id: 'in-place', channel: { id: slack.channel } };
  await jury.deliver.interaction(payloadsOf(slack, ben).click('blind_right', 'right hidden', '1.1', here));
  await until(() => slack.called('views.open').some(({ args }) => args.trigger_id === 'in-place'));
  expect(slack.called('views.open')).toHaveLength(1);
});

test('a Slack that hangs holds up no click', async () => {
  const { slack, votes, setsBlind } = await aCard();
  const release = slack.hold('conversations.members');
  expect(await votes(slack.channel)).toBe(true);
  expect((await setsBlind()).isSet).toBe(false);
  release();
});

test('an admin lets the members of a channel change it; the channel reads it, the log has it', async () => {
  const { slack, jury, store, setsBlind, ann, ben } = await aCard({ JURY_ADMINS: 'U0ADMIN01' });
  expect(jury.logged.join()).toContain('admins: on, 1 person may change settings');
  expect((await setsBlind()).body).toContain('Only Jury’s admins can do this');
  await jury.deliver.command('settings', { channel: slack.channel, user: ben });
  await until(() =>
    slack
      .called('chat.postEphemeral')
      .some(({ args }) => String(args.text).includes('Only Jury’s admins can do this')),
  );
  expect(slack.called('views.open')).toEqual([]);

  const form = payloadsOf(slack, 'U0ADMIN01').submit(
    'settings_form',
    JSON.stringify({ channel: slack.channel }),
    {
      settings_members: { settings_members: { selected_option: { value: 'members' } } },
    },
  );
  expect((await jury.deliver.interaction(form)).body).toBe('');
  const written = async () => (await slack.written(slack.channel)).map(({ text }) => text);
  await until(async () =>
    (await written()).includes(
      'U0ADMIN01 changed how cases are judged here: who may change this: admins → everyone here.',
    ),
  );
  expect((await setsBlind()).isSet).toBe(true);
  expect(await store.channelSettings(slack.channel)).toMatchObject({ membersMayChange: true });
  expect((await setsBlind(ann)).isSet).toBe(true);
  const changes = await store.changes(0);
  expect(changes.map(({ by, what, channel, after }) => [by.people[0]?.user, what, channel, after])).toEqual([
    ['U0ADMIN01', 'settings', slack.channel, { wish: {}, membersMayChange: true }],
    [ben, 'settings', slack.channel, { wish: {}, blind: true, membersMayChange: true }],
  ]);
});

test('without JURY_ADMINS the start says who may change what', async () => {
  const { jury } = await aCard();
  expect(jury.logged.join()).toContain('admins: off; everyone in a conversation may change its settings');
});
