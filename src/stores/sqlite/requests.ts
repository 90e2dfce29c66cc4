import * as z from 'zod';
import { type RequestStore, SpotCheck } from '../../requests/spot-check.ts';
import { parseReadable, parseStoredJson } from '../stored-values.ts';
import type { Database } from './database.ts';

const CheckRow = z.object({ spot_check: z.string() });
const toCheck = ({ spot_check }: z.infer<typeof CheckRow>): SpotCheck =>
  parseStoredJson(SpotCheck, spot_check, 'a request');

function add(database: Database, check: SpotCheck): 'added' | 'known' {
  database.run('DELETE FROM checks WHERE id = ? AND known_until <= ?', check.id, check.at);
  const added = database.run(
    'INSERT OR IGNORE INTO checks (id, at, spot_check) VALUES (?, ?, ?)',
    check.id,
    check.at,
    JSON.stringify(check),
  );
  return added === 1 ? 'added' : 'known';
}

export const sqliteRequests = (database: Database): RequestStore => ({
  addSpotCheck: (check) => database.write(() => add(database, check)),
  claimSpotCheck: (id, owner, now, leaseMs) =>
    database.write(() => {
      const taken = database.row(
        CheckRow,
        `UPDATE checks SET owner = ?, held_until = ? WHERE id = ? AND known_until IS NULL
         AND (owner IS NULL OR owner = ? OR held_until <= ?) RETURNING spot_check`,
        owner,
        now + leaseMs,
        id,
        owner,
        now,
      );
      return taken === null ? null : toCheck(taken);
    }),
  abandonedSpotChecks: (now, limit) =>
    database.read(() => {
      const rows = database.rows(
        CheckRow,
        `SELECT spot_check FROM checks WHERE known_until IS NULL AND (held_until IS NULL OR held_until <= ?)
         ORDER BY at, id LIMIT ?`,
        now,
        limit,
      );
      return parseReadable(
        SpotCheck,
        rows.map(({ spot_check }) => spot_check),
      );
    }),
  noteSpotCheck: (check, owner, now, leaseMs) =>
    database.write(
      () =>
        database.run(
          'UPDATE checks SET spot_check = ?, held_until = ? WHERE id = ? AND known_until IS NULL AND owner = ?',
          JSON.stringify(check),
          now + leaseMs,
          check.id,
          owner,
        ) === 1,
    ),
  finishSpotCheck: async (id, now, keepMs) => {
    await database.write(() =>
      database.run(
        `UPDATE checks SET spot_check = NULL, owner = NULL, held_until = NULL, known_until = ?
         WHERE id = ? AND known_until IS NULL`,
        now + keepMs,
        id,
      ),
    );
  },
  pendingSpotChecks: () =>
    database.read(
      () =>
        database.row(z.object({ n: z.int() }), 'SELECT count(*) AS n FROM checks WHERE known_until IS NULL')
          ?.n ?? 0,
    ),
});
