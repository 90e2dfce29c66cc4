import { describe, expect, test } from 'vitest';
import { readVoteQueue } from '../../../src/labels/queue/read-queue.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { jury as run } from '../../support/run-jury.ts';
import { aBallot, aRecord, aRuling, dayMs } from '../../support/store-builders.ts';
import { textOfPost } from '../../support/teams-double.ts';
import { wordsOn } from '../../support/teams-limits.ts';
import { aTeam, CHANNEL, executes, GROUP, presses, saying, TENANT } from '../../support/teams-service.ts';

closeAfterEach();

const labeled = JSON.stringify({
  id: 'known',
  conversation: [{ role: 'user', text: 'Find me a sushi place rated at least 4.5' }],
  response: 'Sakura is five minutes away.',
  recommendation: { name: 'Sakura', rating: 4.3 },
  label: { decision: 'fail' },
});

/** What a queue shows of each case, without ids and the words of the case. */
const shapes = (card: unknown): string[] =>
  (JSON.parse(JSON.stringify(card)).body as { separator?: boolean }[])
    .filter(({ separator }) => separator === true)
    .map((item) =>
      JSON.stringify(item)
        .replaceAll(/"(?:id|text)":"[^"]*"/g, '')
        .replaceAll(/[0-9a-f]{20}/g, ''),
    );

test('a labeled case stands in the queue like any other, and its answer tells how reliable the person is', async () => {
  const folder = newFolder();
  const { teams, ann, bob, jury } = await aTeam({ JURY_DATA_DIR: folder });
  const { port } = jury.service;
  const store = await jury.parts.store();
  await store.saveChannelSettings(CHANNEL, { wish: {}, blind: true, goldEvery: 2 });
  await ann.deliver(port, ann.message(CHANNEL, PASTE));
  const asked = await until(async () => (await store.recentVerdicts({ channel: null, limit: 9 }))[0]);
  const added = await run(['gold', CHANNEL, '-', '--every', '2'], {
    env: { JURY_DATA_DIR: folder },
    input: labeled,
  });
  expect(added.out).toContain('1 added');
  const gold = (await store.recentVerdicts({ channel: CHANNEL, limit: 9 })).find(({ id }) => id !== asked.id);
  if (gold === undefined) throw new Error('no labeled case is kept');

  teams.members.set(CHANNEL, new Set([bob.user]));
  await bob.deliver(port, bob.message(bob.personal, 'queue'));
  const queue = await saying(teams, /^2 verdicts need your vote/);
  const said = JSON.stringify(queue.activity);
  expect(said).toContain(gold.id);
  expect(said).toContain(asked.id);
  expect(said).not.toMatch(/known|label|gold/i);
  const [first, second] = shapes(queue.activity.attachments?.[0]?.content);
  expect(first).toBeDefined();
  expect(first).toBe(second);

  const answer = executes(gold.id, 'blind-wrong');
  const press = bob.invoke(bob.personal, null, 'adaptiveCard/action', answer);
  const { body } = await bob.deliver(port, { ...press, timestamp: new Date().toISOString() });
  expect(JSON.stringify(body)).toContain('FAIL');
  const voter = (await jury.parts.pseudonym())({ surface: 'teams', team: TENANT, user: bob.user });
  const viewer = { voter, maySee: async () => true };
  expect((await readVoteQueue(store, viewer, Date.now())).own).toEqual({ right: 0, of: 0 });
  expect((await readVoteQueue(store, viewer, Date.now() + dayMs)).own).toEqual({ right: 1, of: 1 });
  // People of other conversations are neither shown it nor counted.
  const foreign = await ann.deliver(port, ann.invoke(ann.personal, null, 'adaptiveCard/action', answer));
  expect(JSON.stringify(foreign.body)).toContain('another conversation');
});

test('a vote that is given in a dialog opened from the queue comes from there', async () => {
  const { teams, ann, jury } = await aTeam();
  const { port } = jury.service;
  const store = await jury.parts.store();
  const record = aRecord({ id: 'v1', channel: CHANNEL, at: Date.now() });
  const source = { ...record.source, surface: 'teams', team: TENANT };
  await store.saveVerdict({ ...record, blind: true, source });
  await ann.deliver(port, ann.message(CHANNEL, 'help'));
  await ann.deliver(port, ann.message(ann.personal, 'queue'));
  const queue = JSON.stringify((await saying(teams, /^1 verdict needs your vote/)).activity);
  const [, opens = ''] = /"data":(\{"do":"details"[^{}]*)/.exec(queue) ?? [];
  const send = async (name: 'task/fetch' | 'task/submit', data: object) =>
    JSON.stringify((await ann.deliver(port, ann.invoke(ann.personal, null, name, { data }))).body);
  const dialog = await send('task/fetch', JSON.parse(`${opens.replace(/,"msteams":$/, '')}}`));
  const [answer = ''] = /\{"do":"blind-right"[^{}]*\}/.exec(dialog) ?? [];
  await send('task/submit', JSON.parse(answer));
  expect((await store.votes('v1')).map(({ offered }) => offered)).toEqual([{ why: 'queue' }]);
});

test('how many labeled cases people got right is shown to them in their own chat alone', async () => {
  const { teams, ann, jury } = await aTeam();
  const { port } = jury.service;
  const store = await jury.parts.store();
  await store.saveChannelSettings(CHANNEL, { wish: {}, goldEvery: 2 });
  const voter = (await jury.parts.pseudonym())({ surface: 'teams', team: TENANT, user: ann.user });
  for (let n = 0; n <= 5; n += 1) {
    const record = aRecord({ id: `v${n}`, channel: CHANNEL, at: Date.now() - 2 * dayMs });
    await store.saveVerdict({ ...record, source: { ...record.source, surface: 'teams', team: TENANT } });
    if (n === 0) continue;
    await store.adjudicate(aRuling({ verdictId: `v${n}` }));
    const at = Date.now() - dayMs;
    await store.castVote({ ...aBallot({ verdictId: `v${n}`, voter, value: 'disagree' }), at });
  }
  teams.members.set(CHANNEL, new Set([ann.user]));
  await ann.deliver(port, ann.message(CHANNEL, 'queue'));
  const inChannel = await until(() => teams.posts.find((post) => post.conversation.startsWith(CHANNEL)));
  await ann.deliver(port, ann.message(ann.personal, 'queue'));
  await saying(teams, /you got 5 of 5 right/);
  expect(textOfPost(inChannel)).not.toContain('right. Only you');
});

/** Every button of a card that does something, in its order. */
const buttonsOf = (card: unknown, does: string): { id: string; queue?: number }[] => {
  const found: { id: string; queue?: number }[] = [];
  JSON.parse(JSON.stringify(card), (_key, value) => {
    if (value?.do === does) found.push(value);
    return value;
  });
  return found;
};

describe.each([false, true])('a vote in the queue (people vote first: %s)', (blind) => {
  const [right, unsure] = blind ? ['blind-right', 'blind-unsure'] : ['agree', 'unsure'];

  test('shows what came of it and what is left, in place of the queue', async () => {
    const { teams, ann, jury } = await aTeam();
    const { port } = jury.service;
    const store = await jury.parts.store();
    await store.saveChannelSettings(GROUP, { wish: {}, blind });
    for (const name of ['Sakura', 'Matsu', 'Ume'])
      await ann.deliver(port, ann.message(GROUP, PASTE.replaceAll('Sakura', name)));
    await until(async () => (await store.recentVerdicts({ channel: null, limit: 9 })).length === 3);
    await ann.deliver(port, ann.message(GROUP, 'queue'));
    const queue = await saying(teams, /^3 verdicts need your vote/);
    let card: unknown = queue.activity.attachments?.[0]?.content;
    const press = async (does: string) => {
      const data = buttonsOf(card, does)[0];
      const { body } = await ann.deliver(
        port,
        ann.invoke(GROUP, null, 'adaptiveCard/action', presses(data), queue.id),
      );
      expect(body.type).toBe('application/vnd.microsoft.card.adaptive');
      card = body.value;
      return { id: data?.id, said: wordsOn(card) };
    };
    const first = await press(right ?? '');
    expect(first.said).toMatch(/^Your (?:answer|vote) counts/);
    expect(first.said).toContain('2 verdicts need your vote.');
    expect(first.said.includes('FAIL')).toBe(blind);
    expect(buttonsOf(card, unsure ?? '').map(({ id }) => id)).not.toContain(first.id);
    const second = await press(unsure ?? '');
    expect(second.said).toContain('1 verdict needs your vote.');
    expect(await store.votes(first.id ?? '')).toHaveLength(1);
    expect(await store.votes(second.id ?? '')).toHaveLength(1);
    // The others still see the queue as it was posted.
    expect(textOfPost(queue)).toMatch(/^3 verdicts/);
  });
});

test('👎 in the queue asks what is right', async () => {
  const { teams, ann, jury } = await aTeam();
  teams.withoutStreams();
  const { port } = jury.service;
  await ann.deliver(port, ann.message(ann.personal, PASTE));
  const store = await jury.parts.store();
  await until(async () => (await store.recentVerdicts({ channel: null, limit: 9 })).length === 1);
  await ann.deliver(port, ann.message(ann.personal, 'queue'));
  const queue = await saying(teams, /^1 verdict needs your vote/);
  const [data] = buttonsOf(queue.activity.attachments?.[0]?.content, 'disagree');
  const { body } = await ann.deliver(port, ann.invoke(ann.personal, null, 'task/fetch', { data }));
  expect(JSON.stringify(body.task.value.card)).toContain('"id":"right"');
  expect(await store.tally(data?.id ?? '')).toMatchObject({ disagree: 1 });
});

test('in their own chat people see beside the queue what was judged lately, and how often people agree', async () => {
  const { teams, ann, bob, jury } = await aTeam();
  const { port } = jury.service;
  const store = await jury.parts.store();
  await ann.deliver(port, ann.message(GROUP, PASTE));
  const [record] = await until(async () => {
    const kept = await store.recentVerdicts({ channel: null, limit: 9 });
    return kept.length > 0 && kept;
  });
  const press = ann.invoke(GROUP, null, 'adaptiveCard/action', executes(record?.id ?? '', 'agree'));
  await ann.deliver(port, press);
  for (const who of [ann, bob]) await who.deliver(port, who.message(who.personal, 'queue'));
  const own = await until(() => teams.posts.find(({ conversation }) => conversation === ann.personal));
  expect(textOfPost(own)).toMatch(/Recent verdicts[\s\S]*Find me a sushi place[\s\S]*👍 1 agrees\nOpen/);
  expect(textOfPost(own)).toContain(
    'Settled verdicts (three votes or more, more than half of them on one side): 0.',
  );
  // Of a conversation that they are not in, nothing.
  const others = await until(() => teams.posts.find(({ conversation }) => conversation === bob.personal));
  expect(textOfPost(others)).not.toContain('sushi');
});
