import { describe, expect, test } from 'vitest';
import type { Preference } from '../../src/judging/verdict/verdict.ts';
import { readRight } from '../../src/labels/record/vote.ts';
import { aRecord } from '../support/store-builders.ts';

const failed = aRecord().verdict;
const scored = aRecord({ verdict: { decision: 'scored', score: 3, scale: { min: 0, max: 4 } } }).verdict;
const undecided = aRecord({ verdict: { decision: 'undecided', scale: { min: 0, max: 4 } } }).verdict;

describe('what is right, as people write it', () => {
  test('is pass or fail where the rubric decides', () => {
    expect(readRight(' Pass ', failed)).toEqual({ right: { kind: 'decision', decision: 'pass' } });
    expect(readRight('3', failed)).toEqual({
      problem: '"3" is neither pass nor fail, as its rubric requires',
    });
  });

  test('is a score on its scale where the rubric scores, also where the panel came to nothing', () => {
    expect(readRight('2.5', scored)).toEqual({ right: { kind: 'score', score: 2.5 } });
    expect(readRight('4', undecided)).toEqual({ right: { kind: 'score', score: 4 } });
  });

  test('may be either end of the scale', () => {
    for (const score of [0, 4])
      expect(readRight(String(score), scored)).toEqual({ right: { kind: 'score', score } });
  });

  test('of two answers is one of them, by letter or name, or neither', () => {
    const preference: Preference = {
      better: 'A',
      names: ['Old', 'New'],
      judges: { A: 3, B: 0, same: 0, changed: 0 },
      reasons: { A: '', B: '' },
    };
    const compared = { ...scored, scale: { min: -1, max: 1 }, preference };
    for (const [text, score] of Object.entries({ a: -1, NEW: 1, same: 0 }))
      expect(readRight(text, compared)).toEqual({ right: { kind: 'score', score } });
    expect(readRight('banana', compared)).toEqual({
      problem: '"banana" names none of the answers: write Old, New or same',
    });
  });

  test.each(['5', '-0.1', 'pass', '', 'NaN', 'Infinity', '1e999'])(
    'refuses %j as a score from 0 to 4',
    (text) => {
      expect(readRight(text, scored)).toHaveProperty('problem');
    },
  );
});
