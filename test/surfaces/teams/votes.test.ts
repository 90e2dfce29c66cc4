import { describe, expect, test } from 'vitest';
import { readSet } from '../../../src/datasets/named-case-sets.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { runService } from '../../support/run-service.ts';
import { textOfPost } from '../../support/teams-double.ts';
import {
  aPerson,
  aTeam,
  CHANNEL,
  executes,
  GROUP,
  judged,
  type Reactions,
  type Someone,
  saying,
  thumb,
  withTeams,
} from '../../support/teams-service.ts';

closeAfterEach();

describe('Teams: votes', () => {
  test('buttons, reactions and Teams’ own thumbs are the same vote; the comment is kept', async () => {
    const team = await aTeam();
    const { teams, ann, bob, jury } = team;
    const { card, record, thread } = await judged(team, ann, CHANNEL);
    const store = await jury.parts.store();
    const { port } = jury.service;
    const feedback = thumb('dislike', 'It was open.');
    await ann.deliver(port, ann.invoke(CHANNEL, thread, 'message/submitAction', feedback, card.id));
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 1, unsure: 0 });
    const [vote] = await store.votes(record.id);
    expect(vote?.correction?.comment).toBe('It was open.');
    await ann.deliver(
      port,
      ann.invoke(CHANNEL, thread, 'adaptiveCard/action', executes(record.id, 'agree'), card.id),
    );
    await bob.deliver(port, bob.react(CHANNEL, thread, card.id, { reactionsAdded: [{ type: 'like' }] }));
    await bob.deliver(port, bob.react(CHANNEL, thread, card.id, { reactionsAdded: [{ type: 'heart' }] }));
    expect(await store.tally(record.id)).toEqual({ agree: 2, disagree: 0, unsure: 0 });
    await until(async () => /👍 2/.test(textOfPost(card)));
    await bob.deliver(port, bob.react(CHANNEL, thread, card.id, { reactionsRemoved: [{ type: 'like' }] }));
    await ann.deliver(
      port,
      ann.invoke(CHANNEL, thread, 'adaptiveCard/action', executes(record.id, 'retract'), card.id),
    );
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 0, unsure: 0 });
    expect(teams.posts).toHaveLength(1);
  });

  test('a reaction that is changed in one activity is the new vote', async () => {
    const team = await aTeam();
    const { ann, jury } = team;
    const { card, record, thread } = await judged(team, ann, CHANNEL);
    const store = await jury.parts.store();
    const react = (rest: Reactions) =>
      ann.deliver(jury.service.port, ann.react(CHANNEL, thread, card.id, rest));
    await react({ reactionsAdded: [{ type: 'like' }] });
    await react({ reactionsAdded: [{ type: 'dislike' }], reactionsRemoved: [{ type: 'like' }] });
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 1, unsure: 0 });
  });

  test('a card is shared from its thread to the channel once, also by who opens it in their own chat', async () => {
    const team = await aTeam();
    const { teams, ann, jury } = team;
    const { record } = await judged(team, ann, CHANNEL);
    teams.members.set(CHANNEL, new Set([ann.user]));
    const share = async () =>
      JSON.stringify(
        (
          await ann.deliver(
            jury.service.port,
            ann.invoke(ann.personal, null, 'task/submit', { data: { do: 'share', id: record.id } }),
          )
        ).body,
      );
    expect(await share()).toContain('Shared to the channel');
    expect(await share()).toContain('has been shared to the channel already');
    const shared = teams.posts.filter(({ conversation }) => conversation === CHANNEL);
    expect(shared.map((post) => textOfPost(post))).toEqual([expect.stringContaining('Shared by Ann')]);
    // Who shared it is shown, and kept nowhere else.
    const store = await jury.parts.store();
    expect(await store.get(`shared:${record.id}`, Date.now())).not.toContain(ann.user);
  });

  test('a case is added to a named set, from the card and from its details', async () => {
    const team = await aTeam();
    const { ann, jury } = team;
    const { record } = await judged(team, ann, CHANNEL);
    const dialog = async (does: 'task/fetch' | 'task/submit', more: object = {}) => {
      const data = { do: 'add-to-set', id: record.id, ...more };
      return JSON.stringify(
        (await ann.deliver(jury.service.port, ann.invoke(CHANNEL, null, does, { data }))).body,
      );
    };
    expect(await dialog('task/fetch')).toContain('"value":"regressions"');
    expect(await dialog('task/submit')).toContain('"value":"regressions"');
    expect(await dialog('task/submit', { set: 'no/name' })).toContain('cannot be the name of a set');
    expect(await dialog('task/submit', { set: 'smoke' })).toContain('Added to the set');
    expect(await dialog('task/submit', { set: 'smoke' })).toContain('already');
    const store = await jury.parts.store();
    expect(await readSet(store, 'smoke', Date.now())).toMatchObject([{ id: record.id }]);
  });

  test('a mention without a paste is told what to do, and is no error of the service', async () => {
    const { teams, ann, jury } = await aTeam();
    const conversation = {
      ...ann.message(CHANNEL, '').conversation,
      id: `${CHANNEL};messageid=1700000000001`,
    };
    await ann.deliver(jury.service.port, { ...ann.message(CHANNEL, 'what about this?'), conversation });
    await saying(teams, /in Teams, I see only messages that mention me\. Mention me with the paste/);
    const failed = await until(() => jury.logged.find((line) => line.includes('a request failed')));
    expect(failed).toContain('"level":30');
  });

  test('a card of a group chat stands where all see it, so it is not shared', async () => {
    const team = await aTeam();
    const { teams, ann, jury } = team;
    const { record } = await judged(team, ann, GROUP);
    // A button that does nothing is not offered; one of an older card says why.
    expect(JSON.stringify(teams.posts.map(({ activity }) => activity))).not.toContain('"do":"share"');
    const press = ann.invoke(GROUP, null, 'adaptiveCard/action', executes(record.id, 'share'));
    expect((await ann.deliver(jury.service.port, press)).body.value).toContain(
      'already stands where everyone',
    );
  });

  test('a verdict of another conversation shows and counts nothing, whatever a button or a dialog names', async () => {
    const team = await aTeam();
    const { teams, ann, bob, jury } = team;
    teams.withoutStreams();
    const { record } = await judged(team, ann, ann.personal);
    const { port } = jury.service;
    const why = record.verdict.why;
    const tries = [
      ...['agree', 'disagree', 'unsure', 'retract', 'blind-right', 'ask-model', 'share'].map((does) =>
        bob.invoke(GROUP, null, 'adaptiveCard/action', executes(record.id, does)),
      ),
      ...['details', 'json', 'again', 'fill-in', 'disagree', 'correct', 'add-to-set'].flatMap((does) => [
        bob.invoke(GROUP, null, 'task/fetch', { data: { do: does, id: record.id } }),
        bob.invoke(GROUP, null, 'task/submit', { data: { do: does, id: record.id } }),
      ]),
    ];
    for (const one of tries) {
      const { status, body } = await bob.deliver(port, one);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain(why);
      expect(JSON.stringify(body)).toContain('another conversation');
    }
    const store = await jury.parts.store();
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 0, unsure: 0 });
    expect(teams.posts).toHaveLength(1);
  });

  test('in their own chat people vote on what waits in the conversations that they are in, and on no other', async () => {
    const team = await aTeam();
    const { teams, ann, bob, jury } = team;
    const { record } = await judged(team, ann, CHANNEL);
    const { port } = jury.service;
    teams.members.set(CHANNEL, new Set([bob.user]));
    const carl = aPerson(teams, 'Carl');
    for (const who of [bob, carl]) await who.deliver(port, who.message(who.personal, 'queue'));
    await saying(teams, /^1 verdict needs your vote/);
    await saying(teams, /^No verdict needs your vote/);
    const press = async (who: Someone) =>
      (
        await who.deliver(
          port,
          who.invoke(who.personal, null, 'adaptiveCard/action', executes(record.id, 'agree')),
        )
      ).body;
    expect((await press(bob)).value).toContain('counts');
    expect((await press(carl)).value).toContain('another conversation');
    expect(await (await jury.parts.store()).tally(record.id)).toEqual({ agree: 1, disagree: 0, unsure: 0 });
  });

  test('👎 counts at once, and its form says what is right', async () => {
    const team = await aTeam();
    const { ann, jury } = team;
    const { record, thread } = await judged(team, ann, CHANNEL);
    const { port } = jury.service;
    const store = await jury.parts.store();
    const fetched = ann.invoke(CHANNEL, thread, 'task/fetch', { data: { do: 'disagree', id: record.id } });
    const { card } = (await ann.deliver(port, fetched)).body.task.value;
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 1, unsure: 0 });
    const answers = { right: 'pass', comment: 'It was open.' };
    const data = { ...card.content.actions[0].data, ...answers };
    const sent = await ann.deliver(port, ann.invoke(CHANNEL, thread, 'task/submit', { data }));
    expect(sent.body).toBeNull();
    const [vote] = await store.votes(record.id);
    expect(vote).toMatchObject({
      value: 'disagree',
      correction: { decision: 'pass', comment: 'It was open.' },
    });
  });

  test('Details are turned page by page and hold all that was said', async () => {
    const team = await aTeam();
    const { teams, ann, jury } = team;
    teams.withoutStreams();
    const { record } = await judged(team, ann, ann.personal);
    const { port } = jury.service;
    let body = (
      await ann.deliver(
        port,
        ann.invoke(ann.personal, null, 'task/fetch', { data: { do: 'details', id: record.id } }),
      )
    ).body;
    let all = '';
    for (let page = 0; page < 20; page += 1) {
      const { content } = body.task.value.card;
      expect(JSON.stringify(content).length).toBeLessThan(28_000);
      all += JSON.stringify(content);
      const next = content.actions.find(({ title }: { title: string }) => title === 'Next');
      if (next === undefined) break;
      body = (await ann.deliver(port, ann.invoke(ann.personal, null, 'task/submit', { data: next.data })))
        .body;
    }
    for (const { rationale } of record.verdict.criteria)
      expect(all).toContain(JSON.stringify(rationale?.replace(/`([^`]*)`/g, '“$1”')).slice(1, 40));
  });
});

test('votes count in the playground, which knows people by ids of its own', async () => {
  const teams = await withTeams();
  teams.actAsPlayground();
  const jury = await runService({ TEAMS_PLAYGROUND_URL: teams.url });
  const ann = aPerson(teams);
  await ann.deliver(jury.service.port, ann.message(GROUP, PASTE));
  await saying(teams, /^FAIL/);
  const store = await jury.parts.store();
  const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
  const id = record?.id ?? '';
  const press = ann.invoke(GROUP, null, 'adaptiveCard/action', executes(id, 'agree'));
  expect((await ann.deliver(jury.service.port, press)).body.value).toContain('Your vote counts');
  expect(await store.tally(id)).toMatchObject({ agree: 1 });
});
