import { afterAll, beforeAll, describe } from 'vitest';
import { storeContract } from '../contracts/store.ts';
import { placeInRedis, redisOfRun } from '../support/redis.ts';
import { prepareRedis, type RedisServer } from '../support/redis-server.ts';

const { binary } = redisOfRun();

describe.skipIf(binary === null)('the store in a Redis cluster', () => {
  let server: RedisServer | undefined;
  beforeAll(async () => {
    if (binary === null) return;
    server = await prepareRedis(binary, 'cluster', 'everysec');
    await server.start();
  });
  afterAll(() => server?.remove());
  // A cluster refuses whatever touches two slots, so nothing here does.
  storeContract(async () => placeInRedis(server?.url ?? ''));
});
