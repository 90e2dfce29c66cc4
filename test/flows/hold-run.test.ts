import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdRun } from '../../src/flows/hold-run.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { scratch } from '../support/run-jury.ts';
import { closeAfterEach, closing } from '../support/slack-service.ts';

closeAfterEach();

const LEASE_MS = 60_000;

async function holding() {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  let now = 1_000_000;
  const stop = new AbortController();
  const hold = async (behind = 0) => {
    const held = await holdRun(store, 'nightly', {
      now: () => now - behind,
      isDone: async () => false,
      stop: stop.signal,
    });
    return held ?? expect.fail('the run is not done');
  };
  return { store, hold, pass: (ms: number) => (now += ms), at: () => now };
}

test('a process that stood still for longer than its lease does not release the run of who took over', async () => {
  const { store, hold, pass, at } = await holding();
  const stood = await hold();
  pass(LEASE_MS + 1);
  const other = await hold();
  await stood.release();
  expect(await store.mark('benchmark-run:nightly', at())).not.toBeNull();
  await other.release();
  expect(await store.mark('benchmark-run:nightly', at())).toBeNull();
});

test('a run that is released is free at once, for a machine whose clock is behind too', async () => {
  const { hold } = await holding();
  await (await hold()).release();
  await (await hold(LEASE_MS - 1)).release();
});
