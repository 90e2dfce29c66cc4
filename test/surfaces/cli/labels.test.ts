import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPeople, forgetPeople, keepPeople } from '../../../src/requests/requesters.ts';
import { createFolderTrialStore } from '../../../src/stores/folder/runs.ts';
import { createPseudonyms } from '../../../src/stores/pseudonyms.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { findDraft, keepDraft } from '../../../src/surfaces/forms/ask-desk.ts';
import { redisOfRun } from '../../support/redis.ts';
import { aManifest, casesOf } from '../../support/run-builders.ts';
import { jury, scratch } from '../../support/run-jury.ts';
import { aBallot, aCheck, aRecord } from '../../support/store-builders.ts';

const { url: redisUrl } = redisOfRun();
const env = { JURY_SECRET: 'for this test' };

describe('labels forget', () => {
  test('erases the votes of a Slack user in all teams, and says how many', async () => {
    const cwd = scratch();
    const pseudonym = createPseudonyms(env.JURY_SECRET, ['slack']);
    const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
    for (const id of ['v1', 'v2']) await store.saveVerdict(aRecord({ id }));
    for (const [verdictId, team, user] of [
      ['v1', 'T1', 'U123'],
      ['v2', 'T2', 'U123'],
      ['v2', 'T2', 'U999'],
    ] as const)
      await store.castVote(aBallot({ verdictId, voter: pseudonym({ surface: 'slack', team, user }) }));
    expect(await jury(['labels', 'forget', 'U123'], { cwd, env })).toEqual({
      code: 0,
      out: 'Erased 2 votes of U123.\n',
      err: '',
    });
    expect(await jury(['labels', 'forget', 'slack:T1:U123'], { cwd, env })).toMatchObject({
      code: 0,
      out: 'No votes of slack:T1:U123 are kept.\n',
    });
    expect(await store.tally('v2')).toEqual({ agree: 1, disagree: 0, unsure: 0 });
    await store.close();
  });

  test('erases who asked for verdicts and who stopped them, and keeps the other person', async () => {
    const cwd = scratch();
    const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
    const at = Date.now();
    const people = {
      asked: { askedBy: 'U123', stoppedBy: null },
      stopped: { askedBy: 'U999', stoppedBy: 'U123' },
      other: { askedBy: 'U999', stoppedBy: null },
    };
    for (const [id, one] of Object.entries(people)) {
      await store.saveVerdict(aRecord({ id, at }));
      await keepPeople(store, id, one, at);
    }
    const runs = createFolderTrialStore(join(cwd, 'data', 'runs'));
    await runs.create(aManifest(), [...casesOf(1, { id: 'asked' }), ...casesOf(1, { id: 'stopped' })]);
    const draft = { understood: {}, wish: {}, team: 'T1', channel: null, thread: null, again: null };
    for (const user of ['U123', 'U999'])
      await keepDraft(store, { ...draft, paste: 'mine', by: { surface: 'slack', user } }, at, `d-${user}`);
    const forgotten = await jury(['labels', 'forget', 'U123'], { cwd, env });
    expect((await runs.caseAt('r1', 0)).response).toBe('(erased)');
    expect((await runs.caseAt('r1', 1)).response).not.toBe('(erased)');
    expect(await findDraft(store, 'd-U123', at)).toBeNull();
    expect(await findDraft(store, 'd-U999', at)).toMatchObject({ paste: 'mine' });
    const said = 'Erased 2 requests, 1 unfinished request, and 1 copied case of U123.\n';
    expect(forgotten).toEqual({ code: 0, out: said, err: '' });
    expect(await findPeople(store, 'asked', at)).toBeNull();
    expect(await findPeople(store, 'stopped', at)).toEqual({ askedBy: 'U999', stoppedBy: null });
    expect(await findPeople(store, 'other', at)).toEqual(people.other);
    await store.close();
  });

  test('says which run could not be written, erases the rest, and finds that copy when it is run again', async () => {
    const cwd = scratch();
    const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
    const at = Date.now();
    await store.saveVerdict(aRecord({ id: 'asked', at }));
    await keepPeople(store, 'asked', { askedBy: 'U123', stoppedBy: null }, at);
    const runs = createFolderTrialStore(join(cwd, 'data', 'runs'));
    for (const name of ['busy', 'idle']) await runs.create(aManifest({ name }), casesOf(1, { id: 'asked' }));
    const writer = await runs.write('busy');
    const forgotten = await jury(['labels', 'forget', 'U123'], { cwd, env });
    expect(forgotten).toMatchObject({ code: 1, out: 'Erased 1 request and 1 copied case of U123.\n' });
    expect(forgotten.err).toMatch(/Copies in the run busy are not erased: .*Then run this again/);
    expect((await runs.caseAt('idle', 0)).response).toBe('(erased)');
    await writer.close();
    const again = await jury(['labels', 'forget', 'U123'], { cwd, env });
    expect(again).toEqual({ code: 0, out: 'Erased 1 copied case of U123.\n', err: '' });
    expect((await runs.caseAt('busy', 0)).response).toBe('(erased)');
    await store.close();
  });

  test('erases nothing of who asked before the verdicts are noted whose copies are to go', async () => {
    const store = await openSqliteStore(join(scratch(), 'jury.db'));
    const at = Date.now();
    await store.saveVerdict(aRecord({ id: 'asked', at }));
    await keepPeople(store, 'asked', { askedBy: 'U123', stoppedBy: null }, at);
    const person = { surface: 'slack', team: '', user: 'U123' };
    const cutOff = forgetPeople(store, person, at, async (ids) => {
      throw new Error(`cut off at ${ids.join()}`);
    });
    await expect(cutOff).rejects.toThrow('cut off at asked');
    expect(await findPeople(store, 'asked', at)).toEqual({ askedBy: 'U123', stoppedBy: null });
    await store.close();
  });

  test('says that requests are under way, which name those who asked when they end', async () => {
    const cwd = scratch();
    const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
    await store.addSpotCheck(aCheck());
    const { code, err } = await jury(['labels', 'forget', 'U123'], { cwd, env });
    expect(code).toBe(0);
    expect(err).toBe('Being judged now: 1 request. If one is from U123, run this again afterwards.\n');
    await store.close();
  });

  test('refuses what names no one, exit 64', async () => {
    const { code, err } = await jury(['labels', 'forget', 'Ada'], { env });
    expect(code).toBe(64);
    expect(err).toContain('"Ada" is not a person');
  });
});

describe('the store of the command line', () => {
  test('is checked by doctor', async () => {
    const { code, out } = await jury(['doctor'], { env });
    expect(code).toBe(0);
    expect(out).toMatch(/✓ store: SQLite in .*jury\.db/);
  });

  test.skipIf(redisUrl === null)('is Redis where REDIS_URL says so', async () => {
    const cwd = scratch();
    const { code, out } = await jury(['doctor'], { cwd, env: { ...env, REDIS_URL: redisUrl ?? '' } });
    expect(code).toBe(0);
    expect(out).toMatch(/✓ store: Redis \d/);
    expect(existsSync(join(cwd, 'data', 'jury.db'))).toBe(false);
  });

  test('that cannot be reached is named by doctor with what to do, exit 1, without its password', async () => {
    const ran = await jury(['doctor'], { env: { ...env, REDIS_URL: 'redis://:hunter2@127.0.0.1:1' } });
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/✗ store: Redis at 127\.0\.0\.1:1 cannot be reached .*REDIS_URL/);
    expect(ran.out + ran.err).not.toContain('hunter2');
  });

  test('whose URL is of no known form stops the start, without its password', async () => {
    const ran = await jury(['doctor'], { env: { ...env, REDIS_URL: 'mysql://:hunter2@host' } });
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/REDIS_URL: the form is unknown/);
    expect(ran.out + ran.err).not.toContain('hunter2');
  });

  test('is not opened by commands that need none', async () => {
    const cwd = scratch();
    for (const command of [['methods'], ['parse']])
      await jury(command, { cwd, env, input: 'User: a\nSystem: b' });
    expect(existsSync(join(cwd, 'data', 'jury.db'))).toBe(false);
  });
});
