import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { countsOf, recount } from '../support/recount.ts';
import { placeInRedis, redisOfRun } from '../support/redis.ts';
import { scratch } from '../support/run-jury.ts';
import { spawnScript } from '../support/spawn-script.ts';
import { aRecord } from '../support/store-builders.ts';

const { rounds, votes } = inject('counts');
const { url } = redisOfRun();
const verdicts = 5;

/** A process that votes until it is killed in the middle of it. Resolves to the voters whose votes it saw acknowledged. */
async function voteAndBeKilled(target: readonly string[], name: string, after: number): Promise<string[]> {
  const child = await spawnScript(
    'vote-writer',
    [...target, name, `${verdicts}`],
    ['ignore', 'pipe', 'inherit'],
  );
  let text = '';
  let lines = 0;
  child.stdout?.setEncoding('utf8');
  child.stdout?.on('data', (chunk: string) => {
    text += chunk;
    lines += chunk.split('\n').length - 1;
    if (lines >= after) child.kill('SIGKILL');
  });
  await once(child, 'close');
  // The last line may be cut off.
  return text
    .split('\n')
    .slice(0, -1)
    .map((n) => `${name}${n}`);
}

/** Two processes vote on the same verdicts and are killed: every acknowledged vote is there, and counted once. */
async function loseNothing(store: Store, target: readonly string[]): Promise<void> {
  for (let n = 0; n < verdicts; n++) await store.saveVerdict(aRecord({ id: `v${n}` }));
  const acknowledged = (
    await Promise.all([voteAndBeKilled(target, 'a', votes), voteAndBeKilled(target, 'b', 2 * votes)])
  ).flat();
  const kept = new Set<string>();
  for (let n = 0; n < verdicts; n++) for (const { voter } of await store.votes(`v${n}`)) kept.add(voter);
  expect(acknowledged.length).toBeGreaterThanOrEqual(3 * votes);
  expect(acknowledged.filter((voter) => !kept.has(voter))).toEqual([]);
  expect(await countsOf(store)).toEqual(await recount(store));
}

describe('a store loses nothing that was acknowledged when its processes are killed', () => {
  test('in SQLite', { repeats: rounds - 1 }, async () => {
    const path = join(scratch(), 'jury.db');
    const store = await openSqliteStore(path);
    await loseNothing(store, ['sqlite', path, '']);
    await store.close();
  });

  test.skipIf(url === null)('in Redis', { repeats: rounds - 1 }, async () => {
    const place = placeInRedis(url ?? '');
    const store = await place.open();
    await loseNothing(store, ['redis', url ?? '', place.prefix]);
    await store.close();
    await place.remove();
  });
});
