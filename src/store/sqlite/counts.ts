import * as z from 'zod';
import { VoteTally } from '../../core/vote.ts';
import { CountKey, type CountRow } from '../../core/vote-counts.ts';
import type { Store } from '../store.ts';
import type { Database } from './open-database.ts';

const columns = 'day, channel, rubric, method, models, kind, subject, decision';
const Row = z.object({ ...CountKey.shape, ...VoteTally.shape, items: z.int() });

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

const toCountRow = ({ agree, disagree, unsure, items, ...key }: z.infer<typeof Row>): CountRow => ({
  key,
  tally: { agree, disagree, unsure },
  items,
});

export const sqliteCounts = (database: Database): Pick<Store, 'counts'> => ({
  counts: ({ from, to }) =>
    database.read(() =>
      database
        .rows(
          Row,
          `SELECT ${columns}, agree, disagree, unsure, items FROM count_groups JOIN counts ON group_id = id
           WHERE day BETWEEN ? AND ? ORDER BY ${columns}, agree, disagree, unsure`,
          from,
          to,
        )
        .map(toCountRow),
    ),
});
