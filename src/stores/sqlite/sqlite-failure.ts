import { JuryError, messageOf } from '../../common/errors.ts';

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
export const isBusy = (thrown: unknown): boolean => resultCode(thrown) === 5;

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
