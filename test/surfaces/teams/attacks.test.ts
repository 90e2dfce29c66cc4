import { Client } from '@microsoft/teams.api';
import { describe, expect, test } from 'vitest';
import { noVotes } from '../../../src/labels/record/vote.ts';
import { isBelow } from '../../../src/surfaces/teams/activities.ts';
import { createMembers } from '../../../src/surfaces/teams/context.ts';
import { createPlaces } from '../../../src/surfaces/teams/messages.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { textOfPost } from '../../support/teams-double.ts';
import {
  aPerson,
  aTeam,
  CHANNEL,
  executes,
  FROM_MESSAGE,
  GROUP,
  judged,
  recent,
  type Someone,
  saying,
  TENANT,
  type TeamsActivity,
} from '../../support/teams-service.ts';

closeAfterEach();

const OTHER_TENANT = '33333333-3333-4333-8333-333333333333';

describe('Teams: several tenants with one app', () => {
  test('each is answered where it asks, and sees, changes and counts nothing of the other', async () => {
    const { teams, ann, jury } = await aTeam();
    const { port } = jury.service;
    const { record } = await judged({ teams, jury }, ann, ann.personal);
    // The same object id, as it can be in two tenants, and a conversation that both say they are in.
    const double = aPerson(teams, 'Ann', OTHER_TENANT);
    await double.deliver(port, double.message(GROUP, PASTE));
    await until(async () => (await recent(jury)).length === 2);
    const theirs = (await recent(jury)).find(({ id }) => id !== record.id);
    expect(record.source.team).toBe(TENANT);
    expect(theirs?.source).toMatchObject({ team: OTHER_TENANT, channel: GROUP });
    teams.members.set(GROUP, new Set([ann.user]));
    const tries = (who: Someone, at: string, id: string) => [
      ...['agree', 'blind-right', 'share', 'retract'].map((does) =>
        who.invoke(at, null, 'adaptiveCard/action', executes(id, does)),
      ),
      ...['details', 'json', 'disagree', 'again'].map((does) =>
        who.invoke(at, null, 'task/fetch', { data: { do: does, id } }),
      ),
    ];
    for (const one of [
      ...tries(double, ann.personal, record.id),
      ...tries(double, GROUP, record.id),
      ...tries(ann, ann.personal, theirs?.id ?? ''),
    ])
      expect(JSON.stringify((await double.deliver(port, one)).body)).toContain('another conversation');
    const store = await jury.parts.store();
    for (const id of [record.id, theirs?.id ?? '']) expect(await store.tally(id)).toEqual(noVotes);
    await ann.deliver(port, ann.message(ann.personal, 'queue'));
    const queue = await saying(teams, /needs? your vote/);
    expect(JSON.stringify(queue.activity)).not.toContain(theirs?.id);
  });
});

test('who is in a conversation is asked of Teams, and one of another tenant is never in it', async () => {
  const team = await aTeam();
  const { record } = await judged(team, team.ann, GROUP);
  const places = createPlaces(await team.jury.parts.store(), Date.now);
  const api = (serviceUrl: string | null) => new Client(serviceUrl ?? team.teams.url);
  const { membership } = createMembers(places, api, Date.now, false);
  const person = { surface: 'teams', team: TENANT, user: team.ann.user };
  const { channel } = record.source;
  expect(await membership(person, channel, null)).toBe('member');
  expect(await membership({ ...person, team: OTHER_TENANT }, channel, null)).toBe('outsider');
  expect(await membership({ ...person, user: team.bob.user }, channel, null)).toBe('outsider');
});

describe('Teams: forged ids', () => {
  test('of one conversation show and count nothing in another, also for who is in both', async () => {
    const team = await aTeam();
    const { teams, ann, bob, jury } = team;
    const { port } = jury.service;
    const { record } = await judged(team, ann, CHANNEL);
    const bad = '{"rubric":"navigation","conversation":[{"role":"user","text":"Where to, secretly?"}]}';
    await ann.deliver(port, ann.message(CHANNEL, bad));
    const refused = await saying(teams, /^This could not be judged/);
    const [, draft] = /"do":"ask","id":"([^"]+)"/.exec(JSON.stringify(refused.activity)) ?? [];
    teams.enter(CHANNEL, bob.user);
    const said = async (activity: TeamsActivity) => JSON.stringify((await bob.deliver(port, activity)).body);
    const press = (at: string, does: string) =>
      said(bob.invoke(at, null, 'adaptiveCard/action', executes(record.id, does)));
    const open = (at: string, does: string, id = record.id) =>
      said(bob.invoke(at, null, 'task/fetch', { data: { do: does, id } }));
    for (const does of ['agree', 'share', 'retract'])
      expect(await press(GROUP, does)).toContain('another conversation');
    for (const does of ['details', 'json', 'disagree', 'again'])
      expect(await open(GROUP, does)).toContain('another conversation');
    expect(draft).toBeDefined();
    expect(await open(GROUP, 'ask', draft)).toContain('open for too long');
    // In the conversation itself they work.
    expect(await open(CHANNEL, 'ask', draft)).toContain('secretly');
    expect(await press(CHANNEL, 'agree')).toContain('counts');
    const store = await jury.parts.store();
    expect(await store.tally(record.id)).toEqual({ ...noVotes, agree: 1 });
  });

  test('of a form, a request and a study open nothing, list nothing and stop nothing', async () => {
    const { teams, ann, bob, jury } = await aTeam();
    const { port } = jury.service;
    const bad = '{"rubric":"navigation","conversation":[{"role":"user","text":"Where to, secretly?"}]}';
    await ann.deliver(port, ann.message(ann.personal, bad));
    const refused = await saying(teams, /^This could not be judged/);
    const [, draft] = /"do":"ask","id":"([^"]+)"/.exec(JSON.stringify(refused.activity)) ?? [];
    const two = `${PASTE}\n---\n${PASTE.replaceAll('Sakura', 'Matsu')}`;
    await ann.deliver(port, ann.message(ann.personal, two));
    const summary = await saying(teams, /^2 cases: 2 fail/);
    await until(async () => (await (await jury.parts.store()).pendingSpotChecks()) === 0);
    const [record] = await recent(jury);
    const request = `teams:${TENANT}:${record?.source.channel}:${ann.message('a:x', '').id}`;
    const said = async (activity: TeamsActivity) => JSON.stringify((await bob.deliver(port, activity)).body);
    const open = (data: object) => said(bob.invoke(GROUP, null, 'task/fetch', { data }));
    expect(draft).toBeDefined();
    const data = { do: 'ask', id: draft, response: 'x' };
    for (const form of [
      bob.invoke(GROUP, null, 'task/fetch', { data }),
      bob.invoke(GROUP, null, 'task/submit', { data }),
      bob.invoke(GROUP, null, 'composeExtension/submitAction', { ...FROM_MESSAGE, data }),
    ])
      expect(await said(form)).toContain('open for too long');
    expect(await open({ do: 'cases', id: record?.id, page: 2 })).not.toContain('sushi');
    expect(await open({ do: 'study', id: 's1 1' })).toContain('This study is gone');
    for (const does of ['stop', 'judge-edited']) {
      const press = bob.invoke(GROUP, null, 'adaptiveCard/action', executes(request, does));
      expect(await said(press)).toContain('another conversation');
    }
    expect(textOfPost(summary)).toMatch(/^2 cases: 2 fail/);
  });

  test.each(['constructor', '__proto__', 'toString', 'blind-', ''])(
    'a button that does “%s” counts nothing, where people vote first, too',
    async (does) => {
      const { teams, ann, jury } = await aTeam();
      const { port } = jury.service;
      const store = await jury.parts.store();
      await store.saveChannelSettings(GROUP, { wish: {}, blind: true });
      await ann.deliver(port, ann.message(GROUP, PASTE));
      await saying(teams, /^How do you judge/);
      const [record] = await until(async () => {
        const kept = await recent(jury);
        return kept.length > 0 && kept;
      });
      const id = record?.id ?? '';
      const press = ann.invoke(GROUP, null, 'adaptiveCard/action', executes(id, does));
      expect((await ann.deliver(port, press)).body.value).toContain('an older version of Jury');
      const sent = ann.invoke(GROUP, null, 'task/submit', { data: { do: does, id } });
      expect((await ann.deliver(port, sent)).body.task.value).toContain('an older version of Jury');
      expect(await store.votes(id)).toEqual([]);
    },
  );

  test.each(['constructor', '__proto__', 'toString'])('a reaction of type “%s” is none', async (type) => {
    const team = await aTeam();
    const { ann, jury } = team;
    const { card, record, thread } = await judged(team, ann, CHANNEL);
    for (const rest of [{ reactionsAdded: [{ type }] }, { reactionsRemoved: [{ type }] }])
      expect((await ann.deliver(jury.service.port, ann.react(CHANNEL, thread, card.id, rest))).status).toBe(
        200,
      );
    expect(await (await jury.parts.store()).votes(record.id)).toEqual([]);
  });
});

describe('Teams: what is delivered', () => {
  test('a service URL that only looks like the playground is not answered, and takes no place of another', async () => {
    const { teams, ann, jury } = await aTeam();
    const { port } = jury.service;
    await ann.deliver(port, ann.message(GROUP, 'help'));
    await saying(teams, /^Paste what a user said/);
    for (const serviceUrl of [`${teams.url}@evil.test/`, `${teams.url}0/`, 'https://evil.test/'])
      await ann.deliver(port, { ...ann.message(GROUP, PASTE), serviceUrl });
    const place = await (await jury.parts.store()).get(`teams-place:${GROUP}`, Date.now());
    expect(place).toContain(`"serviceUrl":"${teams.url}"`);
    expect(teams.posts).toHaveLength(1);
  });

  test.each([
    ['http://127.0.0.1:56150/_connector', true],
    ['http://127.0.0.1:56150/_connector/v3', true],
    ['http://127.0.0.1:56150/_connector.evil', false],
    ['http://me@127.0.0.1:56150/_connector', false],
    ['http://127.0.0.1:56150', false],
  ])('%s lies at the playground: %s', (url, expected) => {
    expect(isBelow(url, 'http://127.0.0.1:56150/_connector')).toBe(expected);
  });

  test('null is nothing: the message is answered all the same', async () => {
    const { teams, ann, jury } = await aTeam();
    const nothing = { attachments: null, replyToId: null, value: null, name: null, reactionsAdded: null };
    const said = { ...ann.message(GROUP, 'help'), ...nothing };
    const channelData = { ...said.channelData, eventType: null };
    await ann.deliverUnchecked(jury.service.port, { ...said, channelData });
    await saying(teams, /^Paste what a user said/);
  });

  test('a card, HTML and Markdown in a message are what was said', async () => {
    const { ann, jury } = await aTeam();
    const card = { type: 'AdaptiveCard', body: [{ type: 'TextBlock', text: 'PASS' }] };
    const attachments = [
      { contentType: 'application/vnd.microsoft.card.adaptive', content: card },
      { contentType: 'text/html', content: '<script>alert(1)</script>' },
    ];
    const hostile = '&lt;at&gt;everyone&lt;/at&gt; &lt;script&gt; **b** {"type":"AdaptiveCard"}';
    const paste = PASTE.replace(/^(User: )(.*)$/m, `$1$2 ${hostile}`);
    await ann.deliver(jury.service.port, ann.message(ann.personal, paste, { attachments }));
    const [record] = await until(async () => {
      const kept = await recent(jury);
      return kept.length > 0 && kept;
    });
    expect(record?.evalCase.conversation[0]?.text).toBe(
      'Find me a sushi place rated at least 4.5 <at>everyone</at> <script> **b** {"type":"AdaptiveCard"}',
    );
  });
});
