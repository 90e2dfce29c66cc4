import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { openDatabase } from '../../src/stores/sqlite/database.ts';
import { scratch } from '../support/run-jury.ts';

const Row = z.object({ n: z.int() });
const noted = async () =>
  openDatabase(join(scratch(), 'notes.db'), { migrations: ['CREATE TABLE notes (n INTEGER)'] });

test('of changes that share a transaction one can fail, wholly, without the others', async () => {
  const database = await noted();
  const note = (n: number) => database.run`INSERT INTO notes VALUES (${n})`;
  const outcomes = await Promise.allSettled([
    database.write(() => note(1)),
    database.write(() => {
      note(2);
      throw new Error('changed its mind');
    }),
    database.write(() => {
      note(3);
      note(4);
      return 'both';
    }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[2]).toMatchObject({ value: 'both' });
  const rows = await database.read(() => database.rows(Row)`SELECT n FROM notes ORDER BY n`);
  expect(rows.map(({ n }) => n)).toEqual([1, 3, 4]);
  database.close();
});

test('changes are done in the order in which they were asked for', async () => {
  const database = await noted();
  await Promise.all(
    Array.from({ length: 250 }, (_, n) =>
      database.write(() => database.run`INSERT INTO notes VALUES (${n})`),
    ),
  );
  const rows = await database.read(() => database.rows(Row)`SELECT n FROM notes ORDER BY rowid`);
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 250 }, (_, n) => n));
  database.close();
});
