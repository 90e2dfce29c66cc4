import { describe, expect, test } from 'vitest';
import { recordEdit } from '../../../src/requests/edited-requests.ts';
import { noteShown, shownFor } from '../../../src/requests/shown-messages.ts';
import type { SpotCheck } from '../../../src/requests/spot-check.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { serviceModel } from '../../support/service-model.ts';
import { textOfPost } from '../../support/teams-double.ts';
import {
  aPerson,
  aTeam,
  CHANNEL,
  deletionOf,
  editOf,
  executes,
  GROUP,
  judged,
  QUICK,
  recent,
  saying,
  startTeamsJury,
  TENANT,
  type TeamsMessage,
  withTeams,
} from '../../support/teams-service.ts';

closeAfterEach();

/** A request in Ann's own chat that was judged, and what happens to it then. */
async function aRequest() {
  const team = await aTeam();
  const { teams, ann, jury } = team;
  teams.withoutStreams();
  const { port } = jury.service;
  const asked = ann.message(ann.personal, PASTE);
  await ann.deliver(port, asked);
  await saying(teams, /^FAIL/);
  await until(async () => (await recent(jury)).length === 1);
  const store = await jury.parts.store();
  await until(async () => (await store.pendingSpotChecks()) === 0);
  const offers = () => teams.posts.filter((post) => /^You changed/.test(textOfPost(post)));
  const edit = (text = PASTE.replace(/rated 4\.3/, 'rated 4.8'), rest: { timestamp?: string } = {}) =>
    ann.deliver(port, editOf(asked, text, rest));
  const press = async () => {
    const id = await until(
      () => /"do":"judge-edited","id":"([^"]+)"/.exec(JSON.stringify(offers()[0] ?? ''))?.[1],
    );
    const click = ann.invoke(ann.personal, null, 'adaptiveCard/action', executes(id, 'judge-edited'));
    return (await ann.deliver(port, click)).body.value;
  };
  const remove = () => ann.deliver(port, deletionOf(asked));
  return { ...team, asked, store, offers, edit, press, remove };
}

describe('Teams: after the verdict', () => {
  test('a request that is edited is judged again where its author asks for it', async () => {
    const { jury, offers, edit, press } = await aRequest();
    await edit();
    await edit();
    await until(() => offers().length > 0);
    expect(offers()).toHaveLength(1);
    expect(await press()).toBe('Judging it again.');
    await until(async () => (await recent(jury)).length === 2);
    expect(await press()).toContain('already');
    // Every edit has its own offer.
    await edit(PASTE.replace(/3\.\d/, '4.9'), { timestamp: '2026-11-22T10:00:00.000Z' });
    await until(async () => offers().length === 2);
  });

  test('an offer that could not be posted is made by the next delivery', async () => {
    const { teams, offers, edit } = await aRequest();
    teams.refuse({ status: 400, times: 1 });
    expect((await edit()).status).toBe(200);
    await until(() => teams.refused() === 1);
    expect(offers()).toHaveLength(0);
    await until(async () => {
      expect((await edit()).status).toBe(200);
      return offers().length > 0;
    });
    expect(offers()).toHaveLength(1);
  });

  test('a request that was deleted after its edit is not judged again, and the button says why', async () => {
    const { teams, jury, store, edit, press, remove } = await aRequest();
    await edit();
    await remove();
    expect(await press()).toBe('This message was deleted, so there is nothing to judge.');
    await until(async () => (await store.pendingSpotChecks()) === 0);
    await until(async () => teams.posts.every((post) => !/^(?:FAIL|PASS)/.test(textOfPost(post))));
    expect(await recent(jury)).toHaveLength(1);
  });

  test('a request that is deleted while its edit is recorded is not judged again', async () => {
    const { jury, store, asked, edit } = await aRequest();
    await edit();
    const id = `teams:${TENANT}:${asked.conversation.id}:${asked.id}`;
    // The deletion comes between the recording of the edit and its note.
    const racing = {
      ...store,
      addSpotCheck: async (check: SpotCheck) => {
        const added = await store.addSpotCheck(check);
        await noteShown(store, id, () => ({ withdrawn: true }), Date.now());
        return added;
      },
    };
    expect(await recordEdit(racing, id, Date.now())).toBe('deleted');
    // It is taken up when it has lain for a while, and ends without a verdict.
    const [again] = (await store.abandonedSpotChecks(Date.now(), 9)).readable;
    expect((await shownFor(store, again?.id ?? '', Date.now()))?.withdrawn).toBe(true);
    expect(await recent(jury)).toHaveLength(1);
  });

  test('a request that is deleted takes its card along', async () => {
    const { teams, ann, jury } = await aTeam();
    const asked = ann.message(GROUP, PASTE);
    await ann.deliver(jury.service.port, asked);
    await saying(teams, /^FAIL/);
    await until(async () => {
      await ann.deliver(jury.service.port, deletionOf(asked));
      return teams.posts.length === 0;
    });
  });

  test('a question in a judged thread is answered from what was judged', async () => {
    const team = await aTeam();
    const { teams, ann, jury } = team;
    const { thread } = await judged(team, ann, CHANNEL);
    const asked = ann.message(CHANNEL, 'why does it fail?');
    const reply = { ...asked, conversation: { ...asked.conversation, id: `${CHANNEL};messageid=${thread}` } };
    await until(async () => (await recent(jury)).length === 1);
    await ann.deliver(jury.service.port, reply);
    await saying(teams, /To answer questions I need a model/);
    expect(await recent(jury)).toHaveLength(1);
  });

  describe.each(['a group chat', 'a personal chat'])('in %s, which has no threads,', (where) => {
    const other = PASTE.replaceAll('Sakura', 'Matsu');

    /** Two verdicts, and what the answer to a question is about. */
    async function twoVerdicts(now?: () => number) {
      const teams = await withTeams(QUICK);
      teams.withoutStreams();
      const ann = aPerson(teams);
      const jury = await startTeamsJury(teams, {}, now);
      const chat = where === 'a group chat' ? GROUP : ann.personal;
      const store = await jury.parts.store();
      for (const [n, paste] of [PASTE, other].entries()) {
        await ann.deliver(jury.service.port, ann.message(chat, paste));
        await until(async () => (await recent(jury)).length === n + 1);
        await until(async () => (await store.pendingSpotChecks()) === 0);
      }
      const records = await recent(jury);
      const about = (name: string) => records.find(({ evalCase }) => evalCase.response.includes(name));
      const ask = async (text: string, rest: Partial<TeamsMessage> = {}) => {
        const before = teams.posts.length;
        await ann.deliver(jury.service.port, { ...ann.message(chat, text), ...rest });
        await until(async () => teams.posts.length > before && (await store.pendingSpotChecks()) === 0);
        return JSON.stringify(teams.posts.at(-1)?.activity);
      };
      const mentioned = ann.message(chat, '').entities;
      const quoting = (text: string) => `${mentioned.length === 0 ? '' : '<at>Jury</at> '}${text}`;
      return { teams, ann, jury, chat, store, about, ask, mentioned, quoting };
    }

    test('a question is about the last verdict, or about the card that it replies to', async () => {
      const { jury, about, ask, mentioned, quoting } = await twoVerdicts();
      const [sakura, matsu] = [about('Sakura'), about('Matsu')];
      expect(await ask('why does it fail?')).toContain(`"do":"details","id":"${matsu?.id}"`);
      const card = sakura?.source.message ?? '';
      const entity = { type: 'quotedReply' as const, quotedReply: { messageId: card } };
      const quoted = {
        text: quoting(`<quoted messageId="${card}"/> why?`),
        entities: [...mentioned, entity],
      };
      expect(await ask('', quoted)).toContain(`"do":"details","id":"${sakura?.id}"`);
      const html = `<blockquote itemscope="" itemtype="http://schema.skype.com/Reply" itemid="${card}"><p>FAIL</p></blockquote><p>why?</p>`;
      const written = { text: quoting(html), attachments: [{ contentType: 'text/html', content: html }] };
      expect(await ask('', written)).toContain(`"do":"details","id":"${sakura?.id}"`);
      expect(await recent(jury)).toHaveLength(2);
    });

    test('a question that is edited stays about the card that it replies to, also where that has moved', async () => {
      const { teams, ann, jury, chat, store, about, mentioned, quoting } = await twoVerdicts();
      const sakura = about('Sakura');
      const { port } = jury.service;
      const place = JSON.stringify({ kind: 'for', id: sakura?.source.message });
      await store.setIfAbsent(`teams-stream:${chat}:4711`, place, Date.now(), 60_000);
      const reply = { type: 'quotedReply' as const, quotedReply: { messageId: '4711' } };
      const asked = { ...ann.message(chat, ''), text: quoting('why?'), entities: [...mentioned, reply] };
      const said = () => JSON.stringify(teams.posts.at(-1)?.activity);
      await ann.deliver(port, asked);
      await until(async () => said().includes(`"do":"details","id":"${sakura?.id}"`));
      await until(async () => (await store.pendingSpotChecks()) === 0);
      await ann.deliver(port, editOf(asked, quoting('why does it fail?')));
      const id = await until(() => /"do":"judge-edited","id":"([^"]+)"/.exec(said())?.[1]);
      const before = teams.posts.length;
      await ann.deliver(port, ann.invoke(chat, null, 'adaptiveCard/action', executes(id, 'judge-edited')));
      await until(async () => teams.posts.length > before && (await store.pendingSpotChecks()) === 0);
      expect(said()).toContain(`"do":"details","id":"${sakura?.id}"`);
    });

    test('what asks nothing of a verdict is no question about it', async () => {
      const { ask } = await twoVerdicts();
      expect(await ask('hello')).toContain('Paste what a user said');
      expect(await ask('the other one is on my list for tomorrow')).toContain('Paste what a user said');
    });

    test('a verdict of the day before is past', async () => {
      let ahead = 0;
      const { ask } = await twoVerdicts(() => Date.now() + ahead);
      ahead = 25 * 3_600_000;
      expect(await ask('why does it fail?')).toContain('Paste what a user said');
    });
  });

  test('a question about one of several cases is asked to name it, by the number that the case has', async () => {
    const { teams, ann, jury } = await aTeam();
    const { port } = jury.service;
    const whole = { response: 'Sakura is rated 4.3.', recommendation: { name: 'Sakura', rating: 4.3 } };
    const request = (n: number) => ({
      conversation: [{ role: 'user', text: `Find sushi number ${n} rated at least 4.5` }],
    });
    const cases = [request(1), { ...request(2), ...whole }, { ...request(3), ...whole }];
    const asked = ann.message(CHANNEL, JSON.stringify(cases));
    await ann.deliver(port, asked);
    await until(async () => (await recent(jury)).length === 2);
    const store = await jury.parts.store();
    await until(async () => (await store.pendingSpotChecks()) === 0);
    const ask = (text: string) =>
      ann.deliver(port, { ...ann.message(CHANNEL, text), conversation: asked.conversation });
    await ask('why does it fail?');
    const which = await saying(teams, /^This thread has 2 verdicts/);
    expect(textOfPost(which)).toContain('such as “case 2”');
    expect(textOfPost(which)).toMatch(/case 2: “Find sushi number 2[\s\S]*case 3: “Find sushi number 3/);
    await ask('why does case 3 fail?');
    await saying(teams, /To answer questions I need a model/);
  });

  test('an error is not taken away by what was to be shown before it', async () => {
    const { env } = await serviceModel({ answer: () => ({ status: 401, error: 'no such key' }) });
    const { teams, ann, jury } = await aTeam(env, { isQuick: false });
    const bad = { conversation: [{ role: 'user', text: 'Where to?' }] };
    const whole = { ...bad, response: 'Sakura is rated 4.3.' };
    await ann.deliver(jury.service.port, ann.message(GROUP, JSON.stringify([bad, bad, bad, whole])));
    await saying(teams, /^This could not be judged/);
    // Longer than what waits for its moment has to wait.
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(teams.posts.map((post) => textOfPost(post))).toEqual([
      expect.stringMatching(/^This could not be judged/),
    ]);
  });

  test('the request of one conversation cannot be stopped from another', async () => {
    const { ann, bob, jury } = await aTeam();
    const id = `teams:${TENANT}:${ann.personal}:1`;
    const press = bob.invoke(GROUP, null, 'adaptiveCard/action', executes(id, 'stop'));
    expect((await bob.deliver(jury.service.port, press)).body.value).toContain('another conversation');
    const store = await jury.parts.store();
    expect(await store.get(`stop:${id}`, Date.now())).toBeNull();
  });
});
