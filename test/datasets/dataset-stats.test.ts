import { expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import { datasetStats } from '../../src/datasets/dataset-quality.ts';
import { contractFormat } from '../support/format.ts';

const turn = (text: string, role: 'user' | 'system' = 'user') => ({ role, text });

const cases: EvalCase[] = [
  {
    id: 'a',
    conversation: [turn('one two three')],
    response: 'a b',
    recommendation: { rating: 4, cuisine: 'Thai' },
    language: 'en',
    label: { decision: 'pass' },
  },
  {
    id: 'b',
    conversation: [turn('one two three')],
    response: 'a b',
    recommendation: { rating: 4, cuisine: 'Thai' },
    language: 'en',
    label: { decision: 'fail', errorType: 'time' },
  },
  {
    id: 'c',
    conversation: [turn('one'), turn('two', 'system'), turn('three four')],
    response: 'a b c d e f',
    recommendation: { rating: 4 },
    language: 'de',
    label: { decision: 'fail', errorType: 'time' },
  },
  { id: 'c', conversation: [turn('one')], response: 'a b c d', label: { score: 3 } },
];

test('counts labels, error types and languages, the most frequent first', () => {
  const { cases: count, errorTypes, labels, languages, rubrics } = datasetStats(cases, contractFormat.paths);
  expect({ count, labels, errorTypes, languages, rubrics }).toEqual({
    count: 4,
    labels: { fail: 2, pass: 1, score: 1 },
    errorTypes: { time: 2 },
    languages: { en: 2, '(none)': 1, de: 1 },
    rubrics: { '(none)': 4 },
  });
});

test('tells how long requests and responses are', () => {
  const { responseWords, turns, userWords } = datasetStats(cases, contractFormat.paths);
  expect(turns).toEqual({ min: 1, median: 1, mean: 1.5, max: 3 }); // 1 1 1 3
  expect(userWords).toEqual({ min: 1, median: 3, mean: 2.5, max: 3 }); // 1 3 3 3
  expect(responseWords).toEqual({ min: 2, median: 3, mean: 3.5, max: 6 }); // 2 2 4 6
});

test('tells which fields some cases lack, once for all that lies within them', () => {
  expect(datasetStats(cases, contractFormat.paths).missing).toEqual([
    { path: 'recommendation.cuisine', cases: 2 }, // c and c
    { path: 'recommendation', cases: 1 },
    { path: 'language', cases: 1 },
  ]);
});

test('finds cases that are there twice, and those whose labels then differ', () => {
  expect(datasetStats(cases, contractFormat.paths).duplicates).toEqual({
    ids: ['c'],
    contents: [['a', 'b']],
    contradictions: [['a', 'b']],
  });
});

test('says nothing of an empty dataset', () => {
  expect(datasetStats([], contractFormat.paths)).toMatchObject({
    cases: 0,
    turns: null,
    userWords: null,
    missing: [],
  });
});

test('finds the same content in cases of different users', () => {
  const [one] = cases;
  if (one === undefined) throw new Error('no case');
  const tagged = ['u1', 'u2'].map((group) => ({ ...one, id: group, tags: { group } }));
  expect(datasetStats(tagged, contractFormat.paths).duplicates.contents).toEqual([['u1', 'u2']]);
});

test('does not miss a switch that has a default', () => {
  const calling = cases.map((one, at) => ({
    ...one,
    expectedCalls: { anyOf: [[]], ...(at === 0 ? { ordered: true } : {}) },
  }));
  const paths = datasetStats(calling, contractFormat.paths).missing.map(({ path }) => path);
  expect(paths).toContain('language');
  expect(paths).not.toContain('expectedCalls.ordered');
});
