import { expect, test } from 'vitest';
import { meanNoise, medianInterval, medianNoise, ranks } from '../../src/statistics/measure.ts';

const first = (n: number) => Array.from({ length: n }, (_, at) => at + 1);

// Ranks by the binomial distribution with p = 0.5: P(X ≤ k − 1) ≤ 0.025 < P(X ≤ k). For n = 10 P(X ≤ 1) = 11/1024, P(X ≤ 2) = 56/1024.
test.each([
  [6, 1, 6],
  [10, 2, 9],
  [20, 6, 15],
  [100, 40, 61],
  [1000, 469, 532],
])('the median of %i values lies between the ranks %i and %i', (n, low, high) => {
  expect(medianInterval(first(n))).toEqual({ defined: true, n, low, high, level: 0.95 });
});

test('too few values have none', () => {
  for (const n of [0, 1, 5]) expect(medianInterval(first(n)).defined).toBe(false);
  expect(medianInterval(first(8), 0.99)).toMatchObject({ low: 1, high: 8 });
  expect(medianInterval(first(7), 0.99).defined).toBe(false);
});

test('the noise of a median is half its interval, or half the range of few values', () => {
  expect(medianNoise(first(10).toReversed())).toBe((9 - 2) / 2);
  expect(medianNoise([5, 1])).toBe(2);
  expect(medianNoise([7])).toBe(0);
  expect(medianNoise([])).toBe(0);
});

test('the noise of a mean is half its interval by Student’s t', () => {
  // t(4) = 2.776445, standard deviation √2.5.
  expect(meanNoise(first(5))).toBeCloseTo(2.776445 * Math.sqrt(2.5 / 5), 5);
  expect(meanNoise([3])).toBe(0);
});

test('ranks begin with 1, and equal values share the mean of theirs', () => {
  expect(ranks([10, 20, 20, 5])).toEqual([2, 3.5, 3.5, 1]);
  expect(ranks([4, 4, 4])).toEqual([2, 2, 2]);
  expect(ranks([])).toEqual([]);
});
