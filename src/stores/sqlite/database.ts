import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { hasCode, JuryError, messageOf } from '../../common/errors.ts';
import { makeFolder } from '../../common/make-folder.ts';
import { failures } from '../store.ts';
import { migrations } from './migrations.ts';

/** SQLite's result codes for unavailability (https://sqlite.org/rescode.html), with what to do. */
const unavailable = failures.sqlite;

const resultCode = (thrown: unknown): number | null =>
  thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) % 256 : null;

/** Whether another process is writing. */
const isBusy = (thrown: unknown): boolean => resultCode(thrown) === 5;

/** A failure of SQLite as `store-unavailable`, or `internal` if it is a defect of ours. */
export function sqliteFailure(thrown: unknown, path: string): JuryError {
  if (thrown instanceof JuryError) return thrown;
  if (hasCode(thrown, 'ERR_INVALID_STATE'))
    return new JuryError('store-unavailable', 'The store is closed.', { cause: thrown });
  const known = unavailable[String(resultCode(thrown))];
  if (known === undefined)
    return new JuryError('internal', `The store ${path} failed: ${messageOf(thrown)}`, { cause: thrown });
  const message = `The store ${path} is unavailable: ${known.advice} (${messageOf(thrown)}).`;
  return new JuryError('store-unavailable', message, { cause: thrown, retryable: known.retryable });
}

type Connection = InstanceType<typeof import('@photostructure/sqlite').DatabaseSync>;

interface Job {
  /** Does the work; what it returns resolves the promise once the transaction is on disk. */
  run: () => () => void;
  reject: (reason: unknown) => void;
}

/** Maximum changes per transaction, so that other processes get a turn. */
const batchSize = 100;

/**
 * Runs work in transactions of one connection. While another process writes, it waits up to `patienceMs` without blocking the event
 * loop. Changes that arrive meanwhile share a transaction and its wait for the disk; each is still all or nothing, and resolves when
 * it is on disk.
 */
function createTransactions(connection: Connection, patienceMs: number, failure: (thrown: unknown) => Error) {
  const queue: Job[] = [];
  let draining = false;

  function inTransaction<T>(begin: string, work: () => T): T {
    connection.exec(begin);
    try {
      const result = work();
      connection.exec('COMMIT');
      return result;
    } catch (thrown) {
      if (connection.isTransaction) connection.exec('ROLLBACK');
      throw thrown;
    }
  }

  async function patiently<T>(begin: string, work: () => T): Promise<T> {
    const giveUpAt = performance.now() + patienceMs;
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
      try {
        return inTransaction(begin, work);
      } catch (thrown) {
        if (!isBusy(thrown) || performance.now() > giveUpAt) throw failure(thrown);
        await sleep(pauseMs * (0.5 + Math.random()));
      }
    }
  }

  /** Returns what settles the job after the transaction. */
  function inSavepoint({ run, reject }: Job): () => void {
    connection.exec('SAVEPOINT job');
    try {
      const resolve = run();
      connection.exec('RELEASE job');
      return resolve;
    } catch (error) {
      // Some failures, such as a full disk, end the whole transaction.
      if (!connection.isTransaction) throw error;
      connection.exec('ROLLBACK TO job; RELEASE job');
      return () => reject(failure(error));
    }
  }

  async function drain(): Promise<void> {
    draining = true;
    // Changes of the same event-loop turn share a transaction.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const jobs = queue.splice(0, batchSize);
      try {
        for (const settle of await patiently('BEGIN IMMEDIATE', () => jobs.map(inSavepoint))) settle();
      } catch (error) {
        for (const { reject } of jobs) reject(error);
      }
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    draining = false;
  }

  return {
    /** Reads from one consistent state. */
    read: <T>(work: () => T): Promise<T> => patiently('BEGIN', work),
    /** Writes all or nothing, exclusively among all processes. */
    write: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        const run = () => {
          const value = work();
          return () => resolve(value);
        };
        queue.push({ run, reject });
        if (!draining) void drain();
      }),
  };
}

type Value = string | number | null;

/** SQL with its values between: database.run`DELETE FROM votes WHERE voter = ${voter}`. */
type Query<T> = (sql: TemplateStringsArray, ...values: Value[]) => T;

export type Database = Awaited<ReturnType<typeof openDatabase>>;

export interface DatabaseOptions {
  /** Maximum wait for other processes' changes, ms. */
  patienceMs: number;
  migrations: readonly string[];
}

/**
 * Opens a database file, creates it with its folder if necessary, and migrates it to this version.
 *
 * In WAL mode with `synchronous` FULL, so that resolved changes survive a power cut, not only a crash. NORMAL would save a wait for the
 * disk, which concurrent changes share anyway.
 *
 * @throws JuryError `store-unavailable` if it cannot be opened, `config` if a newer version has written it
 */
export async function openDatabase(
  path: string,
  { patienceMs = 2000, migrations: steps = migrations }: Partial<DatabaseOptions> = {},
) {
  // The only import of the library; node:sqlite in later Node versions has the same interface.
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const failure = (thrown: unknown) => sqliteFailure(thrown, path);
  await makePrivateFile(path);

  const connect = () => {
    // Opening may block: nothing else is running yet.
    const opened = new DatabaseSync(path, { timeout: patienceMs });
    try {
      opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      // What is erased is overwritten in the file, too.
      opened.exec('PRAGMA secure_delete = ON');
      migrate(opened, steps, path);
      opened.exec('PRAGMA busy_timeout = 0');
    } catch (thrown) {
      opened.close();
      throw thrown;
    }
    return opened;
  };
  let connection: Connection;
  try {
    connection = connect();
  } catch (thrown) {
    throw failure(thrown);
  }

  // One per place in the source code.
  const statements = new Map<TemplateStringsArray, ReturnType<Connection['prepare']>>();
  const prepare = (sql: TemplateStringsArray) => {
    const statement = statements.get(sql) ?? connection.prepare(sql.join('?'));
    statements.set(sql, statement);
    return statement;
  };
  /** All rows of a query. Never waits: in WAL mode readers do not wait for writers. */
  const rows =
    <T extends z.ZodType>(schema: T): Query<z.output<T>[]> =>
    (sql, ...values) =>
      prepare(sql)
        .all(...values)
        .map((found) => schema.parse(found));

  const row =
    <T extends z.ZodType>(schema: T): Query<z.output<T> | null> =>
    (sql, ...values) =>
      rows(schema)(sql, ...values)[0] ?? null;
  /** Returns the number of changed rows. */
  const run: Query<number> = (sql, ...values) => Number(prepare(sql).run(...values).changes);

  const transactions = createTransactions(connection, patienceMs, failure);
  return {
    // Within `read` or `write`.
    rows,
    row,
    run,
    ...transactions,
    // One statement alone.
    all:
      <T extends z.ZodType>(schema: T): Query<Promise<z.output<T>[]>> =>
      (...query) =>
        transactions.read(() => rows(schema)(...query)),
    first:
      <T extends z.ZodType>(schema: T): Query<Promise<z.output<T> | null>> =>
      (...query) =>
        transactions.read(() => row(schema)(...query)),
    /** Resolves to the number of changed rows. */
    change: ((...query) => transactions.write(() => run(...query))) satisfies Query<Promise<number>>,
    close: () => {
      if (!connection.isOpen) return;
      try {
        // Statements that are not collected yet would keep the log, and in it what has been erased.
        connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch (thrown) {
        // Another process uses the file, or the disk is full: the log stays for the last process that closes it.
        if (sqliteFailure(thrown, path).code !== 'store-unavailable') throw thrown;
      } finally {
        connection.close();
      }
    },
  };
}

function migrate(connection: Connection, steps: readonly string[], path: string): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const { user_version: version } = z
      .object({ user_version: z.int() })
      .parse(connection.prepare('PRAGMA user_version').get());
    if (version > steps.length)
      throw new JuryError(
        'config',
        `${path} was written by a newer version of Jury (data version ${version}, this one knows ${steps.length}). Update Jury, or set JURY_DATA_DIR to another folder.`,
      );
    for (const step of steps.slice(version)) connection.exec(step);
    if (version < steps.length) connection.exec(`PRAGMA user_version = ${steps.length}`);
    connection.exec('COMMIT');
  } catch (thrown) {
    connection.exec('ROLLBACK');
    throw thrown;
  }
}

/** Pasted text is private to the file's owner; the -wal and -shm files inherit the mode. */
async function makePrivateFile(path: string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    const file = await open(path, 'a', 0o600);
    await file.close();
  } catch (thrown) {
    throw new JuryError(
      'store-unavailable',
      `The store ${path} is not writable (${messageOf(thrown)}): set JURY_DATA_DIR to a writable folder.`,
      { cause: thrown, retryable: true },
    );
  }
}
