import { describe, expect, test } from 'vitest';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { aTeam, GROUP, recent, saying } from '../../support/teams-service.ts';

closeAfterEach();

/** A failed card in a group chat, and the dialogs about it. */
async function failed() {
  const { teams, ann, jury } = await aTeam();
  const store = await jury.parts.store();
  await store.saveChannelSettings(GROUP, { wish: {}, issueUrl: 'https://example.com/new?title={title}' });
  const { port } = jury.service;
  await ann.deliver(port, ann.message(GROUP, PASTE));
  await saying(teams, /^FAIL/);
  const [record] = await until(async () => {
    const all = await recent(jury);
    return all.length > 0 && all;
  });
  const id = record?.id ?? '';
  const dialog = async (how: 'task/fetch' | 'task/submit', data: object) =>
    JSON.stringify((await ann.deliver(port, ann.invoke(GROUP, null, how, { data: { id, ...data } }))).body);
  return { store, id, dialog };
}

describe('Manage… in the details of a verdict in Teams', () => {
  test('is a button of the details, and leads to each item and a prefilled issue', async () => {
    const { dialog } = await failed();
    expect(await dialog('task/fetch', { do: 'details' })).toContain('Manage…');
    const menu = await dialog('task/submit', { do: 'manage' });
    for (const part of [
      'Rule on this…',
      'Known answer…',
      'Add to a set…',
      'https://example.com/new?title=FAIL',
    ])
      expect(menu).toContain(part);
  });

  test('rules on it, once sent', async () => {
    const { store, id, dialog } = await failed();
    expect(await dialog('task/submit', { do: 'manage-rule' })).toContain('You rule as');
    expect(await store.adjudication(id)).toBeNull();
    const sent = { do: 'manage-rule', next: 'sent', right: 'pass' };
    expect(await dialog('task/submit', sent)).toContain('Name your role.');
    expect(await dialog('task/submit', { ...sent, role: 'lead' })).toContain('The ruling stands.');
    expect(await store.adjudication(id)).toMatchObject({ role: 'lead' });
    expect(await store.changes(0)).toMatchObject([{ what: 'ruling', surface: 'teams', channel: GROUP }]);
  });

  test('starts a study for people whom Teams looks up', async () => {
    const { store, dialog } = await failed();
    expect(await dialog('task/submit', { do: 'manage-study' })).toContain('There is no set yet');
    expect(await dialog('task/submit', { do: 'add-to-set', set: 'My set' })).toContain('my-set');
    expect(await dialog('task/submit', { do: 'manage-study' })).toContain('graph.microsoft.com/users');
    const sent = { do: 'manage-study', next: 'sent', study_set: 'my-set', study_count: '3' };
    expect(await dialog('task/submit', { ...sent, 'study_people[]': 'u-1,u-2' })).toContain('Study s1');
    const [study] = await store.studies();
    expect(study?.annotators.map(({ person }) => person.user).sort()).toEqual(['u-1', 'u-2']);
    expect((await store.changes(0)).map(({ what }) => what)).toEqual(['set', 'study']);
  });
});
