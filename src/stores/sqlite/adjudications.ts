import * as z from 'zod';
import type { AdjudicationStore } from '../../labels/adjudication.ts';
import { Adjudication } from '../../labels/adjudication.ts';
import { parseStoredJson } from '../parse-stored.ts';
import type { Database } from './open-database.ts';

const RulingRow = z.object({ at: z.number(), ruling: z.string() });

function adjudicate(
  database: Database,
  ruling: Adjudication,
): Awaited<ReturnType<AdjudicationStore['adjudicate']>> {
  const { verdictId, at } = ruling;
  if (database.row(z.object({}), 'SELECT id FROM verdicts WHERE id = ?', verdictId) === null)
    return 'unknown-verdict';
  const old = database.row(RulingRow, 'SELECT at, ruling FROM adjudications WHERE verdict_id = ?', verdictId);
  if (old !== null && at <= old.at) return at < old.at ? 'outdated' : 'unchanged';
  database.run(
    'INSERT OR REPLACE INTO adjudications VALUES (?, ?, ?)',
    verdictId,
    at,
    JSON.stringify(ruling),
  );
  return 'kept';
}

export const sqliteAdjudications = (database: Database): AdjudicationStore => ({
  adjudicate: (ruling) => database.write(() => adjudicate(database, ruling)),
  adjudications: () =>
    database.read(() =>
      database
        .rows(RulingRow, 'SELECT at, ruling FROM adjudications ORDER BY at, verdict_id')
        .map(({ ruling }) => parseStoredJson(Adjudication, ruling, 'a ruling')),
    ),
});
