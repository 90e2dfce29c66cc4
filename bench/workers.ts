import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedis } from '../test/support/find-redis.ts';
import { runWithKills } from '../test/support/killed-workers.ts';
import { type ModelDouble, startModelDouble } from '../test/support/model-double.ts';
import { prepareRedis } from '../test/support/redis-server.ts';
import { casesOf } from '../test/support/run-builders.ts';

/**
 * What a second worker gains where workers share a run: over the product's own command line, a real Redis and a model that
 * answers after a fixed time. What killed workers cost is a test (`npm run test:soak`).
 */
const gain = { cases: 600, concurrency: 10, delayMs: 200 };

const binary = findRedis();
if (binary === null) throw new Error('There is no redis-server: install one.');
const redis = await prepareRedis(binary, 'single', 'everysec');
await redis.start();
const folder = mkdtempSync(join(tmpdir(), 'jury-workers-'));

/** Milliseconds from the first request to the end. */
async function msOf(name: string, double: ModelDouble, workers: number): Promise<number> {
  const env = { REDIS_URL: redis.url, OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'none' };
  writeFileSync(
    join(folder, `${name}.jsonl`),
    casesOf(gain.cases, { rubric: 'navigation', label: { decision: 'pass' } })
      .map((one) => JSON.stringify(one))
      .join('\n'),
  );
  const args = `${name}.jsonl --methods io --models openai/gpt-4o-mini --no-cache --json --name ${name}`;
  const crew = { env, cwd: folder, workers, concurrency: gain.concurrency };
  const { code, err, ms } = await runWithKills(args.split(' '), crew, [], () => double.counts.received);
  if (code !== 0) throw new Error(`exit ${code}\n${err}`);
  return ms;
}

const verdict = (holds: boolean) => (holds ? 'holds' : 'DOES NOT HOLD');

try {
  const times: number[] = [];
  for (const workers of [1, 2]) {
    const double = await startModelDouble({ delayMs: gain.delayMs, record: false });
    times.push(await msOf(`gain${workers}`, double, workers));
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
