import type { Verdict } from '../judging/verdict.ts';
import type { Store } from '../stores/store.ts';
import { hidingChannels, tellableCounts } from './tellable-counts.ts';
import { TRUST_DAYS, type Trust, type TrustTotals, trustIn, trustTotals } from './trust.ts';

/** What colleagues have said of verdicts like this one; null where too little is known to tell. */
export type ReadTrust = (verdict: Verdict) => Promise<Trust | null>;

/** Verdicts that come close together share one read. */
const FRESH_MS = 5_000;
const DAY_MS = 86_400_000;
/** Verdicts of late that tell which conversations hide theirs. */
const READ = 60;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/**
 * Reads counts when a verdict asks and the last ones are older than a few seconds; a read costs by groups, not by votes. Fresh hidden
 * verdicts are left out: two cards that everybody sees would tell by their difference how one of them came out.
 */
export function createTrust(
  store: Pick<Store, 'counts' | 'channelSettings' | 'recentVerdicts'>,
  now: () => number,
): ReadTrust {
  async function totals(at: number): Promise<TrustTotals> {
    const range = { from: dayOf(at - (TRUST_DAYS - 1) * DAY_MS), to: dayOf(at) };
    const newest = await store.recentVerdicts({ channel: null, limit: READ });
    return trustTotals((await tellableCounts(store, range, at, hidingChannels(newest))).rows);
  }
  let last: { at: number; totals: Promise<TrustTotals> } | null = null;
  return async (verdict) => {
    const at = now();
    if (last === null || at < last.at || at >= last.at + FRESH_MS) {
      const reading = { at, totals: totals(at) };
      last = reading;
      reading.totals.catch(() => {
        if (last === reading) last = null;
      });
    }
    return trustIn(await last.totals, verdict);
  };
}
