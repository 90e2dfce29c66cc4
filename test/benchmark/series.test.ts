import { expect, test } from 'vitest';
import { allSeries, finishedRuns, seriesOf } from '../../src/benchmark/index.ts';
import { unnamedRun } from '../../src/benchmark/series.ts';
import { JuryError } from '../../src/common/errors.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { aManifest, aTrial, aVerdict, casesOf } from '../support/run-builders.ts';
import { scratch } from '../support/run-jury.ts';

const dataset = { source: 'data/drives.v2.jsonl', cases: 1, labeled: 1, hash: 'a' };
const named = (name: string) => seriesOf(aManifest({ name, dataset }));

test.each([
  ['nightly-20261121', 'nightly'],
  ['nightly-20261121-0830', 'nightly'],
  ['nightly-2026-11-21', 'nightly'],
  ['nightly-20261123T080000Z', 'nightly'],
  ['nightly-fr-2026-11-21', 'nightly-fr'],
  // Only one moment is the run's own.
  ['smoke-2026-01-01-20261123T080000Z', 'smoke-2026-01-01'],
  ['nightly', 'nightly'],
  ['drives-0f9a3c5e', 'drives'],
])('without a recorded series, %s belongs to %s', (name, series) => {
  expect(named(name)).toBe(series);
});

test.each([
  'main-feature-x',
  'nightly-fr',
  'main-123-1',
  'release-3.1',
  'nightly-20261321',
  'nightly-20261121-2460',
  'nightly-2026-11-21-1',
  'nightly20261121',
  'nightly-20261123T080000',
  // A run of another file of that name is one that somebody named so.
  'other-0f9a3c5e',
  'drives-0f9a3c5',
])('%s is a series of its own', (name) => {
  expect(named(name)).toBe(name);
});

test('a recorded series is the one, whatever the name is', () => {
  expect(seriesOf(aManifest({ name: 'main-2026-11-21', series: 'main-feature' }))).toBe('main-feature');
  expect(unnamedRun('data/drives.v2.jsonl, b.jsonl', '0f9a3c5e77')).toBe('drives-0f9a3c5e');
});

test('the finished runs of a series are read oldest first, and no others', async () => {
  const runs = createFolderTrialStore(scratch());
  const keep = async (name: string, day: number, isFinished: boolean, series?: string) => {
    const createdAt = `2026-11-0${day}T09:00:00.000Z`;
    await runs.create(
      aManifest({ name, createdAt, dataset, ...(series === undefined ? {} : { series }) }),
      casesOf(1),
    );
    const writer = await runs.write(name);
    if (isFinished) await writer.save(aTrial('0-0', aVerdict()), aVerdict());
    await writer.close();
  };
  await keep('main-2', 2, true, 'main');
  await keep('main-1', 1, true, 'main');
  await keep('main-3', 3, false, 'main');
  await keep('main-feature-1', 4, true);
  await keep('main-2026-11-05', 5, true);
  expect((await finishedRuns(runs, 'main')).map(({ manifest }) => manifest.name)).toEqual([
    'main-1',
    'main-2',
    'main-2026-11-05',
  ]);
  expect(await finishedRuns(runs, 'mai')).toEqual([]);
  expect(await allSeries(runs)).toEqual(['main', 'main-feature-1']);
});

test('a damaged run does not hide the others, but a store that is away does', async () => {
  const runs = createFolderTrialStore(scratch());
  await runs.create(aManifest({ name: 'main-1', series: 'main' }), casesOf(1));
  const failing = (code: 'bad-file' | 'store-unavailable') => ({
    names: async () => ['gone', 'main-1'],
    readRun: async (name: string) => {
      if (name === 'main-1') return runs.readRun(name);
      throw new JuryError(code, 'no');
    },
  });
  expect(await allSeries(failing('bad-file'))).toEqual(['main']);
  await expect(allSeries(failing('store-unavailable'))).rejects.toThrow('no');
});
