import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noteEdit, recordEdit } from '../../src/requests/edited-requests.ts';
import { noteFollowing, noteShown, shownFor } from '../../src/requests/shown-messages.ts';
import type { SpotCheck } from '../../src/requests/spot-check.ts';
import { noteAnswered, shownAbove } from '../../src/requests/verdict-above.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { jury, scratch } from '../support/run-jury.ts';
import { aCheck, dayMs, saturday } from '../support/store-builders.ts';

closeAfterEach();

test.each([
  ['slack', 'T1', 'U0123ABCD', 'U0123ABCD'],
  [
    'teams',
    '11111111-1111-4111-8111-111111111111',
    '22222222-2222-4222-8222-222222222222',
    'teams:11111111-1111-4111-8111-111111111111:22222222-2222-4222-8222-222222222222',
  ],
])(
  'who is forgotten in %s leaves no text of an edited request behind',
  async (surface, team, user, named) => {
    const cwd = scratch();
    const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
    closing(() => store.close());
    const now = Date.now();
    const edited = (check: string, requestedBy: string) =>
      noteEdit(
        store,
        check,
        {
          surface,
          team,
          channel: 'C1',
          thread: null,
          requestedBy,
          input: { kind: 'message', message: '1', text: 'the words of a paste', files: [] },
          key: 'C1:1',
        },
        now,
      );
    for (const check of ['mine', 'also mine', 'of another']) {
      await noteShown(store, check, () => ({ channel: 'C1', cases: 1 }), now);
      expect(await edited(check, check === 'of another' ? 'U9' : user)).not.toBeNull();
    }
    const { out } = await jury(['labels', 'forget', named], { cwd });
    expect(out).toBe(`Erased 2 edited requests of ${named}.\n`);
    const textOf = async (check: string) => JSON.stringify(await shownFor(store, check, now));
    for (const check of ['mine', 'also mine']) {
      expect(await textOf(check)).not.toContain('the words');
      expect(await textOf(check)).not.toContain(user);
    }
    expect(await textOf('of another')).toContain('the words');
  },
);

const newStore = async () => {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  return store;
};
const message = (id: string, parts: object = {}): SpotCheck['input'] => ({
  kind: 'message',
  message: id,
  text: 'why?',
  files: [],
  ...parts,
});

describe('an edited request', () => {
  const edit = {
    ...{ surface: 'slack', team: 'T1', channel: 'C1', thread: null, requestedBy: 'U1' },
    ...{ input: message('1'), key: 'C1:1:edited' },
  };

  test('is offered to be judged again once, and becomes a request of its own', async () => {
    const store = await newStore();
    expect(await noteEdit(store, 'first', edit, saturday)).toBeNull();
    await noteShown(store, 'first', () => ({ cases: 1 }), saturday);
    expect(await noteEdit(store, 'first', edit, saturday)).toMatchObject({ check: 'first' });
    expect(await noteEdit(store, 'first', edit, saturday)).toBeNull();
    const recorded = await recordEdit(store, 'first', saturday);
    expect(recorded).toMatchObject({ status: 'added', check: { id: 'slack:T1:C1:1:edited' } });
    expect(await shownFor(store, 'first', saturday)).toMatchObject({
      edit: null,
      edits: ['slack:T1:C1:1:edited'],
    });
    expect(await recordEdit(store, 'first', saturday)).toBe('judged');
  });

  test('is not judged again if it was never answered, or is deleted; nor is what came of it', async () => {
    const store = await newStore();
    expect(await recordEdit(store, 'unknown', saturday)).toBe('judged');
    await noteShown(store, 'first', () => ({ cases: 1 }), saturday);
    await noteEdit(store, 'first', edit, saturday);
    await noteShown(store, 'first', () => ({ withdrawn: true }), saturday);
    expect(await recordEdit(store, 'first', saturday)).toBe('deleted');
    expect(await noteFollowing(store, 'first', 'second', saturday)).toBe(false);
    expect(await shownFor(store, 'second', saturday)).toMatchObject({ withdrawn: true });
  });
});

describe('what a message is about', () => {
  const judged = async (check: Partial<SpotCheck>) => {
    const store = await newStore();
    const placeholder = '1.5';
    const progress = { placeholder, replies: {}, verdicts: {} };
    await noteAnswered(store, aCheck({ id: 'judged', progress, ...check }), 2, saturday);
    return async (parts: Partial<SpotCheck>, now = saturday) =>
      (await shownAbove(store, aCheck({ input: message('2'), ...parts }), now))?.check ?? null;
  };

  test('is the last verdict of its thread, and of no other one', async () => {
    const above = await judged({ thread: '1' });
    expect(await above({ thread: '1' })).toBe('judged');
    expect(await above({ thread: '1' }, saturday + 89 * dayMs)).toBe('judged');
    expect(await above({ thread: '9' })).toBeNull();
    expect(await above({ thread: null })).toBeNull();
    expect(await above({ thread: '1', channel: 'C2' })).toBeNull();
  });

  test('is nothing where it begins the thread itself, or is a paste from a form', async () => {
    const above = await judged({ thread: '1' });
    expect(await above({ thread: '1', input: message('1') })).toBeNull();
    expect(await above({ thread: '1', input: aCheck().input })).toBeNull();
  });

  test('is the last verdict of the day without threads, and the quoted one on any later day', async () => {
    const above = await judged({ thread: null });
    expect(await above({ thread: null })).toBe('judged');
    expect(await above({ thread: null }, saturday + dayMs + 1)).toBeNull();
    const quoting = { thread: null, input: message('2', { quotes: '1.5' }) };
    expect(await above(quoting, saturday + dayMs + 1)).toBe('judged');
    // Below the answer there may be a thread after all.
    expect(await above({ thread: '1.5' }, saturday + dayMs + 1)).toBe('judged');
  });
});
