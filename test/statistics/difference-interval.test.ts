import { expect, test } from 'vitest';
import { differenceInterval, pairedDifferenceInterval } from '../../src/statistics/proportions.ts';

test('the difference of two shares has the interval that Newcombe prints', () => {
  // Newcombe 1998, table II, method 10: 56/70 − 48/80 = 0.2, 0.0524 to 0.3339.
  const interval = differenceInterval({ successes: 56, n: 70 }, { successes: 48, n: 80 });
  expect(interval).toMatchObject({ defined: true, n: 70 });
  expect(interval.defined && interval.low).toBeCloseTo(0.0524, 4);
  expect(interval.defined && interval.high).toBeCloseTo(0.3339, 4);
});

test('of cases judged twice only those count that changed', () => {
  // n = 98: (10.5 − 5.5) / 100 = 0.05; √(16 − 25/100) = 3.9686; · 1.95996 / 100 = 0.07778.
  const interval = pairedDifferenceInterval(10, 5, 98);
  expect(interval.defined && interval.low).toBeCloseTo(-0.0278, 4);
  expect(interval.defined && interval.high).toBeCloseTo(0.1278, 4);
});

test('without cases there is no interval', () => {
  expect(differenceInterval({ successes: 0, n: 0 }, { successes: 1, n: 2 })).toMatchObject({
    defined: false,
  });
  expect(pairedDifferenceInterval(0, 0, 0)).toMatchObject({ defined: false });
});
