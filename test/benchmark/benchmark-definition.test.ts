import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadBenchmarks, runNameFor } from '../../src/benchmark/benchmark-definition.ts';
import { RunName } from '../../src/benchmark/run-manifest.ts';
import { builtIn, folderWith } from '../support/built-in.ts';

const benchmark = (lines: string): string =>
  folderWith({ 'benchmarks/nightly.yaml': `title: Every night\n${lines}` });

test('a benchmark of a user’s own stands beside the built-in one, its files found from where it stands', () => {
  const own = benchmark('dataset: { files: [../cases.jsonl] }\nbudget: 0.5\nmodels: [openai/gpt-4o-mini]');
  const all = loadBenchmarks([builtIn, own]);
  expect([...all.keys()]).toEqual(['navigation', 'nightly']);
  expect(all.get('nightly')).toMatchObject({
    dataset: { files: [join(own, 'cases.jsonl')] },
    models: ['openai/gpt-4o-mini'],
    methods: [],
    budget: 0.5,
    minutes: 120,
  });
});

test.each([
  ['dataset: { files: [a.jsonl] }', 'budget: must be US dollars above 0, or none'],
  ['dataset: { files: [a.jsonl] }\nbudget: -1', 'budget: must be US dollars above 0, or none'],
  ['dataset: cases.jsonl\nbudget: none', 'dataset: must be {files: [cases.jsonl]} or {generate'],
  ['dataset: { files: [a.jsonl] }\nbudget: none\nmodel: rules', 'model'],
])('%j is refused with file and key', (lines, message) => {
  expect(() => loadBenchmarks([benchmark(lines)])).toThrow(/nightly\.yaml/);
  expect(() => loadBenchmarks([benchmark(lines)])).toThrow(message);
});

test('a run is named by its benchmark and when it was due', () => {
  const name = runNameFor('x'.repeat(60), Date.UTC(2026, 10, 23, 8));
  expect(name).toBe(`${'x'.repeat(60)}-20261123T080000Z`);
  expect(RunName.safeParse(name).success).toBe(true);
});

test('people are asked about a benchmark’s answers only if its file says so', () => {
  const source = 'dataset: { files: [a.jsonl] }\nbudget: none';
  expect(loadBenchmarks([benchmark(source)]).get('nightly')?.review).toBeUndefined();
  expect(
    loadBenchmarks([benchmark(`${source}\nreview: { people: [name:ann] }`)]).get('nightly')?.review,
  ).toEqual({ size: 40, votes: 1, people: ['name:ann'], perWeek: 10, days: 7 });
  expect(() => loadBenchmarks([benchmark(`${source}\nreview: { size: 4 }`)])).toThrow('review.size');
});
