import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { openRedisTrialStore } from '../../../src/stores/redis/runs.ts';
import { trialStoreContract } from '../../contracts/trial-store.ts';
import { redisOfRun } from '../../support/redis.ts';
import { aManifest, aTrial, aVerdict, casesOf } from '../../support/run-builders.ts';

function place() {
  const url = redisOfRun().url ?? '';
  const prefix = `jury-test-${randomBytes(6).toString('hex')}`;
  return {
    prefix,
    open: () => openRedisTrialStore(url, { prefix }),
    raw: () => new Redis(url.replace(/^unix:\/\//, '')),
    remove: async () => {
      const client = new Redis(url.replace(/^unix:\/\//, ''));
      for await (const keys of client.scanStream({ match: `*${prefix}:*`, count: 1000 }))
        for (const key of keys) await client.del(key);
      client.disconnect();
    },
  };
}

const withRedis = test.skipIf(redisOfRun().url === null);

describe('runs in Redis', () => {
  trialStoreContract(withRedis, place);

  withRedis('are written by several processes at once', async () => {
    const { open, remove } = place();
    const [one, other] = [await open(), await open()];
    await one.create(aManifest(), casesOf(3));
    const writers = [await one.write('r1'), await other.write('r1')];
    const saved = await Promise.all(writers.map((writer) => writer.save(aTrial('0-0'), aVerdict())));
    expect(saved.sort()).toEqual(['known', 'saved']);
    await Promise.all([one.close(), other.close()]);
    await remove();
  });

  withRedis('keep the replies of a trial until it is saved', async () => {
    const { open, remove } = place();
    const store = await open();
    await store.create(aManifest(), casesOf(3));
    const writer = await store.write('r1');
    await writer.replies?.('0-0').write('q', 'said');
    expect(await writer.replies?.('0-0').read('q')).toBe('said');
    expect(await writer.replies?.('0-1').read('q')).toBeNull();
    await writer.save(aTrial('0-0'), aVerdict());
    expect(await writer.replies?.('0-0').read('q')).toBeNull();
    await store.close();
    await remove();
  });
});
