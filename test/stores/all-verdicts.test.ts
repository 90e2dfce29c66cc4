import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { placeInRedis, redisOfRun } from '../support/redis.ts';
import { scratch } from '../support/run-jury.ts';
import { aRecord, saturday } from '../support/store-builders.ts';

const { url } = redisOfRun();
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function inRedis(): Promise<Store> {
  const place = placeInRedis(url ?? '');
  const store = await place.open();
  ends.push(place.remove, store.close);
  return store;
}

async function inSqlite(): Promise<Store> {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  ends.push(store.close);
  return store;
}

describe.each([
  ['SQLite', inSqlite, false],
  ['Redis', inRedis, url === null],
])('all verdicts in %s', (_name, open, isMissing) => {
  test.skipIf(isMissing)('come once each, newest first, also where hundreds are of one moment', async () => {
    const store = await open();
    const times = [
      ...Array.from({ length: 450 }, () => saturday),
      ...Array.from({ length: 130 }, (_, n) => saturday - 1 - n / 4),
      ...Array.from({ length: 90 }, () => saturday + 0.5),
    ];
    const records = times.map((at, n) => aRecord({ id: `v${n}`, at }));
    for (let from = 0; from < records.length; from += 50)
      await Promise.all(records.slice(from, from + 50).map(store.saveVerdict));
    const found: { id: string; at: number }[] = [];
    for await (const { id, at } of store.allVerdicts()) found.push({ id, at });
    expect(found).toHaveLength(times.length);
    expect(new Set(found.map(({ id }) => id)).size).toBe(times.length);
    expect(found.map(({ at }) => at)).toEqual([...times].sort((a, b) => b - a));
  });
});

test('of an empty store there are none', async () => {
  const store = await inSqlite();
  for await (const record of store.allVerdicts()) expect.unreachable(record.id);
});
