import pino from 'pino';
import { expect, test } from 'vitest';
import { createFolderTrialStore } from '../../../src/stores/folder/runs.ts';
import { openStore } from '../../../src/stores/open-store.ts';
import { noteForgotten } from '../../../src/surfaces/forgotten-cases.ts';
import { eraseCopies, pruneDaily } from '../../../src/surfaces/service/background-tasks.ts';
import { closeAfterEach, closing, newFolder } from '../../support/resources.ts';
import { aManifest, casesOf } from '../../support/run-builders.ts';
import { aRecord, dayMs, saturday } from '../../support/store-builders.ts';

closeAfterEach();

test('verdicts go after their days, once a day, whichever replica comes first', async () => {
  const store = await openStore({ JURY_DATA_DIR: newFolder() }, () => {});
  closing(() => store.close());
  await store.saveVerdict(aRecord({ id: 'old', at: saturday - 31 * dayMs }));
  await store.saveVerdict(aRecord({ id: 'new', at: saturday - 29 * dayMs }));
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const parts = { store, retentionDays: 30, now: () => saturday, log };
  await Promise.all([pruneDaily(parts), pruneDaily(parts)]);
  const left = await store.recentVerdicts({ channel: null, limit: 9 });
  expect(left.map(({ id }) => id)).toEqual(['new']);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('"verdicts":1');

  await store.saveVerdict(aRecord({ id: 'late', at: saturday - 40 * dayMs }));
  await pruneDaily({ ...parts, now: () => saturday + dayMs });
  expect(await store.verdict('late')).toBeNull();
});

test('copies of chats’ cases go from runs that are as old; other cases and newer runs stay', async () => {
  const folder = newFolder();
  const store = createFolderTrialStore(folder);
  const chat = casesOf(1, { id: '0123456789abcdef0123' });
  const at = (days: number) => new Date(saturday - days * dayMs).toISOString();
  await store.create(aManifest({ name: 'old', createdAt: at(31) }), [...chat, ...casesOf(1)]);
  await store.create(aManifest({ name: 'new', createdAt: at(29) }), chat);
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const kept = await openStore({ JURY_DATA_DIR: folder }, () => {});
  closing(() => kept.close());
  const runs = async () => store;
  const parts = { runs, store: kept, retentionDays: 30, now: () => saturday, log };
  await eraseCopies({ ...parts, retentionDays: 0 });
  // A run that is being written does not keep the others from being erased.
  await store.create(aManifest({ name: 'busy', createdAt: at(31) }), chat);
  const writer = await store.write('busy');
  await eraseCopies(parts);
  await eraseCopies(parts);
  const responses = async (run: string) => {
    const found: string[] = [];
    for await (const { response } of store.readCases(run)) found.push(response);
    return found;
  };
  const [left = ''] = await responses('new');
  expect(left).not.toBe('(erased)');
  expect(await responses('old')).toEqual(['(erased)', left]);
  await writer.close();
  const fields = logged.map((line) => JSON.parse(line));
  expect(fields.map(({ cases, run }) => cases ?? run)).toEqual([1, 'busy', 'busy']);
  await eraseCopies(parts);
  expect(await responses('busy')).toEqual(['(erased)']);

  // What was forgotten on one machine goes from all, whatever the age of the run and without any limit.
  await noteForgotten(kept, ['0123456789abcdef0123'], saturday);
  await eraseCopies({ ...parts, retentionDays: 0 });
  expect(await responses('new')).toEqual(['(erased)']);
});
