// What agreement costs: npm run bench:agreement [-- --votes 1000000]
// Real stores on this machine with the counts that so many votes leave. The line on a card reads 180 days of counts, at most once
// in five seconds; `jury labels stats` reads all and resamples each group. Redis: TEST_REDIS_URL, else one of its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { groupings, readAgreement } from '../src/labels/read-agreement.ts';
import { createTrust } from '../src/labels/trust.ts';
import { openRedisStore } from '../src/stores/redis/redis-store.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../src/stores/store.ts';
import { findRedis } from '../test/support/find-redis.ts';
import { prepareRedis } from '../test/support/redis-server.ts';
import { aRecord, dayMs, saturday } from '../test/support/store-builders.ts';
import { loadSqlite, manyCounts, redisLoad } from './vote-load.ts';

const { values } = parseArgs({ options: { votes: { type: 'string', default: '1000000' } } });
const votes = Number(values.votes);
const { verdict } = aRecord();

async function measure(store: Store): Promise<void> {
  const times: number[] = [];
  let told: unknown = null;
  for (let n = 0; n < 21; n += 1) {
    const start = performance.now();
    told = await createTrust(store, () => saturday + 30 * dayMs)(verdict);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(
    `${store.kind.padEnd(8)} ${votes} votes: the line on a card p50 ${times[10]?.toFixed(1)} ms, max ${times.at(-1)?.toFixed(1)} ms ${JSON.stringify(told)}`,
  );
  for (const by of groupings) {
    const start = performance.now();
    const { groups } = await readAgreement(store, { by });
    console.log(
      `${store.kind.padEnd(8)}   stats by ${by}: ${groups.length} groups, ${(performance.now() - start).toFixed(0)} ms`,
    );
  }
}

const folder = mkdtempSync(join(tmpdir(), 'jury-bench-'));
const rows = manyCounts(votes);
await loadSqlite(join(folder, 'jury.db'), rows);
const sqlite = await openSqliteStore(join(folder, 'jury.db'));
await measure(sqlite);
await sqlite.close();

const binary = findRedis();
const given = process.env.TEST_REDIS_URL;
const server =
  given === undefined && binary !== null ? await prepareRedis(binary, 'single', 'everysec') : null;
await server?.start();
const url = given ?? server?.url;
if (url === undefined) console.log('redis    not measured: there is none');
else {
  const prefix = `jury-bench-${process.pid}`;
  const raw = new Redis(url.replace('unix://', ''));
  for (const [command, ...args] of redisLoad(prefix, rows)) void raw.call(command, ...args);
  await raw.ping();
  const redis = await openRedisStore(url, { prefix });
  await measure(redis);
  await redis.close();
  for await (const keys of raw.scanStream({ match: `*${prefix}*`, count: 1000 }))
    if (keys.length > 0) await raw.unlink(...keys);
  raw.disconnect();
}
await server?.remove();
rmSync(folder, { recursive: true });
