import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSpendingLimits, type Limits } from '../../../src/judges/llm/all-budgets.ts';
import type { Payers } from '../../../src/judging/ask.ts';
import { openRedisStore } from '../../../src/stores/redis/redis-store.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/stores/store.ts';
import { redisOfRun } from '../../support/redis.ts';
import { closeAfterEach, closing, newFolder } from '../../support/resources.ts';
import { ownRedis } from '../../support/slack-service.ts';

closeAfterEach();

const opened: Readonly<Record<string, () => Promise<Store>>> = {
  sqlite: () => openSqliteStore(join(newFolder(), 'jury.db')),
  redis: async () => openRedisStore((await ownRedis()).url),
};

describe.each(['sqlite', 'redis'])('daily limits of those who ask, in %s', (kind) => {
  const noted = it.skipIf(kind === 'redis' && redisOfRun().binary === null);
  let store: Store;
  let clock = 0;
  beforeEach(async () => {
    if (kind === 'redis' && redisOfRun().binary === null) return;
    clock = Date.parse('2026-03-04T20:35:00Z');
    store = await (opened[kind]?.() ?? Promise.reject(new Error(kind)));
    closing(() => store.close());
  });
  const limitsOf = (limits: Limits) =>
    createSpendingLimits(limits, { store: async () => store, callMs: 120_000, now: () => clock });
  type Made = ReturnType<typeof limitsOf>;

  /** A call that costs this much; what it was refused with, if it was. */
  async function spend({ budget }: Made, usd: number, payers: Payers): Promise<string | null> {
    const reserved = await budget.reserve(usd, AbortSignal.timeout(5_000), payers);
    if (reserved === null || typeof reserved === 'string') return reserved ?? 'waited';
    reserved.charge(usd);
    await budget.flush();
    return null;
  }
  const REFUSED = 'a daily budget is spent; it resets at 2026-03-05T00:00:00.000Z, in 3 h 25 min';

  noted('stop one who asks and no one else, until midnight UTC', async () => {
    const limits = limitsOf({ person: 1, conversation: 3, token: 0.5 });
    expect(await spend(limits, 1, { person: 'ann', conversation: 'c1' })).toBeNull();
    expect(await spend(limits, 1, { person: 'ann', conversation: 'c2' })).toBe(REFUSED);
    expect(await spend(limits, 1, { person: 'ben', conversation: 'c1' })).toBeNull();
    expect(await spend(limits, 1, { person: 'cem', conversation: 'c1' })).toBeNull();
    expect(await spend(limits, 1, { person: 'dan', conversation: 'c1' })).toBe(REFUSED);
    expect(await spend(limits, 0.5, { token: 't' })).toBeNull();
    expect(await spend(limits, 0.5, { token: 't' })).toBe(REFUSED);
    expect(await spend(limits, 9, {})).toBeNull();
    expect(await limits.spentBy({ person: 'ann', conversation: 'c1' })).toEqual([
      { of: 'person', limitUsd: 1, resetsAt: Date.parse('2026-03-05T00:00:00Z') },
      { of: 'conversation', limitUsd: 3, resetsAt: Date.parse('2026-03-05T00:00:00Z') },
    ]);
    expect(await limits.spentBy({ person: 'dan', conversation: 'c2' })).toEqual([]);
    clock += 4 * 3_600_000;
    expect(await spend(limits, 1, { person: 'ann', conversation: 'c1' })).toBeNull();
    expect(await limits.reached()).toEqual([
      { of: 'person', limitUsd: 1, count: 0 },
      { of: 'conversation', limitUsd: 3, count: 0 },
      { of: 'token', limitUsd: 0.5, count: 0 },
    ]);
  });

  noted('are counted once for each who has reached theirs, however often and wherever they ask', async () => {
    const replicas = [limitsOf({ person: 1 }), limitsOf({ person: 1 }), limitsOf({ person: 1 })] as const;
    for (const person of ['ann', 'ben']) {
      expect(await spend(replicas[0], 1, { person })).toBeNull();
      await Promise.all(replicas.map((one) => spend(one, 1, { person })));
    }
    expect(await replicas[1].reached()).toEqual([{ of: 'person', limitUsd: 1, count: 2 }]);
  });

  noted('hold among replicas: all together spend what one may', async () => {
    const replicas = Array.from({ length: 3 }, () => limitsOf({ all: 100, person: 1 }));
    const calls = replicas.flatMap((one) =>
      Array.from({ length: 10 }, () => spend(one, 0.1, { person: 'ann' })),
    );
    const ended = await Promise.all(calls);
    expect(ended.filter((one) => one === null)).toHaveLength(10);
    expect(ended.filter((one) => one === REFUSED)).toHaveLength(20);
    expect(await store.get('spending:2026-03-04', clock)).toContain('"spent":1000000000');
  });

  noted('give back what was set aside where another budget refuses the call', async () => {
    const limits = limitsOf({ all: 1, person: 5 });
    expect(await spend(limits, 1, {})).toBeNull();
    expect(await spend(limits, 2, { person: 'ann' })).toContain('JURY_DAILY_BUDGET_USD');
    await limits.budget.flush();
    expect(await store.get('spending:2026-03-04:person:ann', clock)).toBe('{"spent":0,"held":{}}');
    expect(await limits.spentBy({ person: 'ann' })).toEqual([]);
  });
});
