import { expect, test } from 'vitest';
import { medianInterval } from '../../src/statistics/measure.ts';

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
