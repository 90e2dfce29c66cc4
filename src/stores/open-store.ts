import { join } from 'node:path';
import type { TrialStore } from '../benchmark/trial-store.ts';
import type { Store } from './store.ts';

/** The settings that choose a store; without an address it is in the data folder. */
interface StoreSettings {
  REDIS_URL?: string | undefined;
  JURY_DATA_DIR: string;
}

type Warn = (message: string) => void;

/**
 * Opens the configured store and loads only its library.
 *
 * @throws JuryError `store-unavailable` or `config`
 */
export async function openStore(settings: StoreSettings, warn: Warn): Promise<Store> {
  if (settings.REDIS_URL !== undefined) {
    const { openRedisStore } = await import('./redis/redis-store.ts');
    return openRedisStore(settings.REDIS_URL, { warn });
  }
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return openSqliteStore(join(settings.JURY_DATA_DIR, 'jury.db'));
}

/** The store of runs: the configured Redis, otherwise the data folder. */
export async function openTrialStore(settings: StoreSettings, warn: Warn): Promise<TrialStore> {
  if (settings.REDIS_URL !== undefined) {
    const { openRedisTrialStore } = await import('./redis/runs.ts');
    return openRedisTrialStore(settings.REDIS_URL, { warn });
  }
  const { createFolderTrialStore } = await import('./folder/runs.ts');
  return createFolderTrialStore(join(settings.JURY_DATA_DIR, 'runs'));
}
