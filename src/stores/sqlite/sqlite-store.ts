import * as z from 'zod';
import type { KeyValue } from '../../common/index.ts';
import { Schedule, type ScheduleStore } from '../../digests/index.ts';
import {
  type AuditStore,
  Change,
  ChannelSettings,
  type ChannelSettingsStore,
  noSettings,
} from '../../labels/access/index.ts';
import { LONGEST_LEASE_MS, type RequestStore, SpotCheck } from '../../requests/index.ts';
import {
  type AnnotateOutcome,
  type Annotation,
  Annotator,
  Answers,
  casesEach,
  Study,
  type StudyStore,
} from '../../studies/index.ts';
import { PROOF, parseReadable, type Store, storedJson } from '../store.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { sqliteAdjudications, sqliteVerdicts } from './verdicts.ts';
import { forgetVotes, sqliteCounts, sqliteVotes } from './votes.ts';

const Body = Study.omit({ annotators: true, closed: true });
const AnyRow = z.object({});
const CountRow = z.object({ n: z.int() });
/** SQLite has no booleans. */
const Flag = z.int().transform((value) => value === 1);
const BodyRow = z.object({ closed: Flag, study: storedJson(Body, 'a study') });
const EntryRow = z.object({
  id: z.string(),
  at: z.number(),
  name: z.string(),
  cases: z.int(),
  closed: Flag,
});
const AnnotatorRow = z.object({ entry: storedJson(Annotator, 'an annotator') }).transform((row) => row.entry);
const ClosedRow = z.object({ closed: Flag }).transform((row) => row.closed);
const StandingRow = z.object({ at: z.number(), answers: z.string() });
const AnnotationRow = z.object({
  study: z.string(),
  annotator: z.string(),
  case: z.int(),
  at: z.number(),
  answers: storedJson(Answers, 'an annotation'),
});

/**
 * Deletes an annotator and their annotations; call it within a transaction. Returns the number of deleted annotations.
 */
function forgetAnnotations(database: Database, annotator: string): number {
  const gone = database.run`DELETE FROM annotations WHERE annotator = ${annotator}`;
  database.run`DELETE FROM study_annotators WHERE annotator = ${annotator}`;
  return gone;
}

function sqliteStudies(database: Database): StudyStore {
  const annotatorsOf = (id: string): Annotator[] =>
    database.rows(AnnotatorRow)`SELECT entry FROM study_annotators WHERE study_id = ${id}`.sort(
      (a, b) => a.place - b.place,
    );

  /** Why a person's annotations in a study cannot be saved; null if they can. */
  function refusal(study: string, annotator: string): AnnotateOutcome | null {
    const closed = database.row(ClosedRow)`SELECT closed FROM studies WHERE id = ${study}`;
    if (closed === null) return 'unknown-study';
    if (closed) return 'closed';
    const place = database.row(AnyRow)`SELECT 1 FROM study_annotators
      WHERE study_id = ${study} AND annotator = ${annotator}`;
    return place === null ? 'not-asked' : null;
  }

  function keep({ study, annotator, case: index, at, answers: given }: Annotation): AnnotateOutcome {
    const old = database.row(StandingRow)`SELECT at, answers FROM annotations
      WHERE study_id = ${study} AND annotator = ${annotator} AND case_index = ${index}`;
    if (old !== null && at <= old.at) return at < old.at ? 'outdated' : 'unchanged';
    const answers = JSON.stringify(given);
    database.run`INSERT OR REPLACE INTO annotations
      VALUES (${study}, ${annotator}, ${index}, ${at}, ${answers})`;
    return old?.answers === answers ? 'unchanged' : 'kept';
  }

  return {
    addStudy: ({ annotators, closed, ...body }) =>
      database.write(() => {
        const { id, at, name } = body;
        const added = database.run`INSERT INTO studies
          VALUES (${id}, ${at}, ${name}, ${casesEach(body)}, ${Number(closed)}, ${JSON.stringify(body)})
          ON CONFLICT DO NOTHING`;
        if (added === 0) return 'known';
        for (const one of annotators)
          database.run`INSERT INTO study_annotators VALUES (${id}, ${one.id}, ${JSON.stringify(one)})`;
        return 'added';
      }),
    study: (id) =>
      database.read(() => {
        const row = database.row(BodyRow)`SELECT closed, study FROM studies WHERE id = ${id}`;
        return row === null ? null : { ...row.study, annotators: annotatorsOf(id), closed: row.closed };
      }),
    studies: () =>
      database.read(() =>
        database.rows(EntryRow)`SELECT id, at, name, case_count AS cases, closed FROM studies
          ORDER BY at, id`.map((row) => ({ ...row, annotators: annotatorsOf(row.id) })),
      ),
    closeStudy: async (id, closed) =>
      (await database.change`UPDATE studies SET closed = ${Number(closed)} WHERE id = ${id}`) === 1,
    removeStudy: (id) =>
      database.write(() => {
        database.run`DELETE FROM annotations WHERE study_id = ${id}`;
        database.run`DELETE FROM study_annotators WHERE study_id = ${id}`;
        return database.run`DELETE FROM studies WHERE id = ${id}` === 1;
      }),
    addAnnotators: (id, people, from) =>
      database.write(() => {
        if (database.row(ClosedRow)`SELECT closed FROM studies WHERE id = ${id}` !== false) return null;
        const there = annotatorsOf(id);
        let next = Math.max(from, (there.at(-1)?.place ?? -1) + 1);
        const added: Annotator[] = [];
        for (const person of people) {
          if (there.some((stored) => stored.id === person.id)) continue;
          const annotator = { ...person, place: next };
          next += 1;
          database.run`INSERT INTO study_annotators VALUES (${id}, ${person.id}, ${JSON.stringify(annotator)})`;
          added.push(annotator);
        }
        return added;
      }),
    annotate: (annotations) =>
      database.write(() => {
        // Look up each annotator of a batch only once.
        const refusals = new Map<string, AnnotateOutcome | null>();
        return annotations.map((one) => {
          const key = `${one.study}|${one.annotator}`;
          const refusedBefore = refusals.get(key);
          const refused = refusedBefore === undefined ? refusal(one.study, one.annotator) : refusedBefore;
          refusals.set(key, refused);
          return refused ?? keep(one);
        });
      }),
    annotations: (study, annotator) =>
      database.all(AnnotationRow)`SELECT study_id AS study, annotator, case_index AS "case", at, answers
        FROM annotations
        WHERE study_id = ${study} AND (annotator = ${annotator ?? ''} OR ${Number(annotator === undefined)})
        ORDER BY annotator, case_index`,
  };
}

const CheckText = z.object({ spot_check: z.string() }).transform((row) => row.spot_check);
const Check = z.object({ spot_check: storedJson(SpotCheck, 'a request') }).transform((row) => row.spot_check);

const sqliteRequests = (database: Database): RequestStore => ({
  addSpotCheck: (check) =>
    database.write(() => {
      database.run`DELETE FROM checks WHERE id = ${check.id} AND known_until <= ${check.at}`;
      const added = database.run`INSERT OR IGNORE INTO checks (id, at, spot_check)
        VALUES (${check.id}, ${check.at}, ${JSON.stringify(check)})`;
      return added === 1 ? 'added' : 'known';
    }),
  reopenSpotCheck: (check) =>
    database.write(() => {
      database.run`DELETE FROM checks WHERE id = ${check.id} AND known_until IS NOT NULL`;
      const added = database.run`INSERT OR IGNORE INTO checks (id, at, spot_check)
        VALUES (${check.id}, ${check.at}, ${JSON.stringify(check)})`;
      return added === 1 ? 'added' : 'known';
    }),
  claimSpotCheck: (id, owner, now, leaseMs) =>
    database.write(
      () =>
        database.row(Check)`UPDATE checks SET owner = ${owner}, held_until = ${now + leaseMs}
        WHERE id = ${id} AND known_until IS NULL
        AND (owner IS NULL OR owner = ${owner} OR held_until NOT BETWEEN ${now} + 1 AND ${now + LONGEST_LEASE_MS}) RETURNING spot_check`,
    ),
  abandonedSpotChecks: async (now, limit) => {
    const texts = await database.all(CheckText)`SELECT spot_check FROM checks
      WHERE known_until IS NULL AND (held_until IS NULL OR held_until NOT BETWEEN ${now} + 1 AND ${now + LONGEST_LEASE_MS})
      ORDER BY at, id LIMIT ${limit}`;
    return parseReadable(SpotCheck, texts);
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
      CountRow,
    )`SELECT count(*) AS n FROM checks WHERE known_until IS NULL`;
    return counted?.n ?? 0;
  },
  spotCheck: (id) =>
    database.first(Check)`SELECT spot_check FROM checks WHERE id = ${id} AND known_until IS NULL`,
});

const Value = z.object({ value: z.string() }).transform((row) => row.value);

function sqliteKeyValue(database: Database): KeyValue {
  const standing = (key: string, now: number): string | null =>
    database.row(Value)`SELECT value FROM marks WHERE key = ${key} AND until > ${now}`;
  return {
    setIfAbsent: (key, value, now, ttlMs) =>
      database.write(() => {
        const current = standing(key, now);
        if (current !== null) return { set: false, value: current };
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

const ScheduleRow = z
  .object({ schedule: storedJson(Schedule, 'a digest schedule') })
  .transform((row) => row.schedule);
const ProgressRow = z.object({ version: z.int(), text: z.string() });

const sqliteSchedules = (database: Database): ScheduleStore => ({
  addSchedule: async (schedule) =>
    (await database.change`INSERT INTO digest_schedules VALUES (${schedule.id}, ${JSON.stringify(schedule)}, 0, '')
      ON CONFLICT DO NOTHING`) === 1,
  saveSchedule: async (schedule) => {
    await database.change`INSERT INTO digest_schedules VALUES (${schedule.id}, ${JSON.stringify(schedule)}, 0, '')
      ON CONFLICT DO UPDATE SET schedule = excluded.schedule`;
  },
  schedules: () => database.all(ScheduleRow)`SELECT schedule FROM digest_schedules ORDER BY id`,
  removeSchedule: async (id) => (await database.change`DELETE FROM digest_schedules WHERE id = ${id}`) === 1,
  digestProgress: (id) =>
    database.first(ProgressRow)`SELECT version, progress AS text FROM digest_schedules WHERE id = ${id}`,
  replaceDigestProgress: async (id, version, text) =>
    (await database.change`UPDATE digest_schedules SET version = version + 1, progress = ${text}
      WHERE id = ${id} AND version = ${version}`) === 1,
});

const SettingsRow = z
  .object({ settings: storedJson(ChannelSettings, 'channel settings') })
  .transform((row) => row.settings);

const sqliteSettings = (database: Database): ChannelSettingsStore => ({
  channelSettings: async (channel) =>
    (await database.first(SettingsRow)`SELECT settings FROM channel_settings WHERE channel = ${channel}`) ??
    noSettings,
  saveChannelSettings: async (channel, settings) => {
    await database.change`INSERT OR REPLACE INTO channel_settings VALUES (${channel}, ${JSON.stringify(settings)})`;
  },
});

const ChangeRow = z.object({ change: storedJson(Change, 'a change') }).transform((row) => row.change);

const sqliteAudit = (database: Database): AuditStore => ({
  addChange: async (change) => {
    await database.change`INSERT INTO changes VALUES (${change.id}, ${change.at}, ${JSON.stringify(change)})
      ON CONFLICT DO NOTHING`;
  },
  changes: (since) =>
    database.all(ChangeRow)`SELECT change FROM changes WHERE at >= ${since} ORDER BY at, id`,
});

/**
 * Opens a store in one file, which several processes on one machine can share. Calls wait at most two seconds for other
 * processes' writes.
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
      await database.first(AnyRow)`SELECT 1`;
    },
    proveWrite: async (now) => {
      await database.change`INSERT OR REPLACE INTO marks VALUES ('proof', ${PROOF}, ${now})`;
    },
    inspect: async () => ({ where: `SQLite in ${path}`, warnings: [] }),
    close: async () => database.close(),
  };
}
