import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { readSet } from '../../../src/datasets/named-case-sets.ts';
import { readEnv } from '../../../src/env.ts';
import { forgetPeople } from '../../../src/requests/requesters.ts';
import type { SummaryLine } from '../../../src/surfaces/chat/progress.ts';
import { slack as slackSurface } from '../../../src/surfaces/slack/surface.ts';
import { connectTeams } from '../../../src/surfaces/teams/connect.ts';
import { threadId } from '../../../src/surfaces/teams/ids.ts';
import { casesCard } from '../../../src/surfaces/teams/render/lists.ts';
import { teams as teamsSurface } from '../../../src/surfaces/teams/surface.ts';
import { PAIR_PASTE, prefersNumbers } from '../../support/pairs.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, closing, newFolder, until } from '../../support/resources.ts';
import { playgroundAt, runService } from '../../support/run-service.ts';
import { serviceModel } from '../../support/service-model.ts';
import { payloadsOf } from '../../support/slack-requests.ts';
import { ownRedis, slackEnv, startJury, withSlack } from '../../support/slack-service.ts';
import { aStudy, labeled } from '../../support/study-builders.ts';
import { textOfPost } from '../../support/teams-double.ts';
import {
  aPerson,
  aTeam,
  CHANNEL,
  executes,
  FROM_MESSAGE,
  GROUP,
  judged,
  type Reactions,
  recent,
  type Someone,
  saying,
  startTeamsJury,
  TENANT,
  thumb,
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
    ['study', /^You are not an annotator/],
    ['digst list', /^There is no command "digst"\. Did you mean "digest"\?/],
    ['Queues', /^There is no command "queues"\. Did you mean "queue"\?/],
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
      expect(all).toContain(JSON.stringify(rationale).slice(1, 40));
  });
});

describe('Teams: limits and failures', () => {
  test.each([429, 412, 503])('a refusal with %i is waited for, and the card comes once', async (status) => {
    const { teams, ann, jury } = await aTeam();
    teams.refuse({ status, times: 2, retryAfter: 1 });
    await ann.deliver(jury.service.port, ann.message(GROUP, PASTE));
    await saying(teams, /^FAIL/);
    expect(teams.posts).toHaveLength(1);
    const posts = teams.calls.filter(({ method }) => method === 'POST');
    expect(posts).toHaveLength(3);
  });

  test.each([429, 412])('a conversation that is refused with %i keeps no other waiting', async (status) => {
    const { teams, ann, bob, jury } = await aTeam();
    teams.refuse({ status, times: Number.POSITIVE_INFINITY, retryAfter: 3, conversation: GROUP });
    await ann.deliver(jury.service.port, ann.message(GROUP, PASTE));
    await until(async () => teams.calls.length > 0);
    await bob.deliver(jury.service.port, bob.message(bob.personal, PASTE));
    await until(async () =>
      teams.posts.some((post) => post.conversation === bob.personal && /^FAIL/.test(textOfPost(post))),
    );
    expect(teams.posts.some(({ conversation }) => conversation === GROUP)).toBe(false);
    teams.refuse({ status, times: 0 });
    await until(async () => teams.posts.some(({ conversation }) => conversation === GROUP));
  });

  test.each([403, 404, 400])(
    'a refusal with %i that names no time is final: one try, and the person is notified in private',
    async (status) => {
      const { teams, ann, jury } = await aTeam();
      await ann.deliver(jury.service.port, ann.installed());
      await saying(teams, /^Paste what a user said/);
      teams.refuse({ status, times: 1 });
      await ann.deliver(jury.service.port, ann.message(GROUP, PASTE));
      const store = await jury.parts.store();
      if (status === 400)
        await until(async () => teams.calls.filter(({ path }) => path.includes('lunch')).length > 0);
      else await until(async () => (await store.pendingSpotChecks()) === 0);
      const tries = teams.calls.filter(
        ({ method, path }) => method === 'POST' && decodeURIComponent(path).includes(GROUP),
      );
      expect(tries).toHaveLength(1);
      if (status !== 400) await saying(teams, /I cannot post in that conversation/);
    },
  );

  test('what could not be posted is posted when it is asked for again', async () => {
    const { teams, ann, jury } = await aTeam();
    const said = ann.message(ann.personal, 'help');
    teams.refuse({ status: 400, times: 1 });
    expect((await ann.deliver(jury.service.port, said)).status).toBe(500);
    expect((await ann.deliver(jury.service.port, said)).status).toBe(200);
    await saying(teams, /^Paste what a user said/);
  });

  test('a request that cannot be read is refused without a stack trace', async () => {
    const { jury } = await aTeam();
    const answer = await fetch(playgroundAt(jury.service.port), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"secret": ',
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe('{"error":"bad request"}');
  });

  test('the list of a hundred cases fits into a dialog', () => {
    const long = (n: number): SummaryLine => ({
      kind: 'judged',
      id: `v${n}`,
      title: '長'.repeat(90),
      decision: 'fail',
      reason: '短'.repeat(120),
    });
    const card = casesCard(Array.from({ length: 100 }, (_, n) => long(n)));
    expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(28_000);
    expect(JSON.stringify(card)).toMatch(/\d+ more do not fit here/);
  });

  test('one mention over two services on one store gives one verdict and one card', async () => {
    const teams = await withTeams();
    const ann = aPerson(teams);
    const env = { JURY_DATA_DIR: newFolder() };
    const jury = await startTeamsJury(teams, env);
    const asked = ann.message(CHANNEL, PASTE);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ann.deliver(jury.service.port, asked)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await saying(teams, /^FAIL/);
    await ann.deliver(jury.service.port, asked);
    expect(teams.posts).toHaveLength(1);
    expect(await recent(jury)).toHaveLength(1);
  });

  test('the same activity five times over two replicas gives one verdict and one card', async () => {
    const teams = await withTeams();
    const ann = aPerson(teams);
    const redis = await ownRedis();
    const env = { REDIS_URL: redis.url, JURY_SECRET: 'of-this-test' };
    const replicas = [await startTeamsJury(teams, env), await startTeamsJury(teams, env)];
    const asked = ann.message(CHANNEL, PASTE);
    await Promise.all([0, 1, 0, 1, 0].map((n) => ann.deliver(replicas[n]?.service.port ?? 0, asked)));
    const card = await saying(teams, /^FAIL/);
    const [, second] = replicas;
    if (second === undefined) throw new Error('no second replica');
    const [record] = await recent(second);
    const press = (who: Someone, port: number) =>
      who.deliver(
        port,
        who.invoke(CHANNEL, asked.id, 'adaptiveCard/action', executes(record?.id ?? '', 'agree'), card.id),
      );
    await Promise.all(replicas.map(({ service }, n) => press(aPerson(teams, `P${n}`), service.port)));
    await until(async () => /👍 2/.test(textOfPost(card)));
    expect(teams.posts).toHaveLength(1);
    expect(await recent(second)).toHaveLength(1);
  });

  test('Teams is answered before any model is asked, and the person before any model answers', async () => {
    const { double, env } = await serviceModel({ answer: () => ({ hang: true }) });
    const { teams, ann, jury } = await aTeam(env);
    await ann.deliver(jury.service.port, ann.message(GROUP, 'help'));
    const { status } = await ann.deliver(jury.service.port, ann.message(GROUP, PASTE));
    expect(status).toBe(200);
    expect(double.counts.received).toBe(0);
    await until(async () => teams.posts.length === 2);
    expect(double.counts.answered).toBe(0);
  });

  test('a service URL that changes takes the place of the old one', async () => {
    const { ann, jury } = await aTeam();
    const store = await jury.parts.store();
    const place = async () => JSON.parse((await store.get(`teams-place:${GROUP}`, Date.now())) ?? '{}');
    const said = ann.message(GROUP, 'help');
    await ann.deliver(jury.service.port, said);
    const before = await place();
    await ann.deliver(jury.service.port, {
      ...ann.message(GROUP, 'help'),
      serviceUrl: `${said.serviceUrl}/moved`,
    });
    expect((await place()).serviceUrl).toBe(`${before.serviceUrl}/moved`);
    expect(before.tenant).toBe(TENANT);
  });

  test('pasted markup is words: no run of text is read as Markdown, HTML, a mention or a card', async () => {
    const team = await aTeam();
    const { teams, ann, jury } = team;
    teams.withoutStreams();
    const hostile =
      '<at>everyone</at> **bold** [x](https://evil.test) <b>b</b> {"type":"AdaptiveCard"} @everyone';
    const paste = PASTE.replace(/^(User: )(.*)$/m, `$1$2 ${hostile}`);
    await ann.deliver(jury.service.port, ann.message(ann.personal, paste));
    await until(async () => (await recent(jury)).length === 1);
    const post = await until(async () => teams.posts[0]);
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      // A TextBlock would be read as Markdown.
      if ('type' in value) expect(value.type).not.toBe('TextBlock');
      Object.values(value).forEach(visit);
    };
    visit(post.activity);
    expect(JSON.stringify(post.activity)).not.toContain('"mentioned"');
  });
});

describe('Teams: studies', () => {
  test('an annotator starts from a private message and answers case by case; others have no place', async () => {
    const { teams, ann, bob, jury } = await aTeam();
    const { port } = jury.service;
    const store = await jury.parts.store();
    await ann.deliver(port, ann.installed());
    const person = { surface: 'teams', team: TENANT, user: ann.user };
    const own = (await jury.parts.pseudonym())(person);
    const study = { ...aStudy({ at: Date.now() }), annotators: [{ id: own, person, place: 0 }] };
    await store.addStudy(study);
    const said = ann.message(ann.personal, 'study');
    await ann.deliver(port, said);
    const list = await saying(teams, /^You are an annotator in 1 study/);
    const [, id] = /"do":"study","id":"([^"]+)"/.exec(JSON.stringify(list.activity)) ?? [];
    const open = (who: Someone) =>
      who.deliver(port, who.invoke(who.personal, null, 'task/fetch', { data: { do: 'study', id } }));
    expect(JSON.stringify((await open(bob)).body)).toContain('You have no place in this study');
    let { body } = await open(ann);
    const total = study.cases.length;
    for (let n = 1; n <= total; n += 1) {
      const { title, card } = body.task.value;
      expect(title).toBe(`Case ${n} of ${total}`);
      expect(JSON.stringify(card).length).toBeLessThan(28_000);
      const { content } = card;
      const inputs = content.body.filter(({ type }: { type: string }) => type.startsWith('Input.'));
      const answers = Object.fromEntries(
        inputs.map(
          ({
            id,
            choices,
            isMultiSelect,
          }: {
            id: string;
            choices?: { value: string }[];
            isMultiSelect?: boolean;
          }) => [id, isMultiSelect === true ? '' : (choices?.[0]?.value ?? '')],
        ),
      );
      const sent = { data: { ...content.actions[0].data, ...answers } };
      body = (await ann.deliver(port, ann.invoke(ann.personal, null, 'task/submit', sent))).body;
    }
    expect(body.task.value).toContain('Thank you');
    expect(await store.annotations(study.id, own)).toHaveLength(total);
  });

  test('criteria are asked on their scale, as many as a dialog holds beside a long case', async () => {
    const { ann, jury } = await aTeam();
    const { port } = jury.service;
    const store = await jury.parts.store();
    await ann.deliver(port, ann.installed());
    const person = { surface: 'teams', team: TENANT, user: ann.user };
    const own = (await jury.parts.pseudonym())(person);
    const questions = Array.from({ length: 24 }, (_, n) => ({
      id: `c${n}`,
      title: `Criterion ${n}`,
      rule: 'It fits. '.repeat(40),
      scale: n === 0 ? { min: 0, max: 100 } : ('binary' as const),
      mayNotApply: true,
    }));
    const documents = Array.from({ length: 40 }, (_, n) => ({ text: `Document ${n} ${'x'.repeat(400)}` }));
    const study = {
      ...aStudy({
        at: Date.now(),
        items: ['correct'],
        questions,
        cases: [labeled('a', 'pass', { documents })],
      }),
      annotators: [{ id: own, person, place: 0 }],
    };
    await store.addStudy(study);
    const data = { do: 'study', id: `${study.id} ${study.at}` };
    const { body } = await ann.deliver(port, ann.invoke(ann.personal, null, 'task/fetch', { data }));
    const { card } = body.task.value;
    expect(JSON.stringify(card).length).toBeLessThan(28_000);
    const { content } = card;
    const inputs: { type: string; id: string; choices?: { value: string }[] }[] = content.body.filter(
      ({ type }: { type: string }) => type.startsWith('Input.'),
    );
    expect(inputs).toHaveLength(25);
    const answers = Object.fromEntries(
      inputs.map(({ type, id, choices }) => [id, type === 'Input.Number' ? 62.5 : choices?.at(-1)?.value]),
    );
    const sent = { data: { ...content.actions[0].data, ...answers } };
    await ann.deliver(port, ann.invoke(ann.personal, null, 'task/submit', sent));
    const [annotation] = await store.annotations(study.id, own);
    expect(annotation?.answers).toMatchObject({ correct: 'unsure', criteria: { c0: 62.5, c1: 'unsure' } });
    expect(Object.keys(annotation?.answers.criteria ?? {})).toHaveLength(24);
  });

  test('a study that someone has no place in is named; others are not said to be missing', async () => {
    const { teams, ann, jury } = await aTeam();
    const ask = (text: string) => ann.deliver(jury.service.port, ann.message(ann.personal, text));
    await ask('study s9');
    await saying(teams, /^You are not an annotator in an open study s9\./);
    await ask('studies');
    await saying(teams, /^You are not an annotator in any open study\./);
  });

  test('someone who is forgotten leaves no personal chat behind', async () => {
    const { ann, jury } = await aTeam();
    await ann.deliver(jury.service.port, ann.installed());
    const store = await jury.parts.store();
    const person = { surface: 'teams', team: TENANT, user: ann.user };
    const key = `teams-person:${TENANT}:${ann.user}`;
    expect(await store.get(key, Date.now())).toBe(ann.personal);
    await forgetPeople(store, person, Date.now(), async () => {});
    expect(await store.get(key, Date.now())).toBeNull();
  });

  test('someone who has not installed the app is named as not reached', async () => {
    const { bob, jury } = await aTeam();
    const { teams: surface } = await import('../../../src/surfaces/teams/surface.ts');
    const posters = await surface.posters(jury.parts);
    if ('needs' in posters || posters.studies === null) throw new Error('no poster');
    const study = aStudy({ at: Date.now() });
    const person = { surface: 'teams', team: TENANT, user: bob.user };
    await expect(posters.studies.invite(person, { ...study, cases: 1 }, 'key')).rejects.toThrow(
      /install the app/,
    );
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
    expect(JSON.stringify(body)).toContain('cannot be looked up');
    expect(await store.channelSettings(GROUP)).toEqual({ wish: {} });
  });
});
