import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { hasCode, JuryError, makeFolder, messageOf } from '../../common/index.ts';
import { failures } from '../store.ts';
import { migrations } from './migrations.ts';

/** SQLite result codes (https://sqlite.org/rescode.html) that mean it is unavailable, with advice. */
const unavailable = failures.sqlite;

const resultCode = (thrown: unknown): number | null =>
  thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) % 256 : null;

/** Whether another process is writing (SQLITE_BUSY). */
const isBusy = (thrown: unknown): boolean => resultCode(thrown) === 5;

/** Turns a failure of SQLite into `store-unavailable`, or `internal` if it is a bug in Jury. */
export function sqliteFailure(thrown: unknown, path: string): JuryError {
  if (thrown instanceof JuryError) return thrown;
  if (hasCode(thrown, 'ERR_INVALID_STATE'))
    return new JuryError('store-unavailable', 'The store is closed.', { cause: thrown });
  const advised = unavailable[String(resultCode(thrown))];
  if (advised === undefined)
    return new JuryError('internal', `The store ${path} failed: ${messageOf(thrown)}`, { cause: thrown });
  const message = `The store ${path} is unavailable: ${advised.advice} (${messageOf(thrown)}).`;
  return new JuryError('store-unavailable', message, { cause: thrown, retryable: advised.retryable });
}

type Connection = InstanceType<typeof import('@photostructure/sqlite').DatabaseSync>;

interface Job {
  /**
   * Does the work. Returns a function that resolves the job's promise, to be called once the transaction is on disk.
   */
  run: () => () => void;
  reject: (reason: unknown) => void;
}

/** Most changes per transaction, so that other processes get a turn. */
const batchSize = 100;

/**
 * Runs work in transactions on one connection. While another process writes, it waits up to `patienceMs` without
 * blocking the event loop. Changes that arrive in the meantime share one transaction and its wait for the disk; each is
 * still all or nothing, and resolves once it is on disk.
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
        // At random, so that two waiting processes do not keep colliding.
        await sleep(pauseMs * (0.5 + Math.random()));
      }
    }
  }

  /** Returns a function that resolves or rejects the job after the transaction. */
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
        for (const answer of await patiently('BEGIN IMMEDIATE', () => jobs.map(inSavepoint))) answer();
      } catch (error) {
        for (const { reject } of jobs) reject(error);
      }
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    draining = false;
  }

  return {
    /** Reads from one consistent snapshot. */
    read: <T>(work: () => T): Promise<T> => patiently('BEGIN', work),
    /** Writes all or nothing; only one process writes at a time. */
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

/** A tagged template of SQL and its values: database.run`DELETE FROM votes WHERE voter = ${voter}`. */
type Query<T> = (sql: TemplateStringsArray, ...values: Value[]) => T;

export type Database = Awaited<ReturnType<typeof openDatabase>>;

export interface DatabaseOptions {
  /** Longest wait for other processes' writes, ms. */
  patienceMs: number;
  migrations: readonly string[];
}

/**
 * Opens a database file, creating it and its folder if necessary, and migrates it to this version.
 *
 * Uses WAL mode with `synchronous` FULL, so that resolved changes survive a power cut and not just a crash. NORMAL
 * would save a wait for the disk, which concurrent changes share anyway.
 *
 * @throws JuryError `store-unavailable` if it cannot be opened, `config` if a newer version has written it
 */
export async function openDatabase(
  path: string,
  { patienceMs = 2000, migrations: steps = migrations }: Partial<DatabaseOptions> = {},
) {
  // The only import of this library; node:sqlite in later Node versions has the same interface.
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const failure = (thrown: unknown) => sqliteFailure(thrown, path);
  await makePrivateFile(path);

  const connect = () => {
    // Opening may block, because nothing else is running yet.
    const opened = new DatabaseSync(path, { timeout: patienceMs });
    try {
      opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      // Overwrites deleted data in the file.
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

  // One prepared statement per place in the source code.
  const statements = new Map<TemplateStringsArray, ReturnType<Connection['prepare']>>();
  const prepare = (sql: TemplateStringsArray) => {
    const statement = statements.get(sql) ?? connection.prepare(sql.join('?'));
    statements.set(sql, statement);
    return statement;
  };
  /** All rows of a query. Does not wait for writers, thanks to WAL mode. */
  const rows =
    <T extends z.ZodType>(schema: T): Query<z.output<T>[]> =>
    (sql, ...values) =>
      prepare(sql)
        .all(...values)
        .map((row) => schema.parse(row));

  const row =
    <T extends z.ZodType>(schema: T): Query<z.output<T> | null> =>
    (sql, ...values) =>
      rows(schema)(sql, ...values)[0] ?? null;
  /** Returns the number of changed rows. */
  const run: Query<number> = (sql, ...values) => Number(prepare(sql).run(...values).changes);

  const transactions = createTransactions(connection, patienceMs, failure);
  return {
    // Only within `read` or `write`.
    rows,
    row,
    run,
    ...transactions,
    // Single statements in a transaction of their own.
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
        // Otherwise statements not yet garbage-collected would keep the log, including erased data.
        connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch (thrown) {
        // Another process is using the file, or the disk is full: the last process to close the file removes the log.
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

/** Restricts the file to its owner, because pasted text is private; the -wal and -shm files inherit its mode. */
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
