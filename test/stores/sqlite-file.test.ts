import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import { sqliteFailure } from '../../src/stores/sqlite/database.ts';
import { migrations } from '../../src/stores/sqlite/migrations.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { countsOf, recount } from '../support/recount.ts';
import { scratch } from '../support/run-jury.ts';
import { aBallot, aRecord, saturday } from '../support/store-builders.ts';

const file = () => join(scratch(), 'jury.db');
/** Written by version 1 of the data: three verdicts, four votes of which one was taken back, a request, a mark, settings. */
const versionOne = fileURLToPath(new URL('../fixtures/store-v1.db', import.meta.url));

describe('the file of a store', () => {
  test('may be read by its owner only, and those beside it too', async () => {
    const path = file();
    const store = await openSqliteStore(path);
    await store.saveVerdict(aRecord());
    expect([path, `${path}-wal`].map((name) => statSync(name).mode & 0o777)).toEqual([0o600, 0o600]);
    await store.close();
  });

  test('holds no word of what was deleted, and finds what is left', async () => {
    const path = file();
    const store = await openSqliteStore(path);
    const said = (n: number) => (n < 20 ? `gonewithit${n}` : `stays${n}`);
    for (let n = 0; n < 40; n++) {
      const record = aRecord({ id: `v${n}`, at: saturday + n });
      await store.saveVerdict({ ...record, evalCase: { ...record.evalCase, response: said(n) } });
    }
    // Also what is left of verdicts from before.
    for (const until of [10, 20]) {
      expect(await store.prune(saturday + until, saturday)).toBe(10);
      expect(await store.searchVerdicts({ words: [said(until - 1)], limit: 9 })).toEqual([]);
    }
    const left = await store.searchVerdicts({ words: [said(30)], limit: 9 });
    expect(left.map(({ id }) => id)).toEqual(['v30']);
    await store.close();
    // The index keeps what words begin with once.
    const bytes = readFileSync(path, 'latin1');
    expect(bytes).not.toContain('gonewith');
    expect(bytes).toContain('stays39');
  });

  test('written by version 1 is still understood', async () => {
    const path = file();
    copyFileSync(versionOne, path);
    const store = await openSqliteStore(path);
    expect((await store.recentVerdicts({ channel: null, limit: 9 })).map(({ id }) => id)).toEqual([
      'v2',
      'v1',
      'v0',
    ]);
    expect(await store.tally('v1')).toEqual({ agree: 1, disagree: 1, unsure: 0 });
    expect((await store.votes('v1'))[1]?.correction).toMatchObject({
      criteria: ['time'],
      comment: 'closed, I was there',
    });
    expect(await store.pendingSpotChecks()).toBe(1);
    expect(await store.get('digest', saturday)).toBe('sent');
    expect(await store.channelSettings('C1')).toEqual({ wish: { method: 'mad' } });
    expect(await countsOf(store)).toEqual(await recount(store));
    expect(await store.castVote(aBallot({ verdictId: 'v0', voter: 'new' }))).toMatchObject({
      status: 'counted',
    });
    await store.close();
  });

  test('written by an older version is brought up to date, once, with all its data', async () => {
    const path = file();
    copyFileSync(versionOne, path);
    const next = {
      migrations: [...migrations, 'CREATE TABLE tried (n INTEGER); INSERT INTO tried VALUES (1)'],
    };
    for (const _ of [1, 2]) {
      const store = await openSqliteStore(path, next);
      expect(await store.votes('v1')).toHaveLength(2);
      await store.close();
    }
    const raw = new DatabaseSync(path);
    expect(raw.prepare('SELECT count(*) AS n FROM tried').get()).toEqual({ n: 1 });
    expect(raw.prepare('PRAGMA user_version').get()).toEqual({ user_version: migrations.length + 1 });
    raw.close();
  });

  test('stays as it was where bringing it up to date fails', async () => {
    const path = file();
    copyFileSync(versionOne, path);
    await expect(
      openSqliteStore(path, { migrations: [...migrations, 'DROP TABLE votes; SELECT * FROM nothing'] }),
    ).rejects.toThrow();
    const store = await openSqliteStore(path);
    expect(await store.votes('v1')).toHaveLength(2);
    await store.close();
  });

  test('written by a newer version is refused, with what to do', async () => {
    const path = file();
    const raw = new DatabaseSync(path);
    raw.exec('PRAGMA user_version = 99');
    raw.close();
    await expect(openSqliteStore(path)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(/newer version of Jury.*Update Jury, or set JURY_DATA_DIR/),
    });
  });

  test('that is no database, or whose folder cannot be, is said to be so', async () => {
    const path = file();
    writeFileSync(path, 'These are my notes, not a database. '.repeat(100));
    await expect(openSqliteStore(path)).rejects.toMatchObject({
      code: 'store-unavailable',
      retryable: false,
      message: expect.stringContaining('not a SQLite database'),
    });
    await expect(openSqliteStore(join(path, 'below', 'jury.db'))).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('JURY_DATA_DIR'),
    });
  });

  test('that another process keeps locked is waited for, then given up, and works again afterwards', async () => {
    const path = file();
    const store = await openSqliteStore(path, { patienceMs: 100 });
    await store.saveVerdict(aRecord());
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    await expect(store.castVote(aBallot())).rejects.toMatchObject({
      code: 'store-unavailable',
      retryable: true,
    });
    expect(await store.tally('v1')).toEqual({ agree: 0, disagree: 0, unsure: 0 });
    const waiting = store.castVote(aBallot());
    other.exec('ROLLBACK');
    other.close();
    expect(await waiting).toMatchObject({ status: 'counted' });
    await store.close();
  });

  test('on a full disk is said to be so', () => {
    const path = file();
    const raw = new DatabaseSync(path);
    raw.exec('CREATE TABLE t (x); PRAGMA max_page_count = 2');
    let thrown: unknown;
    try {
      raw.exec('INSERT INTO t VALUES (zeroblob(100000))');
    } catch (error) {
      thrown = error;
    }
    raw.close();
    expect(sqliteFailure(thrown, path)).toMatchObject({
      code: 'store-unavailable',
      retryable: true,
      message: expect.stringContaining('the disk is full'),
    });
  });
});
