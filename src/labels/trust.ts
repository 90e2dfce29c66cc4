import type { SettledShare, Trust, Verdict } from '../judging/verdict.ts';
import type { ChannelSettingsStore } from './channel-settings.ts';
import { hidingChannels, tellableCounts } from './tellable-counts.ts';
import type { VerdictStore } from './verdict-record.ts';
import { settledSide } from './vote.ts';
import { type CountRow, type CountStore, panelModels } from './vote-counts.ts';

/**
 * Settled verdicts without which no share is told. With 20 the interval is at most 22 points to either side; with fewer it says
 * more about who happened to vote than about the judges.
 */
export const LEAST_SETTLED = 20;

/** Days that are looked back on: judges change with their models and wording, and old votes say little of new ones. */
const TRUST_DAYS = 180;

/** Settled verdicts by what makes them alike. */
export type TrustTotals = ReadonlyMap<string, SettledShare>;

const nameOf = (rubric: string, method: string, models: string, decision: string): string =>
  JSON.stringify([rubric, method, models, decision]);

const nothing: SettledShare = { agreed: 0, n: 0 };

/** With so many more verdicts; those that no side has won add nothing. */
function withRow(share: SettledShare, { key, tally, items }: CountRow): SettledShare {
  const side = settledSide(tally);
  if (key.kind !== 'verdict' || side === 'tied' || side === 'open') return share;
  return { agreed: share.agreed + (side === 'agree' ? items : 0), n: share.n + items };
}

/** Of all verdicts together, whatever was decided. */
export const settledShareOf = (rows: readonly CountRow[]): SettledShare => rows.reduce(withRow, nothing);

/** Adds up counts of verdicts; costs by the rows. */
export function trustTotals(rows: readonly CountRow[]): TrustTotals {
  const totals = new Map<string, SettledShare>();
  for (const row of rows) {
    if (row.key.kind !== 'verdict') continue;
    const { rubric, method, models, decision } = row.key;
    const name = nameOf(rubric, method, models, decision);
    totals.set(name, withRow(totals.get(name) ?? nothing, row));
  }
  return totals;
}

/** What is known of verdicts like this one; null where too little is, and where nothing was decided that could be trusted. */
export function trustIn(totals: TrustTotals, verdict: Verdict): Trust | null {
  const { rubric, method, decision } = verdict;
  if (decision === 'undecided') return null;
  const found = totals.get(nameOf(rubric, method, panelModels(verdict), decision));
  return found === undefined || found.n < LEAST_SETTLED ? null : { ...found, days: TRUST_DAYS };
}

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
  store: CountStore & Pick<ChannelSettingsStore, 'channelSettings'> & Pick<VerdictStore, 'recentVerdicts'>,
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
