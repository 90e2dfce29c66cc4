import * as z from 'zod';
import { dayOf } from '../../common/text/index.ts';
import { withdrawnKey } from '../../labels/access/index.ts';
import {
  countKeys,
  emptyTallies,
  queryFacts,
  searchFacts,
  searchWords,
  type VerdictQuery,
  type VerdictRecord,
  type VerdictSearchStore,
  type VerdictStore,
} from '../../labels/record/index.ts';
import { Adjudication, type AdjudicationStore, type VoteStore } from '../../labels/voting/index.ts';
import { peopleKey } from '../../requests/index.ts';
import { groupText, parseStored, parseStoredJson, verdictReader } from '../store.ts';
import { type Connection, type Keys, Stamped, script } from './connection.ts';
import { votesOf } from './votes.ts';

/** The index terms of a verdict. Facts contain a colon, which no word does. */
const termsOf = (record: VerdictRecord): string[] => [...searchWords(record), ...searchFacts(record)];

/**
 * Intersects one page of the first term's ids with all other terms. Ids with equal times are in id order. KEYS: each
 * term, rarest first. ARGV: upper and lower time bound, offset, page size, last id of the previous result page. Returns
 * the number of ids looked at, then the matching ids.
 */
const scan = script(z.tuple([z.int()]).rest(z.string()))`
local page = redis.call('ZREVRANGEBYSCORE', KEYS[1], ARGV[1], ARGV[2], 'WITHSCORES', 'LIMIT', ARGV[3], ARGV[4])
local found = {#page / 2}
for n = 1, #page, 2 do
  local id, at = page[n], page[n + 1]
  local isNew = ARGV[5] == '' or at ~= ARGV[1] or id < ARGV[5]
  for k = 2, #KEYS do isNew = isNew and redis.call('ZSCORE', KEYS[k], id) end
  if isNew then table.insert(found, id) end
end
return found`;

/** KEYS: each term. ARGV: verdict id, at. */
const addTerms = script(z.int())`
for n = 1, #KEYS do redis.call('ZADD', KEYS[n], ARGV[2], ARGV[1]) end
return #KEYS`;

/** Ids scanned per call, so that other commands do not wait long. */
const PAGE = 500;

function verdictSearch(
  redis: Connection,
  keys: Keys,
  load: (id: string) => Promise<VerdictRecord | null>,
): VerdictSearchStore {
  /** Indexes verdicts saved by an earlier version, once. */
  async function build(): Promise<void> {
    if ((await redis.text('GET', keys.termsBuilt)) !== null) return;
    const ids = await redis.texts('ZRANGE', keys.recent(null), 0, -1);
    for (const id of ids) {
      const record = await load(id);
      if (record !== null) await redis.run(addTerms, termsOf(record).map(keys.term), [id, record.at]);
    }
    await redis.text('SET', keys.termsBuilt, '1');
  }
  let built: Promise<void> | undefined;

  /** The sorted sets to intersect for a query, smallest first. */
  async function placesOf(query: VerdictQuery): Promise<string[]> {
    const terms = [...(query.words ?? []), ...queryFacts(query)];
    if (terms.length === 0) return [keys.recent(null)];
    built ??= build().catch((thrown) => {
      built = undefined;
      throw thrown;
    });
    await built;
    const sized = await Promise.all(
      terms.map(keys.term).map(async (place) => ({ place, size: await redis.number('ZCARD', place) })),
    );
    return sized.sort((a, b) => a.size - b.size).map(({ place }) => place);
  }

  /** Upper time bound of a page; null if the verdict it continues from is gone. */
  async function startOf(after: string | undefined, until: number | undefined): Promise<string | null> {
    if (after !== undefined) return redis.text('ZSCORE', keys.recent(null), after);
    return until === undefined ? '+inf' : `(${until}`;
  }

  /**
   * Ids that are in all of these sorted sets, newest first.
   *
   * @param query its `after` is the last id of the previous page
   */
  async function* idsIn(
    places: readonly string[],
    { since, until, after }: VerdictQuery,
  ): AsyncGenerator<string> {
    const from = await startOf(after, until);
    if (from === null) return;
    for (let offset = 0; ; offset += PAGE) {
      const range = [from, since ?? '-inf', offset, PAGE, after ?? ''];
      const [looked, ...ids]: [number, ...string[]] = await redis.run(scan, places, range);
      yield* ids;
      if (looked < PAGE) return;
    }
  }

  return {
    searchVerdicts: async (query) => {
      if (query.limit < 1) return [];
      const ids: string[] = [];
      for await (const id of idsIn(await placesOf(query), query)) {
        ids.push(id);
        if (ids.length === query.limit) break;
      }
      return (await Promise.all(ids.map(load))).filter((record) => record !== null);
    },
  };
}

/**
 * KEYS: verdict, recent, recent of the channel, counts, days, then each term. ARGV: id, at, day, groups, then the
 * verdict's fields.
 */
const save = script(z.enum(['saved', 'known']))`
if redis.call('EXISTS', KEYS[1]) == 1 then return 'known' end
redis.call('HSET', KEYS[1], unpack(ARGV, 5))
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[5], 0, ARGV[3])
for n = 6, #KEYS do redis.call('ZADD', KEYS[n], ARGV[2], ARGV[1]) end
for group in string.gmatch(ARGV[4], '[^\n]+') do redis.call('HINCRBY', KEYS[4], group .. '|0,0,0', 1) end
return 'saved'`;

/**
 * KEYS: verdict, votes, recent, recent of the channel, adjudications, then each voter and each term. ARGV: id, number
 * of voters. Returns -1 if someone voted in the meantime.
 */
const prune = script(z.int())`
local voters = tonumber(ARGV[2])
if redis.call('HLEN', KEYS[2]) ~= voters then return -1 end
for n = 6, 5 + voters do redis.call('SREM', KEYS[n], ARGV[1]) end
for n = 6 + voters, #KEYS do redis.call('ZREM', KEYS[n], ARGV[1]) end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('HDEL', KEYS[5], ARGV[1])
redis.call('DEL', KEYS[2])
return redis.call('DEL', KEYS[1])`;

/** KEYS: some verdicts. Returns the record of each; null for a deleted verdict. */
const readRecords = script(z.array(z.string().nullable()))`
local found = {}
for n = 1, #KEYS do found[n] = redis.call('HGET', KEYS[n], 'record') end
return found`;

const pageSize = 100;

/** Other keys and finished requests need no pruning: Redis expires them. */
export function redisVerdicts(
  redis: Connection,
  keys: Keys,
): VerdictStore & VerdictSearchStore & Pick<VoteStore, 'allVoted'> {
  const recordOf = verdictReader();

  async function load(id: string): Promise<VerdictRecord | null> {
    const text = await redis.text('HGET', keys.verdict(id), 'record');
    return text === null ? null : recordOf(text);
  }

  async function loadAll(ids: readonly string[]): Promise<VerdictRecord[]> {
    if (ids.length === 0) return [];
    const texts = await redis.run(readRecords, ids.map(keys.verdict), []);
    return texts.flatMap((text) => (text === null ? [] : [recordOf(text)]));
  }

  /** Pages of all ids by time. Each page starts at the last time of the previous one, skipping ids already seen. */
  async function* pages(command: 'ZRANGEBYSCORE' | 'ZREVRANGEBYSCORE'): AsyncGenerator<string[]> {
    let [from, end] = command === 'ZRANGEBYSCORE' ? ['-inf', '+inf'] : ['+inf', '-inf'];
    let seen = new Set<string>();
    for (;;) {
      const range = [keys.recent(null), from, end, 'WITHSCORES', 'LIMIT', 0, pageSize + seen.size];
      const page = await redis.pairs(command, ...range);
      const fresh = page.filter(([id]) => !seen.has(id));
      const last = fresh.at(-1)?.[1];
      if (last === undefined) return;
      yield fresh.map(([id]) => id);
      seen = new Set(page.filter(([, at]) => at === last).map(([id]) => id));
      from = last;
    }
  }

  async function pruneOne(id: string): Promise<number> {
    for (;;) {
      const channel = await redis.text('HGET', keys.verdict(id), 'channel');
      const voters = (await redis.texts('HKEYS', keys.votes(id))).map(keys.voter);
      const recent = [keys.recent(null), keys.recent(channel)];
      const record = await load(id).catch(() => null);
      const terms = record === null ? [] : termsOf(record).map(keys.term);
      const touched = [keys.verdict(id), keys.votes(id), ...recent, keys.adjudications, ...voters, ...terms];
      await redis.number('DEL', keys.value(peopleKey(id)));
      const gone = await redis.run(prune, touched, [id, voters.length]);
      if (gone < 0) continue;
      // Last, so that a crash in between does not reveal a withdrawn verdict.
      await redis.number('DEL', keys.value(withdrawnKey(id)));
      return gone;
    }
  }

  return {
    ...verdictSearch(redis, keys, load),
    saveVerdict: (record) => {
      const { channel } = record.source;
      const day = dayOf(record.at);
      const groups = countKeys(record).map(groupText).join('\n');
      const fields = {
        record: JSON.stringify(record),
        decided: record.verdict.decision,
        subjects: JSON.stringify(record.subjects),
        groups,
        day,
        channel,
        tallies: emptyTallies(record.subjects)
          .map(({ agree, disagree, unsure }) => `${agree},${disagree},${unsure}`)
          .join(';'),
      };
      return redis.run(
        save,
        [
          ...[keys.verdict(record.id), keys.recent(null), keys.recent(channel), keys.counts(day), keys.days],
          ...termsOf(record).map(keys.term),
        ],
        [record.id, record.at, day, groups, ...Object.entries(fields).flat()],
      );
    },
    verdict: load,
    recentVerdicts: async ({ channel, limit }) => {
      if (limit < 1) return [];
      const ids = await redis.texts('ZREVRANGE', keys.recent(channel), 0, limit - 1);
      const records: VerdictRecord[] = [];
      // In pages: reading thousands of records at once would delay all other replies.
      for (let from = 0; from < ids.length; from += pageSize)
        records.push(...(await loadAll(ids.slice(from, from + pageSize))));
      return records;
    },
    async *allVerdicts() {
      for await (const ids of pages('ZREVRANGEBYSCORE')) yield* await loadAll(ids);
    },
    async *allVoted() {
      const rulings = new Map((await rulingsIn(redis, keys)).map((ruling) => [ruling.verdictId, ruling]));
      for await (const ids of pages('ZRANGEBYSCORE'))
        for (const id of ids) {
          const votes = await votesOf(redis, keys, id);
          const adjudication = rulings.get(id) ?? null;
          const record = votes.length === 0 && adjudication === null ? null : await load(id);
          if (record !== null) yield { record, votes, adjudication };
        }
    },
    prune: async (before) => {
      const range = [keys.recent(null), '-inf', `(${before}`, 'LIMIT', 0, pageSize];
      let gone = 0;
      for (;;) {
        const old = await redis.texts('ZRANGEBYSCORE', ...range);
        if (old.length === 0) break;
        for (const id of old) gone += await pruneOne(id);
      }
      await redis.number('ZREMRANGEBYSCORE', keys.changes, '-inf', `(${before}`);
      return gone;
    },
  };
}

/** KEYS: verdict, adjudications. ARGV: verdict id, at, ruling. */
const adjudicate = script(z.enum(['kept', 'unchanged', 'outdated', 'unknown-verdict']))`
if redis.call('EXISTS', KEYS[1]) == 0 then return 'unknown-verdict' end
local late = not_newer(ARGV[2], (split(redis.call('HGET', KEYS[2], ARGV[1]))))
if late then return late end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] .. '|' .. ARGV[3])
return 'kept'`;

const readRuling = (kept: string): Adjudication =>
  parseStoredJson(Adjudication, parseStored(Stamped, kept, 'a ruling').text, 'a ruling');

const rulingsIn = async (redis: Connection, { adjudications }: Keys): Promise<Adjudication[]> =>
  (await redis.texts('HVALS', adjudications)).map(readRuling);

export const redisAdjudications = (redis: Connection, keys: Keys): AdjudicationStore => ({
  adjudicate: (ruling) => {
    const { verdictId, at } = ruling;
    const touched = [keys.verdict(verdictId), keys.adjudications];
    return redis.run(adjudicate, touched, [verdictId, at, JSON.stringify(ruling)]);
  },
  adjudication: async (verdictId) => {
    const kept = await redis.text('HGET', keys.adjudications, verdictId);
    return kept === null ? null : readRuling(kept);
  },
  adjudications: async () =>
    (await rulingsIn(redis, keys)).sort((a, b) => a.at - b.at || (a.verdictId < b.verdictId ? -1 : 1)),
});
