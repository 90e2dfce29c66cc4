import { describe, test } from 'vitest';
import { storeContract } from '../contracts/store.ts';
import { loseNothingWhenKilled } from '../contracts/store-processes.ts';
import { placeInRedis, redisOfRun } from '../support/redis.ts';

const { url } = redisOfRun();

describe.skipIf(url === null)('the store in Redis', () => {
  storeContract(async () => placeInRedis(url ?? ''));

  test('loses nothing that was acknowledged when its processes are killed', async () => {
    const place = placeInRedis(url ?? '');
    const store = await place.open();
    await loseNothingWhenKilled(store, ['redis', url ?? '', place.prefix]);
    await store.close();
    await place.remove();
  });
});
