import type { SettledShare, Trust, Verdict } from '../judging/verdict.ts';
import type { ChannelSettingsStore } from './channel-settings.ts';
import {
  type CountRow,
  type CountStore,
  panelModels,
  type VerdictRecord,
  type VerdictStore,
} from './verdict-record.ts';
import { settledSide } from './vote.ts';

const DAY_MS = 86_400_000;
/** By then most have voted who will, and there are others that a number is made of. */
const HIDDEN_DAYS = 7;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The conversations of which some of these verdicts are hidden until a vote. */
export const hidingChannels = (records: readonly VerdictRecord[]): ReadonlySet<string> =>
  new Set(records.filter(({ blind }) => blind === true).map(({ source }) => source.channel));

/** Counts that can be told to anybody, and how many verdicts are left out of them. */
interface TellableCounts {
  rows: CountRow[];
  hidden: number;
}

/**
 * Counts without the fresh verdicts (of the last seven days, UTC) of conversations that hide them until a vote: a number over few of
 * them could be taken apart into decisions and votes.
 *
 * @param hiding conversations that are known to have hidden verdicts, whatever they have set by now
 * @throws JuryError `store-unavailable`
 */
export async function tellableCounts(
  store: CountStore & Pick<ChannelSettingsStore, 'channelSettings'>,
  range: { from: string; to: string },
  now: number,
  hiding: ReadonlySet<string>,
): Promise<TellableCounts> {
  const all = await store.counts(range);
  const since = dayOf(now - HIDDEN_DAYS * DAY_MS);
  const channels = [...new Set(all.filter(({ key }) => key.day > since).map(({ key }) => key.channel))];
  const settings = await Promise.all(channels.map((channel) => store.channelSettings(channel)));
  const blind = new Set(channels.filter((_, index) => settings[index]?.blind === true));
  const isHidden = ({ key }: CountRow): boolean =>
    key.day > since && (blind.has(key.channel) || hiding.has(key.channel));
  return {
    rows: all.filter((row) => !isHidden(row)),
    hidden: all
      .filter((row) => row.key.kind === 'verdict' && isHidden(row))
      .reduce((sum, { items }) => sum + items, 0),
  };
}

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

/** Verdicts of late that tell which conversations hide theirs. */
const READ = 60;

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
