import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { storeContract } from '../contracts/store.ts';
import { loseNothingWhenKilled } from '../contracts/store-processes.ts';
import { scratch } from '../support/run-jury.ts';

describe('the store in SQLite', () => {
  storeContract(async () => {
    const folder = scratch();
    return {
      open: () => openSqliteStore(join(folder, 'jury.db')),
      remove: () => rm(folder, { recursive: true }),
    };
  });

  test('loses nothing that was acknowledged when its processes are killed', async () => {
    const path = join(scratch(), 'jury.db');
    const store = await openSqliteStore(path);
    await loseNothingWhenKilled(store, ['sqlite', path, '']);
    await store.close();
  });
});
