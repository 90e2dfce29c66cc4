import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isWithdrawn, visibleVerdict, withdrawVerdict } from '../../src/labels/access/permissions.ts';
import { castBlind, takeBackBlind } from '../../src/labels/voting/cast-vote.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { scratch } from '../support/run-jury.ts';
import { aRecord, saturday } from '../support/store-builders.ts';

let store: Store;
const open = aRecord({ id: 'open' });
const hidden = { ...aRecord({ id: 'hidden' }), blind: true };
beforeEach(async () => {
  store = await openSqliteStore(join(scratch(), 'jury.db'));
  for (const record of [open, hidden]) await store.saveVerdict(record);
});
afterEach(() => store.close());

const seenBy = async (id: string, voter = 'ada', isAllowed = true) => {
  const found = await visibleVerdict(store, id, { voter, maySee: async () => isAllowed }, saturday);
  return found === null ? null : found.kind;
};
const ada = { voter: 'ada', surface: 'slack', at: saturday };

describe('a verdict', () => {
  test('is open to all who may see it, unless people vote before they see it', async () => {
    expect(await seenBy('open')).toBe('open');
    expect(await seenBy('hidden')).toBe('hidden');
  });

  test('that does not exist, that one may not see, or that was withdrawn is the same to its viewer', async () => {
    expect(await seenBy('nope')).toBeNull();
    expect(await seenBy('open', 'ada', false)).toBeNull();
    await withdrawVerdict(store, 'open', saturday);
    expect(await seenBy('open')).toBeNull();
    expect(await isWithdrawn(store, 'hidden', saturday)).toBe(false);
  });

  test('is shown to those who answered, and to no one else; still after the answer is taken back', async () => {
    await castBlind(store, hidden, ada, { kind: 'decision', decision: 'pass' });
    expect(await seenBy('hidden')).toBe('answered');
    expect(await seenBy('hidden', 'bea')).toBe('hidden');
    await takeBackBlind(store, hidden, ada);
    expect(await seenBy('hidden')).toBe('seen');
    expect(await seenBy('hidden', 'bea')).toBe('hidden');
  });
});
