import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JuryError } from '../../src/common/errors.ts';
import type { Schedule } from '../../src/digests/digest-schedule.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { changeSchedule } from '../../src/surfaces/desks/digest-desk.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';
import { aSchedule } from '../support/store-builders.ts';

closeAfterEach();

const alerts = {
  readFigures: async () => null,
  known: async () => ({ defined: [], runs: [] }),
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
