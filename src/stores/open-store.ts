import { join } from 'node:path';
import type { TrialStore } from '../benchmark/trial-store.ts';
import type { Store } from './store.ts';

export interface StoreSettings {
  /** If undefined, the store is a SQLite file in the data folder. */
  redisUrl: string | undefined;
  dataFolder: string;
  warn: (message: string) => void;
}

/**
 * Opens the configured store and loads only its library.
 *
 * @throws JuryError `store-unavailable` or `config`
 */
export async function openStore({ redisUrl, dataFolder, warn }: StoreSettings): Promise<Store> {
  if (redisUrl !== undefined) {
    const { openRedisStore } = await import('./redis/redis-store.ts');
    return openRedisStore(redisUrl, { warn });
  }
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return openSqliteStore(join(dataFolder, 'jury.db'));
}

/** The store of runs: the configured Redis, otherwise the data folder. */
export async function openTrialStore({ redisUrl, dataFolder, warn }: StoreSettings): Promise<TrialStore> {
  if (redisUrl !== undefined) {
    const { openRedisTrialStore } = await import('./redis/runs.ts');
    return openRedisTrialStore(redisUrl, { warn });
  }
  const { createFolderTrialStore } = await import('./folder/runs.ts');
  return createFolderTrialStore(join(dataFolder, 'runs'));
}
