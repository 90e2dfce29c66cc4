import { expect, test } from 'vitest';
import { openRedisStore } from '../../src/stores/redis/redis-store.ts';
import { redisOfRun } from '../support/redis.ts';
import { prepareRedis, startSentinel } from '../support/redis-server.ts';
import { aBallot, aRecord } from '../support/store-builders.ts';

const { binary } = redisOfRun();

test.skipIf(binary === null)(
  'a store finds its Redis through Sentinel, and again after it was away',
  async () => {
    if (binary === null) return;
    const server = await prepareRedis(binary, 'tcp');
    await server.start();
    const sentinel = await startSentinel(binary, server);
    const store = await openRedisStore(sentinel.url, { patienceMs: 500 });
    try {
      await store.saveVerdict(aRecord());
      await server.kill();
      await expect(store.castVote(aBallot())).rejects.toMatchObject({ code: 'store-unavailable' });
      await server.start();
      await expect
        .poll(() => store.castVote(aBallot()).then(({ status }) => status, String), { timeout: 15_000 })
        .toBe('counted');
    } finally {
      await store.close();
      await sentinel.stop();
      await server.remove();
    }
  },
);
