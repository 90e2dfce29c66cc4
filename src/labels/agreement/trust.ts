import { DAY_MS, groupedBy, type KeyValue, remembered } from '../../common/index.ts';
import { dayOf } from '../../common/text/index.ts';
import {
  type AgreedShare,
  type Trust,
  type Verdict,
  type VotedOn,
  votedText,
} from '../../judging/verdict/index.ts';
import type { Language } from '../../words/index.ts';
import type { ChannelSettingsStore } from '../access/index.ts';
import { settledSides } from '../index.ts';
import {
  type CountQuery,
  type CountRow,
  type CountStore,
  HIDDEN_DAYS,
  hidLately,
  panelModels,
  subjectsOf,
} from '../record/index.ts';

/** What `publicCounts` reads. */
type PublicCountStore = CountStore & Pick<ChannelSettingsStore, 'channelSettings'> & Pick<KeyValue, 'get'>;

/**
 * Counts without the last seven days (UTC) of channels that hide verdicts until a vote: with so few verdicts, single
 * decisions and votes could be worked out from the numbers.
 *
 * @param channel only verdicts of this channel; null: of all
 * @throws JuryError `store-unavailable`
 */
export async function publicCounts(
  store: PublicCountStore,
  query: CountQuery,
  now: number,
  channel: string | null = null,
) {
  const counted = await store.counts(query);
  const all = channel === null ? counted : counted.filter(({ key }) => key.channel === channel);
  const since = dayOf(now - HIDDEN_DAYS * DAY_MS);
  const channels = [...new Set(all.filter(({ key }) => key.day > since).map(({ key }) => key.channel))];
  const hides = async (channel: string): Promise<boolean> =>
    (await store.channelSettings(channel)).blind === true || (await hidLately(store, channel, now));
  const areHiding = await Promise.all(channels.map(hides));
  const hiding = new Set(channels.filter((_, index) => areHiding[index]));
  const isHidden = ({ key }: CountRow): boolean => key.day > since && hiding.has(key.channel);
  return {
    rows: all.filter((row) => !isHidden(row)),
    /** Number of verdicts left out. */
    hidden: all
      .filter((row) => row.key.kind === 'verdict' && isHidden(row))
      .reduce((sum, { items }) => sum + items, 0),
  };
}

/** No share is shown for fewer settled verdicts. With 20, the interval reaches at most 22 points to either side. */
export const MIN_FOR_SHARE = 20;

/** Judges change with their models and prompts, so older votes say little about new verdicts. */
const TRUST_DAYS = 180;

/** Settled verdicts, by rubric, method, models and decision. */
export type TrustTotals = ReadonlyMap<string, AgreedShare>;

const nameOf = (rubric: string, method: string, models: string, decision: string): string =>
  JSON.stringify([rubric, method, models, decision]);

/** Share of verdicts that people agree with, across all decisions. Only those that votes settled count (`settledSide`). */
export function agreedShareOf(rows: readonly CountRow[]): AgreedShare {
  const { agree, disagree } = settledSides(rows.filter(({ key }) => key.kind === 'verdict'));
  return { agreed: agree, n: agree + disagree };
}

export function trustTotals(rows: readonly CountRow[]): TrustTotals {
  const verdicts = rows.filter(({ key }) => key.kind === 'verdict');
  const alike = groupedBy(verdicts, ({ key: { rubric, method, models, decision } }) =>
    nameOf(rubric, method, models, decision),
  );
  return new Map([...alike].map(([name, same]) => [name, agreedShareOf(same)]));
}

/** How often people agreed with verdicts like this one; null if there are too few or the verdict is undecided. */
export function trustIn(totals: TrustTotals, verdict: Verdict): Trust | null {
  const { rubric, method } = verdict;
  const [{ decision } = { decision: 'undecided' }] = subjectsOf(verdict);
  if (decision === 'undecided') return null;
  const alike = totals.get(nameOf(rubric, method, panelModels(verdict), decision));
  return alike === undefined || alike.n < MIN_FOR_SHARE ? null : { ...alike, days: TRUST_DAYS };
}

/** How often people agree, see `votedText`. Null for too few: see {@link MIN_FOR_SHARE}. */
export const agreedSentence = (
  share: AgreedShare,
  language: Language,
  which: VotedOn = 'such',
): string | null => (share.n < MIN_FOR_SHARE ? null : votedText(share, language, which));

/** See `trustIn`. */
export type ReadTrust = (verdict: Verdict) => Promise<Trust | null>;

/** Verdicts given within this time share one read, ms. */
const FRESH_MS = 5_000;

/**
 * Reads counts at most every few seconds; the cost grows with groups, not votes. Recent hidden verdicts are left out:
 * otherwise the difference between two visible cards would reveal the outcome of a hidden one.
 */
export function createTrust(store: PublicCountStore, now: () => number): ReadTrust {
  const totals = remembered(
    async () => {
      const at = now();
      const range = {
        from: dayOf(at - (TRUST_DAYS - 1) * DAY_MS),
        to: dayOf(at),
        kinds: ['verdict'] as const,
      };
      return trustTotals((await publicCounts(store, range, at)).rows);
    },
    FRESH_MS,
    now,
  );
  return async (verdict) => trustIn(await totals(''), verdict);
}
