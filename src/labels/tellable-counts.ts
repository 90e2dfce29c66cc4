import type { ChannelSettingsStore } from './channel-settings.ts';
import type { VerdictRecord } from './verdict-record.ts';
import type { CountRow, CountStore } from './vote-counts.ts';

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
