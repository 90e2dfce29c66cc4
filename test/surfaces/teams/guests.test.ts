import { describe, expect, test } from 'vitest';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { textOfPost } from '../../support/teams-double.ts';
import {
  aTeam,
  CHANNEL,
  executes,
  judged,
  presses,
  recent,
  type Someone,
  saying,
  TENANT,
} from '../../support/teams-service.ts';

closeAfterEach();

/** A private or shared channel of the same team: its members are its own. */
const PRIVATE = '19:few@thread.tacv2';
const OTHER_TENANT = '99999999-9999-4999-8999-999999999999';

const inGerman = {
  type: 'clientInfo' as const,
  locale: 'de-DE',
  country: 'DE',
  platform: 'Web',
  timezone: 'Europe/Berlin',
};

/** What a person gets who opens something there. */
const opened = async (port: number, who: Someone, channel: string, data: object): Promise<string> =>
  JSON.stringify((await who.deliver(port, who.invoke(channel, null, 'task/fetch', { data }))).body);
const pressed = async (port: number, who: Someone, channel: string, data: Record<string, unknown>) =>
  JSON.stringify(
    (await who.deliver(port, who.invoke(channel, null, 'adaptiveCard/action', presses(data)))).body,
  );

describe('a channel with members of its own', () => {
  test('is asked for them itself; members of its team see nothing of it', async () => {
    const team = await aTeam();
    const { teams, ann, bob, jury } = team;
    const { port } = jury.service;
    // Bob is in the team and its other channels.
    teams.enter(CHANNEL, bob.user);
    const asked = ann.message(PRIVATE, PASTE, {
      channelData: { tenant: { id: TENANT }, team: { id: CHANNEL }, channel: { id: PRIVATE } },
    });
    await ann.deliver(port, asked);
    await saying(teams, /^FAIL/);
    const record = await until(async () => (await recent(jury))[0]);
    expect(record.source.channel).toBe(PRIVATE);
    await bob.deliver(port, bob.message(bob.personal, 'queue'));
    await saying(teams, /^No verdict needs your vote/);
    for (const does of ['details', 'json', 'again'])
      expect(await opened(port, bob, bob.personal, { do: does, id: record.id })).toContain(
        'another conversation',
      );
    expect(await pressed(port, bob, bob.personal, { do: 'agree', id: record.id })).toContain(
      'another conversation',
    );
    expect(await opened(port, ann, ann.personal, { do: 'details', id: record.id })).toContain('4.3');
    const lookedUp = teams.calls.flatMap(({ path }) => {
      const [, conversation] = /conversations\/([^/]+)\/members/.exec(decodeURIComponent(path)) ?? [];
      return conversation ?? [];
    });
    expect(lookedUp).toContain(PRIVATE);
    expect(lookedUp).not.toContain(CHANNEL);
  });
});

describe.each([
  ['a guest', { tenantId: TENANT, userRole: 'guest' }],
  ['a person of another tenant in a shared channel', { tenantId: OTHER_TENANT, userRole: 'user' }],
  ['an anonymous member', { userRole: 'anonymous' }],
])('%s', (_who, kind) => {
  test('asks, reads and votes in the channel, and changes nothing there', async () => {
    const team = await aTeam();
    const { teams, bob, jury } = team;
    const { port } = jury.service;
    teams.kinds.set(bob.user, kind);
    const { record } = await judged(team, bob, PRIVATE);
    expect(await opened(port, bob, PRIVATE, { do: 'details', id: record.id })).toContain('4.3');
    await pressed(port, bob, PRIVATE, { do: 'agree', id: record.id });
    const store = await jury.parts.store();
    expect(await store.tally(record.id)).toMatchObject({ agree: 1 });
    expect(await opened(port, bob, PRIVATE, { do: 'settings' })).toContain('Guests and people of other');
    const sent = bob.invoke(PRIVATE, null, 'task/submit', { data: { do: 'settings', method: 'mad' } });
    expect(JSON.stringify((await bob.deliver(port, sent)).body)).toContain('Guests and people of other');
    expect(await store.channelSettings(PRIVATE)).toEqual({ wish: {} });
    const asks = bob.invoke(PRIVATE, null, 'task/fetch', { data: { do: 'settings' } });
    const german = await bob.deliver(port, { ...asks, entities: [inGerman] });
    expect(JSON.stringify(german.body)).toContain('Gäste und Leute aus anderen Organisationen');
  });

  test('sees no verdict of conversations that they are not in', async () => {
    const team = await aTeam();
    const { teams, ann, bob, jury } = team;
    const { port } = jury.service;
    teams.kinds.set(bob.user, kind);
    const { record } = await judged(team, ann, CHANNEL);
    await bob.deliver(port, bob.message(PRIVATE, 'queue'));
    for (const at of [PRIVATE, bob.personal]) {
      expect(await opened(port, bob, at, { do: 'details', id: record.id })).toContain('another conversation');
      expect(await pressed(port, bob, at, { do: 'agree', id: record.id })).toContain('another conversation');
    }
    expect(
      teams.posts
        .filter(({ conversation }) => conversation.startsWith(PRIVATE))
        .map(textOfPost)
        .join(),
    ).not.toContain('sushi');
  });
});

describe('with TEAMS_TENANT_ID', () => {
  test('members of a shared channel who are of another tenant are refused, and it is said', async () => {
    const team = await aTeam({ TEAMS_TENANT_ID: TENANT });
    const { teams, ann, bob, jury } = team;
    const { port } = jury.service;
    const { record } = await judged(team, ann, PRIVATE);
    teams.kinds.set(bob.user, { tenantId: OTHER_TENANT });
    await bob.deliver(port, bob.message(PRIVATE, PASTE));
    const answer = await saying(teams, /^Jury answers only people of the organization/);
    expect(textOfPost(answer)).not.toContain('sushi');
    for (const does of ['details', 'settings'])
      expect(await opened(port, bob, PRIVATE, { do: does, id: record.id })).toContain('only people of the');
    const press = bob.invoke(PRIVATE, null, 'adaptiveCard/action', executes(record.id, 'agree'));
    expect(JSON.stringify((await bob.deliver(port, press)).body)).toContain('only people of the');
    const german = await bob.deliver(port, { ...press, id: 'f:german', entities: [inGerman] });
    expect(JSON.stringify(german.body)).toContain('nur Leuten der Organisation');
    const store = await jury.parts.store();
    expect(await store.tally(record.id)).toMatchObject({ agree: 0 });
    expect(await recent(jury)).toHaveLength(1);
  });

  test('guests of the own tenant are answered, and so is everyone while Teams does not say who is who', async () => {
    const team = await aTeam({ TEAMS_TENANT_ID: TENANT });
    const { teams, bob } = team;
    teams.kinds.set(bob.user, { tenantId: TENANT, userRole: 'guest' });
    await judged(team, bob, PRIVATE);
    const away = await aTeam({ TEAMS_TENANT_ID: TENANT });
    away.teams.kinds.set(away.bob.user, { tenantId: OTHER_TENANT });
    away.teams.refuse({ status: 500, times: 1 });
    await judged(away, away.bob, PRIVATE);
  });
});
