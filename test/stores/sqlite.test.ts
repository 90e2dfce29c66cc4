import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { storeContract } from '../contracts/store.ts';
import { scratch } from '../support/run-jury.ts';

describe('the store in SQLite', () => {
  storeContract(async () => {
    const folder = scratch();
    return {
      open: () => openSqliteStore(join(folder, 'jury.db')),
      remove: () => rm(folder, { recursive: true }),
    };
  });
});
