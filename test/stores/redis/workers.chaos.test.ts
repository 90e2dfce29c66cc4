import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { createRunsKeys } from '../../../src/stores/redis/runs.ts';
import { runWithKills, startWorkers } from '../../support/killed-workers.ts';
import { type ModelDoubleOptions, startModelDouble } from '../../support/model-double.ts';
import { redisOfRun } from '../../support/redis.ts';
import { prepareRedis } from '../../support/redis-server.ts';
import { casesOf } from '../../support/run-builders.ts';
import { jury, scratch, spawnJury } from '../../support/run-jury.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of open.splice(0)) await part.close();
});

async function place(count: number, options: ModelDoubleOptions) {
  const double = await startModelDouble(options);
  open.push(double);
  const cwd = scratch();
  writeFileSync(
    join(cwd, 'cases.jsonl'),
    casesOf(count, { rubric: 'navigation', label: { decision: 'pass' } })
      .map((one) => JSON.stringify(one))
      .join('\n'),
  );
  const env = {
    REDIS_URL: redisOfRun().url ?? '',
    OPENAI_BASE_URL: double.baseUrl,
    OPENAI_API_KEY: 'none',
  };
  const name = `t${randomBytes(6).toString('hex')}`;
  return { double, cwd, env, name };
}

const trialsOf = (out: string): string[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).key);

const withRedis = test.skipIf(redisOfRun().url === null);

describe('workers that share a run', () => {
  withRedis('lose nothing and count nothing twice where some are killed', async () => {
    const { cases: planned, kills } = inject('counts').workers;
    const { double, cwd, env, name } = await place(planned, { delayMs: 100 });
    const args = 'cases.jsonl --methods io --models openai/gpt-4o-mini --no-cache --json --name'.split(' ');
    const ran = await runWithKills(
      [...args, name],
      { env, cwd, workers: 3, concurrency: 4 },
      Array.from({ length: kills }, (_, n) => Math.floor(((n + 1) * planned) / (kills + 2))),
      () => double.counts.received,
    );
    expect(ran.err).not.toContain('Internal error');
    expect(ran.code).toBe(0);
    // 100 prompt and 20 completion tokens at $0.15 and $0.60 a million: $0.000027 each.
    expect(JSON.parse(ran.out)).toMatchObject({
      run: name,
      planned,
      trials: planned,
      failed: 0,
      calls: planned,
      spentUsd: Number((planned * 0.000027).toFixed(6)),
      unknownCosts: 0,
    });
    const keys = trialsOf((await jury(['bench', 'show', name, '--trials'], { env, cwd })).out);
    expect(keys.length).toBe(planned);
    expect(new Set(keys).size).toBe(planned);
    // Each kill can cost what the worker had under way.
    expect(double.counts.received).toBeGreaterThanOrEqual(planned);
    expect(double.counts.received).toBeLessThanOrEqual(planned + kills * 4);
  });

  withRedis('take over a debate where it was, without paying for its earlier rounds again', async () => {
    let letGo = () => {};
    const killed = new Promise<void>((done) => {
      letGo = done;
    });
    // One of three disagrees to the end: four rounds of three. The second is answered when the worker is gone.
    const { double, cwd, env, name } = await place(1, {
      answer: async ({ n, system }) => {
        if (n > 3) await killed;
        return { fields: { decision: system.includes('You are an auditor') ? 'fail' : 'pass' } };
      },
    });
    const workers = startWorkers({ env, cwd, workers: 1, concurrency: 1 });
    const args = 'bench run cases.jsonl --methods mad --models openai/gpt-4o-mini --no-cache --json --name';
    const running = jury([...args.split(' '), name], { env, cwd });
    await until(() => double.counts.received === 6);
    await workers.killOne();
    letGo();
    const ran = await running;
    await workers.end();
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({ trials: 1, calls: 12 });
    // The three of the second round were under way: they alone are asked again.
    expect(double.counts.received).toBe(15);
  });

  withRedis('stop at the budget of the run together, and go on with more', async () => {
    const { double, cwd, env, name } = await place(60, { delayMs: 20 });
    const workers = startWorkers({ env, cwd, workers: 2, concurrency: 5 });
    // $0.000027 a trial: ten of them.
    const run = (budget: string) =>
      jury(
        `bench run cases.jsonl --methods io --models openai/gpt-4o-mini --no-cache --json --budget ${budget} --name ${name}`.split(
          ' ',
        ),
        { env, cwd },
      );
    const first = await run('0.00027');
    expect(first.code).toBe(75);
    const { trials } = JSON.parse(first.out);
    expect(trials).toBeGreaterThanOrEqual(10);
    expect(trials).toBeLessThanOrEqual(11);
    expect(double.counts.received).toBe(trials);
    expect((await run('1')).code).toBe(0);
    expect(double.counts.received).toBe(60);
    await workers.end();
  });

  withRedis('end a run whose key is refused, and resume it with the right one', async () => {
    let refuses = true;
    const { double, cwd, env, name } = await place(60, {
      delayMs: 20,
      answer: () => (refuses ? { status: 401, error: 'Incorrect API key provided' } : {}),
    });
    const args = `bench run cases.jsonl --methods io --models openai/gpt-4o-mini --no-cache --json --name ${name}`;
    const run = () => jury(args.split(' '), { env, cwd });
    const refused = startWorkers({ env, cwd, workers: 2, concurrency: 5 });
    const first = await run();
    await refused.end();
    expect(first.code).toBe(69);
    expect(first.err).toContain('set OPENAI_API_KEY to a valid key');
    expect(JSON.parse(first.out)).toMatchObject({ trials: 0, failed: 0 });
    expect(double.counts.received).toBeLessThanOrEqual(10);
    refuses = false;
    const workers = startWorkers({ env, cwd, workers: 2, concurrency: 5 });
    const second = await run();
    await workers.end();
    expect(second.code).toBe(0);
    expect(JSON.parse(second.out)).toMatchObject({ trials: 60, failed: 0 });
  });

  withRedis('end a run whose endpoint does not answer, name the cause and resume it later', async () => {
    let isDown = true;
    const { cwd, env, name } = await place(30, {
      answer: () => (isDown ? { status: 422, error: 'Not now.' } : {}),
    });
    const args = `bench run cases.jsonl --methods io --models openai/gpt-4o-mini --no-cache --json --name ${name}`;
    const run = () => jury(args.split(' '), { env, cwd });
    const first = await withWorkers(run);
    expect(first.code).toBe(69);
    expect(first.err).toContain('openai answered 422 Not now');
    expect(JSON.parse(first.out)).toMatchObject({ trials: 0, failed: 0 });
    isDown = false;
    const second = await withWorkers(run);
    expect(second.code).toBe(0);
    expect(JSON.parse(second.out)).toMatchObject({ trials: 30, failed: 0 });

    async function withWorkers<T>(work: () => Promise<T>): Promise<T> {
      const workers = startWorkers({ env, cwd, workers: 2, concurrency: 5 });
      const done = await work();
      await workers.end();
      return done;
    }
  });

  withRedis('send a provider no more requests a second than was said, all together', async () => {
    const { double, cwd, env, name } = await place(30, {});
    // The first turn is to come, so that no request can come by chance when it should.
    const opensAt = Date.now() + 5_000;
    const redis = new Redis(env.REDIS_URL.replace('unix://', ''));
    await redis.hset(createRunsKeys('jury').paces, 'openai', opensAt);
    redis.disconnect();
    const workers = startWorkers({ env, cwd, workers: 2, concurrency: 10 });
    const run = (rate: string) =>
      jury(
        `bench run cases.jsonl --methods io --models openai/gpt-4o-mini --no-cache --rate openai=${rate} --name ${name}`.split(
          ' ',
        ),
        { env, cwd },
      );
    const ran = await run('20/s');
    await workers.end();
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('All workers together send openai at most 20 requests a second.');
    // Turns are 50 ms apart: however slow the machine is, no request comes before its turn. Two clocks may differ by one of them.
    const sentAt = double.requests.map(({ at }) => performance.timeOrigin + at).sort((a, b) => a - b);
    expect(sentAt).toHaveLength(30);
    expect(sentAt.filter((at, n) => at < opensAt + (n - 1) * 50)).toEqual([]);
    expect((await run('0')).err).not.toContain('All workers together');
  });

  withRedis('stopped with Ctrl-C a run waits for the same command', async () => {
    const { double, cwd, env, name } = await place(60, { delayMs: 50 });
    const workers = startWorkers({ env, cwd, workers: 1, concurrency: 4 });
    const args =
      `bench run cases.jsonl --methods io --models openai/gpt-4o-mini --no-cache --name ${name}`.split(' ');
    const child = spawnJury(args, { env, cwd });
    await until(() => double.counts.received >= 8);
    child.kill('SIGINT');
    await once(child, 'exit');
    expect(child.exitCode).toBe(130);
    expect((await jury(args, { env, cwd })).code).toBe(0);
    expect(double.counts.received).toBe(60);
    expect(await workers.end()).toEqual([0]);
  });

  withRedis('refuse a run that was begun under other prompts', async () => {
    const { cwd, env, name } = await place(2, {});
    const own = join(cwd, 'prompts');
    mkdirSync(join(own, 'templates'), { recursive: true });
    writeFileSync(join(own, 'templates', 'neutral.md'), 'You are quite another judge.');
    const worker = spawnJury(['worker'], { cwd, env: { ...env, JURY_PROMPTS_DIR: own } });
    let said = '';
    worker.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const child = spawnJury(
      `bench run cases.jsonl --methods io --models openai/gpt-4o-mini --name ${name}`.split(' '),
      { env, cwd },
    );
    await until(() => said.includes('this worker cannot judge it'));
    expect(said).toContain('different prompts for navigation, io');
    for (const process of [worker, child]) {
      process.kill('SIGKILL');
      await once(process, 'exit');
    }
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10);
}

describe('a run whose Redis goes away', () => {
  test.skipIf(redisOfRun().binary === null)(
    'continues when it is back, and comes to the same results',
    async () => {
      const { binary } = redisOfRun();
      if (binary === null) return;
      const redis = await prepareRedis(binary);
      await redis.start();
      const { double, cwd, env: shared, name } = await place(150, { delayMs: 100 });
      const env = { ...shared, REDIS_URL: redis.url };
      const workers = startWorkers({ env, cwd, workers: 2, concurrency: 4 });
      const args = 'bench run cases.jsonl --methods io --models openai/gpt-4o-mini --no-cache --json --name';
      const running = jury([...args.split(' '), name], { env, cwd });
      await until(() => double.counts.received >= 30);
      await redis.kill();
      await sleep(1000);
      await redis.start();
      const ran = await running;
      await workers.end();
      await redis.remove();
      expect(ran.err).not.toContain('Internal error');
      expect(ran.code).toBe(0);
      expect(JSON.parse(ran.out)).toMatchObject({ trials: 150, calls: 150, failed: 0, spentUsd: 0.00405 });
    },
  );
});
