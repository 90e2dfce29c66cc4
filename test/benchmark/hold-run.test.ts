import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leaseRun } from '../../src/benchmark/run-defined-benchmark.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { closeAfterEach, closing, until } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';

closeAfterEach();

const LEASE_MS = 60_000;

async function holding() {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  let now = 1_000_000;
  const stop = new AbortController();
  const ask = (isDone: () => Promise<boolean>, behind = 0) =>
    leaseRun(store, 'nightly', { now: () => now - behind, isDone, stop: stop.signal });
  const hold = async (behind = 0) =>
    (await ask(async () => false, behind)) ?? expect.fail('the run is not done');
  return { store, ask, hold, pass: (ms: number) => (now += ms), at: () => now };
}

test('a process that stood still for longer than its lease does not release the run of who took over', async () => {
  const { store, hold, pass, at } = await holding();
  const stood = await hold();
  pass(LEASE_MS + 1);
  const other = await hold();
  await stood.release();
  expect(await store.get('benchmark-run:nightly', at())).not.toBeNull();
  await other.release();
  expect(await store.get('benchmark-run:nightly', at())).toBeNull();
});

test('a run that is released is free at once, for a machine whose clock is behind too', async () => {
  const { hold } = await holding();
  await (await hold()).release();
  await (await hold(LEASE_MS - 1)).release();
});

test('who waits reads the run once it is their turn, and lets it go when it is done', async () => {
  const { store, ask, hold, at } = await holding();
  const first = await hold();
  let asked = 0;
  let waited = 0;
  const counting = store.setIfAbsent;
  store.setIfAbsent = (...args) => {
    waited += 1;
    return counting(...args);
  };
  const second = ask(async () => {
    asked += 1;
    return true;
  });
  await until(() => waited >= 2);
  expect(asked).toBe(0);
  await first.release();
  expect(await second).toBeNull();
  expect(asked).toBe(1);
  expect(await store.get('benchmark-run:nightly', at())).toBeNull();
});

test('a run that cannot be read is free for who tries next', async () => {
  const { store, ask, at } = await holding();
  await expect(ask(() => Promise.reject(new Error('unreadable')))).rejects.toThrow('unreadable');
  expect(await store.get('benchmark-run:nightly', at())).toBeNull();
});
