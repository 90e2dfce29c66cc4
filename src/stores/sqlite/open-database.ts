import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { JuryError, messageOf } from '../../common/errors.ts';
import { makeFolder } from '../../common/make-folder.ts';
import { migrations } from './migrations.ts';
import { sqliteFailure } from './sqlite-failure.ts';
import { createTransactions, type Transactions } from './transactions.ts';

type Value = string | number | null;

/** A database file as the other modules use it. */
export interface Database extends Transactions {
  /** All rows of a query. Fast: it never waits, since in WAL mode a reader waits for no writer. */
  rows<T extends z.ZodType>(schema: T, sql: string, ...values: Value[]): z.output<T>[];
  row<T extends z.ZodType>(schema: T, sql: string, ...values: Value[]): z.output<T> | null;
  /** Resolves to how many rows changed. Only within `write`. */
  run(sql: string, ...values: Value[]): number;
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

  const statements = new Map<string, ReturnType<typeof connection.prepare>>();
  const prepare = (sql: string) => {
    const statement = statements.get(sql) ?? connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const rows = <T extends z.ZodType>(schema: T, sql: string, ...values: Value[]): z.output<T>[] =>
    z.array(schema).parse(prepare(sql).all(...values));

  return {
    rows,
    row: (schema, sql, ...values) => rows(schema, sql, ...values)[0] ?? null,
    run: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    ...createTransactions(connection, patienceMs, failure),
    close: () => {
      if (connection.isOpen) connection.close();
    },
  };
}

interface Connection {
  exec(sql: string): void;
  prepare(sql: string): { get(): unknown };
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

/** What people pasted is nobody else's to read; the files beside it (-wal, -shm) take after it. */
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
