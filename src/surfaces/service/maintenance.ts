import { schedule } from 'node-cron';
import type { Logger } from 'pino';
import { repeatedly } from '../../common/async.ts';
import type { KeyValue } from '../../common/key-value.ts';
import { pruneExpired, type VerdictStore } from '../../labels/verdict-record.ts';
import type { SpotChecks } from '../../requests/take-up.ts';

interface MaintenanceParts {
  checks: SpotChecks;
  store: Pick<VerdictStore, 'prune'> & Pick<KeyValue, 'setIfAbsent'>;
  retentionDays: number;
  now: () => number;
  log: Logger;
}

/** How often requests without an owner are looked for. */
const RECOVER_MS = 2_000;
/** Once a day at a quiet time, UTC. */
const PRUNE_AT = '17 3 * * *';
const DAY_MS = 86_400_000;

/** Deletes what has expired, once a day in one of the replicas. */
export async function pruneDaily({
  store,
  retentionDays,
  now,
  log,
}: Omit<MaintenanceParts, 'checks'>): Promise<void> {
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

/** Takes up requests that a crash left behind, every few seconds. */
function recoverPending({ checks, log }: Pick<MaintenanceParts, 'checks' | 'log'>): () => Promise<void> {
  let reported = 0;
  return repeatedly(RECOVER_MS, async () => {
    try {
      const { taken, unreadable } = await checks.recover();
      if (taken > 0) log.info({ taken }, 'took up requests that were left behind');
      // Once, not at every look.
      if (unreadable > reported)
        log.warn(
          { unreadable },
          'requests wait that this version cannot read; the version that wrote them can',
        );
      reported = unreadable;
    } catch {
      // The store is away; the next look comes soon.
    }
  });
}

/** What is done again and again while the service runs: taking up requests that were left behind, deleting what has expired. */
export function startMaintenance(parts: MaintenanceParts): { stop: () => Promise<void> } {
  const stopRecovery = recoverPending(parts);
  const pruning = schedule(PRUNE_AT, () => pruneDaily(parts), { timezone: 'UTC' });
  return {
    stop: async () => {
      // A look that waits for the store holds up no stop.
      void stopRecovery();
      await pruning.destroy();
    },
  };
}
