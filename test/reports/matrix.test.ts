import { expect, test } from 'vitest';
import type { Trial } from '../../src/benchmark/trial.ts';
import { createMatrix } from '../../src/reports/case-results.ts';
import { factsOf } from '../../src/reports/facts/trial-facts.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { aCase } from '../support/builders.ts';
import { newFolder } from '../support/resources.ts';
import { aConfiguration, aManifest, aTrial, aVerdict } from '../support/run-builders.ts';

async function storeOf(runs: Readonly<Record<string, readonly string[]>>) {
  const store = createFolderTrialStore(newFolder());
  for (const [name, responses] of Object.entries(runs)) {
    const cases = responses.map((response, at) => aCase({ id: `c${at}`, response, tags: { run: name } }));
    const dataset = { source: 'x', cases: cases.length, labeled: 0, hash: name };
    await store.create(aManifest({ name, configurations: [aConfiguration()], dataset }), cases);
  }
  return store;
}

const said = (key: string, parts: Partial<Trial>) => ({ ...aTrial('0-0', aVerdict()), key, ...parts });

test('a cell has the most frequent outcome, a tie is undecided, and scores are means', async () => {
  const matrix = await createMatrix(await storeOf({ one: ['a', 'b'] }), ['one']);
  const add = (key: string, setup: string, parts: Partial<Trial>, repeat = 1) => {
    const trial = said(key, parts);
    matrix.add(trial, setup, factsOf(trial, repeat));
  };
  for (const decision of ['pass', 'fail', 'pass'] as const) add('0-0', 'mab', { decision });
  for (const decision of ['pass', 'fail'] as const) add('0-1', 'mab', { decision });
  for (const score of [2, 5]) add('0-0', 'scores', { decision: 'scored', score });
  add('0-1', 'once', { decision: 'fail' });
  const { rows } = matrix.result(['mab', 'scores', 'once', 'never']);
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['ppfp', 3.5, null, null],
    ['upf', null, 'f', null],
  ]);
  expect(rows[0]).toMatchObject({ id: 'c0', run: 'one', place: 0, truth: null });
});

test('a case that is the same in several runs is one row, whatever its tags', async () => {
  const store = await storeOf({ one: ['a', 'b'], two: ['x', 'a', 'b'] });
  const onRow: string[] = [];
  await createMatrix(store, ['one', 'two'], (row, { response }) => onRow.push(`${row} ${response}`));
  // The ids differ for all but the first: what is judged includes them.
  expect(onRow).toEqual(['0 a', '1 b', '2 x', '3 a', '4 b']);
  const same = await createMatrix(await storeOf({ one: ['a', 'b'], two: ['a', 'y'] }), ['one', 'two']);
  const { rows, places } = same.result([]);
  expect(rows).toHaveLength(3);
  expect([...places]).toEqual([
    ['one', [0, 1]],
    ['two', [0, 2]],
  ]);
  expect(same.rowOf({ key: 'two:0-1' })).toBe(2);
  expect(same.rowOf({ key: '0-1' })).toBe(1);
});
