import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import type { RedisStoreOptions } from '../../src/stores/redis/connection.ts';
import { openRedisStore } from '../../src/stores/redis/redis-store.ts';
import type { StorePlace } from '../contracts/store.ts';
import type { RedisForTests } from './redis-setup.ts';

/** Tests that need the run's Redis: skipped where there is none, which the setup has said aloud. */
export const redisOfRun = (): RedisForTests => inject('redis');

/** A place of its own among the keys of a Redis. */
export function placeInRedis(
  url: string,
  options: Partial<RedisStoreOptions> = {},
): StorePlace & { prefix: string } {
  const prefix = `jury-test-${randomBytes(6).toString('hex')}`;
  return {
    prefix,
    open: () => openRedisStore(url, { prefix, ...options }),
    remove: async () => {
      const client = new Redis(url.replace(/^unix:\/\//, '').replace('+cluster', ''));
      for await (const keys of client.scanStream({ match: `*${prefix}:*`, count: 1000 }))
        for (const key of keys) await client.del(key);
      client.disconnect();
    },
  };
}
