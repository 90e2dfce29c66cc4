// What voting costs at the store: npm run bench:votes [-- --seconds 30 --rate 200 --votes 100000 --many 1000000]
// Everything runs against real stores on this machine, beside a baseline that only keeps each vote in a plain table or
// hash, in the same run. Redis: TEST_REDIS_URL, else a server of its own.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import pLimit from 'p-limit';
import { valueIn } from '../src/labels/record/vote.ts';
import { openRedisStore } from '../src/stores/redis/redis-store.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../src/stores/store.ts';
import { countsOf, recount } from '../test/support/recount.ts';
import { aRecord } from '../test/support/store-builders.ts';
import { ballotOf, benchRedis, loadSqlite, manyCounts } from './vote-load.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '200' },
    votes: { type: 'string', default: '100000' },
    many: { type: 'string', default: '1000000' },
  },
});
const [seconds, rate, votes, many] = [values.seconds, values.rate, values.votes, values.many].map(Number);
if (seconds === undefined || rate === undefined || votes === undefined || many === undefined)
  throw new Error('usage');
const verdicts = Math.max(10, votes / 10);
const concurrency = 64;

interface Subject {
  name: string;
  store: Store;
  /** Keeps one vote and nothing else. */
  baseline: (n: number) => Promise<unknown>;
  bytes: () => Promise<number>;
  /** Puts the counts of many votes where nothing else is, and opens a store there. */
  crowded: () => Promise<Store>;
  remove: () => Promise<void>;
}

const ms = (value: number) => `${value.toFixed(2)} ms`;
const line = (name: string, what: string, value: string) =>
  console.log(`${name.padEnd(8)} ${what.padEnd(52)} ${value}`);

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}

/** Votes at a steady pace; a vote's time counts from when it was due, so that a stall is not hidden. */
async function paced(cast: (n: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  const all: Promise<unknown>[] = [];
  const start = performance.now();
  for (let n = 0; n < (rate ?? 0) * (seconds ?? 0); n++) {
    const due = start + (n * 1000) / (rate ?? 1);
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    all.push(cast(n).then(() => took.push(performance.now() - Math.max(due, start))));
  }
  await Promise.all(all);
  return took.sort((a, b) => a - b);
}

/** Votes a second, as fast as they go, so many at once. */
async function rushed(count: number, cast: (n: number) => Promise<unknown>): Promise<number> {
  const limit = pLimit(concurrency);
  const start = performance.now();
  for (let from = 0; from < count; from += 10_000)
    await Promise.all(
      Array.from({ length: Math.min(10_000, count - from) }, (_, n) => limit(() => cast(from + n))),
    );
  return (count * 1000) / (performance.now() - start);
}

async function measure({ name, store, baseline, bytes, crowded, remove }: Subject): Promise<void> {
  for (let n = 0; n < verdicts; n++) await store.saveVerdict(aRecord({ id: `v${n}` }));
  const latencies = await paced((n) => store.castVote(ballotOf(n, verdicts)));
  line(
    name,
    `${rate} votes/s for ${seconds} s, p50 / p99 / max`,
    [0.5, 0.99, 1].map((q) => ms(quantile(latencies, q))).join(' / '),
  );
  const plain = await paced((n) => baseline(n));
  line(name, 'the same, baseline', [0.5, 0.99, 1].map((q) => ms(quantile(plain, q))).join(' / '));

  // Votes of their own numbers, so that none stands yet.
  const from = (rate ?? 0) * (seconds ?? 0);
  const before = await bytes();
  const speed = await rushed(votes ?? 0, (n) => store.castVote(ballotOf(from + n, verdicts)));
  const perVote = ((await bytes()) - before) / (votes ?? 1);
  // One wait for the disk each: a part of them tells as much, sooner.
  const plainSpeed = await rushed(Math.min(votes ?? 0, 5000), (n) => baseline(from + n));
  line(name, `${votes} votes, ${concurrency} at once`, `${Math.round(speed)} votes/s`);
  line(
    name,
    'the same, baseline',
    `${Math.round(plainSpeed)} votes/s, ratio ${(plainSpeed / speed).toFixed(1)}`,
  );
  line(name, 'grown by', `${Math.round(perVote)} bytes a vote`);

  const counts = await countsOf(store);
  const statuses = new Map<string, number>();
  await rushed(votes ?? 0, async (n) => {
    const { status } = await store.castVote(ballotOf(from + n, verdicts));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  const same = isDeepStrictEqual(counts, await countsOf(store)) && statuses.get('unchanged') === votes;
  line(name, 'all of them once more', same ? 'changed nothing' : `WRONG: ${JSON.stringify([...statuses])}`);
  const right = isDeepStrictEqual(counts, await recount(store));
  line(name, 'counts and a recount of the votes', right ? 'are equal' : 'WRONG: they differ');

  const full = await crowded();
  const times: number[] = [];
  let rows = 0;
  for (let n = 0; n < 20; n++) {
    const start = performance.now();
    rows = (await full.counts({ from: '2026-01-01', to: '2026-12-31' })).length;
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  line(
    name,
    `counts of ${many} votes (${rows} rows), p50 / max`,
    [0.5, 1].map((q) => ms(quantile(times, q))).join(' / '),
  );
  const week: number[] = [];
  for (let n = 0; n < 20; n++) {
    const start = performance.now();
    await full.counts({ from: '2026-11-21', to: '2026-11-27' });
    week.push(performance.now() - start);
  }
  week.sort((a, b) => a - b);
  line(name, 'the same, one week of it', [0.5, 1].map((q) => ms(quantile(week, q))).join(' / '));
  await full.close();
  await store.close();
  await remove();
  if (!same || !right) process.exitCode = 1;
}

async function sqlite(): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'jury-bench-'));
  const path = join(folder, 'jury.db');
  const store = await openSqliteStore(path);
  const raw = new DatabaseSync(join(folder, 'plain.db'));
  raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  raw.exec(
    'CREATE TABLE plain (verdict TEXT, voter TEXT, value TEXT, PRIMARY KEY (verdict, voter)) WITHOUT ROWID',
  );
  const insert = raw.prepare('INSERT OR REPLACE INTO plain VALUES (?, ?, ?)');
  return {
    name: 'SQLite',
    store,
    baseline: async (n) => {
      const ballot = ballotOf(n, verdicts);
      insert.run(ballot.verdictId, ballot.voter, valueIn(ballot));
    },
    bytes: async () => {
      const sizer = new DatabaseSync(path);
      sizer.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      sizer.close();
      return statSync(path).size;
    },
    crowded: async () => {
      await loadSqlite(join(folder, 'many.db'), manyCounts(many ?? 0));
      return openSqliteStore(join(folder, 'many.db'));
    },
    remove: async () => {
      raw.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function redis(): Promise<Subject | null> {
  const server = await benchRedis();
  if (server === null) return null;
  const { url, prefix, raw } = server;
  const store = await openRedisStore(url, { prefix });
  return {
    name: 'Redis',
    store,
    baseline: (n) => {
      const ballot = ballotOf(n, verdicts);
      return raw.hset(`${prefix}:plain:${ballot.verdictId}`, ballot.voter, `${valueIn(ballot)}`);
    },
    bytes: async () => Number(/used_memory:(\d+)/.exec(await raw.info('memory'))?.[1] ?? 0),
    crowded: async () => {
      await server.load(manyCounts(many ?? 0), `${prefix}-many`);
      return openRedisStore(url, { prefix: `${prefix}-many` });
    },
    remove: server.remove,
  };
}

await measure(await sqlite());
const inRedis = await redis();
if (inRedis === null) console.log('Redis    not measured: there is none');
else await measure(inRedis);
