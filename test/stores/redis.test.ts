import { describe } from 'vitest';
import { storeContract } from '../contracts/store.ts';
import { placeInRedis, redisOfRun } from '../support/redis.ts';

const { url } = redisOfRun();

describe.skipIf(url === null)('the store in Redis', () => {
  storeContract(async () => placeInRedis(url ?? ''));
});
