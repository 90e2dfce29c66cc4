// What putting a digest together costs: npm run bench:digest [-- --votes 1000000 --trials 10000]
// Real stores on this machine, with the counts that so many votes leave, 100 verdicts with votes, and two benchmarks of two runs (in
// folders beside SQLite, in Redis beside Redis). The first digest of the process tells of one benchmark, by code that runs for the first
// time. Five are the first to tell of the other one, as a service's is each morning (what is kept of it is dropped before each); twenty
// tell of it again. Redis: TEST_REDIS_URL, else one of its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { TrialStore } from '../src/benchmark/trial-store.ts';
import { composeDigest } from '../src/digests/compose-digest.ts';
import { noLabels } from '../src/digests/digest.ts';
import { gatherDigest } from '../src/digests/gather-digest.ts';
import { dueSlot, nextSlotOf } from '../src/digests/next-digest-time.ts';
import { createBenchmarkSource, numbersMark } from '../src/reports/history/benchmark-history.ts';
import { createFolderTrialStore } from '../src/stores/folder/runs.ts';
import { openRedisStore } from '../src/stores/redis/redis-store.ts';
import { openRedisTrialStore } from '../src/stores/redis/runs.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../src/stores/store.ts';
import { fail, pass } from '../test/support/builders.ts';
import { aManifest, aTrial, aVerdict, casesOf } from '../test/support/run-builders.ts';
import { aRecord, aSchedule, saturday } from '../test/support/store-builders.ts';
import { ballotOf, benchRedis, loadSqlite, manyCounts } from './vote-load.ts';

const { values } = parseArgs({
  options: { votes: { type: 'string', default: '1000000' }, trials: { type: 'string', default: '10000' } },
});
const [votes, trials] = [Number(values.votes), Number(values.trials)];
const RECENT = 100;

async function fillRun(runs: TrialStore, series: string, day: number): Promise<void> {
  const name = `${series}-${day}`;
  const dataset = { source: 'cases.jsonl', cases: trials, labeled: trials, hash: 'same' };
  await runs.create(
    aManifest({ name, series, createdAt: `2026-11-0${day}T09:00:00.000Z`, dataset, subject: 'judges' }),
    casesOf(trials),
  );
  const writer = await runs.write(name);
  for (let from = 0; from < trials; from += 500)
    await Promise.all(
      Array.from({ length: Math.min(500, trials - from) }, (_, n) => {
        const said = (from + n) % (5 + day) === 0 ? fail : pass;
        const verdict = { ...aVerdict(said), caseId: `c${from + n}` };
        return writer.save(aTrial(`0-${from + n}`, verdict), verdict);
      }),
    );
  await writer.close();
}

async function fillRuns(runs: TrialStore): Promise<void> {
  for (const benchmark of ['tour', 'trip']) {
    await fillRun(runs, benchmark, 1);
    await fillRun(runs, benchmark, 2);
  }
}

async function measure(store: Store, openRuns: () => Promise<TrialStore>): Promise<void> {
  const runs = await openRuns();
  for (let n = 0; n < RECENT; n += 1) await store.saveVerdict(aRecord({ id: `v${n}`, at: saturday + n }));
  for (let n = 0; n < RECENT * 5; n += 1) await store.castVote(ballotOf(n, RECENT));
  const slots = nextSlotOf(aSchedule({}));
  const slot = slots(saturday) ?? saturday;
  const now = () => slot;
  const told = { at: saturday - 1, runs: { tour: 'tour-1', trip: 'trip-1' } };
  let rows = 0;
  const compose = async (benchmark: string, runs: TrialStore): Promise<number> => {
    const benchmarks = createBenchmarkSource(runs, store, now);
    const schedule = aSchedule({ benchmarks: [benchmark] });
    // As in the service: what is due is found first, by the calendar of the time zone.
    const due = dueSlot(slots, saturday, now()) ?? { slot, late: false };
    const start = performance.now();
    const last = { ...told, labels: noLabels };
    const data = await gatherDigest(
      { store, benchmarks, now, personas: new Map() },
      schedule,
      due,
      last,
      [],
      'en',
    );
    composeDigest(data);
    rows = data.counts.length;
    return performance.now() - start;
  };
  const cold = await compose('tour', runs);
  const first: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    for (const run of ['trip-1', 'trip-2']) {
      const manifest = await runs.readRun(run);
      // Under another name nothing would be dropped, and repeated digests would pass for first ones.
      if (manifest === null || ((await store.get(numbersMark(manifest), now())) === null && n > 0))
        throw new Error(`nothing is kept of ${run}`);
      await store.delete(numbersMark(manifest));
    }
    first.push(await compose('trip', await openRuns()));
  }
  const others: number[] = [];
  for (let n = 0; n < 20; n += 1) others.push(await compose('trip', runs));
  const ms = (time: number): string => `${time.toFixed(0)} ms`;
  const of = (times: readonly number[]) => {
    const sorted = times.toSorted((x, y) => x - y);
    return { p50: sorted[Math.floor(sorted.length / 2)] ?? 0, max: sorted.at(-1) ?? 0 };
  };
  const news = of(first);
  const again = of(others);
  console.log(
    `${store.kind.padEnd(8)} ${votes} votes (${rows} rows), ${trials} trials a run: first to tell of a run p50 ${ms(news.p50)}, max ${ms(news.max)}; again p50 ${ms(again.p50)}, max ${ms(again.max)}; the first of the process ${ms(cold)}`,
  );
  // A digest that is posted is mostly the first to tell of its newest run: a middle of repeated ones alone would flatter.
  if (Math.max(news.p50, again.p50) > 1000) process.exitCode = 1;
}

const folder = mkdtempSync(join(tmpdir(), 'jury-bench-'));
const runs = createFolderTrialStore(join(folder, 'runs'));
await fillRuns(runs);
const rows = manyCounts(votes);
await loadSqlite(join(folder, 'jury.db'), rows);
const sqlite = await openSqliteStore(join(folder, 'jury.db'));
await measure(sqlite, async () => createFolderTrialStore(join(folder, 'runs')));
await sqlite.close();

const server = await benchRedis();
if (server === null) console.log('redis    not measured: there is none');
else {
  const { url, prefix } = server;
  await server.load(rows);
  const redis = await openRedisStore(url, { prefix });
  const redisRuns = await openRedisTrialStore(url, { prefix });
  await fillRuns(redisRuns);
  await measure(redis, async () => redisRuns);
  await redisRuns.close();
  await redis.close();
  await server.remove();
}
rmSync(folder, { recursive: true });
