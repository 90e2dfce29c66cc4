import * as z from 'zod';
import type { KeyValue } from '../../common/key-value.ts';
import type { Database } from './open-database.ts';

const MarkRow = z.object({ value: z.string() });

const standing = (database: Database, key: string, now: number): string | null =>
  database.row(MarkRow, 'SELECT value FROM marks WHERE key = ? AND until > ?', key, now)?.value ?? null;

export const sqliteMarks = (database: Database): KeyValue => ({
  setIfAbsent: (key, value, now, ttlMs) =>
    database.write(() => {
      const found = standing(database, key, now);
      if (found !== null) return { set: false, value: found };
      database.run('INSERT OR REPLACE INTO marks VALUES (?, ?, ?)', key, value, now + ttlMs);
      return { set: true };
    }),
  get: (key, now) => database.read(() => standing(database, key, now)),
  compareAndSet: (key, expected, value, now, ttlMs) =>
    database.write(
      () =>
        database.run(
          'UPDATE marks SET value = ?, until = ? WHERE key = ? AND value = ? AND until > ?',
          value,
          now + ttlMs,
          key,
          expected,
          now,
        ) === 1,
    ),
  delete: async (key) => {
    await database.write(() => database.run('DELETE FROM marks WHERE key = ?', key));
  },
});
