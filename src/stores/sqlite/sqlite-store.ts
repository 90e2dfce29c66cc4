import * as z from 'zod';
import type { KeyValue } from '../../common/key-value.ts';
import { Schedule, type ScheduleStore } from '../../digests/digest-schedule.ts';
import { type AuditStore, Change } from '../../labels/audit.ts';
import { ChannelSettings, type ChannelSettingsStore, noSettings } from '../../labels/channel-settings.ts';
import { LONGEST_LEASE_MS, type RequestStore, SpotCheck } from '../../requests/spot-check.ts';
import type { Store } from '../store.ts';
import { PROOF, parseReadable, storedJson } from '../stored-values.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { forgetAnnotations, sqliteStudies } from './studies.ts';
import { sqliteAdjudications, sqliteVerdicts } from './verdicts.ts';
import { forgetVotes, sqliteCounts, sqliteVotes } from './votes.ts';

const CheckRow = z.object({ spot_check: z.string() });
const ReadCheckRow = z.object({ spot_check: storedJson(SpotCheck, 'a request') });

const sqliteRequests = (database: Database): RequestStore => ({
  addSpotCheck: (check) =>
    database.write(() => {
      database.run`DELETE FROM checks WHERE id = ${check.id} AND known_until <= ${check.at}`;
      const added = database.run`INSERT OR IGNORE INTO checks (id, at, spot_check)
        VALUES (${check.id}, ${check.at}, ${JSON.stringify(check)})`;
      return added === 1 ? 'added' : 'known';
    }),
  claimSpotCheck: (id, owner, now, leaseMs) =>
    database.write(() => {
      const taken = database.row(
        ReadCheckRow,
      )`UPDATE checks SET owner = ${owner}, held_until = ${now + leaseMs}
        WHERE id = ${id} AND known_until IS NULL
        AND (owner IS NULL OR owner = ${owner} OR held_until NOT BETWEEN ${now} + 1 AND ${now + LONGEST_LEASE_MS}) RETURNING spot_check`;
      return taken?.spot_check ?? null;
    }),
  abandonedSpotChecks: async (now, limit) => {
    const rows = await database.all(CheckRow)`SELECT spot_check FROM checks
      WHERE known_until IS NULL AND (held_until IS NULL OR held_until NOT BETWEEN ${now} + 1 AND ${now + LONGEST_LEASE_MS})
      ORDER BY at, id LIMIT ${limit}`;
    return parseReadable(
      SpotCheck,
      rows.map(({ spot_check }) => spot_check),
    );
  },
  noteSpotCheck: async (check, owner, now, leaseMs) =>
    (await database.change`UPDATE checks SET spot_check = ${JSON.stringify(check)}, held_until = ${now + leaseMs}
      WHERE id = ${check.id} AND known_until IS NULL AND owner = ${owner}`) === 1,
  finishSpotCheck: async (id, now, keepMs) => {
    await database.change`UPDATE checks
      SET spot_check = NULL, owner = NULL, held_until = NULL, known_until = ${now + keepMs}
      WHERE id = ${id} AND known_until IS NULL`;
  },
  pendingSpotChecks: async () => {
    const counted = await database.first(
      z.object({ n: z.int() }),
    )`SELECT count(*) AS n FROM checks WHERE known_until IS NULL`;
    return counted?.n ?? 0;
  },
  spotCheck: async (id) => {
    const row = await database.first(
      ReadCheckRow,
    )`SELECT spot_check FROM checks WHERE id = ${id} AND known_until IS NULL`;
    return row?.spot_check ?? null;
  },
});

const ValueRow = z.object({ value: z.string() });

function sqliteKeyValue(database: Database): KeyValue {
  const standing = (key: string, now: number): string | null =>
    database.row(ValueRow)`SELECT value FROM marks WHERE key = ${key} AND until > ${now}`?.value ?? null;
  return {
    setIfAbsent: (key, value, now, ttlMs) =>
      database.write(() => {
        const found = standing(key, now);
        if (found !== null) return { set: false, value: found };
        database.run`INSERT OR REPLACE INTO marks VALUES (${key}, ${value}, ${now + ttlMs})`;
        return { set: true };
      }),
    get: (key, now) => database.read(() => standing(key, now)),
    compareAndSet: async (key, expected, value, now, ttlMs) =>
      (await database.change`UPDATE marks SET value = ${value}, until = ${now + ttlMs}
        WHERE key = ${key} AND value = ${expected} AND until > ${now}`) === 1,
    delete: async (key) => {
      await database.change`DELETE FROM marks WHERE key = ${key}`;
    },
  };
}

const ScheduleRow = z.object({ schedule: storedJson(Schedule, 'a digest schedule') });
const ProgressRow = z.object({ version: z.int(), text: z.string() });

const sqliteSchedules = (database: Database): ScheduleStore => ({
  addSchedule: async (schedule) =>
    (await database.change`INSERT INTO digest_schedules VALUES (${schedule.id}, ${JSON.stringify(schedule)}, 0, '')
      ON CONFLICT DO NOTHING`) === 1,
  saveSchedule: async (schedule) => {
    await database.change`INSERT INTO digest_schedules VALUES (${schedule.id}, ${JSON.stringify(schedule)}, 0, '')
      ON CONFLICT DO UPDATE SET schedule = excluded.schedule`;
  },
  schedules: async () => {
    const rows = await database.all(ScheduleRow)`SELECT schedule FROM digest_schedules ORDER BY id`;
    return rows.map(({ schedule }) => schedule);
  },
  removeSchedule: async (id) => (await database.change`DELETE FROM digest_schedules WHERE id = ${id}`) === 1,
  digestProgress: (id) =>
    database.first(ProgressRow)`SELECT version, progress AS text FROM digest_schedules WHERE id = ${id}`,
  replaceDigestProgress: async (id, version, text) =>
    (await database.change`UPDATE digest_schedules SET version = version + 1, progress = ${text}
      WHERE id = ${id} AND version = ${version}`) === 1,
});

const SettingsRow = z.object({ settings: storedJson(ChannelSettings, 'channel settings') });

const sqliteSettings = (database: Database): ChannelSettingsStore => ({
  channelSettings: async (channel) => {
    const row = await database.first(
      SettingsRow,
    )`SELECT settings FROM channel_settings WHERE channel = ${channel}`;
    return row?.settings ?? noSettings;
  },
  saveChannelSettings: async (channel, settings) => {
    await database.change`INSERT OR REPLACE INTO channel_settings VALUES (${channel}, ${JSON.stringify(settings)})`;
  },
});

const ChangeRow = z.object({ change: storedJson(Change, 'a change') });

const sqliteAudit = (database: Database): AuditStore => ({
  addChange: async (change) => {
    await database.change`INSERT INTO changes VALUES (${change.id}, ${change.at}, ${JSON.stringify(change)})
      ON CONFLICT DO NOTHING`;
  },
  changes: async (since) => {
    const rows = await database.all(
      ChangeRow,
    )`SELECT change FROM changes WHERE at >= ${since} ORDER BY at, id`;
    return rows.map(({ change }) => change);
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
    ...sqliteAudit(database),
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
      await database.first(z.object({}))`SELECT 1`;
    },
    proveWrite: async (now) => {
      await database.change`INSERT OR REPLACE INTO marks VALUES ('proof', ${PROOF}, ${now})`;
    },
    inspect: async () => ({ where: `SQLite in ${path}`, warnings: [] }),
    close: async () => database.close(),
  };
}
