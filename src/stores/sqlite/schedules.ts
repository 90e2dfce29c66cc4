import * as z from 'zod';
import type { ScheduleStore } from '../../digests/digest-schedule.ts';
import { DigestSchedule } from '../../digests/digest-schedule.ts';
import { parseStoredJson } from '../parse-stored.ts';
import type { Database } from './open-database.ts';

const ScheduleRow = z.object({ schedule: z.string() });
const ProgressRow = z.object({ version: z.int(), text: z.string() });

export const sqliteSchedules = (database: Database): ScheduleStore => ({
  saveSchedule: async (schedule) => {
    await database.write(() =>
      database.run(
        "INSERT INTO digest_schedules VALUES (?, ?, 0, '') ON CONFLICT DO UPDATE SET schedule = excluded.schedule",
        schedule.id,
        JSON.stringify(schedule),
      ),
    );
  },
  schedules: () =>
    database.read(() =>
      database
        .rows(ScheduleRow, 'SELECT schedule FROM digest_schedules ORDER BY id')
        .map(({ schedule }) => parseStoredJson(DigestSchedule, schedule, 'a schedule of digests')),
    ),
  removeSchedule: (id) =>
    database.write(() => database.run('DELETE FROM digest_schedules WHERE id = ?', id) === 1),
  digestProgress: (id) =>
    database.read(() =>
      database.row(ProgressRow, 'SELECT version, progress AS text FROM digest_schedules WHERE id = ?', id),
    ),
  replaceDigestProgress: (id, version, text) =>
    database.write(
      () =>
        database.run(
          'UPDATE digest_schedules SET version = version + 1, progress = ? WHERE id = ? AND version = ?',
          text,
          id,
          version,
        ) === 1,
    ),
});
