// What agreement costs: npm run bench:agreement [-- --votes 1000000]
// Real stores on this machine with the counts that so many votes leave. The line on a card reads 180 days of counts, at most once
// in five seconds; `jury labels stats` reads all and resamples each group. Redis: TEST_REDIS_URL, else one of its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { groupings, readAgreement } from '../src/labels/agreement/read-agreement.ts';
import { createTrust } from '../src/labels/agreement/trust.ts';
import { openRedisStore } from '../src/stores/redis/redis-store.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../src/stores/store.ts';
import { aRecord, dayMs, saturday } from '../test/support/store-builders.ts';
import { benchRedis, loadSqlite, manyCounts } from './vote-load.ts';

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

const server = await benchRedis();
if (server === null) console.log('redis    not measured: there is none');
else {
  const { url, prefix } = server;
  await server.load(rows);
  const redis = await openRedisStore(url, { prefix });
  await measure(redis);
  await redis.close();
  await server.remove();
}
rmSync(folder, { recursive: true });
