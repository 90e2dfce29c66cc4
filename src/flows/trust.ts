import { TRUST_DAYS, type Trust, type TrustTotals, trustIn, trustTotals } from '../core/trust.ts';
import type { Verdict } from '../core/verdict.ts';
import type { Store } from '../store/store.ts';
import { tellableCounts } from './tellable-counts.ts';

/** What colleagues have said of verdicts like this one; null where too little is known to tell. */
export type ReadTrust = (verdict: Verdict) => Promise<Trust | null>;

/** Verdicts that come close together share one read. */
const FRESH_MS = 5_000;
const DAY_MS = 86_400_000;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/**
 * Reads counts when a verdict asks and the last ones are older than a few seconds; a read costs by groups, not by votes. Fresh
 * verdicts of conversations that hide them until a vote do not enter: two lines that stand apart by one verdict would tell it.
 */
export function createTrust(store: Pick<Store, 'counts' | 'channelSettings'>, now: () => number): ReadTrust {
  let last: { at: number; totals: Promise<TrustTotals> } | null = null;
  return async (verdict) => {
    const at = now();
    if (last === null || at < last.at || at >= last.at + FRESH_MS) {
      const range = { from: dayOf(at - (TRUST_DAYS - 1) * DAY_MS), to: dayOf(at) };
      const reading = {
        at,
        totals: tellableCounts(store, range, at, new Set()).then(({ rows }) => trustTotals(rows)),
      };
      last = reading;
      reading.totals.catch(() => {
        if (last === reading) last = null;
      });
    }
    return trustIn(await last.totals, verdict);
  };
}
