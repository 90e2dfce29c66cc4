import type { Store } from '../stores/store.ts';

const dayMs = 86_400_000;

/**
 * Deletes what need not be kept any longer: verdicts with their votes after the days of retention (0: never), and what
 * the store only kept for a while. To be done once a day. Resolves to how many verdicts went.
 */
export function keepHouse(store: Pick<Store, 'prune'>, retentionDays: number, now: number): Promise<number> {
  return store.prune(retentionDays === 0 ? -Number.MAX_VALUE : now - retentionDays * dayMs, now);
}
