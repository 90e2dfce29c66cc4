import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { TrialStore } from '../../src/benchmark/trial-store.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { openRedisStore } from '../../src/stores/redis/redis-store.ts';
import { openRedisTrialStore } from '../../src/stores/redis/runs.ts';
import { openTrialQueue } from '../../src/stores/redis/trial-queue.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { countsOf, recount } from '../support/recount.ts';
import { redisOfRun } from '../support/redis.ts';
import { aTrial, aVerdict } from '../support/run-builders.ts';
import { scratch } from '../support/run-jury.ts';
import { aBallot, aCheck, saturday } from '../support/store-builders.ts';
import { marksOf } from '../support/trial-marks.ts';

/**
 * Written by version 0.1: its data folder, the same content in Redis (as the commands that make its keys), and what that version read
 * from either.
 */
const kept = fileURLToPath(new URL('../fixtures/version-0.1/', import.meta.url));
const { store: storeThen, ...restThen } = z
  .looseObject({ store: z.looseObject({ schedules: z.array(z.looseObject({})) }) })
  .parse(JSON.parse(readFileSync(join(kept, 'expected.json'), 'utf8')));
/** Settings that later versions have added are not set. */
const schedules = storeThen.schedules.map((schedule) => ({ ...schedule, by: null }));
const expected = { ...restThen, store: { ...storeThen, schedules } };

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const sorted = <T>(items: readonly T[]): T[] =>
  [...items].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

async function readStore(store: Store): Promise<unknown> {
  const { readable: abandoned, unreadable } = await store.abandonedSpotChecks(saturday + 100_000, 10);
  const counts = await store.counts({ from: '0000-01-01', to: '9999-12-31' });
  return {
    verdicts: await store.recentVerdicts({ channel: null, limit: 9 }),
    ofChannel: (await store.recentVerdicts({ channel: 'C2', limit: 9 })).map(({ id }) => id),
    votes: (await all(store.allVoted()))
      .filter(({ votes }) => votes.length > 0)
      .map(({ record, votes }) => [record.id, votes]),
    tallies: await Promise.all(['v1', 'v2', 'v3'].map((id) => store.tally(id))),
    counts: sorted(
      counts.map(({ key, tally, items }) => [
        ...[key.day, key.channel, key.rubric, key.method, key.models, key.kind, key.subject, key.decision],
        ...[tally.agree, tally.disagree, tally.unsure, items],
      ]),
    ),
    rulings: await store.adjudications(),
    pending: await store.pendingSpotChecks(),
    abandoned,
    unreadable,
    finished: await store.addSpotCheck(aCheck({ id: 'check-3', at: saturday + 8 })),
    values: await Promise.all(['draft:1', 'lease', 'none'].map((key) => store.get(key, saturday))),
    settings: [await store.channelSettings('C1'), await store.channelSettings('C2')],
    schedules: await store.schedules(),
    progress: [await store.digestProgress('weekly'), await store.digestProgress('d1')],
    studies: await store.studies(),
    study: await store.study('s1'),
    annotations: await store.annotations('s1'),
  };
}

async function readRuns(runs: TrialStore): Promise<unknown> {
  const names = await runs.names();
  const each = names.map(async (name) => {
    const manifest = await runs.readRun(name);
    if (manifest === null) throw new Error(`no run ${name}`);
    return [
      name,
      {
        manifest,
        cases: await all(runs.readCases(name)),
        trials: sorted(await all(runs.readTrials(name))),
        verdicts: sorted(await all(runs.readVerdicts(name))),
        totals: await runs.totals(name),
        marks: await marksOf(runs, manifest),
      },
    ];
  });
  return { names, ...Object.fromEntries(await Promise.all(each)) };
}

/** Goes on with what was kept as though it had been written by this version. */
async function workOn(store: Store, runs: TrialStore): Promise<void> {
  expect(await store.castVote(aBallot({ value: 'disagree', at: saturday + 9000 }))).toMatchObject({
    status: 'counted',
    tally: { agree: 0, disagree: 2, unsure: 0 },
  });
  expect(await countsOf(store)).toEqual(await recount(store));
  expect(await store.forgetVoter('bob')).toEqual({ votes: 1, annotations: 0 });
  expect(await countsOf(store)).toEqual(await recount(store));
  expect(await store.claimSpotCheck('check-2', 'new', saturday + 7, 1)).toBeNull();
  expect(await store.claimSpotCheck('check-2', 'new', saturday + 100_000, 1)).toMatchObject({
    progress: { placeholder: '3.4' },
  });
  expect(await store.compareAndSet('lease', 'two', 'three', saturday, 1000)).toBe(true);
  expect(await store.replaceDigestProgress('weekly', 1, 'next')).toBe(true);
  expect(await store.removeStudy('s1')).toBe(true);
  expect(await store.prune(saturday + 1, saturday)).toBe(1);

  const writer = await runs.write('r1');
  expect(await writer.save(aTrial('0-0'), aVerdict())).toBe('known');
  expect(await writer.save(aTrial('0-2'), aVerdict())).toBe('saved');
  expect(await writer.totals()).toMatchObject({ trials: 3, calls: 3, unknownCosts: 1 });
  await writer.close();
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

test('a data folder of version 0.1 is read whole, and continues being used', async () => {
  const folder = scratch();
  cpSync(join(kept, 'data'), folder, { recursive: true });
  const [store, runs] = [
    await openSqliteStore(join(folder, 'jury.db')),
    createFolderTrialStore(join(folder, 'runs')),
  ];
  closing.push(store.close, runs.close);
  expect({ store: await readStore(store), runs: await readRuns(runs) }).toEqual(expected);
  await workOn(store, runs);
});

const Argument = z.union([
  z.string(),
  z.strictObject({ base64: z.base64() }).transform(({ base64 }) => Buffer.from(base64, 'base64')),
]);
const Commands = z.array(z.tuple([z.string(), z.string()], Argument));

describe.skipIf(redisOfRun().url === null)('a Redis of version 0.1', () => {
  const url = redisOfRun().url ?? '';

  /** Makes its keys, under a prefix of this test's own. */
  async function load(): Promise<string> {
    const prefix = `jury-test-${randomBytes(6).toString('hex')}`;
    const client = new Redis(url.replace(/^unix:\/\//, ''));
    closing.push(async () => {
      for await (const keys of client.scanStream({ match: `*${prefix}:*`, count: 1000 }))
        for (const key of keys) await client.del(key);
      client.disconnect();
    });
    const commands = Commands.parse(JSON.parse(readFileSync(join(kept, 'redis.json'), 'utf8')));
    for (const [name, key, ...args] of commands)
      await client.call(name, key.replace(/^(\{?)jury:/, `$1${prefix}:`), ...args);
    return prefix;
  }

  test('is read whole, and continues being used', async () => {
    const prefix = await load();
    const [store, runs] = [await openRedisStore(url, { prefix }), await openRedisTrialStore(url, { prefix })];
    closing.push(store.close, runs.close);
    expect({ store: await readStore(store), runs: await readRuns(runs) }).toEqual(expected);
    await workOn(store, runs);
  });

  test('has its queue worked on', async () => {
    const prefix = await load();
    const [runs, queue] = [await openRedisTrialStore(url, { prefix }), await openTrialQueue(url, { prefix })];
    closing.push(runs.close, queue.close);
    const writer = await runs.write('r1');
    expect(await writer.replies?.('0-2').read('question')).toBe('said');
    expect(await queue.active()).toEqual(['r1']);
    expect(await queue.rates()).toEqual(new Map([['test', 3]]));
    expect(await queue.state('whole')).toMatchObject({ waiting: 0, halted: 'it was stopped' });
    expect(await queue.state('r1')).toMatchObject({ waiting: 1, underWay: 0, failed: 0, halted: null });
    const worker = await queue.work('r1', 1, async (key) => {
      await writer.begin(key);
      await writer.save(aTrial(key), aVerdict());
    });
    await expect.poll(async () => (await writer.totals()).trials).toBe(3);
    await worker.close();
    expect(await queue.state('r1')).toMatchObject({ waiting: 0, underWay: 0, failed: 0 });
  });
});
