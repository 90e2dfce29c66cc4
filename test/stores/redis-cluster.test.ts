import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRedisStore } from '../../src/stores/redis/redis-store.ts';
import { storeContract } from '../contracts/store.ts';
import { placeInRedis, redisOfRun } from '../support/redis.ts';
import { prepareRedis, type RedisServer } from '../support/redis-server.ts';
import { aBallot, aRecord } from '../support/store-builders.ts';

const { binary } = redisOfRun();

describe.skipIf(binary === null)('the store in a Redis cluster', () => {
  let server: RedisServer | undefined;
  beforeAll(async () => {
    if (binary === null) return;
    server = await prepareRedis(binary, 'cluster');
    await server.start();
  });
  afterAll(() => server?.remove());
  // A cluster refuses whatever touches two slots, so nothing here does.
  storeContract(async () => placeInRedis(server?.url ?? ''));

  test('rejects while the cluster is away and works when it is back', async () => {
    if (server === undefined) return;
    const store = await openRedisStore(server.url, { prefix: 'away', patienceMs: 500 });
    await store.saveVerdict(aRecord());
    await server.kill();
    await expect(store.castVote(aBallot())).rejects.toMatchObject({
      code: 'store-unavailable',
      retryable: true,
    });
    await server.start();
    await expect
      .poll(() => store.castVote(aBallot()).then(({ status }) => status, String), { timeout: 15_000 })
      .toBe('counted');
    await store.close();
  });
});
