import * as z from 'zod';
import { VerdictRecord } from '../../labels/verdict-record.ts';
import {
  queryFacts,
  searchFacts,
  searchWords,
  type VerdictQuery,
  type VerdictSearchStore,
} from '../../labels/verdict-search.ts';
import { parseStoredJson } from '../stored-values.ts';
import { type Connection, script } from './connection.ts';
import type { Keys } from './keys.ts';

/** What a verdict is found by. Facts have a colon, which no word has. */
export const termsOf = (record: VerdictRecord): string[] => [...searchWords(record), ...searchFacts(record)];

/**
 * KEYS: each term, the rarest first. ARGV: bounds of time, offset, page size, the last id of the page before. Those of a page of the
 * first that are in all others, after the number of those looked at. Ids of one moment are in their order.
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

/** Ids that are looked at in one step, so that nothing else waits long. */
const PAGE = 500;

export function redisVerdictSearch(redis: Connection, keys: Keys): VerdictSearchStore {
  const load = async (id: string): Promise<VerdictRecord | null> => {
    const text = await redis.text('HGET', keys.verdict(id), 'record');
    return text === null ? null : parseStoredJson(VerdictRecord, text, 'a verdict');
  };

  /** Verdicts of an earlier version have no terms yet. */
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

  /** The sorted sets that all hold what a query finds, the smallest first. */
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

  /** Where a page begins, as a bound of time; null if the verdict that it comes after is gone. */
  async function startOf(after: string | undefined, until: number | undefined): Promise<string | null> {
    if (after !== undefined) return redis.text('ZSCORE', keys.recent(null), after);
    return until === undefined ? '+inf' : `(${until}`;
  }

  /** The ids that are in all of these sorted sets, newest first. @param query its `after` is the last one of the page before */
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
