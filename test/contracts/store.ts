import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/stores/store.ts';
import { adjudicationsContract } from './store-adjudications.ts';
import { auditContract } from './store-audit.ts';
import { checksContract } from './store-checks.ts';
import { keyValueContract } from './store-key-value.ts';
import { reviewsContract } from './store-reviews.ts';
import { schedulesContract } from './store-schedules.ts';
import { studiesContract } from './store-studies.ts';
import { verdictsContract } from './store-verdicts.ts';
import { votesContract } from './store-votes.ts';

/** A place where stores keep their data: the same again for every call of `open`. */
export interface StorePlace {
  open(): Promise<Store>;
  /** Deletes what is there. */
  remove(): Promise<void>;
}

/** How a contract gets its stores: `current` of this test, `another` beside it on the same data. */
export interface StoresOfTest {
  current(): Store;
  another(): Promise<Store>;
}

/** What every adapter has to hold. `place` makes an empty place for each test. */
export function storeContract(place: () => Promise<StorePlace>): void {
  let here: StorePlace;
  const open: Store[] = [];
  const opened = async () => {
    const store = await here.open();
    open.push(store);
    return store;
  };
  beforeEach(async () => {
    here = await place();
    await opened();
  });
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close();
    await here.remove();
  });
  const stores: StoresOfTest = {
    current: () => {
      const [store] = open;
      if (store === undefined) throw new Error('no store is open');
      return store;
    },
    another: opened,
  };

  describe('a verdict', () => verdictsContract(stores));
  describe('a vote', () => votesContract(stores));
  describe('a ruling', () => adjudicationsContract(stores));
  describe('a change in the audit log', () => auditContract(stores));
  describe('a spot check', () => checksContract(stores));
  describe('a value under a key', () => keyValueContract(stores));
  describe('a schedule of digests', () => schedulesContract(stores));
  describe('a review sample', () => reviewsContract(stores));
  describe('a study', () => studiesContract(stores));

  test('settings of a channel are empty until they are saved, and each channel has its own', async () => {
    const store = stores.current();
    expect(await store.channelSettings('C1')).toEqual({ wish: {} });
    await store.saveChannelSettings('C1', { wish: { method: 'mad', models: ['rules'] } });
    await store.saveChannelSettings('C1', { wish: { method: 'io' } });
    expect(await store.channelSettings('C1')).toEqual({ wish: { method: 'io' } });
    expect(await store.channelSettings('C2')).toEqual({ wish: {} });
    await store.saveChannelSettings('C2', { wish: {}, blind: true, goldEvery: 10 });
    expect(await store.channelSettings('C2')).toEqual({ wish: {}, blind: true, goldEvery: 10 });
  });

  test('a store that is closed says so, and may be closed again', async () => {
    const store = await stores.another();
    await store.ping();
    await store.proveWrite(0);
    await store.close();
    await store.close();
    await expect(store.tally('v1')).rejects.toMatchObject({ code: 'store-unavailable' });
    await expect(store.proveWrite(0)).rejects.toMatchObject({ code: 'store-unavailable' });
    await expect(store.get('k', 0)).rejects.toMatchObject({ code: 'store-unavailable' });
    await expect(store.setIfAbsent('k', 'v', 0, 1000)).rejects.toMatchObject({ code: 'store-unavailable' });
  });
}
