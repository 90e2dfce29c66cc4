import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { findRedis } from '../test/support/find-redis.ts';
import { runWithKills } from '../test/support/killed-workers.ts';
import { type ModelDouble, startModelDouble } from '../test/support/model-double.ts';
import { prepareRedis } from '../test/support/redis-server.ts';
import { casesOf } from '../test/support/run-builders.ts';
import { jury } from '../test/support/run-jury.ts';

/**
 * Workers that share a run, over the product's own command line, a real Redis and a model that answers after a fixed
 * time: what is lost, counted twice or paid twice where workers are killed, and what a second worker gains.
 */
const kills = { cases: 3000, workers: 3, concurrency: 10, kills: 10, betweenMs: 4000, delayMs: 400 };
const gain = { cases: 600, concurrency: 10, delayMs: 200 };

const Summary = z.object({ trials: z.int(), calls: z.int(), failed: z.int(), spentUsd: z.number() });
/** 100 prompt and 20 completion tokens of openai/gpt-4o-mini. */
const TRIAL_USD = 0.000027;

const binary = findRedis();
if (binary === null) throw new Error('There is no redis-server: install one.');
const redis = await prepareRedis(binary, 'single', 'everysec');
await redis.start();
const folder = mkdtempSync(join(tmpdir(), 'jury-workers-'));

async function run(
  name: string,
  double: ModelDouble,
  cases: number,
  workers: number,
  concurrency: number,
  killed = 0,
  betweenMs = 0,
) {
  const env = { REDIS_URL: redis.url, OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'none' };
  writeFileSync(
    join(folder, `${name}.jsonl`),
    casesOf(cases, { rubric: 'navigation', label: { decision: 'pass' } })
      .map((one) => JSON.stringify(one))
      .join('\n'),
  );
  const args = `${name}.jsonl --methods io --models openai/gpt-4o-mini --no-cache --json --name ${name}`;
  const ran = await runWithKills(
    args.split(' '),
    { env, cwd: folder, workers, concurrency },
    killed,
    betweenMs,
    () => double.counts.received,
  );
  if (ran.code !== 0) throw new Error(`exit ${ran.code}\n${ran.err}`);
  const shown = await jury(['bench', 'show', name, '--trials'], { env, cwd: folder });
  const keys = shown.out.trim().split('\n');
  return { ...ran, summary: Summary.parse(JSON.parse(ran.out)), distinct: new Set(keys).size };
}

const verdict = (holds: boolean) => (holds ? 'holds' : 'DOES NOT HOLD');

try {
  for (const double of [await startModelDouble({ delayMs: kills.delayMs, record: false })]) {
    const { cases, workers, concurrency } = kills;
    const ran = await run('killed', double, cases, workers, concurrency, kills.kills, kills.betweenMs);
    const extra = double.counts.received - cases;
    const exact =
      ran.summary.trials === cases &&
      ran.distinct === cases &&
      ran.summary.calls === cases &&
      ran.summary.failed === 0 &&
      Math.abs(ran.summary.spentUsd - cases * TRIAL_USD) < 1e-9;
    console.log(
      `${cases} trials, ${workers} workers of ${concurrency} at once, ${ran.kills} killed, ${(ran.ms / 1000).toFixed(1)} s`,
    );
    console.log(
      `  results ${ran.summary.trials}, different ${ran.distinct}, calls ${ran.summary.calls}, $${ran.summary.spentUsd}: ${verdict(exact)}`,
    );
    console.log(
      `  requests ${double.counts.received}: ${extra} paid again, at most ${ran.kills * concurrency} explained by kills: ${verdict(extra >= 0 && extra <= ran.kills * concurrency)}`,
    );
    if (!exact || extra > ran.kills * concurrency) process.exitCode = 1;
    await double.close();
  }
  const times: number[] = [];
  for (const workers of [1, 2]) {
    const double = await startModelDouble({ delayMs: gain.delayMs, record: false });
    const { ms } = await run(`gain${workers}`, double, gain.cases, workers, gain.concurrency);
    times.push(ms);
    await double.close();
  }
  const [one = 1, two = 1] = times;
  console.log(
    `${gain.cases} trials, ${gain.concurrency} at once: one worker ${(one / 1000).toFixed(1)} s, two ${(two / 1000).toFixed(1)} s, ratio ${(two / one).toFixed(2)} (at most 0.6): ${verdict(two / one <= 0.6)}`,
  );
  if (two / one > 0.6) process.exitCode = 1;
} finally {
  await redis.remove();
  rmSync(folder, { recursive: true, force: true });
}
