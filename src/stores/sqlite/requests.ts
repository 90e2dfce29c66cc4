import * as z from 'zod';
import { type RequestStore, SpotCheck } from '../../requests/spot-check.ts';
import { parseReadable, storedJson } from '../stored-values.ts';
import type { Database } from './database.ts';

const CheckRow = z.object({ spot_check: z.string() });
const ReadCheckRow = z.object({ spot_check: storedJson(SpotCheck, 'a request') });

function add(database: Database, check: SpotCheck): 'added' | 'known' {
  database.run`DELETE FROM checks WHERE id = ${check.id} AND known_until <= ${check.at}`;
  const added = database.run`INSERT OR IGNORE INTO checks (id, at, spot_check)
    VALUES (${check.id}, ${check.at}, ${JSON.stringify(check)})`;
  return added === 1 ? 'added' : 'known';
}

export const sqliteRequests = (database: Database): RequestStore => ({
  addSpotCheck: (check) => database.write(() => add(database, check)),
  claimSpotCheck: (id, owner, now, leaseMs) =>
    database.write(() => {
      const taken = database.row(
        ReadCheckRow,
      )`UPDATE checks SET owner = ${owner}, held_until = ${now + leaseMs}
        WHERE id = ${id} AND known_until IS NULL
        AND (owner IS NULL OR owner = ${owner} OR held_until <= ${now}) RETURNING spot_check`;
      return taken?.spot_check ?? null;
    }),
  abandonedSpotChecks: (now, limit) =>
    database.read(() => {
      const rows = database.rows(CheckRow)`SELECT spot_check FROM checks
        WHERE known_until IS NULL AND (held_until IS NULL OR held_until <= ${now})
        ORDER BY at, id LIMIT ${limit}`;
      return parseReadable(
        SpotCheck,
        rows.map(({ spot_check }) => spot_check),
      );
    }),
  noteSpotCheck: (check, owner, now, leaseMs) =>
    database.write(
      () =>
        database.run`UPDATE checks SET spot_check = ${JSON.stringify(check)}, held_until = ${now + leaseMs}
          WHERE id = ${check.id} AND known_until IS NULL AND owner = ${owner}` === 1,
    ),
  finishSpotCheck: async (id, now, keepMs) => {
    await database.write(
      () => database.run`UPDATE checks
        SET spot_check = NULL, owner = NULL, held_until = NULL, known_until = ${now + keepMs}
        WHERE id = ${id} AND known_until IS NULL`,
    );
  },
  pendingSpotChecks: () =>
    database.read(
      () =>
        database.row(z.object({ n: z.int() }))`SELECT count(*) AS n FROM checks WHERE known_until IS NULL`
          ?.n ?? 0,
    ),
});
