import { expect, test } from 'vitest';
import type { SharedErrors } from '../../src/reports/panel-benefit.ts';
import { votesCell, votesWords } from '../../src/reports/panel-words.ts';

const votes = (value: number, low: number, high: number): SharedErrors['effectiveVotes'] => ({
  measure: { defined: true, n: 40, value },
  interval: { defined: true, n: 40, low, high, level: 0.95, by: 'jackknife' },
});
const wordsOf = (of: SharedErrors['effectiveVotes'], inCommon: SharedErrors['inCommon']) =>
  votesWords(
    { pairs: [], mean: of, effectiveVotes: of, inCommon },
    { k: 2, cases: 40, alike: 'They err alike' },
  );

test.each([
  ['offset each other', votes(7.65, 2.4, 60), '2 or more', '2 or more'],
  ['may offset each other', votes(7.65, 1.2, 60), '2 or more', '1.20 to 2 or more'],
  ['have something in common', votes(1.5, 1.25, 1.9), '1.50', '1.25–1.90'],
])('two judges whose errors %s are never worth more than two without a word', (_, of, text, note) => {
  expect(votesCell(of, 2)).toMatchObject({ text, note });
});

test('words say that errors offset each other where that is sure', () => {
  expect(wordsOf(votes(7.65, 2.4, 60), 'little')).toEqual([
    'Their errors offset each other: two judges are worth 2 or more independent ones.',
  ]);
  expect(wordsOf(votes(7.65, 1.2, 60), 'unknown')).toEqual([
    '40 cases do not tell whether they err alike: two judges are worth 2 or more independent ones (1.2 to 2 or more).',
  ]);
});
