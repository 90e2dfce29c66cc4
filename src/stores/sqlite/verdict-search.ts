import * as z from 'zod';
import { VerdictRecord } from '../../labels/verdict-record.ts';
import {
  queryFacts,
  searchFacts,
  searchWords,
  type VerdictSearchStore,
} from '../../labels/verdict-search.ts';
import { storedJson } from '../stored-values.ts';
import type { Database } from './database.ts';

const IdRow = z.object({ id: z.string() });
const RecordRow = z.object({ record: storedJson(VerdictRecord, 'a verdict') });
/** Verdicts of an earlier version that are indexed at a time. */
const PAGE = 100;

/** A fact as one word that no text has. */
const encoded = (fact: string): string => `x${Buffer.from(fact).toString('hex')}x`;

/** Has a verdict found by its words, within `write`. */
export function indexWords(database: Database, record: VerdictRecord): void {
  const [words, facts] = [searchWords(record).join(' '), searchFacts(record).map(encoded).join(' ')];
  database.run`INSERT INTO verdict_words (rowid, words, facts)
    SELECT rowid, ${words}, ${facts} FROM verdicts WHERE id = ${record.id}`;
}

export function sqliteVerdictSearch(database: Database): VerdictSearchStore {
  /** Verdicts of an earlier version have lower row ids than all that are indexed. */
  const indexPage = (): number => {
    const page = database.rows(RecordRow)`SELECT record FROM verdicts
      WHERE rowid < coalesce((SELECT rowid FROM verdict_words ORDER BY rowid LIMIT 1), 9e18)
      ORDER BY rowid DESC LIMIT ${PAGE}`;
    for (const { record } of page) indexWords(database, record);
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
      const found = database.all(RecordRow);
      if (words.length + facts.length === 0) {
        const rows = await found`SELECT record FROM verdicts WHERE at >= ${since} AND at < ${until}
          AND (at, id) < (coalesce((SELECT at FROM verdicts WHERE id = ${after}), 9e18), ${after})
          ORDER BY at DESC, id DESC LIMIT ${limit}`;
        return rows.map(({ record }) => record);
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
      const rows =
        await found`SELECT record FROM verdict_words JOIN verdicts ON verdicts.rowid = verdict_words.rowid
        WHERE verdict_words MATCH ${match}
        AND verdict_words.rowid < coalesce((SELECT rowid FROM verdicts WHERE id = ${after}), 9e18)
        AND verdict_words.rowid >= coalesce((SELECT rowid FROM verdicts WHERE at >= ${since} ORDER BY at LIMIT 1), 9e18)
        AND at < ${until} ORDER BY verdict_words.rowid DESC LIMIT ${limit}`;
      return rows.map(({ record }) => record);
    },
  };
}
