import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { readEnv } from '../../../src/env.ts';
import { slack as slackSurface } from '../../../src/surfaces/slack/surface.ts';
import { connectTeams } from '../../../src/surfaces/teams/connect.ts';
import { threadId } from '../../../src/surfaces/teams/ids.ts';
import { teams as teamsSurface } from '../../../src/surfaces/teams/surface.ts';
import { PAIR_PASTE, prefersNumbers } from '../../support/pairs.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import { runService } from '../../support/run-service.ts';
import { serviceModel } from '../../support/service-model.ts';
import { payloadsOf } from '../../support/slack-requests.ts';
import { slackEnv, startJury, withSlack } from '../../support/slack-service.ts';
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
  saying,
  startTeamsJury,
  TENANT,
  withTeams,
} from '../../support/teams-service.ts';

closeAfterEach();

describe('Teams: where people ask', () => {
  test('a channel answers in the thread of the mention; group chat and personal chat answer in line', async () => {
    const { teams, ann, jury } = await aTeam();
    const asked = ann.message(CHANNEL, PASTE);
    await ann.deliver(jury.service.port, asked);
    await ann.deliver(jury.service.port, ann.message(GROUP, PASTE));
    await ann.deliver(jury.service.port, ann.message(ann.personal, PASTE));
    await until(async () => (await recent(jury)).length === 3);
    await until(
      async () =>
        teams.posts.length === 3 && teams.posts.every((post) => textOfPost(post).startsWith('FAIL')),
    );
    expect(teams.posts.map(({ conversation }) => conversation).sort()).toEqual([
      `${CHANNEL};messageid=${asked.id}`,
      GROUP,
      ann.personal,
    ]);
  });

  test('a paste in a reply gets one card, in the thread of that reply', async () => {
    const { teams, ann, bob, jury } = await aTeam();
    const { port } = jury.service;
    const root = ann.message(CHANNEL, 'lunch?', { entities: [], text: 'lunch?' });
    await ann.deliver(port, root);
    const reply = { ...bob.message(CHANNEL, PASTE), replyToId: root.id, conversation: root.conversation };
    await Promise.all([1, 2, 3].map(() => bob.deliver(port, reply)));
    const card = await saying(teams, /^FAIL/);
    expect(card.conversation).toBe(`${CHANNEL};messageid=${root.id}`);
    const [record, ...others] = await until(async () => {
      const kept = await recent(jury);
      return kept.length > 0 && kept;
    });
    expect(others).toEqual([]);
    expect(record?.source).toMatchObject({ channel: CHANNEL, thread: root.id, message: card.id });
    expect(teams.posts).toHaveLength(1);
  });

  test('only channels have threads', () => {
    for (const channel of [CHANNEL, 'an-id-of-another-form'])
      expect(threadId(channel, '1')).toBe(`${channel};messageid=1`);
    for (const elsewhere of [GROUP, 'a:Ann']) expect(threadId(elsewhere, '1')).toBe(elsewhere);
  });

  test('a team that installs the app is greeted in its channel, in a post of its own', async () => {
    const { teams, ann, jury } = await aTeam();
    await ann.deliver(jury.service.port, ann.installed(CHANNEL));
    expect((await saying(teams, /^Paste what a user said/)).conversation).toBe(CHANNEL);
  });

  test('what colleagues say to each other is no request', async () => {
    const { teams, ann, jury } = await aTeam();
    const said = { ...ann.message(GROUP, PASTE), entities: [], text: PASTE };
    expect((await ann.deliver(jury.service.port, said)).status).toBe(200);
    expect(teams.calls).toEqual([]);
    expect(await recent(jury)).toEqual([]);
  });

  test('another tenant is not answered where one is set', async () => {
    const { teams, ann, jury } = await aTeam({ TEAMS_TENANT_ID: '99999999-9999-4999-8999-999999999999' });
    expect((await ann.deliver(jury.service.port, ann.message(GROUP, PASTE))).status).toBe(200);
    // What is answered was kept before.
    const store = await jury.parts.store();
    await until(async () => (await store.pendingSpotChecks()) === 0);
    expect(await store.get(`teams-place:${GROUP}`, Date.now())).toBeNull();
    expect(teams.calls).toEqual([]);
    const own = await aTeam({ TEAMS_TENANT_ID: TENANT });
    await own.ann.deliver(own.jury.service.port, own.ann.message(GROUP, PASTE));
    await saying(own.teams, /^FAIL/);
  });

  test('line breaks, entities and mentions of others are read as they were typed', async () => {
    const { ann, jury } = await aTeam();
    const html = PASTE.replaceAll('\n', '<br>').replaceAll('"', '&quot;');
    await ann.deliver(jury.service.port, ann.message(ann.personal, html));
    const record = await until(async () => (await recent(jury))[0]);
    const plain = await startTeamsJury(await withTeams());
    await ann.deliver(plain.service.port, { ...ann.message(ann.personal, PASTE) });
    expect(record.evalCase.response).not.toMatch(/<br>|&quot;/);
    expect(record.verdict.decision).toBe('fail');
  });

  test('a message that someone shares with the jury is judged after its form was sent', async () => {
    const { teams, ann, jury } = await aTeam();
    const content =
      `<p style="margin:0" itemprop="copy-paste-block"><at id="0">Jury</at>&nbsp;${PASTE.replaceAll('\n', '</p><p class="x">')}</p>`.replaceAll(
        '</p><p',
        '<br></p><p',
      );
    const open = ann.invoke(GROUP, null, 'composeExtension/fetchTask', {
      ...FROM_MESSAGE,
      messagePayload: { id: '1', body: { contentType: 'html', content } },
    });
    const opened = await ann.deliver(jury.service.port, open);
    const card = opened.body.task.value.card.content;
    const inputs = card.body.filter(({ type }: { type: string }) => type.startsWith('Input.'));
    // Whom the message speaks to is no part of what is judged.
    expect(inputs[0].value).toMatch(/^User: /);
    const answers = Object.fromEntries(
      inputs.map(({ id, value }: { id: string; value: unknown }) => [id, value ?? '']),
    );
    const data = { ...card.actions[0].data, ...answers };
    const sent = ann.invoke(GROUP, null, 'composeExtension/submitAction', { ...FROM_MESSAGE, data });
    expect((await ann.deliver(jury.service.port, sent)).body.task.value.title).toBe('Asked');
    // Teams delivers it again.
    await ann.deliver(jury.service.port, sent);
    await saying(teams, /^FAIL/);
    expect(await recent(jury)).toHaveLength(1);
  });

  test.each([
    ['a post', { id: '1700000000500' }, '1700000000500'],
    ['a reply', { id: '1700000000600', replyToId: '1700000000500' }, '1700000000500'],
  ])('the card of %s that someone shares comes in its thread', async (_what, payload, thread) => {
    const { teams, ann, jury } = await aTeam();
    const { port } = jury.service;
    const open = ann.invoke(CHANNEL, null, 'composeExtension/fetchTask', {
      ...FROM_MESSAGE,
      messagePayload: { ...payload, body: { contentType: 'text', content: PASTE } },
    });
    const { content } = (await ann.deliver(port, open)).body.task.value.card;
    const inputs = content.body.filter(({ type }: { type: string }) => type.startsWith('Input.'));
    const answers = inputs.map(({ id, value }: { id: string; value: unknown }) => [id, value ?? '']);
    const data = { ...content.actions[0].data, ...Object.fromEntries(answers) };
    await ann.deliver(
      port,
      ann.invoke(CHANNEL, null, 'composeExtension/submitAction', { ...FROM_MESSAGE, data }),
    );
    expect((await saying(teams, /^FAIL/)).conversation).toBe(`${CHANNEL};messageid=${thread}`);
  });

  test.each([
    ['help', /^Paste what a user said/],
    ['Ask', /^Fill in a request/],
    ['settings', /^How cases of this conversation/],
    ['queue', /^No verdict needs your vote/],
    ['digest list', /^No digests are scheduled here/],
    ['digest every monday 9am Europe/Berlin', /^Scheduled\./],
    ['study', /^No open study asks for your answers/],
    ['review', /^There is nothing to check for you now\./],
    ['digst list', /^There is no command “digst”\. Did you mean “digest”\?/],
    ['Queues', /^There is no command “queues”\. Did you mean “queue”\?/],
  ])('“%s” is answered once, and is no request', async (word, answer) => {
    const { teams, ann, jury } = await aTeam();
    const said = ann.message(ann.personal, word);
    await Promise.all([1, 2, 3].map(() => ann.deliver(jury.service.port, said)));
    await saying(teams, answer);
    expect(teams.posts).toHaveLength(1);
    expect(await recent(jury)).toEqual([]);
  });
});

test.each(['hello', 'thanks', 'the restaurant was closed', 'why digest?', 'no', 'asking: for more'])(
  '“%s” is no command',
  async (said) => {
    const { teams, ann, jury } = await aTeam();
    await ann.deliver(jury.service.port, ann.message(ann.personal, said));
    await until(() => teams.calls.some(({ method }) => method !== 'GET'));
    const store = await jury.parts.store();
    await until(async () => (await store.pendingSpotChecks()) === 0);
    expect(teams.posts.map((post) => textOfPost(post)).join()).not.toContain('There is no command');
  },
);

describe('Teams: beside others', () => {
  test('Slack and Teams run in one service on one port; a vote in one is none in the other', async () => {
    const teams = await withTeams();
    const slack = await withSlack();
    const jury = await startJury(slack, 'http', { TEAMS_PLAYGROUND_URL: teams.url });
    expect(jury.logged.join()).toContain('slack: on');
    expect(jury.logged.join()).toContain('teams: on');
    const ann = aPerson(teams);
    await ann.deliver(jury.service.port, ann.message(GROUP, PASTE));
    await saying(teams, /^FAIL/);
    const [record] = await (await jury.parts.store()).recentVerdicts({ channel: null, limit: 9 });
    expect(record?.source.surface).toBe('teams');
    expect(slack.called('chat.postMessage')).toEqual([]);
  });

  test.each([
    ['Slack only', true, false],
    ['Teams only', false, true],
    ['both', true, true],
    ['neither', false, false],
  ])(
    'the service starts with %s, and says what the others need',
    async (_which, withSlackOn, withTeamsOn) => {
      const slack = withSlackOn ? slackEnv(await withSlack(), 'http') : {};
      const own = withTeamsOn ? { TEAMS_PLAYGROUND_URL: (await withTeams()).url } : {};
      const jury = await runService({ ...slack, ...own });
      const said = jury.logged.join();
      expect(said).toContain(withSlackOn ? 'slack: on' : 'slack: off; set SLACK_BOT_TOKEN');
      expect(said).toContain(
        withTeamsOn ? 'teams: on' : 'teams: off; set TEAMS_CLIENT_ID and TEAMS_CLIENT_SECRET',
      );
      const health = await fetch(`http://127.0.0.1:${jury.service.port}/healthz`);
      expect(health.status).toBe(200);
    },
  );

  test('with a part missing Teams is off and named, and the rest runs', async () => {
    const slack = await withSlack();
    const id = '01234567-89ab-cdef-0123-456789abcdef';
    const jury = await startJury(slack, 'http', { TEAMS_CLIENT_ID: id });
    expect(jury.logged.join()).toContain('teams: off; TEAMS_CLIENT_ID is set; set TEAMS_CLIENT_SECRET too');
    expect(jury.logged.join()).toContain('slack: on');
    expect(() => readEnv({ TEAMS_CLIENT_ID: 'my app' }, '')).toThrow(
      /TEAMS_CLIENT_ID.*application \(client\) id/,
    );
  });
});

test('with refused credentials Teams is off and named with what it needs, and Slack answers', async () => {
  const slack = await withSlack();
  const entra = createServer((_request, response) =>
    response.writeHead(401, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        error: 'invalid_client',
        error_description: 'AADSTS7000215: Invalid client secret.',
      }),
    ),
  ).listen(0, '127.0.0.1');
  await once(entra, 'listening');
  closing(async () => void entra.close());
  const address = entra.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const token = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/oauth2/v2.0/token`, { method: 'POST' });
    throw new Error(await answer.text());
  };
  const jury = await startJury(
    slack,
    'http',
    { TEAMS_CLIENT_ID: '01234567-89ab-cdef-0123-456789abcdef', TEAMS_CLIENT_SECRET: 'wrong' },
    [slackSurface, { ...teamsSurface, connect: (host) => connectTeams(host, { token }) }],
  );
  expect(jury.logged.join()).toMatch(/teams: off[^"]*TEAMS_CLIENT_SECRET is not valid/);
  expect(jury.logged.join()).toContain('slack: on');
  const door = await fetch(`http://127.0.0.1:${jury.service.port}/api/messages`, { method: 'POST' });
  expect(door.status).toBe(404);
  const thread = await slack.say(PASTE);
  await jury.deliver.event(payloadsOf(slack).mention(PASTE, thread));
  await until(async () => (await slack.written(slack.channel, thread))[0]?.text.startsWith('FAIL'));
});

describe('Teams: two answers', () => {
  test('become one card, and a button says which is better', async () => {
    const { env } = await serviceModel({ answer: prefersNumbers }, 'openai/judge');
    const { teams, ann, jury } = await aTeam(env);
    teams.withoutStreams();
    const { port } = jury.service;
    await ann.deliver(port, ann.message(ann.personal, PAIR_PASTE));
    const card = await saying(teams, /^New is better/);
    const record = await until(async () => (await recent(jury))[0]);
    const text = JSON.stringify(card.activity);
    for (const said of [
      '3 of 3 judges, in both orders',
      'New names the temperature; Old only says yes',
      '"Same"',
    ])
      expect(text).toContain(said);
    const press = (score: number) =>
      ann.deliver(
        port,
        ann.invoke(
          ann.personal,
          null,
          'adaptiveCard/action',
          executes(record.id, 'blind-score', { score }),
          card.id,
        ),
      );
    expect(JSON.stringify((await press(1)).body)).toContain('Your answer counts');
    const store = await jury.parts.store();
    expect(await store.tally(record.id)).toEqual({ agree: 1, disagree: 0, unsure: 0 });
    await press(-1);
    expect(await store.tally(record.id)).toEqual({ agree: 0, disagree: 1, unsure: 0 });
    await saying(teams, /^New is better/);
    await until(async () => JSON.stringify(teams.posts).includes('Old 1'));
  });
});

describe('Teams: who is in a conversation', () => {
  test('who left it loses its buttons', async () => {
    const team = await aTeam();
    const { teams, ann, bob, jury } = team;
    const { record } = await judged(team, ann, GROUP);
    const press = async (does: string) =>
      JSON.stringify(
        (
          await bob.deliver(
            jury.service.port,
            bob.invoke(GROUP, null, 'adaptiveCard/action', executes(record.id, does)),
          )
        ).body,
      );
    teams.leave(GROUP, bob.user);
    expect(await press('agree')).toContain('belongs to another conversation');
    expect(await press('share')).toContain('belongs to another conversation');
    expect(await (await jury.parts.store()).votes(record.id)).toEqual([]);
  });

  test('while Teams does not say so, a vote counts, and settings stay as they are', async () => {
    const team = await aTeam();
    const { teams, ann, bob, jury } = team;
    const { record } = await judged(team, ann, GROUP);
    teams.refuse({ status: 500, times: 99, conversation: `${GROUP}/members` });
    await bob.deliver(
      jury.service.port,
      bob.invoke(GROUP, null, 'adaptiveCard/action', executes(record.id, 'agree')),
    );
    const store = await jury.parts.store();
    expect(await store.votes(record.id)).toHaveLength(1);
    const data = { do: 'settings', settings_shown: 'blind' };
    const { body } = await bob.deliver(jury.service.port, bob.invoke(GROUP, null, 'task/submit', { data }));
    expect(JSON.stringify(body)).toContain('I cannot see who is in this conversation');
    expect(await store.channelSettings(GROUP)).toEqual({ wish: {} });
  });
});
