import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { JuryError } from '../../src/common/errors.ts';
import { readRule } from '../../src/digests/alert.ts';
import type { Schedule } from '../../src/digests/digest-schedule.ts';
import { addAlert, addSchedule } from '../../src/digests/manage-schedules.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { changeSchedule, noteSchedule } from '../../src/surfaces/desks/digest-desk.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';
import { aSchedule } from '../support/store-builders.ts';

closeAfterEach();

const alerts = {
  readFigures: async () => null,
  known: async () => ({ defined: [], series: [] }),
  webhooks: [],
};

async function aLog() {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  const schedule = aSchedule();
  await store.saveSchedule(schedule);
  let at = 0;
  const change = (what: 'pause' | 'remove', through: Store = store) =>
    changeSchedule(
      { store: through, now: () => (at += 1), digestSources: { alerts } },
      {
        actor: { people: [{ surface: 'terminal', team: '', user: 'terminal:ann' }], at: null },
        surface: schedule.target.surface,
        channel: schedule.target.channel,
      },
      schedule,
      what,
    );
  return { store, schedule, change };
}

test('the audit log takes back a change of a digest that could not be made', async () => {
  const { store, schedule, change } = await aLog();
  await change('remove');
  // Another process removed it in between.
  await expect(change('pause')).rejects.toThrow('There is no schedule');
  const [removed, paused, ...more] = await store.changes(0);
  expect(removed).toMatchObject({ about: schedule.id, after: null });
  expect(more).toEqual([expect.objectContaining({ before: paused?.after, after: paused?.before })]);
});

test('the audit log keeps a change whose answer was lost on the way', async () => {
  const { store, schedule, change } = await aLog();
  const lost = async (): Promise<never> => {
    throw new JuryError('store-unavailable', 'no answer in 2000 ms');
  };
  const saving = { ...store, saveSchedule: (one: Schedule) => store.saveSchedule(one).then(lost) };
  await expect(change('pause', saving)).rejects.toThrow('no answer');
  const removing = { ...store, removeSchedule: (id: string) => store.removeSchedule(id).then(lost) };
  await expect(change('remove', removing)).rejects.toThrow('no answer');
  expect(await store.changes(0)).toMatchObject([
    { about: schedule.id, after: { paused: true } },
    { about: schedule.id, after: null },
  ]);
});

/** Adds of a digest and of an alert, through a store that may fail. */
async function adding() {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  const actor = { people: [{ surface: 'terminal', team: '', user: 'terminal:ann' }] as const, at: null };
  const target = { surface: 'slack', team: '', channel: 'C0EVALS' };
  let at = 0;
  const now = () => (at += 1);
  const note = noteSchedule({ store, now }, { ...target, actor });
  const known = async () => ({ defined: ['nightly'], series: [] });
  const weekly = {
    cron: '0 9 * * 1',
    timezone: 'UTC',
    benchmarks: [],
    by: null,
    target,
    owner: null,
    since: 0,
  };
  const below = { benchmark: 'nightly', rule: readRule('below 90%'), target, owner: null, webhook: null };
  return {
    store,
    add: {
      digest: (through: Store) => addSchedule(through, weekly, known, note),
      alert: (through: Store) => addAlert({ ...alerts, known, now, store: through }, below, note),
    },
  };
}

describe.each(['digest', 'alert'] as const)('a new %s', (kind) => {
  test('is in the audit log before it is made', async () => {
    const { store, add } = await adding();
    const noted: unknown[] = [];
    const addSchedule = async (schedule: Schedule) => {
      noted.push(...(await store.changes(0)));
      return store.addSchedule(schedule);
    };
    await add[kind]({ ...store, addSchedule });
    const [made] = await store.schedules();
    expect(noted).toMatchObject([{ what: kind, about: made?.id, before: null, after: made }]);
    expect(await store.changes(0)).toEqual(noted);
  });

  test('that could not be made is taken back', async () => {
    const { store, add } = await adding();
    const addSchedule = async () => {
      throw new JuryError('store-unavailable', 'no answer in 2000 ms');
    };
    await expect(add[kind]({ ...store, addSchedule })).rejects.toThrow('no answer');
    const [noted, reversed, ...more] = await store.changes(0);
    expect(reversed).toMatchObject({ what: kind, before: noted?.after, after: null });
    expect(more).toEqual([]);
  });

  test('that was made although the answer was lost stays', async () => {
    const { store, add } = await adding();
    const addSchedule = async (schedule: Schedule) => {
      await store.addSchedule(schedule);
      throw new JuryError('store-unavailable', 'no answer in 2000 ms');
    };
    await expect(add[kind]({ ...store, addSchedule })).rejects.toThrow('no answer');
    const [made] = await store.schedules();
    expect(await store.changes(0)).toMatchObject([{ before: null, after: made }]);
  });

  test('whose id another process took is in it under the one that it got', async () => {
    const { store, add } = await adding();
    let isTaken = false;
    const addSchedule = async (schedule: Schedule) => {
      if (!isTaken) await store.addSchedule({ ...aSchedule(), id: schedule.id });
      isTaken = true;
      return store.addSchedule(schedule);
    };
    await add[kind]({ ...store, addSchedule });
    const [first, second] = kind === 'digest' ? ['d1', 'd2'] : ['a1', 'a2'];
    expect(await store.changes(0)).toMatchObject([
      { about: first, before: null, after: { id: first } },
      { about: first, before: { id: first }, after: null },
      { about: second, before: null, after: { id: second } },
    ]);
  });
});
