import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './sqlite-failure.ts';

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

export interface Transactions {
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
export function createTransactions(
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
