import * as z from 'zod';
import { withdrawnKey } from '../../labels/access/index.ts';
import {
  countKeys,
  emptyTallies,
  noVotes,
  queryFacts,
  searchFacts,
  searchWords,
  type VerdictRecord,
  type VerdictSearchStore,
  type VerdictStore,
} from '../../labels/record/index.ts';
import { Adjudication, type AdjudicationStore, type VoteStore } from '../../labels/voting/index.ts';
import { peopleKey } from '../../requests/index.ts';
import { storedJson, verdictReader } from '../store.ts';
import type { Database } from './database.ts';
import { countGroup, moveCount, votesOf } from './votes.ts';

const IdRow = z.object({ id: z.string() });
const recordColumn = () => z.string().transform(verdictReader());
const recordRow = (record: ReturnType<typeof recordColumn>) =>
  z.object({ record }).transform((row) => row.record);
/** Verdicts indexed, read or deleted per transaction, so that other calls do not wait long. */
const PAGE = 100;

const ChangesRow = z.object({ changes: z.int() });
/** Index pages merged per transaction. */
const MERGED_PAGES = 200;

/** Encodes a fact as a single word that occurs in no text. */
const encoded = (fact: string): string => `x${Buffer.from(fact).toString('hex')}x`;

/** Indexes a verdict for search. Call it within `write`. */
function indexWords(database: Database, record: VerdictRecord): void {
  const [words, facts] = [searchWords(record).join(' '), searchFacts(record).map(encoded).join(' ')];
  database.run`INSERT INTO verdict_words (rowid, words, facts)
    SELECT rowid, ${words}, ${facts} FROM verdicts WHERE id = ${record.id}`;
}

function verdictSearch(database: Database, RecordRow: ReturnType<typeof recordRow>): VerdictSearchStore {
  /** Indexes a page of verdicts saved by an earlier version; their row ids are lower than all indexed ones. */
  const indexPage = (): number => {
    const page = database.rows(RecordRow)`SELECT record FROM verdicts
      WHERE rowid < coalesce((SELECT rowid FROM verdict_words ORDER BY rowid LIMIT 1), 9e18)
      ORDER BY rowid DESC LIMIT ${PAGE}`;
    for (const record of page) indexWords(database, record);
    return page.length;
  };
  let indexed: Promise<void> | undefined;
  const indexAll = async (): Promise<void> => {
    while ((await database.write(indexPage)) > 0);
  };

  return {
    searchVerdicts: async (query) => {
      const { words = [], since = -Number.MAX_VALUE, until = Number.MAX_VALUE, after = '', limit } = query;
      const facts = queryFacts(query).map(encoded);
      if (after !== '' && (await database.first(IdRow)`SELECT id FROM verdicts WHERE id = ${after}`) === null)
        return [];
      const records = database.all(RecordRow);
      if (words.length + facts.length === 0) {
        return records`SELECT record FROM verdicts WHERE at >= ${since} AND at < ${until}
          AND (at, id) < (coalesce((SELECT at FROM verdicts WHERE id = ${after}), 9e18), ${after})
          ORDER BY at DESC, id DESC LIMIT ${limit}`;
      }
      indexed ??= indexAll().catch((thrown) => {
        indexed = undefined;
        throw thrown;
      });
      await indexed;
      const match = [
        ...words.map((word) => `words : "${word}"`),
        ...facts.map((one) => `facts : ${one}`),
      ].join(' AND ');
      // Row ids are in the order in which verdicts were given.
      return records`SELECT record FROM verdict_words JOIN verdicts ON verdicts.rowid = verdict_words.rowid
        WHERE verdict_words MATCH ${match}
        AND verdict_words.rowid < coalesce((SELECT rowid FROM verdicts WHERE id = ${after}), 9e18)
        AND verdict_words.rowid >= coalesce((SELECT rowid FROM verdicts WHERE at >= ${since} ORDER BY at LIMIT 1), 9e18)
        AND at < ${until} ORDER BY verdict_words.rowid DESC LIMIT ${limit}`;
    },
  };
}

export function sqliteVerdicts(
  database: Database,
): VerdictStore & VerdictSearchStore & Pick<VoteStore, 'allVoted'> {
  const record = recordColumn();
  const RecordRow = recordRow(record);
  const PlacedRow = z.object({ record, at: z.number(), id: z.string() });
  const VotedRow = PlacedRow.extend({ ruling: storedJson(Adjudication, 'a ruling').nullable() });

  function save(record: VerdictRecord): 'saved' | 'known' {
    const saved = database.run`INSERT OR IGNORE INTO verdicts
      VALUES (${record.id}, ${record.at}, ${record.source.channel}, ${JSON.stringify(record)})`;
    if (saved === 0) return 'known';
    indexWords(database, record);
    const groups = countKeys(record).map((key) => countGroup(database, key));
    for (const group of groups) moveCount(database, group, noVotes, +1);
    database.run`INSERT INTO standings
      VALUES (${record.id}, ${record.verdict.decision}, ${JSON.stringify(record.subjects)},
        ${JSON.stringify(groups)}, ${JSON.stringify(emptyTallies(record.subjects))})`;
    return 'saved';
  }

  /** Returns the number of deleted verdicts. */
  function prunePage(before: number): number {
    const ids = database.rows(IdRow)`SELECT id FROM verdicts WHERE at < ${before} ORDER BY at LIMIT ${PAGE}`;
    for (const { id } of ids) {
      database.run`DELETE FROM votes WHERE verdict_id = ${id}`;
      database.run`DELETE FROM adjudications WHERE verdict_id = ${id}`;
      database.run`DELETE FROM standings WHERE verdict_id = ${id}`;
      database.run`DELETE FROM marks WHERE key IN (${peopleKey(id)}, ${withdrawnKey(id)})`;
      database.run`DELETE FROM verdict_words WHERE rowid = (SELECT rowid FROM verdicts WHERE id = ${id})`;
      database.run`DELETE FROM verdicts WHERE id = ${id}`;
    }
    return ids.length;
  }

  /**
   * Purges deleted words from the full-text index, which would otherwise keep them until it grows. Works in small
   * steps.
   */
  async function sweepWords(): Promise<void> {
    const merge = (pages: number) => () => {
      const before = database.row(ChangesRow)`SELECT total_changes() AS changes`?.changes ?? 0;
      database.run`INSERT INTO verdict_words (verdict_words, rank) VALUES ('merge', ${pages})`;
      return (database.row(ChangesRow)`SELECT total_changes() AS changes`?.changes ?? 0) - before;
    };
    // FTS5: a negative number starts the merge; fewer than two changed rows mean that it is done.
    let changes = await database.write(merge(-MERGED_PAGES));
    while (changes >= 2) changes = await database.write(merge(MERGED_PAGES));
  }

  return {
    ...verdictSearch(database, RecordRow),
    saveVerdict: (record) => database.write(() => save(record)),
    verdict: (id) => database.first(RecordRow)`SELECT record FROM verdicts WHERE id = ${id}`,
    recentVerdicts: ({ channel, limit }) => {
      const recent = database.all(RecordRow);
      return channel === null
        ? recent`SELECT record FROM verdicts ORDER BY at DESC, id DESC LIMIT ${limit}`
        : recent`SELECT record FROM verdicts WHERE channel = ${channel} ORDER BY at DESC, id DESC LIMIT ${limit}`;
    },
    async *allVerdicts() {
      for (let last = { at: Number.MAX_VALUE, id: '' }; ; ) {
        const page = await database.all(PlacedRow)`SELECT at, id, record FROM verdicts
          WHERE (at, id) < (${last.at}, ${last.id}) ORDER BY at DESC, id DESC LIMIT ${PAGE}`;
        for (const { record } of page) yield record;
        const next = page.at(-1);
        if (next === undefined) return;
        last = next;
      }
    },
    async *allVoted() {
      for (let last = { at: -Number.MAX_VALUE, id: '' }; ; ) {
        const page = await database.read(() =>
          database.rows(VotedRow)`SELECT verdicts.at, id, record, ruling
            FROM verdicts LEFT JOIN adjudications ON adjudications.verdict_id = id
            WHERE (verdicts.at, id) > (${last.at}, ${last.id})
            AND (ruling IS NOT NULL OR EXISTS (SELECT 1 FROM votes WHERE votes.verdict_id = id))
            ORDER BY verdicts.at, id LIMIT ${PAGE}`.map((row) => ({
            ...row,
            votes: votesOf(database, row.id),
          })),
        );
        for (const { record, votes, ruling } of page)
          if (votes.length > 0 || ruling !== null) yield { record, votes, adjudication: ruling };
        const next = page.at(-1);
        if (next === undefined) return;
        last = next;
      }
    },
    prune: async (before, now) => {
      let gone = 0;
      let page: number;
      do {
        page = await database.write(() => prunePage(before));
        gone += page;
      } while (page > 0);
      await sweepWords();
      await database.write(() => {
        database.run`DELETE FROM marks WHERE until <= ${now}`;
        database.run`DELETE FROM checks WHERE known_until <= ${now}`;
        database.run`DELETE FROM changes WHERE at < ${before}`;
      });
      return gone;
    },
  };
}

const RulingRow = z.object({ ruling: storedJson(Adjudication, 'a ruling') }).transform((row) => row.ruling);

export const sqliteAdjudications = (database: Database): AdjudicationStore => ({
  adjudicate: (ruling) =>
    database.write(() => {
      const { verdictId, at } = ruling;
      if (database.row(IdRow)`SELECT id FROM verdicts WHERE id = ${verdictId}` === null)
        return 'unknown-verdict';
      const old = database.row(RulingRow)`SELECT ruling FROM adjudications WHERE verdict_id = ${verdictId}`;
      if (old !== null && at <= old.at) return at < old.at ? 'outdated' : 'unchanged';
      database.run`INSERT OR REPLACE INTO adjudications VALUES (${verdictId}, ${at}, ${JSON.stringify(ruling)})`;
      return 'kept';
    }),
  adjudication: (verdictId) =>
    database.first(RulingRow)`SELECT ruling FROM adjudications WHERE verdict_id = ${verdictId}`,
  adjudications: () => database.all(RulingRow)`SELECT ruling FROM adjudications ORDER BY at, verdict_id`,
});
