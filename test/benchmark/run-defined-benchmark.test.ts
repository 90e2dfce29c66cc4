import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { runDefinedBenchmark } from '../../src/benchmark/run-defined-benchmark.ts';
import { JuryError } from '../../src/common/errors.ts';
import { openRedisTrialStore } from '../../src/stores/redis/runs.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { aDefinition, aRunner } from '../support/benchmark-runner.ts';
import { placeInRedis, redisOfRun } from '../support/redis.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';

const slot = Date.UTC(2026, 10, 23, 8);
const run = 'trip-20261123T080000Z';
const { url } = redisOfRun();
const never = new AbortController().signal;

closeAfterEach();
let folder: string;
let path: string;
let store: Store;
beforeEach(async () => {
  folder = scratch();
  path = join(scratch(), 'jury.db');
  store = await openSqliteStore(path);
  closing(() => store.close());
});

describe('a benchmark that is defined', () => {
  test('is run once for a slot, by its settings, with answers of its own', async () => {
    const asked: string[] = [];
    const runner = aRunner(store, folder, { asked: () => asked.push('') });
    const outcome = { kind: 'complete', name: 'trip', run, trials: 6, unanswered: 0 };
    expect(await runDefinedBenchmark(runner, aDefinition(), slot, never)).toEqual(outcome);
    expect(await runDefinedBenchmark(runner, aDefinition(), slot, never)).toEqual(outcome);
    expect(asked).toHaveLength(6);
    const kept = await aRunner(store, folder).runs.readRun(run);
    expect(kept?.settings).toMatchObject({ methods: ['io'], models: ['test/model'], cache: false });
  });

  test.each([
    { parts: {}, subject: 'assistant' },
    { parts: { subject: 'judges' }, subject: 'judges' },
    { parts: { dataset: { generate: 'navigation', users: 1, seed: 1 } }, subject: 'judges' },
    {
      parts: { dataset: { generate: 'navigation', users: 1, seed: 1 }, system: '/assistant.yaml' },
      subject: 'assistant',
    },
  ])(
    'is about its subject, and about judges where answers are made up ($subject)',
    async ({ parts, subject }) => {
      const runner = aRunner(store, folder);
      await runDefinedBenchmark(runner, aDefinition(parts), slot, never);
      expect((await runner.runs.readRun(run))?.subject).toBe(subject);
    },
  );

  test.each([
    { parts: { system: '/assistant.yaml' }, collected: true },
    { parts: {}, collected: undefined },
  ])('records whether a system answered for it ($collected)', async ({ parts, collected }) => {
    const runner = aRunner(store, folder);
    await runDefinedBenchmark(runner, aDefinition(parts), slot, never);
    expect((await runner.runs.readRun(run))?.dataset.collected).toBe(collected);
  });

  test('records what its rubric and method are, so that a changed one is noticed', async () => {
    const runner = aRunner(store, folder);
    await runDefinedBenchmark(runner, aDefinition(), slot, never);
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect((await runner.runs.readRun(run))?.sources).toEqual({
      rubrics: { 'question-answering': hash },
      methods: { io: hash },
    });
  });

  test('is paid for once by schedules that want it at the same time', async () => {
    const asked: string[] = [];
    const runner = () => aRunner(store, folder, { ms: 20, asked: () => asked.push('') });
    const outcomes = await Promise.all(
      Array.from({ length: 3 }, () => runDefinedBenchmark(runner(), aDefinition(), slot, never)),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['complete', 'complete', 'complete']);
    expect(asked).toHaveLength(6);
  });

  test.skipIf(url === null)('is so with runs and marks in Redis too, where several may write', async () => {
    const place = placeInRedis(url ?? '');
    const redis = await place.open();
    const runs = await openRedisTrialStore(url ?? '', { prefix: place.prefix });
    closing(async () => {
      await Promise.all([runs.close(), redis.close()]);
      await place.remove();
    });
    const asked: string[] = [];
    const runner = () => ({ ...aRunner(redis, folder, { ms: 20, asked: () => asked.push('') }), runs });
    const outcomes = await Promise.all(
      Array.from({ length: 3 }, () => runDefinedBenchmark(runner(), aDefinition({ budget: 1 }), slot, never)),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['complete', 'complete', 'complete']);
    expect(asked).toHaveLength(6);
  });

  test('stops at its budget and says how far it came', async () => {
    const definition = aDefinition({ budget: 0.35, concurrency: 1 });
    expect(await runDefinedBenchmark(aRunner(store, folder), definition, slot, never)).toEqual({
      kind: 'incomplete',
      name: 'trip',
      run,
      trials: 4,
      planned: 6,
      costUsd: 0.4,
      why: 'the run budget is spent',
    });
  });

  test.each([
    [
      'a dataset that is not there',
      { casesOf: async () => Promise.reject(new JuryError('usage', 'no file')) },
      'no file',
    ],
    [
      'a model without a key',
      {
        requireModel: () => {
          throw new JuryError('config', 'no key');
        },
      },
      'no key',
    ],
  ])('with %s is not run, and says why', async (_, parts, why) => {
    const outcome = await runDefinedBenchmark(aRunner(store, folder, parts), aDefinition(), slot, never);
    expect(outcome).toEqual({ kind: 'not-run', name: 'trip', why });
  });

  test('with a budget and models whose price is not known is not run', async () => {
    const runner = aRunner(store, folder, { client: { priceOf: () => null } });
    expect(await runDefinedBenchmark(runner, aDefinition({ budget: 1 }), slot, never)).toMatchObject({
      kind: 'not-run',
      why: expect.stringContaining('the price of test/model is unknown'),
    });
  });

  test('is not gone on with in other words than it was begun with', async () => {
    await runDefinedBenchmark(aRunner(store, folder), aDefinition({ budget: 0.35 }), slot, never);
    const changed = aRunner(store, folder, { wordingOf: () => ({ hash: 'other', chars: 100 }) });
    expect(await runDefinedBenchmark(changed, aDefinition(), slot, never)).toMatchObject({
      kind: 'incomplete',
      why: expect.stringContaining('another wording'),
    });
  });

  test('that is stopped keeps what was judged, and gives way to the next at once', async () => {
    const stop = new AbortController();
    const slow = aRunner(store, folder, { ms: 50, asked: () => stop.abort() });
    await expect(runDefinedBenchmark(slow, aDefinition(), slot, stop.signal)).rejects.toThrow();
    const kept = (await slow.runs.totals(run)).trials;
    expect(kept).toBeGreaterThan(0);
    const asked: string[] = [];
    const next = aRunner(store, folder, { asked: () => asked.push('') });
    expect(await runDefinedBenchmark(next, aDefinition(), slot, never)).toMatchObject({ kind: 'complete' });
    expect(asked).toHaveLength(6 - kept);
  });

  test('waits while the store is away rather than going without', async () => {
    const away = async () => Promise.reject(new JuryError('store-unavailable', 'away'));
    const runner = aRunner({ ...store, setIfAbsent: away }, folder);
    await expect(runDefinedBenchmark(runner, aDefinition(), slot, never)).rejects.toThrow('away');
  });
});
