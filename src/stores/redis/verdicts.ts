import * as z from 'zod';
import { Adjudication, type AdjudicationStore } from '../../labels/adjudication.ts';
import type { VoteStore } from '../../labels/cast-vote.ts';
import { countKeys, VerdictRecord, type VerdictStore } from '../../labels/verdict-record.ts';
import { emptyTallies, type Vote } from '../../labels/vote.ts';
import { parseStoredJson } from '../stored-values.ts';
import { type Connection, Pairs, script } from './connection.ts';
import type { Keys } from './keys.ts';
import { groupText, votesOf } from './votes.ts';

/** KEYS: verdict, recent, recent of the channel, counts, days. ARGV: id, at, day, groups, then the verdict's fields. */
const saveScript = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 'known' end
redis.call('HSET', KEYS[1], unpack(ARGV, 5))
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[5], 0, ARGV[3])
for group in string.gmatch(ARGV[4], '[^\\n]+') do redis.call('HINCRBY', KEYS[4], group .. '|0,0,0', 1) end
return 'saved'
`);

/** KEYS: verdict, votes, recent, recent of the channel, adjudications, then each voter. ARGV: id. Returns -1 if there was a vote in the meantime. */
const pruneScript = script(`
if redis.call('HLEN', KEYS[2]) ~= #KEYS - 5 then return -1 end
for n = 6, #KEYS do redis.call('SREM', KEYS[n], ARGV[1]) end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('HDEL', KEYS[5], ARGV[1])
redis.call('DEL', KEYS[2])
return redis.call('DEL', KEYS[1])
`);

const pageSize = 100;
const Ids = z.array(z.string());

async function save(connection: Connection, keys: Keys, record: VerdictRecord): Promise<'saved' | 'known'> {
  const { channel } = record.source;
  const day = new Date(record.at).toISOString().slice(0, 10);
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
  return connection.run(
    z.enum(['saved', 'known']),
    saveScript,
    [keys.verdict(record.id), keys.recent(null), keys.recent(channel), keys.counts(day), keys.days],
    [record.id, record.at, day, groups, ...Object.entries(fields).flat()],
  );
}

async function load(connection: Connection, keys: Keys, id: string): Promise<VerdictRecord | null> {
  const text = await connection.command(z.string().nullable(), 'HGET', keys.verdict(id), 'record');
  return text === null ? null : parseStoredJson(VerdictRecord, text, 'a verdict');
}

async function recent(
  connection: Connection,
  keys: Keys,
  { channel, limit, before }: Parameters<VerdictStore['recentVerdicts']>[0],
): Promise<VerdictRecord[]> {
  const ids = await connection.command(
    Ids,
    'ZREVRANGEBYSCORE',
    keys.recent(channel),
    before === undefined ? '+inf' : `(${before}`,
    '-inf',
    'LIMIT',
    0,
    limit,
  );
  const records: VerdictRecord[] = [];
  // In pages: reading thousands of records at once would delay all other replies.
  for (let from = 0; from < ids.length; from += pageSize) {
    const page = ids.slice(from, from + pageSize).map((id) => load(connection, keys, id));
    for (const record of await Promise.all(page)) if (record !== null) records.push(record);
  }
  return records;
}

/** Verdicts, oldest first. A page begins at the last time of the one before, skipping what was seen. */
async function* oldestFirst(connection: Connection, keys: Keys): AsyncGenerator<string> {
  let from = '-inf';
  let seen = 0;
  for (;;) {
    const page: [id: string, at: string][] = await connection.command(
      Pairs,
      'ZRANGEBYSCORE',
      keys.recent(null),
      from,
      '+inf',
      'WITHSCORES',
      'LIMIT',
      seen,
      pageSize,
    );
    for (const [id, at] of page) {
      seen = at === from ? seen + 1 : 1;
      from = at;
      yield id;
    }
    if (page.length < pageSize) return;
  }
}

async function* allVotes(
  connection: Connection,
  keys: Keys,
): AsyncIterable<{ record: VerdictRecord; votes: Vote[] }> {
  for await (const id of oldestFirst(connection, keys)) {
    const votes = await votesOf(connection, keys, id);
    const record = votes.length === 0 ? null : await load(connection, keys, id);
    if (record !== null) yield { record, votes };
  }
}

async function pruneOne(connection: Connection, keys: Keys, id: string): Promise<number> {
  for (;;) {
    const channel = await connection.command(z.string().nullable(), 'HGET', keys.verdict(id), 'channel');
    const voters = await connection.command(Ids, 'HKEYS', keys.votes(id));
    const gone = await connection.run(
      z.int(),
      pruneScript,
      [
        keys.verdict(id),
        keys.votes(id),
        keys.recent(null),
        keys.recent(channel),
        keys.adjudications,
        ...voters.map((voter) => keys.voter(voter)),
      ],
      [id],
    );
    if (gone >= 0) return gone;
  }
}

async function prune(connection: Connection, keys: Keys, before: number): Promise<number> {
  let gone = 0;
  for (;;) {
    const old = await connection.command(
      Ids,
      'ZRANGEBYSCORE',
      keys.recent(null),
      '-inf',
      `(${before}`,
      'LIMIT',
      0,
      pageSize,
    );
    if (old.length === 0) return gone;
    for (const id of old) gone += await pruneOne(connection, keys, id);
  }
}

/** Other keys and finished requests need no pruning: Redis expires them. */
export const redisVerdicts = (
  connection: Connection,
  keys: Keys,
): VerdictStore & Pick<VoteStore, 'allVotes'> => ({
  saveVerdict: (record) => save(connection, keys, record),
  verdict: (id) => load(connection, keys, id),
  recentVerdicts: (query) => recent(connection, keys, query),
  allVotes: () => allVotes(connection, keys),
  prune: (before) => prune(connection, keys, before),
});

/** KEYS: verdict, adjudications. ARGV: verdict id, at, ruling. */
const adjudicateScript = script(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 'unknown-verdict' end
local old = redis.call('HGET', KEYS[2], ARGV[1])
if old then
  local old_at = tonumber(string.match(old, '^([^|]*)|'))
  if tonumber(ARGV[2]) < old_at then return 'outdated' end
  if tonumber(ARGV[2]) == old_at then return 'unchanged' end
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] .. '|' .. ARGV[3])
return 'kept'
`);

export const redisAdjudications = (connection: Connection, keys: Keys): AdjudicationStore => ({
  adjudicate: (ruling) =>
    connection.run(
      z.enum(['kept', 'unchanged', 'outdated', 'unknown-verdict']),
      adjudicateScript,
      [keys.verdict(ruling.verdictId), keys.adjudications],
      [ruling.verdictId, ruling.at, JSON.stringify(ruling)],
    ),
  adjudications: async () =>
    (await connection.command(z.array(z.string()), 'HVALS', keys.adjudications))
      .map((kept) => parseStoredJson(Adjudication, kept.slice(kept.indexOf('|') + 1), 'a ruling'))
      .sort((a, b) => a.at - b.at || (a.verdictId < b.verdictId ? -1 : 1)),
});
