// How soon Home, the queue and a digest's preview are there with many verdicts: npm run bench:lists [-- --verdicts 100000]
// SQLite and Redis on this machine. The verdicts lie in 180 days, 5 channels and 4 methods; each tenth has two votes, of the newest
// 2,000 most have some. Of the newest 10,000 each twentieth has a known answer, and the channels mix these into their queues. Each list is made 30 times after 3, one after another; the baseline in the same run reads the texts of as many
// verdicts as the queue looks at, one call for all, and parses them as JSON. Redis: TEST_REDIS_URL, else one of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { Redis } from 'ioredis';
import { dayOf } from '../src/common/text/text.ts';
import { composeDigest } from '../src/digests/compose-digest.ts';
import { gatherDigest } from '../src/digests/gather-digest.ts';
import { agreedShareOf, publicCounts } from '../src/labels/agreement/trust.ts';
import { readVoteQueue } from '../src/labels/queue/read-queue.ts';
import { openRedisStore } from '../src/stores/redis/redis-store.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../src/stores/store.ts';
import { homeView } from '../src/surfaces/slack/render/lists.ts';
import { listedFor } from '../src/surfaces/views/lists.ts';
import { findRedis } from '../test/support/find-redis.ts';
import { prepareRedis } from '../test/support/redis-server.ts';
import { aBallot, aRecord, aRuling, aSchedule, dayMs } from '../test/support/store-builders.ts';

const { values } = parseArgs({ options: { verdicts: { type: 'string', default: '100000' } } });
const count = Number(values.verdicts);
const DAYS = 180;
const LOOKED_AT = 200;
const [TIMES, BEFORE] = [30, 3];

const now = Date.UTC(2026, 10, 21, 9);
const viewer = { voter: 'viewer', maySee: async () => true };

const isGold = (n: number): boolean => n >= count - 10_000 && n % 20 === 0;

/** The n-th oldest verdict. */
function recordOf(n: number) {
  const record = aRecord({
    id: `v${n}`,
    at: now - Math.floor(((count - n) * DAYS * dayMs) / count),
    channel: `C${n % 5}`,
    verdict: { method: ['io', 'mab', 'mad', 'sc-3'][n % 4] ?? 'io' },
  });
  return { ...record, source: { ...record.source, message: isGold(n) ? null : `m${n}` } };
}

const votesOn = (n: number): number => (n >= count - 2_000 ? n % 4 : n % 10 === 0 ? 2 : 0);

async function fill(store: Store): Promise<void> {
  for (let n = 0; n < 5; n += 1) await store.saveChannelSettings(`C${n}`, { wish: {}, goldEvery: 10 });
  for (let from = 0; from < count; from += 500)
    await Promise.all(
      Array.from({ length: Math.min(500, count - from) }, async (_, index) => {
        const n = from + index;
        await store.saveVerdict(recordOf(n));
        if (isGold(n)) await store.adjudicate(aRuling({ verdictId: `v${n}` }));
        for (let vote = 0; vote < votesOn(n); vote += 1) {
          const value = (n + vote) % 3 === 0 ? 'disagree' : 'agree';
          await store.castVote(aBallot({ verdictId: `v${n}`, voter: `voter-${(n + vote) % 300}`, value }));
        }
      }),
    );
}

/** What each surface reads and shows. */
const lists = (store: Store): Record<string, () => Promise<unknown>> => ({
  Home: async () => {
    const read = await readVoteQueue(store, viewer, now);
    const range = { from: dayOf(now - 90 * dayMs), to: dayOf(now), kinds: ['verdict'] as const };
    const { rows } = await publicCounts(store, range, now);
    const listed = listedFor(read, new Map(), 'en');
    return homeView(
      {
        recent: read.recent.map(listed),
        needVotes: read.queue.map(listed),
        lookedAt: read.lookedAt,
        agreement: agreedShareOf(rows),
        own: read.own,
        settings: await store.channelSettings('D1'),
        language: 'en',
      },
      { rubrics: new Map(), methods: new Map(), personas: new Map() },
    );
  },
  queue: () => readVoteQueue(store, viewer, now),
  'digest preview': async () => {
    const due = { slot: now, late: false };
    const source = { store, benchmarks: null, now: () => now, personas: new Map() };
    return composeDigest(await gatherDigest(source, aSchedule({}), due, null, [], 'en'));
  },
});

/** @returns the median and the 95th percentile, ms */
async function timed(work: () => Promise<unknown> | unknown): Promise<[median: number, p95: number]> {
  const times: number[] = [];
  for (let n = 0; n < TIMES + BEFORE; n += 1) {
    const begun = performance.now();
    await work();
    if (n >= BEFORE) times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return [times[Math.floor(TIMES / 2)] ?? 0, times[Math.floor(TIMES * 0.95)] ?? 0];
}

async function measure(
  name: string,
  store: Store,
  baseline: () => Promise<unknown> | unknown,
): Promise<void> {
  const [plain, plainP95] = await timed(baseline);
  console.log(`\n${name}, ${count} verdicts          median       p95     ratio`);
  const show = (what: string, median: number, p95: number) =>
    console.log(
      `${what.padEnd(28)}${`${median.toFixed(1)} ms`.padStart(12)}${`${p95.toFixed(1)} ms`.padStart(12)}${(median / plain).toFixed(1).padStart(8)}`,
    );
  show(`baseline: ${LOOKED_AT} texts`, plain, plainP95);
  for (const [what, list] of Object.entries(lists(store))) {
    const [median, p95] = await timed(list);
    show(what, median, p95);
    if (p95 > 100) process.exitCode = 1;
  }
}

const newest = Array.from({ length: LOOKED_AT }, (_, n) => `v${count - 1 - n}`);

async function measureSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'jury-lists-'));
  const path = join(folder, 'jury.db');
  const store = await openSqliteStore(path);
  await fill(store);
  const raw = new DatabaseSync(path);
  const all = raw.prepare(`SELECT record FROM verdicts ORDER BY at DESC, id DESC LIMIT ${LOOKED_AT}`);
  await measure('SQLite', store, () => all.all().map((row) => JSON.parse(String(Object.values(row)[0]))));
  raw.close();
  await store.close();
  rmSync(folder, { recursive: true });
}

async function measureRedis(): Promise<void> {
  const binary = process.env.TEST_REDIS_URL === undefined ? findRedis() : null;
  const server = binary === null ? null : await prepareRedis(binary, 'single', 'everysec');
  await server?.start();
  const url = process.env.TEST_REDIS_URL ?? server?.url;
  if (url === undefined) return console.log('Redis: not measured, there is none');
  const prefix = `jury-lists-${process.pid}`;
  const store = await openRedisStore(url, { prefix });
  await fill(store);
  const raw = new Redis(url.replace('unix://', ''));
  const [sample = ''] = (await raw.scan(0, 'MATCH', `*${prefix}*verdict*v1`, 'COUNT', 10_000_000))[1];
  const keyOf = (id: string) => sample.replace(/v1$/, id);
  await measure('Redis', store, async () => {
    const pipeline = raw.pipeline();
    for (const id of newest) pipeline.hget(keyOf(id), 'record');
    return ((await pipeline.exec()) ?? []).map(([, text]) => JSON.parse(String(text)));
  });
  await store.close();
  for await (const keys of raw.scanStream({ match: `*${prefix}*`, count: 1000 }))
    if (keys.length > 0) await raw.unlink(...keys);
  raw.disconnect();
  await server?.remove();
}

await measureSqlite();
await measureRedis();
