import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import { searchFacts, searchWords } from '../../src/labels/record/verdict-record.ts';
import { aCase } from '../support/builders.ts';
import { aRecord } from '../support/store-builders.ts';

describe('what finds a verdict', () => {
  test('are the words of the panel’s reason and of the case, each once, without case and accents', () => {
    const evalCase = aCase({
      id: 'c7',
      conversation: [{ role: 'user', text: 'A café, please' }],
      response: 'Café Nord closed early.',
    });
    const record = aRecord({ verdict: { why: 'Closed at noon' }, evalCase });
    expect(searchWords(record).toSorted()).toEqual(
      ['a', 'at', 'c7', 'cafe', 'closed', 'early', 'noon', 'nord', 'please'].toSorted(),
    );
  });

  const tallied = (pass: number, fail: number) => {
    const verdict: Partial<Verdict> = { tally: { ...aRecord().verdict.tally, pass, fail } };
    return searchFacts(aRecord({ verdict }));
  };

  test('is that its judges are split as soon as one of them says otherwise', () => {
    for (const [pass, fail] of [
      [1, 2],
      [2, 1],
      [1, 1],
    ] as const)
      expect(tallied(pass, fail)).toContain('judges:split');
    for (const [pass, fail] of [
      [0, 3],
      [3, 0],
      [0, 0],
    ] as const)
      expect(tallied(pass, fail)).not.toContain('judges:split');
  });

  test('are its rubric, its decision and where it was asked for', () => {
    expect(tallied(0, 3)).toEqual(['rubric:navigation', 'decision:fail', 'surface:slack']);
  });
});
