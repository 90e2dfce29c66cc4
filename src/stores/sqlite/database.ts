import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { JuryError, messageOf } from '../../common/errors.ts';
import { makeFolder } from '../../common/make-folder.ts';
import { migrations } from './migrations.ts';

/** SQLite's primary result codes that mean: not now, or not here (https://sqlite.org/rescode.html). */
const advice: Readonly<Record<number, string>> = {
  3: 'the file may not be read or written: check its owner and mode',
  5: 'another process holds it: try again, and see whether a backup or another program keeps it locked',
  6: 'another connection holds it: try again',
  8: 'it may only be read: check the mode of the file and its folder, and that the disk is mounted for writing',
  10: 'reading or writing it failed: check the disk',
  11: 'the file is damaged: put a backup in its place',
  13: 'the disk is full: make room',
  14: 'it cannot be opened: check that its folder exists and may be written',
  15: 'locking failed: keep the data folder on a local disk',
  26: 'the file is no SQLite database: move it away or set JURY_DATA_DIR to another folder',
};
/** Those that trying again cannot mend. */
const lasting = new Set([11, 26]);

const resultCode = (thrown: unknown): number | null =>
  thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) % 256 : null;

/** Whether another process is writing at this moment. */
const isBusy = (thrown: unknown): boolean => resultCode(thrown) === 5;

/** What a failure of SQLite means to a caller: the store is unavailable, or else a defect of ours. */
export function sqliteFailure(thrown: unknown, path: string): JuryError {
  if (thrown instanceof JuryError) return thrown;
  const code = resultCode(thrown);
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_INVALID_STATE')
    return new JuryError('store-unavailable', 'The store is closed.', { cause: thrown });
  const what = code === null ? undefined : advice[code];
  if (code === null || what === undefined)
    return new JuryError('internal', `The store ${path} failed: ${messageOf(thrown)}`, { cause: thrown });
  return new JuryError(
    'store-unavailable',
    `The store ${path} is unavailable: ${what} (${messageOf(thrown)}).`,
    {
      cause: thrown,
      retryable: !lasting.has(code),
    },
  );
}

/** What transactions need of a connection. */
interface Connection {
  readonly isTransaction: boolean;
  exec(sql: string): void;
}

interface Job {
  work: () => void;
  settle: (outcome: Outcome) => void;
}
type Outcome = { ok: true } | { ok: false; error: unknown };

interface Transactions {
  /** Runs a look that must see one state of the file. */
  read<T>(work: () => T): Promise<T>;
  /** Runs a change all or nothing, alone among all processes. */
  write<T>(work: () => T): Promise<T>;
}

/** Changes that share one transaction, at most; so that other processes get their turn. */
const batchSize = 100;

/**
 * Runs work in transactions of one connection. While another process writes it waits without blocking the event loop, up
 * to `patienceMs`. Changes that come in meanwhile share a transaction, and with it the wait for the disk; each is
 * still all or nothing by itself, and resolves when it is on the disk.
 */
function createTransactions(
  connection: Connection,
  patienceMs: number,
  failure: (thrown: unknown) => Error,
): Transactions {
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

  function inSavepoint(work: () => void): Outcome {
    connection.exec('SAVEPOINT job');
    try {
      work();
      connection.exec('RELEASE job');
      return { ok: true };
    } catch (error) {
      // Some failures, such as a full disk, end the whole transaction.
      if (!connection.isTransaction) throw error;
      connection.exec('ROLLBACK TO job; RELEASE job');
      return { ok: false, error: failure(error) };
    }
  }

  async function drain(): Promise<void> {
    draining = true;
    // Whatever is asked for in the same turn of the event loop goes together.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const jobs = queue.splice(0, batchSize);
      try {
        const outcomes = await patiently('BEGIN IMMEDIATE', () => jobs.map(({ work }) => inSavepoint(work)));
        for (const [n, outcome] of outcomes.entries()) jobs[n]?.settle(outcome);
      } catch (error) {
        for (const { settle } of jobs) settle({ ok: false, error });
      }
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    draining = false;
  }

  return {
    read: (work) => patiently('BEGIN', work),
    write: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        let result: { value: T } | undefined;
        queue.push({
          work: () => {
            result = { value: work() };
          },
          settle: (outcome) => {
            if (!outcome.ok) reject(outcome.error);
            else if (result !== undefined) resolve(result.value);
          },
        });
        if (!draining) void drain();
      }),
  };
}

type Value = string | number | null;

/** SQL with its values between: database.run`DELETE FROM votes WHERE voter = ${voter}`. */
type Query<T> = (sql: TemplateStringsArray, ...values: Value[]) => T;

/** A database file as the other modules use it. */
export interface Database extends Transactions {
  /** All rows of a query. Fast: it never waits, since in WAL mode a reader waits for no writer. */
  rows<T extends z.ZodType>(schema: T): Query<z.output<T>[]>;
  row<T extends z.ZodType>(schema: T): Query<z.output<T> | null>;
  /** Answers how many rows changed. Only within `write`. */
  run: Query<number>;
  close(): void;
}

export interface DatabaseOptions {
  /** The longest wait for other processes' changes, ms. */
  patienceMs: number;
  migrations: readonly string[];
}

const defaults: DatabaseOptions = { patienceMs: 2000, migrations };

/**
 * Opens a database file, made with its folder where there is none, and brings it to this version.
 *
 * In WAL mode with `synchronous` FULL: what resolved outlasts a power cut, not only a crash of the process. NORMAL would
 * save a wait for the disk, which changes that come together share anyway.
 *
 * @throws JuryError `store-unavailable` where it cannot be opened, `config` where a newer version has written it
 */
export async function openDatabase(path: string, options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const { patienceMs, migrations: steps } = { ...defaults, ...options };
  // The one place that knows the library; node:sqlite of later Node versions has the same interface.
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const failure = (thrown: unknown) => sqliteFailure(thrown, path);
  await makePrivateFile(path);

  const connect = () => {
    // While it opens it may wait: nothing else is under way yet.
    const opened = new DatabaseSync(path, { timeout: patienceMs });
    try {
      opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      migrate(opened, steps, path);
      opened.exec('PRAGMA busy_timeout = 0');
    } catch (thrown) {
      opened.close();
      throw thrown;
    }
    return opened;
  };
  let connection: ReturnType<typeof connect>;
  try {
    connection = connect();
  } catch (thrown) {
    throw failure(thrown);
  }

  // Of each place in the sources one.
  const statements = new Map<TemplateStringsArray, ReturnType<typeof connection.prepare>>();
  const prepare = (sql: TemplateStringsArray) => {
    const statement = statements.get(sql) ?? connection.prepare(sql.join('?'));
    statements.set(sql, statement);
    return statement;
  };
  const rows =
    <T extends z.ZodType>(schema: T): Query<z.output<T>[]> =>
    (sql, ...values) =>
      z.array(schema).parse(prepare(sql).all(...values));

  return {
    rows,
    row:
      (schema) =>
      (sql, ...values) =>
        rows(schema)(sql, ...values)[0] ?? null,
    run: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    ...createTransactions(connection, patienceMs, failure),
    close: () => {
      if (connection.isOpen) connection.close();
    },
  };
}

interface OpenConnection {
  exec(sql: string): void;
  prepare(sql: string): { get(): unknown };
}

function migrate(connection: OpenConnection, steps: readonly string[], path: string): void {
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

/** What people pasted is private to its owner; the files beside it (-wal, -shm) take after it. */
async function makePrivateFile(path: string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    const file = await open(path, 'a', 0o600);
    await file.close();
  } catch (thrown) {
    throw new JuryError(
      'store-unavailable',
      `The store ${path} cannot be written (${messageOf(thrown)}): set JURY_DATA_DIR to a folder that can.`,
      { cause: thrown, retryable: true },
    );
  }
}
