import * as z from 'zod';
import type { KeyValue } from '../../common/key-value.ts';
import { DigestSchedule, type ScheduleStore } from '../../digests/digest-schedule.ts';
import { ChannelSettings, type ChannelSettingsStore, noSettings } from '../../labels/channel-settings.ts';
import type { Store } from '../store.ts';
import { storedJson } from '../stored-values.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { sqliteRequests } from './requests.ts';
import { forgetAnnotations, sqliteStudies } from './studies.ts';
import { sqliteAdjudications, sqliteVerdicts } from './verdicts.ts';
import { forgetVotes, sqliteCounts, sqliteVotes } from './votes.ts';

const ValueRow = z.object({ value: z.string() });

const standingValue = (database: Database, key: string, now: number): string | null =>
  database.row(ValueRow)`SELECT value FROM marks WHERE key = ${key} AND until > ${now}`?.value ?? null;

const sqliteKeyValue = (database: Database): KeyValue => ({
  setIfAbsent: (key, value, now, ttlMs) =>
    database.write(() => {
      const found = standingValue(database, key, now);
      if (found !== null) return { set: false, value: found };
      database.run`INSERT OR REPLACE INTO marks VALUES (${key}, ${value}, ${now + ttlMs})`;
      return { set: true };
    }),
  get: (key, now) => database.read(() => standingValue(database, key, now)),
  compareAndSet: (key, expected, value, now, ttlMs) =>
    database.write(
      () =>
        database.run`UPDATE marks SET value = ${value}, until = ${now + ttlMs}
          WHERE key = ${key} AND value = ${expected} AND until > ${now}` === 1,
    ),
  delete: async (key) => {
    await database.write(() => database.run`DELETE FROM marks WHERE key = ${key}`);
  },
});

const ScheduleRow = z.object({ schedule: storedJson(DigestSchedule, 'a digest schedule') });
const ProgressRow = z.object({ version: z.int(), text: z.string() });

const sqliteSchedules = (database: Database): ScheduleStore => ({
  saveSchedule: async (schedule) => {
    await database.write(
      () =>
        database.run`INSERT INTO digest_schedules VALUES (${schedule.id}, ${JSON.stringify(schedule)}, 0, '')
        ON CONFLICT DO UPDATE SET schedule = excluded.schedule`,
    );
  },
  schedules: () =>
    database.read(() =>
      database.rows(ScheduleRow)`SELECT schedule FROM digest_schedules ORDER BY id`.map(
        ({ schedule }) => schedule,
      ),
    ),
  removeSchedule: (id) =>
    database.write(() => database.run`DELETE FROM digest_schedules WHERE id = ${id}` === 1),
  digestProgress: (id) =>
    database.read(
      () =>
        database.row(ProgressRow)`SELECT version, progress AS text FROM digest_schedules WHERE id = ${id}`,
    ),
  replaceDigestProgress: (id, version, text) =>
    database.write(
      () =>
        database.run`UPDATE digest_schedules SET version = version + 1, progress = ${text}
          WHERE id = ${id} AND version = ${version}` === 1,
    ),
});

const SettingsRow = z.object({ settings: storedJson(ChannelSettings, 'channel settings') });

const sqliteSettings = (database: Database): ChannelSettingsStore => ({
  channelSettings: (channel) =>
    database.read(
      () =>
        database.row(SettingsRow)`SELECT settings FROM channel_settings WHERE channel = ${channel}`
          ?.settings ?? noSettings,
    ),
  saveChannelSettings: async (channel, settings) => {
    await database.write(
      () =>
        database.run`INSERT OR REPLACE INTO channel_settings VALUES (${channel}, ${JSON.stringify(settings)})`,
    );
  },
});

/**
 * A store in one file, which several processes on one machine can share. Calls wait at most two seconds for other processes' changes.
 *
 * @throws JuryError `store-unavailable` if the file cannot be opened, `config` if a newer version has written it
 */
export async function openSqliteStore(path: string, options: Partial<DatabaseOptions> = {}): Promise<Store> {
  const database = await openDatabase(path, options);
  return {
    kind: 'sqlite',
    ...sqliteVerdicts(database),
    ...sqliteVotes(database),
    ...sqliteAdjudications(database),
    ...sqliteCounts(database),
    ...sqliteRequests(database),
    ...sqliteKeyValue(database),
    ...sqliteSettings(database),
    ...sqliteSchedules(database),
    ...sqliteStudies(database),
    forgetVoter: (voter) =>
      database.write(() => ({
        votes: forgetVotes(database, voter),
        annotations: forgetAnnotations(database, voter),
      })),
    ping: async () => {
      await database.read(() => database.row(z.object({ one: z.int() }))`SELECT 1 AS one`);
    },
    inspect: async () => ({ where: `SQLite in ${path}`, warnings: [] }),
    close: async () => database.close(),
  };
}
