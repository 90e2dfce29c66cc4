import * as z from 'zod';
import type { VoteTally } from '../../labels/vote.ts';
import type { CountStore } from '../../labels/vote-counts.ts';
import { CountKey, type CountRow } from '../../labels/vote-counts.ts';
import { tallyReader } from '../tally-text.ts';
import type { Database } from './open-database.ts';

const columns = 'day, channel, rubric, method, models, kind, subject, decision';
/** A group with its histogram, `agree,disagree,unsure:items` with semicolons between them: thousands of rows read as few. */
const Row = z.object({
  ...CountKey.shape,
  histogram: z.string().regex(/^\d+,\d+,\d+:\d+(;\d+,\d+,\d+:\d+)*$/),
});

/** The number of a group, made where there is none. Within `write`. */
export function countGroup(database: Database, key: CountKey): number {
  const values = [
    key.day,
    key.channel,
    key.rubric,
    key.method,
    key.models,
    key.kind,
    key.subject,
    key.decision,
  ];
  database.run(`INSERT OR IGNORE INTO count_groups (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, ...values);
  const found = database.row(
    z.object({ id: z.int() }),
    `SELECT id FROM count_groups WHERE (${columns}) = (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...values,
  );
  return z.object({ id: z.int() }).parse(found).id;
}

/** Changes how many items of a group have a tally. Within `write`. */
export function moveCount(
  database: Database,
  group: number,
  { agree, disagree, unsure }: VoteTally,
  by: 1 | -1,
): void {
  database.run(
    'INSERT INTO counts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET items = items + excluded.items',
    group,
    agree,
    disagree,
    unsure,
    by,
  );
  database.run(
    'DELETE FROM counts WHERE group_id = ? AND agree = ? AND disagree = ? AND unsure = ? AND items = 0',
    group,
    agree,
    disagree,
    unsure,
  );
}

function toCountRows(
  { histogram, ...key }: z.infer<typeof Row>,
  tallyOf: (text: string) => VoteTally,
): CountRow[] {
  return histogram.split(';').map((bar) => {
    const colon = bar.indexOf(':');
    return { key, tally: tallyOf(bar.slice(0, colon)), items: Number(bar.slice(colon + 1)) };
  });
}

export const sqliteCounts = (database: Database): CountStore => ({
  counts: ({ from, to }) =>
    database.read(() => {
      const tallyOf = tallyReader();
      return database
        .rows(
          Row,
          `SELECT ${columns}, group_concat(agree || ',' || disagree || ',' || unsure || ':' || items, ';') AS histogram
           FROM count_groups JOIN counts ON group_id = id WHERE day BETWEEN ? AND ? GROUP BY id`,
          from,
          to,
        )
        .flatMap((row) => toCountRows(row, tallyOf));
    }),
});
