import { DAY_MS, type KeyValue } from '../../common/index.ts';
import type { Language } from '../../words/index.ts';
import {
  type ChannelSettings,
  type ChannelSettingsStore,
  isWithdrawn,
  type Viewer,
} from '../access/index.ts';
import { usualRule } from '../index.ts';
import type { VerdictRecord, VerdictStore } from '../record/index.ts';
import {
  type Adjudication,
  type AdjudicationStore,
  hasSeen,
  isGoldRight,
  type VoteStore,
} from '../voting/index.ts';
import { mixGold, reasonsText, type VotedVerdict, voteQueue } from './vote-queue.ts';

type QueueStore = VerdictStore & VoteStore & AdjudicationStore & ChannelSettingsStore & KeyValue;

/** A queued verdict. Nothing in it reveals whether it is a gold case. */
export interface QueuedVerdict extends VotedVerdict {
  /** Why it needs a vote; may be empty. */
  reason: string;
}

/**
 * How far the search went: the newest `most` verdicts the viewer may see or, if `isCut`, the newest `most` of all
 * conversations.
 */
export interface LookedAt {
  most: number;
  isCut: boolean;
}

export type VoteQueue = Awaited<ReturnType<typeof readVoteQueue>>;

/** Older verdicts are not queued. */
const MAX_RECENT = 200;
/** How many verdicts across all conversations are searched for these, and how many at a time. */
const WALK = { most: 2_000, atOnce: 200 } as const;
/** How many gold cases to find, how many recent rulings to search for them, and how many to read at a time. */
const GOLD = { wanted: 50, lookedAt: 500, atOnce: 50 } as const;

async function withVotes(store: QueueStore, records: readonly VerdictRecord[]): Promise<VotedVerdict[]> {
  const votes = await store.votesOn(records.map(({ id }) => id));
  return records.map((record, index) => ({ record, votes: votes[index] ?? [] }));
}

async function visibleTo(
  store: QueueStore,
  { maySee }: Viewer,
  records: readonly VerdictRecord[],
  now: number,
): Promise<VerdictRecord[]> {
  const sees = async (record: VerdictRecord): Promise<boolean> =>
    (await maySee(record)) && !(await isWithdrawn(store, record.id, now));
  const seen = await Promise.all(records.map(sees));
  return records.filter((_, index) => seen[index]);
}

/** The newest requested verdicts that the viewer may see, skipping those they may not. */
async function requestedFor(
  store: QueueStore,
  viewer: Viewer,
  ruledOn: ReadonlySet<string>,
  now: number,
): Promise<{ found: VerdictRecord[]; isCut: boolean }> {
  const visible: VerdictRecord[] = [];
  const look = async (page: readonly VerdictRecord[]): Promise<void> => {
    // Gold cases have no message; they must not crowd out requested verdicts.
    const requested = page.filter(({ source, id }) => source.message !== null || !ruledOn.has(id));
    visible.push(...(await visibleTo(store, viewer, requested, now)));
  };
  let page: VerdictRecord[] = [];
  let isCut = false;
  let walked = 0;
  for await (const record of store.allVerdicts()) {
    isCut = walked === WALK.most;
    if (isCut || visible.length >= MAX_RECENT) break;
    walked += 1;
    page.push(record);
    if (page.length < WALK.atOnce) continue;
    await look(page);
    page = [];
  }
  await look(page);
  return { found: visible.slice(0, MAX_RECENT), isCut: isCut && visible.length < MAX_RECENT };
}

type Gold = VotedVerdict & { ruling: Adjudication };

/** The gold cases among some rulings that the viewer may see. */
async function goldIn(
  store: QueueStore,
  viewer: Viewer,
  rulings: readonly Adjudication[],
  now: number,
): Promise<Gold[]> {
  const stored = await Promise.all(rulings.map(({ verdictId }) => store.verdict(verdictId)));
  const records = stored.filter((record) => record !== null);
  const kept = await withVotes(store, await visibleTo(store, viewer, records, now));
  return kept.flatMap((one) => {
    const ruling = rulings.find(({ verdictId }) => verdictId === one.record.id);
    return ruling === undefined ? [] : [{ ...one, ruling }];
  });
}

/**
 * Gold cases that the viewer may see, newest first. Reads on until enough are left to ask about, however many the
 * viewer has answered and however many rulings belong to other channels.
 *
 * @param isLeft whether the viewer can still be asked about it
 */
async function goldFor(
  store: QueueStore,
  viewer: Viewer,
  rulings: readonly Adjudication[],
  isLeft: (one: VotedVerdict) => boolean,
  now: number,
): Promise<Gold[]> {
  const newest = rulings.slice(-GOLD.lookedAt).reverse();
  const gold: Gold[] = [];
  for (let from = 0; from < newest.length && gold.filter(isLeft).length < GOLD.wanted; from += GOLD.atOnce)
    gold.push(...(await goldIn(store, viewer, newest.slice(from, from + GOLD.atOnce), now)));
  return gold;
}

/** Counts only answers from earlier days: otherwise the number would reveal which case was gold. */
function ownRecord(gold: readonly Gold[], voter: string, today: number): { right: number; of: number } {
  const answers = gold.flatMap(({ record, votes, ruling }) => {
    const ownVote = votes.find((vote) => vote.voter === voter && vote.at < today);
    const right = ownVote === undefined ? null : isGoldRight(ownVote, record, ruling);
    return right === null ? [] : [right];
  });
  return { right: answers.filter((right) => right).length, of: answers.length };
}

async function settingsOf(
  store: QueueStore,
  verdicts: readonly VotedVerdict[],
): Promise<ReadonlyMap<string, ChannelSettings>> {
  const channels = [...new Set(verdicts.map(({ record }) => record.source.channel))];
  return new Map(
    await Promise.all(
      channels.map(async (channel) => [channel, await store.channelSettings(channel)] as const),
    ),
  );
}

/**
 * Recent verdicts that need the viewer's vote, mixed with gold cases if the channel is set up for them. A viewer gets
 * the same gold cases all day (UTC).
 *
 * @param isBlind whether the viewer sees no outcome before voting, even of verdicts that others see
 * @param language of the reasons
 * @throws JuryError `store-unavailable`
 */
export async function readVoteQueue(
  store: QueueStore,
  viewer: Viewer,
  now: number,
  isBlind = false,
  language: Language = 'en',
) {
  const rulings = await store.adjudications();
  const ruledOn = new Set(rulings.map(({ verdictId }) => verdictId));
  const { found, isCut } = await requestedFor(store, viewer, ruledOn, now);
  const recent = await withVotes(store, found);
  const isOwn = ({ votes }: VotedVerdict) => votes.some(({ voter }) => voter === viewer.voter);
  const hasSeenIt = async ({ record }: VotedVerdict): Promise<boolean> =>
    record.blind === true && hasSeen(store, record.id, viewer.voter, now);
  const isHidden = ({ blind = false }: VerdictRecord) => isBlind || blind;
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const isPast = ({ votes }: VotedVerdict) =>
    votes.some(({ voter, at }) => voter === viewer.voter && at < today);
  const settings = await settingsOf(store, recent);
  const mixes = ({ record }: VotedVerdict) => settings.get(record.source.channel)?.goldEvery !== undefined;
  const gold = recent.some(mixes)
    ? await goldFor(store, viewer, rulings, (one) => mixes(one) && !isPast(one), now)
    : [];
  // After taking back a blind answer, the viewer cannot give another.
  const open = [...recent, ...gold].filter((one) => !isOwn(one));
  const seen = await Promise.all(open.map(hasSeenIt));
  const unseen = new Set(open.flatMap(({ record }, index) => (seen[index] ? [] : [record.id])));
  // Mix as of the start of the day and only then drop what is answered: a gold case that came or went with an answer to
  // another case would give itself away.
  const asOfToday = (one: VotedVerdict): VotedVerdict[] =>
    isPast(one) || !(isOwn(one) || unseen.has(one.record.id))
      ? []
      : [{ record: one.record, votes: one.votes.filter(({ voter }) => voter !== viewer.voter) }];
  const queued = (one: VotedVerdict): QueuedVerdict => ({
    ...one,
    reason: reasonsText(one, usualRule, language),
  });
  const waiting = voteQueue(
    recent.filter(({ record }) => !ruledOn.has(record.id)).flatMap(asOfToday),
    usualRule,
  );
  const candidates = gold
    .flatMap(asOfToday)
    .map(queued)
    // Without a reason or a decision, a case would stand out as gold, unless both are hidden anyway.
    .filter(
      ({ record, reason }) => isHidden(record) || (reason !== '' && record.verdict.decision !== 'undecided'),
    );
  return {
    /** Recent verdicts that the viewer may see, newest first, with or without their vote. */
    recent: recent.filter(({ record }) => record.source.message !== null),
    /** Ids of recent verdicts whose outcome the viewer sees only after voting. */
    hidden: new Set(
      recent.flatMap(({ record }) => (record.blind === true && unseen.has(record.id) ? [record.id] : [])),
    ),
    /** Verdicts that need the viewer's vote, most informative first. */
    queue: mixGold(waiting.map(queued), candidates, {
      every: (channel) => settings.get(channel)?.goldEvery ?? null,
      isHidden,
      key: [viewer.voter, String(today)],
    }).filter(({ record }) => unseen.has(record.id)),
    lookedAt: { most: isCut ? WALK.most : MAX_RECENT, isCut },
    /** How many gold cases the viewer got right, up to yesterday (UTC). */
    own: ownRecord(gold, viewer.voter, today),
  };
}
