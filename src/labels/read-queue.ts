import type { KeyValue } from '../common/key-value.ts';
import type { Adjudication, AdjudicationStore } from './adjudication.ts';
import { hasSeen } from './blind-vote.ts';
import type { VoteStore } from './cast-vote.ts';
import type { ChannelSettings, ChannelSettingsStore } from './channel-settings.ts';
import { isGoldRight } from './gold.ts';
import { usualRule } from './label.ts';
import { hidingChannels } from './trust.ts';
import { allVerdicts, type VerdictRecord, type VerdictStore } from './verdict-record.ts';
import { mixGold, type QueueReason, reasonsOf, type VotedVerdict, voteQueue } from './vote-queue.ts';

type QueueStore = VerdictStore & VoteStore & AdjudicationStore & ChannelSettingsStore & KeyValue;

/** Somebody who looks at verdicts: their pseudonym, and what they may see at all. */
export interface Viewer {
  voter: string;
  maySee: (record: VerdictRecord) => Promise<boolean>;
}

/** A verdict in somebody's queue. Nothing in it says whether its answer is known. */
export interface QueuedVerdict extends VotedVerdict {
  reasons: readonly QueueReason[];
}

export interface VoteQueue {
  /** Verdicts of late that the viewer may see, newest first, whoever voted on them. */
  recent: VotedVerdict[];
  /** Ids of those among them that are hidden from the viewer, who has not answered. */
  hidden: ReadonlySet<string>;
  /** Conversations that have hidden verdicts among those of late, whoever may see them. */
  hiding: ReadonlySet<string>;
  /** Those that need the viewer's vote, the one that it tells most about first. */
  queue: QueuedVerdict[];
  /** How many verdicts were looked at at most. */
  lookedAt: number;
  /** The viewer's own answers to cases whose answer was known, up to yesterday. */
  own: { right: number; of: number };
}

/** Verdicts of late that are looked at; what is older is out of everybody's mind, and out of the queue. */
const LOOKED_AT = 200;
/** Where many labeled cases were added at once, so many verdicts are passed over in search of those that somebody asked for. */
const WALKED = 2000;
/** Cases with a known answer that one is chosen among, and rulings of late in which they are looked for, so many at a time. */
const GOLD = { wanted: 50, lookedAt: 500, atOnce: 50 } as const;
const DAY_MS = 86_400_000;

const withVotes = async (store: QueueStore, records: readonly VerdictRecord[]): Promise<VotedVerdict[]> =>
  Promise.all(records.map(async (record) => ({ record, votes: await store.votes(record.id) })));

async function seenBy({ maySee }: Viewer, records: readonly VerdictRecord[]): Promise<VerdictRecord[]> {
  const seen = await Promise.all(records.map(maySee));
  return records.filter((_, index) => seen[index]);
}

/** The verdicts of late that somebody asked for; labeled cases have no message, and would push them out by their number. */
async function askedFor(store: QueueStore, ruledOn: ReadonlySet<string>): Promise<VerdictRecord[]> {
  const found: VerdictRecord[] = [];
  let walked = 0;
  for await (const record of allVerdicts(store)) {
    walked += 1;
    if (record.source.message !== null || !ruledOn.has(record.id)) found.push(record);
    if (found.length === LOOKED_AT || walked === WALKED) break;
  }
  return found;
}

type Gold = VotedVerdict & { ruling: Adjudication };

/** Of some rulings those on verdicts that the viewer may see. */
async function goldIn(store: QueueStore, viewer: Viewer, rulings: readonly Adjudication[]): Promise<Gold[]> {
  const records = await Promise.all(rulings.map(({ verdictId }) => store.verdict(verdictId)));
  const kept = await seenBy(
    viewer,
    records.filter((record) => record !== null),
  );
  return (await withVotes(store, kept)).flatMap((one) => {
    const ruling = rulings.find(({ verdictId }) => verdictId === one.record.id);
    return ruling === undefined ? [] : [{ ...one, ruling }];
  });
}

/**
 * Cases with a known answer that the viewer may see, of the rulings of late: so many that enough are left to ask for, however many
 * the viewer has answered and however many were ruled on elsewhere.
 *
 * @param isLeft whether the viewer could still be asked for it
 */
async function goldFor(
  store: QueueStore,
  viewer: Viewer,
  rulings: readonly Adjudication[],
  isLeft: (one: VotedVerdict) => boolean,
): Promise<Gold[]> {
  const newest = rulings.slice(-GOLD.lookedAt).reverse();
  const gold: Gold[] = [];
  for (let from = 0; from < newest.length && gold.filter(isLeft).length < GOLD.wanted; from += GOLD.atOnce)
    gold.push(...(await goldIn(store, viewer, newest.slice(from, from + GOLD.atOnce))));
  return gold;
}

/** Only answers of earlier days: otherwise the number would tell which case it was. */
function ownRecord(gold: readonly Gold[], voter: string, today: number): { right: number; of: number } {
  const answers = gold.flatMap(({ record, votes, ruling }) => {
    const own = votes.find((vote) => vote.voter === voter && vote.at < today);
    const right = own === undefined ? null : isGoldRight(own, record, ruling);
    return right === null ? [] : [right];
  });
  return { right: answers.filter((right) => right).length, of: answers.length };
}

async function settingsOf(
  store: QueueStore,
  records: readonly VerdictRecord[],
): Promise<Map<string, ChannelSettings>> {
  const channels = [...new Set(records.map(({ source }) => source.channel))];
  const found = await Promise.all(channels.map((channel) => store.channelSettings(channel)));
  return new Map(channels.flatMap((channel, index) => [[channel, found[index] ?? { wish: {} }]]));
}

/**
 * What needs somebody's vote: what they may see and have not voted on, among the verdicts of late, mixed with cases whose answer
 * is known where a channel has set that. The same viewer is brought the same of these all day (UTC).
 *
 * @throws JuryError `store-unavailable`
 */
export async function readVoteQueue(store: QueueStore, viewer: Viewer, now: number): Promise<VoteQueue> {
  const rulings = await store.adjudications();
  const ruledOn = new Set(rulings.map(({ verdictId }) => verdictId));
  const records = await askedFor(store, ruledOn);
  const recent = await withVotes(store, await seenBy(viewer, records));
  const isOwn = ({ votes }: VotedVerdict) => votes.some(({ voter }) => voter === viewer.voter);
  const hasSeenIt = async ({ record }: VotedVerdict): Promise<boolean> =>
    record.blind === true && hasSeen(store, record.id, viewer.voter, now);
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const isPast = ({ votes }: VotedVerdict) =>
    votes.some(({ voter, at }) => voter === viewer.voter && at < today);
  const settings = await settingsOf(
    store,
    recent.map(({ record }) => record),
  );
  const mixes = ({ record }: VotedVerdict) => settings.get(record.source.channel)?.goldEvery !== undefined;
  const gold = recent.some(mixes)
    ? await goldFor(store, viewer, rulings, (one) => mixes(one) && !isPast(one))
    : [];
  // Who took back an answer cannot give another one.
  const open = [...recent, ...gold].filter((one) => !isOwn(one));
  const seen = await Promise.all(open.map(hasSeenIt));
  const unseen = new Set(open.flatMap(({ record }, index) => (seen[index] ? [] : [record.id])));
  // Mixed as the day began, and only then without what was answered since: a case that came or went with an answer to another one
  // would be known for what it is.
  const asThen = (one: VotedVerdict): VotedVerdict[] =>
    isPast(one) || !(isOwn(one) || unseen.has(one.record.id))
      ? []
      : [{ record: one.record, votes: one.votes.filter(({ voter }) => voter !== viewer.voter) }];
  const queued = (one: VotedVerdict): QueuedVerdict => ({ ...one, reasons: reasonsOf(one, usualRule) });
  const waiting = voteQueue(
    recent.filter(({ record }) => !ruledOn.has(record.id)).flatMap(asThen),
    usualRule,
  );
  const known = gold
    .flatMap(asThen)
    .map(queued)
    // A case of which nothing gives cause to ask would be known for what it is, unless no cause is shown anyway.
    .filter(({ record, reasons }) => record.blind === true || reasons.length > 0);
  return {
    recent: recent.filter(({ record }) => record.source.message !== null),
    hiding: hidingChannels(records),
    hidden: new Set(
      recent.flatMap(({ record }) => (record.blind === true && unseen.has(record.id) ? [record.id] : [])),
    ),
    queue: mixGold(waiting.map(queued), known, {
      every: (channel) => settings.get(channel)?.goldEvery ?? null,
      key: [viewer.voter, String(today)],
    }).filter(({ record }) => unseen.has(record.id)),
    lookedAt: LOOKED_AT,
    own: ownRecord(gold, viewer.voter, today),
  };
}
