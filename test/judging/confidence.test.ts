import { describe, expect, test } from 'vitest';
import { confidenceWeight } from '../../src/judging/reduce.ts';

describe('the weight of a confidence, in tenths', () => {
  // f(p) of the paper: 1.0 at 1; 0.8 from 0.9; 0.5 from 0.8; 0.3 from 0.6; else 0.1.
  test.each([
    [1, 10],
    [0.99, 8],
    [0.9, 8],
    [0.89, 5],
    [0.8, 5],
    [0.79, 3],
    [0.6, 3],
    [0.59, 1],
    [0, 1],
  ])('of %d is %d', (confidence, weight) => {
    expect(confidenceWeight(confidence)).toBe(weight);
  });
});
