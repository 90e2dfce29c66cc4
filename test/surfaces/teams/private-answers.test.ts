import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { JuryError } from '../../../src/common/errors.ts';
import type { Schedule } from '../../../src/digests/digest-schedule.ts';
import { forgetPeople } from '../../../src/requests/requesters.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/stores/store.ts';
import { createLanguages, noLocales } from '../../../src/surfaces/chat/languages.ts';
import { leaveConversation } from '../../../src/surfaces/teams/installation.ts';
import { createPlaces } from '../../../src/surfaces/teams/messages.ts';
import { GOOD_PASTE, PASTE } from '../../support/pastes.ts';
import { closeAfterEach, closing, newFolder, until } from '../../support/resources.ts';
import { aSchedule } from '../../support/store-builders.ts';
import { type TeamsPost, textOfPost } from '../../support/teams-double.ts';
import { cardProblems } from '../../support/teams-limits.ts';
import {
  aPerson,
  aTeam,
  CHANNEL,
  deletionOf,
  editOf,
  executes,
  GROUP,
  judged,
  presses,
  QUICK,
  recent,
  saying,
  startTeamsJury,
  TENANT,
  withTeams,
} from '../../support/teams-service.ts';

closeAfterEach();

/** What Teams adds to everything that people do. */
const berlin = {
  type: 'clientInfo' as const,
  locale: 'de-DE',
  country: 'DE',
  platform: 'Web',
  timezone: 'Europe/Berlin',
};

describe('the answer to a command', () => {
  test.each([
    ['channel', CHANNEL],
    ['group chat', GROUP],
  ])('in a %s is seen by the person alone', async (_where, channel) => {
    const { teams, ann, jury } = await aTeam();
    for (const word of ['help', 'queue', 'settings', 'ask', 'digest list'])
      await ann.deliver(jury.service.port, ann.message(channel, word));
    await until(() => teams.posts.length === 5);
    expect(teams.posts.map(({ onlyFor }) => onlyFor)).toEqual(Array.from({ length: 5 }, () => '29:Ann'));
    expect(await recent(jury)).toEqual([]);
  });

  test('comes to the person’s own chat where Teams takes no such message, and says what it is about', async () => {
    const { teams, ann, jury } = await aTeam();
    const { port } = jury.service;
    await ann.deliver(port, ann.installed());
    await until(() => teams.posts.length === 1);
    teams.refuse({ status: 403, times: Number.POSITIVE_INFINITY, targeted: true });
    await ann.deliver(port, ann.message(CHANNEL, 'digest list'));
    const answer = await saying(teams, /^No digests are scheduled here/);
    expect(answer.conversation).toBe(ann.personal);
    expect(textOfPost(answer)).toContain('About the conversation in which you wrote “digest list”.');
    // A button opens the settings of the conversation that it is in.
    await ann.deliver(port, ann.message(CHANNEL, 'settings'));
    expect((await saying(teams, /^How cases of this conversation/)).conversation).toContain(CHANNEL);
  });

  test.each(['queue', 'help', 'digest list', 'review'])(
    'is not given where others would read it: the person reads where to ask (%s)',
    async (command) => {
      const { teams, ann, jury } = await aTeam();
      teams.refuse({ status: 403, times: Number.POSITIVE_INFINITY, targeted: true });
      await ann.deliver(jury.service.port, ann.message(GROUP, command));
      const answer = await saying(teams, /./);
      expect(answer.activity.summary).toBe('I can’t answer you privately here. Write to me in our own chat.');
      expect([answer.conversation, answer.onlyFor]).toEqual([GROUP, undefined]);
      const store = await jury.parts.store();
      await until(async () => (await store.pendingSpotChecks()) === 0);
      expect(teams.posts).toHaveLength(1);
    },
  );

  test('is for the person alone right after they were forgotten, too', async () => {
    const { teams, ann, jury } = await aTeam();
    const { port } = jury.service;
    await ann.deliver(port, ann.message(GROUP, 'queue'));
    await saying(teams, /^No verdict needs your vote/);
    const person = { surface: 'teams', team: TENANT, user: ann.user };
    await forgetPeople(await jury.parts.store(), person, Date.now(), async () => {});
    await ann.deliver(port, ann.message(GROUP, 'queue'));
    await until(() => teams.posts.length === 2);
    expect(teams.posts.map(({ onlyFor }) => onlyFor)).toEqual(['29:Ann', '29:Ann']);
  });

  test('is in the language of the person’s Teams', async () => {
    const { teams, ann, jury } = await aTeam();
    const asked = ann.message(CHANNEL, 'hilfe');
    await ann.deliver(jury.service.port, { ...asked, entities: [...asked.entities, berlin] });
    const answer = await until(() => teams.posts[0]);
    expect(textOfPost(answer)).toMatch(/^Füg ein/);
    expect(answer.onlyFor).toBe('29:Ann');
    for (const [word, said, label] of [
      ['ask', /^Trag eine Anfrage/, 'Formular öffnen'],
      ['settings', /^Wie Fälle dieser Unterhaltung/, 'Einstellungen öffnen'],
    ] as const) {
      const command = ann.message(CHANNEL, word);
      await ann.deliver(jury.service.port, { ...command, entities: [...command.entities, berlin] });
      const offer = await saying(teams, said);
      expect(JSON.stringify(offer)).toContain(label);
    }
  });

  test('is not waited for: Teams gets its own answer while the conversation takes no message', async () => {
    const { teams, ann, jury } = await aTeam();
    teams.refuse({ status: 429, times: 3, retryAfter: 1 });
    const { status } = await ann.deliver(jury.service.port, ann.message(ann.personal, 'help'));
    expect([status, teams.posts.length, teams.refused()]).toEqual([200, 0, expect.toSatisfy((n) => n < 3)]);
    await saying(teams, /^Paste what a user said/);
    expect(teams.posts).toHaveLength(1);
  });

  test('is given by the next process if one died before, once', async () => {
    const teams = await withTeams(QUICK);
    const ann = aPerson(teams);
    const env = { JURY_DATA_DIR: newFolder() };
    const first = await startTeamsJury(teams, env);
    // Not a status after which Teams is asked again at once.
    teams.refuse({ status: 400, times: Number.POSITIVE_INFINITY });
    const asked = ann.message(ann.personal, 'help');
    await ann.deliver(first.service.port, asked);
    await until(() => teams.refused() > 0);
    await first.die();
    teams.refuse({ status: 400, times: 0 });
    const second = await startTeamsJury(teams, env, () => Date.now() + 600_000);
    await saying(teams, /^Paste what a user said/);
    await ann.deliver(second.service.port, asked);
    const store = await second.parts.store();
    await until(async () => (await store.pendingSpotChecks()) === 0);
    expect(teams.posts).toHaveLength(1);
  });
});

describe('the offer to judge an edited message again', () => {
  async function edited(env: { refusesTargeted: boolean }) {
    const { teams, ann, jury } = await aTeam();
    const { port } = jury.service;
    const asked = ann.message(CHANNEL, PASTE);
    await ann.deliver(port, { ...asked, entities: [...asked.entities, berlin] });
    await saying(teams, /^FAIL/);
    await until(async () => (await (await jury.parts.store()).pendingSpotChecks()) === 0);
    if (env.refusesTargeted)
      teams.refuse({ status: 403, times: Number.POSITIVE_INFINITY, targeted: true, method: 'POST' });
    await ann.deliver(port, editOf(asked, GOOD_PASTE));
    const offer = await until(() => teams.posts[1]);
    const press = presses({ do: 'judge-edited', id: idIn(offer) });
    const pressed = ann.invoke(CHANNEL, asked.id ?? null, 'adaptiveCard/action', press, offer.id);
    return { teams, jury, offer, press: () => ann.deliver(port, pressed) };
  }
  const idIn = ({ activity }: TeamsPost): string =>
    /"do":"judge-edited","id":"([^"]+)"/.exec(JSON.stringify(activity))?.[1] ?? '';

  test('is seen by that person alone, in their language, and is gone once they take it', async () => {
    const { teams, offer, press } = await edited({ refusesTargeted: false });
    expect([offer.onlyFor, textOfPost(offer)]).toEqual([
      '29:Ann',
      expect.stringMatching(/^Du hast diese Nachricht/),
    ]);
    expect(JSON.stringify((await press()).body)).toContain('Wird neu beurteilt.');
    await saying(teams, /^PASS/);
    await until(() => teams.posts.every(({ id }) => id !== offer.id));
  });

  test('stands below the message where Teams takes none for one person', async () => {
    const { teams, offer, press } = await edited({ refusesTargeted: true });
    expect(offer.onlyFor).toBeUndefined();
    await press();
    await saying(teams, /^PASS/);
    await until(() => teams.posts.every(({ id }) => id !== offer.id));
  });
});

describe('the time zone of a person’s Teams', () => {
  test('is that of the digests that they schedule and preview, and preselected in the form', async () => {
    const { teams, ann, bob, jury } = await aTeam();
    const { port } = jury.service;
    const asked = ann.message(GROUP, 'digest every monday 9am');
    await ann.deliver(port, { ...asked, entities: [...asked.entities, berlin] });
    await saying(teams, /^Geplant\./);
    const store = await jury.parts.store();
    expect(await store.schedules()).toMatchObject([{ timezone: 'Europe/Berlin' }]);
    const open = { data: { do: 'schedule' } };
    const form = JSON.stringify((await ann.deliver(port, ann.invoke(GROUP, null, 'task/fetch', open))).body);
    expect(form).toContain('"value":"Europe/Berlin"');
    // Nothing is known of others.
    await bob.deliver(port, bob.message(GROUP, 'digest every tuesday 9am'));
    await until(async () => (await store.schedules()).some(({ id }) => id === 'd2'));
    expect((await store.schedules())[1]).toMatchObject({ timezone: 'UTC' });
    expect(await store.get(`teams-profile:${TENANT}:${ann.user}`, Date.now())).toBe(
      '{"account":"29:Ann","timeZone":"Europe/Berlin","language":"de-DE"}',
    );
  });

  test('is UTC if Teams says nothing that is one', async () => {
    const { teams, ann, jury } = await aTeam();
    const asked = ann.message(GROUP, 'digest every monday 9am');
    const entities = [...asked.entities, { ...berlin, timezone: 'Mars/Olympus', locale: '<b>' }];
    await ann.deliver(jury.service.port, { ...asked, entities });
    await saying(teams, /^Scheduled\./);
    expect(await (await jury.parts.store()).schedules()).toMatchObject([{ timezone: 'UTC' }]);
  });
});

describe('the app is removed', () => {
  test('from a conversation: what posts there is paused, its owner reads so, and so does who adds it again', async () => {
    const { teams, ann, bob, jury } = await aTeam();
    const { port } = jury.service;
    await ann.deliver(port, ann.installed());
    await ann.deliver(port, ann.message(GROUP, 'digest every monday 9am'));
    await ann.deliver(port, ann.message(GROUP, 'alert navigation below 90 %'));
    await ann.deliver(port, ann.message(CHANNEL, 'digest every friday 9am'));
    const store = await jury.parts.store();
    await until(async () => (await store.schedules()).length === 3);
    expect((await bob.deliver(port, bob.removed(GROUP))).status).toBe(200);
    const paused = (await store.schedules()).filter((one) => one.paused);
    expect(paused.map(({ target }) => target.channel)).toEqual([GROUP, GROUP]);
    const said = await saying(teams, /^Jury was removed from the conversation of the digest/);
    expect(said.conversation).toBe(ann.personal);
    await bob.deliver(port, { ...bob.installed(GROUP), id: 'f:again' });
    const greeting = await until(() =>
      teams.posts.find((post) => post.conversation === GROUP && /Paused since/.test(textOfPost(post))),
    );
    for (const { id } of paused) expect(textOfPost(greeting)).toMatch(new RegExp(`resume ${id}”`));
  });

  test('and a step fails: nothing is missing when Teams says so again', async () => {
    const store = await openSqliteStore(join(newFolder(), 'jury.db'));
    closing(() => store.close());
    const target = { surface: 'teams', team: TENANT, channel: GROUP };
    for (const id of ['d1', 'd2', 'd3']) await store.saveSchedule(aSchedule({ id, target, owner: 'ann' }));
    // An earlier removal paused this one, and no one has resumed it since.
    await store.saveSchedule(aSchedule({ id: 'd0', target, owner: 'ann', paused: true }));
    const lost = async (): Promise<never> => {
      throw new JuryError('store-unavailable', 'no answer in 2000 ms');
    };
    const failing = {
      ...store,
      saveSchedule: (one: Schedule) => (one.id === 'd2' ? lost() : store.saveSchedule(one)),
    };
    const said: string[] = [];
    const leave = (through: Store) =>
      leaveConversation(
        {
          store: through,
          now: Date.now,
          nameOf: () => null,
          languages: createLanguages({ store }, noLocales),
          log: pino({ level: 'silent' }),
          places: createPlaces(store, Date.now),
          messages: {
            post: async (_to, { summary }) => {
              said.push(summary);
              return 'id';
            },
          },
          digestSources: { alerts: { readFigures: async () => null, known, webhooks: [] } },
        },
        { id: 'f:1' },
        { tenant: TENANT, channel: GROUP, thread: null, kind: 'group', user: 'bob', at: 0 },
      );
    const known = async () => ({ defined: [], series: [] });
    await store.setIfAbsent(`teams-person:${TENANT}:ann`, 'a:Ann', Date.now(), 60_000);
    // An earlier version kept ids alone.
    await store.setIfAbsent(`teams-paused:${GROUP}`, JSON.stringify(['d0']), Date.now(), 60_000);
    await expect(leave(failing)).rejects.toThrow('no answer');
    const tell = await leave(store);
    await tell();
    expect((await store.schedules()).every(({ paused }) => paused)).toBe(true);
    expect(said.map((text) => /digest d\d/.exec(text)?.[0])).toEqual(['digest d1', 'digest d2', 'digest d3']);
    const kept = await store.get(`teams-paused:${GROUP}`, Date.now());
    const removals = ['d1', 'd2', 'd3'].map((id) => ({ id, removal: 'f:1' }));
    expect(kept).toBe(JSON.stringify([{ id: 'd0', removal: '' }, ...removals]));
  });

  test('from a team: what posts in any of its channels is paused', async () => {
    const { teams, ann, jury } = await aTeam();
    const { port } = jury.service;
    const general = '19:general@thread.tacv2';
    const asked = ann.message(CHANNEL, 'digest every monday 9am');
    const team = { ...asked.channelData, team: { id: general } };
    await ann.deliver(port, { ...asked, channelData: team });
    // A click does not say in which team it is.
    await ann.deliver(port, ann.invoke(CHANNEL, null, 'adaptiveCard/action', executes('x', 'agree')));
    await saying(teams, /^Scheduled\./);
    const gone = ann.removed(general);
    await ann.deliver(port, { ...gone, channelData: { ...gone.channelData, team: { id: general } } });
    expect(await (await jury.parts.store()).schedules()).toMatchObject([{ paused: true }]);
  });

  test('from a person’s own chat: they are not written to there any more', async () => {
    const { teams, ann, jury } = await aTeam();
    const { port } = jury.service;
    await ann.deliver(port, ann.installed());
    await until(() => teams.posts.length === 1);
    await ann.deliver(port, ann.removed());
    const key = `teams-person:${TENANT}:${ann.user}`;
    expect(await (await jury.parts.store()).get(key, Date.now())).toBeNull();
  });
});

test.each([400, 403])(
  'a card that Teams refuses to delete (%i) says that the request was deleted',
  async (status) => {
    const { teams, ann, jury } = await aTeam();
    const { port } = jury.service;
    const asked = ann.message(GROUP, 'User: Find me sushi rated at least 4.5\nSystem: Sakura.\nRating: 4.3');
    await ann.deliver(port, asked);
    await saying(teams, /^FAIL/);
    await until(async () => (await (await jury.parts.store()).pendingSpotChecks()) === 0);
    teams.refuse({ status, times: Number.POSITIVE_INFINITY, method: 'DELETE' });
    expect((await ann.deliver(port, deletionOf(asked))).status).toBe(200);
    await saying(teams, /^The request was deleted/);
    expect(teams.posts).toHaveLength(1);
  },
);

test('a card has one pair of thumbs, Teams’ own, and at most six actions; who asked stands where others read', async () => {
  const team = await aTeam();
  const { teams, ann, bob, jury } = team;
  const { port } = jury.service;
  const { card, record } = await judged(team, ann, CHANNEL);
  const shown = JSON.stringify(card.activity);
  expect(shown).toContain('feedbackLoop');
  expect(shown).not.toMatch(/"do":"(?:dis)?agree"/);
  expect(textOfPost(card)).toContain('asked by');
  expect(cardProblems(card.activity.attachments?.[0]?.content)).toEqual([]);
  // A dialog has no thumbs of Teams.
  const details = { data: { do: 'details', id: record.id } };
  const { body } = await bob.deliver(port, bob.invoke(CHANNEL, null, 'task/fetch', details));
  const { content } = body.task.value.card;
  expect(JSON.stringify(content)).toMatch(/"do":"agree".*"do":"disagree"/);
  expect(JSON.stringify(content)).toContain('"do":"json"');
  expect(cardProblems(content)).toEqual([]);
  await ann.deliver(
    port,
    ann.message(ann.personal, 'User: Find sushi rated at least 4.5\nSystem: Ok.\nRating: 4.4'),
  );
  const own = await until(() =>
    teams.posts.find((post) => post.conversation === ann.personal && textOfPost(post).startsWith('FAIL')),
  );
  expect(textOfPost(own)).not.toContain('asked by');
});
