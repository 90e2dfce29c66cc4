import { schedule } from 'node-cron';
import type { Logger } from 'pino';
import { pruneExpired } from '../../labels/verdict-record.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Store } from '../../stores/store.ts';

interface KeepUpParts {
  checks: SpotChecks;
  store: Store;
  retentionDays: number;
  now: () => number;
  log: Logger;
}

/** How often is looked for requests that nobody has any more. */
const RECOVER_MS = 2_000;
/** Once a day at a quiet time, UTC. */
const PRUNE_AT = '17 3 * * *';
const DAY_MS = 86_400_000;

/** Deletes what is kept no longer, once a day in one of the replicas. */
export async function pruneDaily({
  store,
  retentionDays,
  now,
  log,
}: Omit<KeepUpParts, 'checks'>): Promise<void> {
  const day = new Date(now()).toISOString().slice(0, 10);
  try {
    const claim = await store.setIfAbsent(`prune:${day}`, 'begun', now(), 2 * DAY_MS);
    if (!claim.set) return;
    const verdicts = await pruneExpired(store, retentionDays, now());
    log.info({ verdicts }, 'deleted what is kept no longer');
  } catch {
    log.warn('what is kept no longer could not be deleted; the next day tries again');
  }
}

/** What is done again and again while the service runs: taking up what was left behind, deleting what is too old. */
export function keepUp(parts: KeepUpParts): { stop: () => Promise<void> } {
  const { checks, log } = parts;
  let looking = false;
  let toldOf = 0;
  const recover = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      const { taken, unreadable } = await checks.recover();
      if (taken > 0) log.info({ taken }, 'took up requests that were left behind');
      // Once, not at every look.
      if (unreadable > toldOf)
        log.warn(
          { unreadable },
          'requests wait that this version cannot read; the version that wrote them can',
        );
      toldOf = unreadable;
    } catch {
      // The store is away; the next look comes soon.
    } finally {
      looking = false;
    }
  };
  const recovering = setInterval(recover, RECOVER_MS);
  void recover();
  const pruning = schedule(PRUNE_AT, () => pruneDaily(parts), { timezone: 'UTC' });
  return {
    stop: async () => {
      clearInterval(recovering);
      await pruning.destroy();
    },
  };
}
