// What importing a file of annotations takes, against writing its rows plainly in the same run: npm run bench:study-import [-- --cases 990].
// 73 people rate each case. SQLite and Redis on this machine; plain is one statement or one HSET for each row, a thousand at a time.
// Redis: TEST_REDIS_URL, else one of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import {
  importOfRatings,
  ratingRows,
  ratingsOf,
  studyOfRatings,
  writeRatings,
} from '../test/support/ratings.ts';
import { jury } from '../test/support/run-jury.ts';
import { benchRedis } from './vote-load.ts';

const { values } = parseArgs({ options: { cases: { type: 'string', default: '990' } } });
const units = ratingsOf(Number(values.cases), 73);
const rows = ratingRows(units);
const AT_ONCE = 1_000;

async function secondsOf(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

async function imported(cwd: string, env: Record<string, string>): Promise<number> {
  writeRatings(cwd, units);
  await jury(studyOfRatings(units.length), { cwd, env });
  return secondsOf(async () => {
    const { code, err } = await jury(importOfRatings, { cwd, env });
    if (code !== 0) throw new Error(err);
  });
}

function say(store: string, took: number, plainly: number): void {
  console.log(
    `${store}: ${rows.length} annotations imported in ${took.toFixed(1)} s, ${(took / plainly).toFixed(1)} times the ${plainly.toFixed(1)} s of writing them plainly`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'jury-bench-'));
const plain = new DatabaseSync(join(folder, 'plain.db'));
plain.exec('PRAGMA journal_mode = WAL; CREATE TABLE rows (id TEXT PRIMARY KEY, row TEXT)');
const insert = plain.prepare('INSERT INTO rows VALUES (?, ?)');
const inSqlite = await secondsOf(() => {
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    plain.exec('BEGIN');
    for (const [n, row] of rows.slice(from, from + AT_ONCE).entries()) insert.run(`${from + n}`, row);
    plain.exec('COMMIT');
  }
});
plain.close();
say('SQLite', await imported(folder, {}), inSqlite);

const redis = await benchRedis();
if (redis !== null) {
  const inRedis = await secondsOf(async () => {
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      const writes = redis.raw.pipeline();
      for (const [n, row] of rows.slice(from, from + AT_ONCE).entries())
        writes.hset(`${redis.prefix}:plain`, `${from + n}`, row);
      await writes.exec();
    }
  });
  const other = mkdtempSync(join(tmpdir(), 'jury-bench-'));
  say('Redis', await imported(other, { REDIS_URL: redis.url }), inRedis);
  rmSync(other, { recursive: true });
  await redis.remove();
}
rmSync(folder, { recursive: true });
