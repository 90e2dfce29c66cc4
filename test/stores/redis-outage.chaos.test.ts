import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { openRedisStore } from '../../src/stores/redis/redis-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { countsOf, recount } from '../support/recount.ts';
import { redisOfRun } from '../support/redis.ts';
import { prepareRedis, type RedisServer, startSentinel } from '../support/redis-server.ts';
import { until } from '../support/resources.ts';
import { aBallot, aCheck, aRecord, saturday } from '../support/store-builders.ts';
import { anAnnotation, aStudy } from '../support/study-builders.ts';

const { binary } = redisOfRun();
const { rounds } = inject('counts');
/** More than a busy machine needs for an answer: a store that has one to give is never given up. */
const PATIENCE_MS = 3_000;
const unavailable = { code: 'store-unavailable', retryable: true };

/** Every method that asks the store for something. */
const calls: Record<string, (store: Store) => Promise<unknown>> = {
  saveVerdict: (store) => store.saveVerdict(aRecord()),
  verdict: (store) => store.verdict('v1'),
  recentVerdicts: (store) => store.recentVerdicts({ channel: null, limit: 5 }),
  allVerdicts: async (store) => {
    for await (const _ of store.allVerdicts()) break;
  },
  castVote: (store) => store.castVote(aBallot()),
  tally: (store) => store.tally('v1'),
  votes: (store) => store.votes('v1'),
  votesOn: (store) => store.votesOn(['v1']),
  allVoted: async (store) => {
    for await (const _ of store.allVoted()) break;
  },
  forgetVoter: (store) => store.forgetVoter('ada'),
  counts: (store) => store.counts({ from: '2026-01-01', to: '2026-12-31' }),
  addSpotCheck: (store) => store.addSpotCheck(aCheck()),
  claimSpotCheck: (store) => store.claimSpotCheck('c', 'a', saturday, 1),
  abandonedSpotChecks: (store) => store.abandonedSpotChecks(saturday, 1),
  noteSpotCheck: (store) => store.noteSpotCheck(aCheck(), 'a', saturday, 1),
  finishSpotCheck: (store) => store.finishSpotCheck('c', saturday, 1),
  pendingSpotChecks: (store) => store.pendingSpotChecks(),
  setIfAbsent: (store) => store.setIfAbsent('k', 'v', saturday, 1),
  get: (store) => store.get('k', saturday),
  compareAndSet: (store) => store.compareAndSet('k', 'v', 'w', saturday, 1),
  delete: (store) => store.delete('k'),
  channelSettings: (store) => store.channelSettings('C1'),
  saveChannelSettings: (store) => store.saveChannelSettings('C1', { wish: {} }),
  addStudy: (store) => store.addStudy(aStudy()),
  study: (store) => store.study('s1'),
  studies: (store) => store.studies(),
  closeStudy: (store) => store.closeStudy('s1', true),
  removeStudy: (store) => store.removeStudy('s1'),
  annotate: (store) => store.annotate([anAnnotation()]),
  addAnnotators: (store) => store.addAnnotators('s1', [], 0),
  annotations: (store) => store.annotations('s1'),
  prune: (store) => store.prune(saturday, saturday),
  ping: (store) => store.ping(),
  inspect: (store) => store.inspect(),
};

async function working(store: Store): Promise<void> {
  await until(() =>
    store.ping().then(
      () => true,
      () => false,
    ),
  );
}

describe.skipIf(binary === null)('a Redis that goes away', () => {
  let server: RedisServer;
  const open: Store[] = [];
  const told: string[] = [];
  const opened = async (url = server.url) => {
    const store = await openRedisStore(url, {
      patienceMs: PATIENCE_MS,
      warn: (message) => told.push(message),
    });
    open.push(store);
    return store;
  };
  beforeEach(async () => {
    if (binary === null) return;
    server = await prepareRedis(binary);
    told.length = 0;
  });
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close();
    await server.remove();
  });

  test('is not there at the start: calls reject, and work when it has come', async () => {
    const store = await opened();
    await expect(store.castVote(aBallot())).rejects.toMatchObject(unavailable);
    await server.start();
    await working(store);
    expect(await store.saveVerdict(aRecord())).toBe('saved');
    expect(told).toHaveLength(2);
    expect(told[0]).toContain('cannot be reached');
    expect(told[1]).toContain('is back');
  });

  test('fails every method in the same way, and none of them is done later on', async () => {
    await server.start();
    const store = await opened();
    await server.kill();
    await Promise.all(
      Object.entries(calls).map(([name, call]) =>
        expect(call(store), name).rejects.toMatchObject(unavailable),
      ),
    );
    await server.start();
    await working(store);
    expect(await store.get('k', saturday)).toBeNull();
    expect(await store.verdict('v1')).toBeNull();
    await until(async () => (await store.pendingSpotChecks()) === 0);
  });

  test('comes back with every vote that was acknowledged, and counts them right', {
    repeats: rounds - 1,
  }, async () => {
    await server.start();
    const store = await opened();
    await store.saveVerdict(aRecord());
    const acknowledged: string[] = [];
    const voting = Promise.all(
      Array.from({ length: 50 }, async (_, worker) => {
        for (let n = 0; n < 400; n++) {
          const voter = `${worker}-${n}`;
          await store.castVote(aBallot({ voter }));
          acknowledged.push(voter);
        }
      }),
    );
    const failed = expect(voting).rejects.toMatchObject(unavailable);
    await until(() => acknowledged.length > 500);
    await server.kill();
    await failed;
    await server.start();
    await working(store);
    const kept = new Set((await store.votes('v1')).map(({ voter }) => voter));
    expect(acknowledged.filter((voter) => !kept.has(voter))).toEqual([]);
    expect(await countsOf(store)).toEqual(await recount(store));
  });

  test('accepts connections but never answers: calls reject all the same', async () => {
    const sockets = new Set<Socket>();
    const mute = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
    }).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const address = mute.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const store = await opened(`redis://127.0.0.1:${port}`);
    await expect(store.ping()).rejects.toMatchObject(unavailable);
    for (const socket of sockets) socket.destroy();
    mute.close();
  });

  test('wants a password: says so, and never what was tried', async () => {
    await server.start();
    const admin = new Redis(server.url.replace('unix://', ''));
    await admin.config('SET', 'requirepass', 'open sesame');
    admin.disconnect();
    const without = await opened();
    await expect(without.ping()).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('password'),
    });
    const wrong = await opened(server.url.replace('unix://', 'unix://:tried@'));
    await expect(wrong.ping()).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('tried') }),
    );
    const right = await opened(server.url.replace('unix://', 'unix://:open%20sesame@'));
    await right.ping();
  });

  test('holds data of a newer version: is not touched', async () => {
    await server.start();
    const admin = new Redis(server.url.replace('unix://', ''));
    await admin.set('jury:schema', 2);
    await expect(openRedisStore(server.url)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(/newer version of Jury.*Update Jury/),
    });
    expect(await admin.keys('*')).toEqual(['jury:schema']);
    admin.disconnect();
  });

  test('is found to lose data when it is set up to', async () => {
    await server.start();
    const store = await opened();
    expect(await store.inspect()).toMatchObject({
      where: expect.stringMatching(/^Redis \d.* at \//),
      warnings: [],
    });
    const admin = new Redis(server.url.replace('unix://', ''));
    await admin.config('SET', 'appendonly', 'no');
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    admin.disconnect();
    expect((await store.inspect()).warnings).toEqual([
      expect.stringContaining('appendonly yes'),
      expect.stringContaining('noeviction'),
    ]);
  });
});

test.skipIf(binary === null)(
  'a store in a Redis cluster rejects while the cluster is away and works when it is back',
  { repeats: rounds - 1 },
  async () => {
    if (binary === null) return;
    const server = await prepareRedis(binary, 'cluster');
    await server.start();
    const store = await openRedisStore(server.url, { prefix: 'away', patienceMs: PATIENCE_MS });
    try {
      await store.saveVerdict(aRecord());
      await server.kill();
      await expect(store.castVote(aBallot())).rejects.toMatchObject(unavailable);
      await server.start();
      await working(store);
      expect(await store.castVote(aBallot())).toMatchObject({ status: 'counted' });
    } finally {
      await store.close();
      await server.remove();
    }
  },
);

test.skipIf(binary === null)(
  'a store finds its Redis through Sentinel, and again after it was away',
  { repeats: rounds - 1 },
  async () => {
    if (binary === null) return;
    const server = await prepareRedis(binary, 'tcp');
    await server.start();
    const sentinel = await startSentinel(binary, server);
    const store = await openRedisStore(sentinel.url, { patienceMs: PATIENCE_MS });
    try {
      await store.saveVerdict(aRecord());
      await server.kill();
      await expect(store.castVote(aBallot())).rejects.toMatchObject({ code: 'store-unavailable' });
      await server.start();
      await working(store);
      expect(await store.castVote(aBallot())).toMatchObject({ status: 'counted' });
    } finally {
      await store.close();
      await sentinel.stop();
      await server.remove();
    }
  },
);
