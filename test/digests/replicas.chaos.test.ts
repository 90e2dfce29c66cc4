import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { digestChaos } from '../support/digest-chaos.ts';
import { placeInRedis, redisOfRun } from '../support/redis.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';
import { withSlack } from '../support/slack-service.ts';

closeAfterEach();
const shape = { ...inject('counts').digests, replicas: 3, leaseMs: 2000, seed: 1 };
const slots = (shape.schedules * shape.seconds) / shape.everySeconds - shape.schedules;
const { url } = redisOfRun();

describe('replicas that are killed again and again post each slot exactly once', () => {
  test('with SQLite', async () => {
    const slack = await withSlack();
    const path = join(scratch(), 'jury.db');
    const store = await openSqliteStore(path);
    closing(() => store.close());
    const outcome = await digestChaos(store, slack, { ...shape, target: ['sqlite', path, ''] });
    expect(outcome).toMatchObject({ missing: [], doubled: [] });
    expect(outcome.slots).toBeGreaterThanOrEqual(slots);
    expect(outcome.pictures).toBeGreaterThanOrEqual(outcome.slots);
    expect(outcome.kills).toBeGreaterThan(0);
  });

  test.skipIf(url === null)('with Redis', async () => {
    const slack = await withSlack();
    const place = placeInRedis(url ?? '');
    const store = await place.open();
    closing(async () => {
      await store.close();
      await place.remove();
    });
    const outcome = await digestChaos(store, slack, { ...shape, target: ['redis', url ?? '', place.prefix] });
    expect(outcome).toMatchObject({ missing: [], doubled: [] });
    expect(outcome.slots).toBeGreaterThanOrEqual(slots);
    expect(outcome.pictures).toBeGreaterThanOrEqual(outcome.slots);
  });
});
