import { join } from 'node:path';
import type { TrialStore } from '../benchmark/index.ts';
import type { Store } from './store.ts';

/** Settings that select the store: Redis if there is a URL, otherwise the data folder. */
interface StoreSettings {
  REDIS_URL?: string | undefined;
  JURY_DATA_DIR: string;
}

type Warn = (message: string) => void;

/**
 * Opens the configured store, loading only the library it needs.
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

/** Opens the store of benchmark runs: in the configured Redis, otherwise in the data folder. */
export async function openTrialStore(settings: StoreSettings, warn: Warn): Promise<TrialStore> {
  if (settings.REDIS_URL !== undefined) {
    const { openRedisTrialStore } = await import('./redis/runs.ts');
    return openRedisTrialStore(settings.REDIS_URL, { warn });
  }
  const { createFolderTrialStore } = await import('./folder/runs.ts');
  return createFolderTrialStore(join(settings.JURY_DATA_DIR, 'runs'));
}
