import { Redis } from 'ioredis';
import { type CountRow, countKeys } from '../src/labels/record/verdict-record.ts';
import type { Ballot, VoteTally } from '../src/labels/record/vote.ts';
import { createRandom } from '../src/statistics/random.ts';
import { createKeys } from '../src/stores/redis/connection.ts';
import { openDatabase } from '../src/stores/sqlite/database.ts';
import { countGroup } from '../src/stores/sqlite/votes.ts';
import { groupText } from '../src/stores/store.ts';
import { findRedis } from '../test/support/find-redis.ts';
import { prepareRedis } from '../test/support/redis-server.ts';
import { aBallot, aRecord, dayMs, saturday } from '../test/support/store-builders.ts';

/** A vote of one of 500 people on one of so many verdicts; no two of a person on the same verdict before 500 × verdicts. */
export function ballotOf(n: number, verdicts: number): Ballot {
  const verdict = n % verdicts;
  const voter = (Math.floor(n / verdicts) + verdict * 7) % 500;
  const value = (['agree', 'agree', 'agree', 'disagree', 'unsure'] as const)[(n * 7919) % 5] ?? 'agree';
  return aBallot({
    verdictId: `v${verdict}`,
    voter: `voter-${String(voter).padStart(16, '0')}`,
    value,
    at: saturday + n,
    ...(value === 'disagree' && n % 2 === 0
      ? { correction: { decision: 'pass', criteria: ['time'], judges: [] } }
      : {}),
  });
}

/** The counts that many votes on verdicts of 30 days, 5 channels and 4 methods come to, ten votes a verdict. */
export function manyCounts(votes: number): CountRow[] {
  const random = createRandom('votes').fraction;
  const rows = new Map<string, CountRow>();
  for (let n = 0; n < votes / 10; n++) {
    const at = saturday + (n % 30) * dayMs;
    const method = ['io', 'mab', 'mad', 'sc-3'][n % 4] ?? 'io';
    for (const key of countKeys(aRecord({ at, channel: `C${n % 5}`, verdict: { method } }))) {
      const tally: VoteTally = { agree: 0, disagree: 0, unsure: 0 };
      for (let vote = 0; vote < 10; vote++) {
        const p = random();
        tally[p < 0.7 ? 'agree' : p < 0.9 ? 'disagree' : 'unsure'] += 1;
      }
      const name = JSON.stringify([key, tally]);
      const row = rows.get(name) ?? { key, tally, items: 0 };
      row.items += 1;
      rows.set(name, row);
    }
  }
  return [...rows.values()];
}

/** Writes counts into a file as a million castings would have left them. */
export async function loadSqlite(path: string, rows: readonly CountRow[]): Promise<void> {
  const database = await openDatabase(path);
  await database.write(() => {
    for (const { key, tally, items } of rows)
      database.run`INSERT INTO counts
        VALUES (${countGroup(database, key)}, ${tally.agree}, ${tally.disagree}, ${tally.unsure}, ${items})`;
  });
  database.close();
}

/** The commands that do the same in Redis. */
function redisLoad(prefix: string, rows: readonly CountRow[]): [string, ...(string | number)[]][] {
  const keys = createKeys(prefix);
  return rows.flatMap(({ key, tally, items }): [string, ...(string | number)[]][] => [
    [
      'HSET',
      keys.counts(key.day),
      `${groupText(key)}|${tally.agree},${tally.disagree},${tally.unsure}`,
      items,
    ],
    ['ZADD', keys.days, 0, key.day],
  ]);
}

/** Redis for a benchmark: the one of TEST_REDIS_URL, or one that is started; null if there is none. */
export async function benchRedis() {
  const given = process.env.TEST_REDIS_URL;
  const binary = given === undefined ? findRedis() : null;
  const server = binary === null ? null : await prepareRedis(binary, 'single', 'everysec');
  await server?.start();
  const url = given ?? server?.url;
  if (url === undefined) return null;
  const prefix = `jury-bench-${process.pid}`;
  const raw = new Redis(url.replace('unix://', ''));
  return {
    url,
    prefix,
    raw,
    /** Writes counts as many castings would have left them. */
    load: async (rows: readonly CountRow[], into = prefix): Promise<void> => {
      for (const [command, ...args] of redisLoad(into, rows)) void raw.call(command, ...args);
      await raw.ping();
    },
    /** Removes what the benchmark wrote. */
    remove: async (): Promise<void> => {
      for await (const keys of raw.scanStream({ match: `*${prefix}*`, count: 1000 }))
        if (keys.length > 0) await raw.unlink(...keys);
      raw.disconnect();
      await server?.remove();
    },
  };
}
