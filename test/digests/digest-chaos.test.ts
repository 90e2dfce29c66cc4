import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { digestChaos } from '../support/digest-chaos.ts';
import { placeInRedis, redisOfRun } from '../support/redis.ts';
import { scratch } from '../support/run-jury.ts';
import { closeAfterEach, closing, withSlack } from '../support/slack-service.ts';

closeAfterEach();
const short = { replicas: 3, schedules: 3, everySeconds: 2, seconds: 8, leaseMs: 2000, seed: 1 };
const { url } = redisOfRun();

describe('replicas that are killed again and again post each slot exactly once', () => {
  test('with SQLite', { timeout: 90_000 }, async () => {
    const slack = await withSlack();
    const path = join(scratch(), 'jury.db');
    const store = await openSqliteStore(path);
    closing(() => store.close());
    const outcome = await digestChaos(store, slack, { ...short, target: ['sqlite', path, ''] });
    expect(outcome).toMatchObject({ missing: [], doubled: [] });
    expect(outcome.slots).toBeGreaterThanOrEqual(9);
    expect(outcome.pictures).toBeGreaterThanOrEqual(outcome.slots);
    expect(outcome.kills).toBeGreaterThan(0);
  });

  test.skipIf(url === null)('with Redis', { timeout: 90_000 }, async () => {
    const slack = await withSlack();
    const place = placeInRedis(url ?? '');
    const store = await place.open();
    closing(async () => {
      await store.close();
      await place.remove();
    });
    const outcome = await digestChaos(store, slack, { ...short, target: ['redis', url ?? '', place.prefix] });
    expect(outcome).toMatchObject({ missing: [], doubled: [] });
    expect(outcome.slots).toBeGreaterThanOrEqual(9);
    expect(outcome.pictures).toBeGreaterThanOrEqual(outcome.slots);
  });
});
