import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { runWithKills } from '../../support/killed-workers.ts';
import { startModelDouble } from '../../support/model-double.ts';
import { redisOfRun, withRedis } from '../../support/redis.ts';
import { casesOf } from '../../support/run-builders.ts';
import { jury, scratch } from '../../support/run-jury.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of open.splice(0)) await part.close();
});

async function place(count: number, delayMs: number) {
  const double = await startModelDouble({ delayMs });
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

describe('workers that share a run', () => {
  withRedis('lose nothing and count nothing twice where some are killed', { timeout: 120_000 }, async () => {
    const { double, cwd, env, name } = await place(200, 100);
    const args = 'cases.jsonl --methods io --models openai/gpt-4o-mini --no-cache --json --name'.split(' ');
    const ran = await runWithKills(
      [...args, name],
      { env, cwd, workers: 3, concurrency: 4 },
      3,
      700,
      () => double.counts.received,
    );
    expect(ran.err).not.toContain('Internal error');
    expect(ran.code).toBe(0);
    expect(ran.kills).toBe(3);
    // 100 prompt and 20 completion tokens at $0.15 and $0.60 a million: $0.000027 each.
    expect(JSON.parse(ran.out)).toMatchObject({
      run: name,
      planned: 200,
      trials: 200,
      failed: 0,
      calls: 200,
      spentUsd: 0.0054,
      unknownCosts: 0,
    });
    const keys = trialsOf((await jury(['bench', 'show', name, '--trials'], { env, cwd })).out);
    expect(keys.length).toBe(200);
    expect(new Set(keys).size).toBe(200);
    // Each kill can cost what the worker had under way.
    expect(double.counts.received).toBeGreaterThanOrEqual(200);
    expect(double.counts.received).toBeLessThanOrEqual(200 + ran.kills * 4);
  });
});
