import pino from 'pino';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/stores/open-store.ts';
import { pruneDaily } from '../../../src/surfaces/service/background.ts';
import { closeAfterEach, closing, newFolder } from '../../support/resources.ts';
import { aRecord, dayMs, saturday } from '../../support/store-builders.ts';

closeAfterEach();

test('verdicts go after their days, once a day, whichever replica comes first', async () => {
  const store = await openStore({ redisUrl: undefined, dataFolder: newFolder(), warn: () => {} });
  closing(() => store.close());
  await store.saveVerdict(aRecord({ id: 'old', at: saturday - 31 * dayMs }));
  await store.saveVerdict(aRecord({ id: 'new', at: saturday - 29 * dayMs }));
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const parts = { store, retentionDays: 30, now: () => saturday, log };
  await Promise.all([pruneDaily(parts), pruneDaily(parts)]);
  const left = await store.recentVerdicts({ channel: null, limit: 9 });
  expect(left.map(({ id }) => id)).toEqual(['new']);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('"verdicts":1');

  await store.saveVerdict(aRecord({ id: 'late', at: saturday - 40 * dayMs }));
  await pruneDaily({ ...parts, now: () => saturday + dayMs });
  expect(await store.verdict('late')).toBeNull();
});
