import * as z from 'zod';
import type { Store } from '../store.ts';
import { sqliteAdjudications } from './adjudications.ts';
import { sqliteChecks } from './checks.ts';
import { sqliteCounts } from './counts.ts';
import { sqliteMarks } from './marks.ts';
import { type DatabaseOptions, openDatabase } from './open-database.ts';
import { sqliteSchedules } from './schedules.ts';
import { sqliteSettings } from './settings.ts';
import { forgetAnnotations, sqliteStudies } from './studies.ts';
import { sqliteVerdicts } from './verdicts.ts';
import { forgetVotes, sqliteVotes } from './votes.ts';

/**
 * A store in one file, which several processes of one machine may share. Calls wait at most two seconds for
 * other processes' changes.
 *
 * @throws JuryError `store-unavailable` where the file cannot be opened, `config` where a newer version has written it
 */
export async function openSqliteStore(path: string, options: Partial<DatabaseOptions> = {}): Promise<Store> {
  const database = await openDatabase(path, options);
  return {
    kind: 'sqlite',
    ...sqliteVerdicts(database),
    ...sqliteVotes(database),
    ...sqliteAdjudications(database),
    ...sqliteCounts(database),
    ...sqliteChecks(database),
    ...sqliteMarks(database),
    ...sqliteSettings(database),
    ...sqliteSchedules(database),
    ...sqliteStudies(database),
    forgetVoter: (voter) =>
      database.write(() => ({
        votes: forgetVotes(database, voter),
        annotations: forgetAnnotations(database, voter),
      })),
    ping: async () => {
      await database.read(() => database.row(z.object({ one: z.int() }), 'SELECT 1 AS one'));
    },
    inspect: async () => ({ where: `SQLite in ${path}`, warnings: [] }),
    close: async () => database.close(),
  };
}
