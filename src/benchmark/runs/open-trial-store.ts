import { join } from 'node:path';
import type { TrialStore } from './trial-store.ts';

/** Where runs are kept: in the Redis that is configured, else in the data folder. Loads what that takes only. */
export async function openTrialStore({
  redisUrl,
  dataFolder,
  warn,
}: {
  redisUrl: string | undefined;
  dataFolder: string;
  warn: (message: string) => void;
}): Promise<TrialStore> {
  if (redisUrl !== undefined) {
    const { openRedisTrialStore } = await import('./redis/redis-trial-store.ts');
    return openRedisTrialStore(redisUrl, { warn });
  }
  const { createFolderTrialStore } = await import('./folder/folder-trial-store.ts');
  return createFolderTrialStore(join(dataFolder, 'runs'));
}
