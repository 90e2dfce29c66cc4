import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noteEdit, noteShown, shownFor } from '../../src/requests/shown-messages.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { jury, scratch } from '../support/run-jury.ts';

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
