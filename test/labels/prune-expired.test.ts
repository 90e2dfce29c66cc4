import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pruneExpired } from '../../src/labels/record/verdict-record.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { scratch } from '../support/run-jury.ts';
import { aRecord, dayMs, saturday } from '../support/store-builders.ts';

test('verdicts go when their days are over; without a limit none does', async () => {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  for (const days of [0, 1, 2])
    await store.saveVerdict(aRecord({ id: `v${days}`, at: saturday + days * dayMs }));
  const now = saturday + 9 * dayMs;
  expect(await pruneExpired(store, 0, now)).toBe(0);
  expect(await pruneExpired(store, 9, now)).toBe(0);
  expect(await pruneExpired(store, 8, now)).toBe(1);
  expect((await store.recentVerdicts({ channel: null, limit: 9 })).map(({ id }) => id)).toEqual(['v2', 'v1']);
  await store.close();
});
