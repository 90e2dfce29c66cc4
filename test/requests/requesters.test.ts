import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findPeople, forgetPeople, keepPeople, type People } from '../../src/requests/requesters.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { scratch } from '../support/run-jury.ts';
import { aRecord, dayMs, saturday } from '../support/store-builders.ts';

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore(join(scratch(), 'jury.db'));
});
afterEach(() => store.close());

const ann = { surface: 'slack', team: 'T1', user: 'U0ANN' };
async function kept(all: Readonly<Record<string, People>>) {
  for (const [id, people] of Object.entries(all)) {
    await store.saveVerdict(aRecord({ id }));
    await keepPeople(store, id, people, saturday);
  }
}

describe('who asked for a verdict and who stopped it', () => {
  test('is kept for 90 days, for each verdict by itself', async () => {
    const people = { askedBy: 'U0ANN', stoppedBy: null };
    const others = { askedBy: 'U0BEN', stoppedBy: 'U0ANN' };
    await kept({ v1: people, v2: others });
    expect(await findPeople(store, 'v1', saturday)).toEqual(people);
    expect(await findPeople(store, 'v2', saturday + 90 * dayMs - 1)).toEqual(others);
    expect(await findPeople(store, 'v2', saturday + 90 * dayMs)).toBeNull();
  });

  test('is forgotten of one person: all of what they asked for, and that they stopped what others asked', async () => {
    await kept({
      asked: { askedBy: 'U0ANN', stoppedBy: 'U0BEN' },
      stopped: { askedBy: 'U0BEN', stoppedBy: 'U0ANN' },
      neither: { askedBy: 'U0BEN', stoppedBy: null },
      others: { askedBy: 'U0BEN', stoppedBy: 'U0CEM' },
    });
    const asked: string[] = [];
    const note = async (ids: readonly string[]) => void asked.push(...ids);
    expect(await forgetPeople(store, { ...ann, team: 'T2' }, saturday, note)).toBe(0);
    expect(await forgetPeople(store, { ...ann, surface: 'teams' }, saturday, note)).toBe(0);
    expect(asked).toEqual([]);
    expect(await forgetPeople(store, ann, saturday, note)).toBe(2);
    expect(asked).toEqual(['asked']);
    expect(await findPeople(store, 'asked', saturday)).toBeNull();
    expect(await findPeople(store, 'stopped', saturday)).toEqual({ askedBy: 'U0BEN', stoppedBy: null });
    expect(await findPeople(store, 'others', saturday)).toEqual({ askedBy: 'U0BEN', stoppedBy: 'U0CEM' });
    // With an empty team, in all teams.
    expect(await forgetPeople(store, { surface: 'slack', team: '', user: 'U0BEN' }, saturday, note)).toBe(3);
  });
});
