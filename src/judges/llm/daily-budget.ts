import { randomBytes } from 'node:crypto';
import { appendFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../common/errors.ts';
import { makeFolder } from '../../common/make-folder.ts';
import { dayOf, usd } from '../../common/text.ts';

/** A spending limit per day (UTC), shared by all processes that use the folder. */
export type DailyBudget = ReturnType<typeof createDailyBudget>;

interface DailyBudgetOptions {
  limitUsd: number | null;
  /**
   * Contains one append-only file per day, `spent-2026-01-31.txt`: on each line an amount in US dollars and, after a space, the
   * process that booked it.
   */
  folder: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  warn?: (message: string) => void;
}

/** One day. This process's own spending is counted here and skipped in the file. */
interface Ledger {
  day: string;
  path: string;
  ownUsd: number;
  /** Bookings of other processes in the first `read` bytes of the file. */
  othersUsd: number;
  read: number;
  /** The read of the file in progress. */
  catchingUp: Promise<void> | null;
}

/** Floating-point error of sums, in US dollars. */
const roundingUsd = 1e-9;

/**
 * Calls in flight are counted when they end, so their cost can exceed the limit.
 */
export function createDailyBudget({ limitUsd, folder, now, warn = () => {} }: DailyBudgetOptions) {
  /** Marks this budget's lines in the shared file. */
  const owner = randomBytes(6).toString('hex');
  let ledger = openLedger(dayOf(now()));
  let writing: Promise<void> = Promise.resolve();
  let warned = false;

  function openLedger(day: string): Ledger {
    const path = join(folder, `spent-${day}.txt`);
    return { day, path, ownUsd: 0, othersUsd: 0, read: 0, catchingUp: null };
  }
  function today(): Ledger {
    const day = dayOf(now());
    if (ledger.day !== day) ledger = openLedger(day);
    return ledger;
  }
  function complain(error: unknown): void {
    if (!warned)
      warn(`the daily budget does not include other processes: cannot use ${folder}: ${messageOf(error)}`);
    warned = true;
  }

  /** Reads what was appended since the last read. */
  async function catchUp(book: Ledger): Promise<void> {
    const file = await open(book.path, 'r').catch(() => null);
    if (file === null) return;
    try {
      const { size } = await file.stat();
      if (size <= book.read) return;
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(size - book.read),
        0,
        size - book.read,
        book.read,
      );
      const text = buffer.toString('latin1', 0, bytesRead);
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      book.read += whole.length;
      for (const line of whole.split('\n')) {
        const [amount, by] = line.split(' ');
        if (by !== owner && Number(amount) > 0) book.othersUsd += Number(amount);
      }
    } finally {
      await file.close();
    }
  }

  return {
    /** Null while money is left, otherwise a message that says how much was spent and when the budget resets. */
    async exceeded(): Promise<string | null> {
      if (limitUsd === null) return null;
      const book = today();
      book.catchingUp ??= catchUp(book)
        .catch(complain)
        .finally(() => {
          book.catchingUp = null;
        });
      await book.catchingUp;
      const spent = book.ownUsd + book.othersUsd;
      if (spent < limitUsd - roundingUsd) return null;
      const midnight = Date.parse(book.day) + 86_400_000;
      return `the day's budget is spent: ${usd(spent)} of ${usd(limitUsd)} (JURY_DAILY_BUDGET_USD); it resets at ${new Date(midnight).toISOString()}, in ${duration(midnight - now())}`;
    },
    /** Books the known cost of a question, in US dollars, in the background. */
    spend(costUsd: number): void {
      if (costUsd <= 0) return;
      const book = today();
      book.ownUsd += costUsd;
      writing = writing.then(async () => {
        try {
          await makeFolder(folder);
          await appendFile(book.path, `${costUsd} ${owner}\n`, { mode: 0o600 });
        } catch (error) {
          complain(error);
        }
      });
    },
    /** Waits for what is still being written. */
    flush: (): Promise<void> => writing,
  };
}

const duration = (ms: number) => {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
