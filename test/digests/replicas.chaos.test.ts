import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { slackDigestChaos, teamsDigestChaos } from '../support/digest-chaos.ts';
import { placeInRedis, redisOfRun } from '../support/redis.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';
import { withSlack } from '../support/slack-service.ts';
import { withTeams } from '../support/teams-service.ts';

closeAfterEach();
// A replica that is alive must come to its turn within its lease, on a busy machine too.
const shape = { ...inject('counts').digests, replicas: 3, leaseMs: 10_000, seed: 1 };
const { url } = redisOfRun();

/** A store, and how workers open it. */
const stores = {
  SQLite: async () => {
    const path = join(scratch(), 'jury.db');
    const store = await openSqliteStore(path);
    closing(() => store.close());
    return { store, target: ['sqlite', path, ''] as const };
  },
  Redis: async () => {
    const place = placeInRedis(url ?? '');
    const store = await place.open();
    closing(async () => {
      await store.close();
      await place.remove();
    });
    return { store, target: ['redis', url ?? '', place.prefix] as const };
  },
};

describe.each(Object.entries(stores).filter(([name]) => name !== 'Redis' || url !== null))(
  'replicas on %s that are killed again and again post each slot exactly once',
  (_, open) => {
    test('to Slack', async () => {
      const slack = await withSlack();
      const { store, target } = await open();
      const outcome = await slackDigestChaos(store, slack, { ...shape, target });
      expect(outcome).toMatchObject({ missing: [], doubled: [] });
      expect(outcome.slots).toBeGreaterThanOrEqual(shape.schedules);
      expect(outcome.pictures).toBeGreaterThanOrEqual(outcome.slots);
    });

    test('to Teams, and leave at most a headline for each kill', async () => {
      const teams = await withTeams();
      const { store, target } = await open();
      const outcome = await teamsDigestChaos(store, teams, { ...shape, target });
      expect(outcome).toMatchObject({ missing: [], doubled: [] });
      expect(outcome.slots).toBeGreaterThanOrEqual(shape.schedules);
      // One replica may be at a post for each schedule when it is killed, and all are at the end.
      expect(outcome.left.length).toBeLessThanOrEqual((shape.kills + shape.replicas) * shape.schedules);
      for (const { activity } of outcome.left)
        expect(JSON.stringify(activity.attachments)).not.toMatch(/Action|Chart|Image|FactSet/);
    });
  },
);
