// Whether digests are posted exactly once while their processes are killed:
// npm run bench:digests [-- --seconds 120 --schedules 20 --every 5 --replicas 3 --seed 1]
// Real stores, real processes, a local Slack. Redis: TEST_REDIS_URL, else a server of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openRedisStore } from '../src/stores/redis/redis-store.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../src/stores/store.ts';
import { digestChaos } from '../test/support/digest-chaos.ts';
import { findRedis } from '../test/support/find-redis.ts';
import { prepareRedis } from '../test/support/redis-server.ts';
import { startSlackDouble } from '../test/support/slack-double.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    schedules: { type: 'string', default: '20' },
    every: { type: 'string', default: '5' },
    replicas: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
  },
});
const shape = {
  seconds: Number(values.seconds),
  schedules: Number(values.schedules),
  everySeconds: Number(values.every),
  replicas: Number(values.replicas),
  seed: Number(values.seed),
  leaseMs: 5000,
};

async function measure(store: Store, target: readonly [string, string, string]): Promise<void> {
  const slack = await startSlackDouble();
  const { kills, slots, pictures, missing, doubled } = await digestChaos(store, slack, { ...shape, target });
  console.log(
    `${store.kind.padEnd(8)} ${slots} slots, ${pictures} with a picture, ${kills} kills: ${missing.length} missing, ${doubled.length} doubled`,
  );
  for (const key of [...missing, ...doubled]) console.log(`  ${key}`);
  if (missing.length + doubled.length > 0) process.exitCode = 1;
  await slack.close();
}

const folder = mkdtempSync(join(tmpdir(), 'jury-bench-'));
const path = join(folder, 'jury.db');
const sqlite = await openSqliteStore(path);
await measure(sqlite, ['sqlite', path, '']);
await sqlite.close();
rmSync(folder, { recursive: true });

const binary = findRedis();
const given = process.env.TEST_REDIS_URL;
const server =
  given === undefined && binary !== null ? await prepareRedis(binary, 'single', 'everysec') : null;
await server?.start();
const url = given ?? server?.url;
if (url === undefined) console.log('redis    skipped: set TEST_REDIS_URL');
else {
  const prefix = `jury-bench-${process.pid}`;
  const redis = await openRedisStore(url, { prefix });
  await measure(redis, ['redis', url, prefix]);
  await redis.close();
}
await server?.remove();
