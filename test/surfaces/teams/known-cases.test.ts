import { expect, test } from 'vitest';
import { readVoteQueue } from '../../../src/labels/read-queue.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { jury as run } from '../../support/run-jury.ts';
import { aBallot, aRecord, aRuling, dayMs } from '../../support/store-builders.ts';
import { textOfPost } from '../../support/teams-double.ts';
import { aTeam, CHANNEL, executes, saying, TENANT } from '../../support/teams-service.ts';

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
