import * as z from 'zod';
import { emptyTallies } from '../../core/stances.ts';
import { VerdictRecord } from '../../core/verdict-record.ts';
import type { Vote } from '../../core/vote.ts';
import { countKeys } from '../../core/vote-counts.ts';
import { parseStoredJson } from '../parse-stored.ts';
import type { Store } from '../store.ts';
import type { Connection } from './connect.ts';
import { groupText } from './counts.ts';
import type { Keys, ShardKeys } from './keys.ts';
import { pruneScript, saveScript } from './scripts.ts';
import { votesOf } from './votes.ts';

const pageSize = 100;
const Ids = z.array(z.string());

async function save(connection: Connection, keys: Keys, record: VerdictRecord): Promise<'saved' | 'known'> {
  const shard = keys.shardOf(record.id);
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
    [shard.verdict(record.id), shard.recent(null), shard.recent(channel), shard.counts(day), shard.days],
    [record.id, record.at, day, groups, ...Object.entries(fields).flat()],
  );
}

interface Entry {
  id: string;
  at: number;
}
const Entries = Ids.transform((flat) => {
  const entries: Entry[] = [];
  for (let n = 0; n + 1 < flat.length; n += 2) entries.push({ id: flat[n] ?? '', at: Number(flat[n + 1]) });
  return entries;
});
const inOrder = (a: Entry, b: Entry): number => a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

async function load(connection: Connection, keys: Keys, id: string): Promise<VerdictRecord | null> {
  const text = await connection.command(
    z.string().nullable(),
    'HGET',
    keys.shardOf(id).verdict(id),
    'record',
  );
  return text === null ? null : parseStoredJson(VerdictRecord, text, 'a verdict');
}

async function recent(
  connection: Connection,
  keys: Keys,
  { channel, limit, before }: Parameters<Store['recentVerdicts']>[0],
): Promise<VerdictRecord[]> {
  const from = before === undefined ? '+inf' : `(${before}`;
  const pages = await Promise.all(
    keys.shards.map((shard) =>
      connection.command(
        Entries,
        'ZREVRANGEBYSCORE',
        shard.recent(channel),
        from,
        '-inf',
        'WITHSCORES',
        'LIMIT',
        0,
        limit,
      ),
    ),
  );
  const newest = pages
    .flat()
    .sort((a, b) => inOrder(b, a))
    .slice(0, limit);
  const records = await Promise.all(newest.map(({ id }) => load(connection, keys, id)));
  return records.filter((record) => record !== null);
}

/** The verdicts of one part, oldest first. A page begins at the last time seen, after those of that time. */
async function* oldestFirst(connection: Connection, shard: ShardKeys): AsyncGenerator<Entry> {
  let from: number | '-inf' = '-inf';
  let seen = 0;
  for (;;) {
    const page: Entry[] = await connection.command(
      Entries,
      'ZRANGEBYSCORE',
      shard.recent(null),
      from,
      '+inf',
      'WITHSCORES',
      'LIMIT',
      seen,
      pageSize,
    );
    for (const entry of page) {
      seen = entry.at === from ? seen + 1 : 1;
      from = entry.at;
      yield entry;
    }
    if (page.length < pageSize) return;
  }
}

async function* allVotes(
  connection: Connection,
  keys: Keys,
): AsyncIterable<{ record: VerdictRecord; votes: Vote[] }> {
  const heads = await Promise.all(
    keys.shards.map(async (shard) => {
      const entries = oldestFirst(connection, shard);
      return { entries, next: await entries.next() };
    }),
  );
  for (;;) {
    const first = heads
      .flatMap((head) => (head.next.done === true ? [] : [{ head, entry: head.next.value }]))
      .sort((a, b) => inOrder(a.entry, b.entry))[0];
    if (first === undefined) return;
    const { head, entry } = first;
    const votes = await votesOf(connection, keys, entry.id);
    const record = votes.length === 0 ? null : await load(connection, keys, entry.id);
    if (record !== null) yield { record, votes };
    head.next = await head.entries.next();
  }
}

async function pruneOne(connection: Connection, shard: ShardKeys, id: string): Promise<number> {
  for (;;) {
    const channel = await connection.command(z.string().nullable(), 'HGET', shard.verdict(id), 'channel');
    const voters = await connection.command(Ids, 'HKEYS', shard.votes(id));
    const gone = await connection.run(
      z.int(),
      pruneScript,
      [
        shard.verdict(id),
        shard.votes(id),
        shard.recent(null),
        shard.recent(channel),
        ...voters.map((voter) => shard.voter(voter)),
      ],
      [id],
    );
    if (gone >= 0) return gone;
  }
}

async function prune(connection: Connection, keys: Keys, before: number): Promise<number> {
  let gone = 0;
  for (const shard of keys.shards) {
    for (;;) {
      const old = await connection.command(
        Ids,
        'ZRANGEBYSCORE',
        shard.recent(null),
        '-inf',
        `(${before}`,
        'LIMIT',
        0,
        pageSize,
      );
      if (old.length === 0) break;
      for (const id of old) gone += await pruneOne(connection, shard, id);
    }
  }
  return gone;
}

/** Marks and finished requests need no pruning: Redis lets them expire. */
export const redisVerdicts = (
  connection: Connection,
  keys: Keys,
): Pick<Store, 'saveVerdict' | 'verdict' | 'recentVerdicts' | 'allVotes' | 'prune'> => ({
  saveVerdict: (record) => save(connection, keys, record),
  verdict: (id) => load(connection, keys, id),
  recentVerdicts: (query) => recent(connection, keys, query),
  allVotes: () => allVotes(connection, keys),
  prune: (before) => prune(connection, keys, before),
});
