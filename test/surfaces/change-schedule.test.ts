import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { changeSchedule } from '../../src/surfaces/digest-desk.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';
import { aSchedule } from '../support/store-builders.ts';

closeAfterEach();

test('the audit log takes back a change of a digest that could not be made', async () => {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  const schedule = aSchedule();
  await store.saveSchedule(schedule);
  let at = 0;
  const alerts = {
    readFigures: async () => null,
    known: async () => ({ defined: [], runs: [] }),
    webhooks: [],
  };
  const change = (what: 'pause' | 'remove') =>
    changeSchedule(
      { store, now: () => (at += 1), digestSources: { alerts } },
      {
        actor: { people: [{ surface: 'terminal', team: '', user: 'terminal:ann' }], at: null },
        surface: schedule.target.surface,
        channel: schedule.target.channel,
      },
      schedule,
      what,
    );
  await change('remove');
  // Another process removed it in between.
  await expect(change('pause')).rejects.toThrow('There is no schedule');
  const [removed, paused, ...more] = await store.changes(0);
  expect(removed).toMatchObject({ about: schedule.id, after: null });
  expect(more).toEqual([expect.objectContaining({ before: paused?.after, after: paused?.before })]);
});
