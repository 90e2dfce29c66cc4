import type { TrialStore } from '../../benchmark/trial-store.ts';
import type { Env } from '../../env.ts';

/** Opens the store of runs for one command, whatever happens. */
export async function withRuns(
  { settings }: Env,
  warn: (message: string) => void,
  use: (store: TrialStore) => Promise<unknown>,
): Promise<void> {
  const { openTrialStore } = await import('../../stores/open-store.ts');
  const store = await openTrialStore({
    redisUrl: settings.REDIS_URL,
    dataFolder: settings.JURY_DATA_DIR,
    warn,
  });
  try {
    await use(store);
  } finally {
    await store.close();
  }
}
