import { describe, expect, test } from 'vitest';
import {
  clusterFactor,
  pairedScoreInterval,
  sameDistributionTest,
  sumInterval,
} from '../../src/statistics/differences.ts';
import { singly } from '../../src/statistics/measure.ts';
import { effectiveItems, trendOf } from '../../src/statistics/proportions.ts';

const limits = (low: number, high: number) => ({ defined: true, n: 10, low, high, level: 0.95 }) as const;

describe('the interval of a weighted sum', () => {
  test('adds the squares of how far each limit is from its estimate', () => {
    // 0.5 · 0 + 0.5 · 0.4 = 0.2; √(0.25 · 0.01 + 0.25 · 0.09) = 0.1581; √(0.25 · 0.04 + 0.25 · 0.01) = 0.1118.
    const sum = sumInterval(
      [
        { weight: 0.5, value: 0, interval: limits(-0.1, 0.2) },
        { weight: 0.5, value: 0.4, interval: limits(0.1, 0.5) },
      ],
      20,
    );
    expect(sum).toMatchObject({ defined: true, n: 20 });
    expect(sum.defined && sum.low).toBeCloseTo(0.0419, 4);
    expect(sum.defined && sum.high).toBeCloseTo(0.3118, 4);
  });

  test('is that of its only part, whatever a part without weight is', () => {
    const none = { defined: false, n: 0, why: 'there is no case' } as const;
    const part = { weight: 1, value: 0.1, interval: limits(-0.1, 0.2) };
    const sum = sumInterval([part, { weight: 0, value: 0, interval: none }], 5);
    expect(sum.defined && [sum.low, sum.high]).toEqual([expect.closeTo(-0.1, 12), expect.closeTo(0.2, 12)]);
    expect(sumInterval([part, { weight: 0.5, value: 0, interval: none }], 5)).toEqual(none);
  });
});

describe('limits of a paired difference by the score test', () => {
  // From a maximum of the likelihood that was searched for numerically; the first is in Tango 1998: −0.118 with one of 44.
  test.each([
    [0, 1, 44, -0.1181, 0.0594],
    [0, 0, 40, -0.0876, 0.0876],
    [9, 3, 60, -0.015, 0.2224],
    [2, 12, 100, -0.1819, -0.031],
    [0, 1, 74, -0.0727, 0.0365],
  ])('%i gained and %i lost of %i', (gained, lost, n, low, high) => {
    const interval = pairedScoreInterval(gained, lost, n);
    expect(interval.defined && interval.low).toBeCloseTo(low, 4);
    expect(interval.defined && interval.high).toBeCloseTo(high, 4);
  });

  test('keep a few cases without a change from proving that nothing changed', () => {
    const interval = limits(-0.047, 0.047);
    expect(trendOf(interval, 0.05)).toBe('steady');
    expect(trendOf(interval, 0.05, pairedScoreInterval(0, 0, 40))).toBe('unknown');
    expect(trendOf(interval, 0.05, pairedScoreInterval(0, 0, 74))).toBe('steady');
  });

  test('are not defined without cases', () => {
    expect(pairedScoreInterval(0, 0, 0)).toMatchObject({ defined: false });
  });
});

describe('the share of independent items behind a difference', () => {
  const item = (unit: number, deviation: number, side = 'both') => ({ unit, side, weight: 0.25, deviation });

  test('is all of them where none belong together', () => {
    expect(clusterFactor([item(1, 0.1), item(2, -0.1), item(3, 0), item(4, 0)], 2)).toBe(1);
  });

  test('is that of one share where there is only one', () => {
    // 20 users of four answers: 12 users pass all, 4 none, and 4 half of them.
    const users = Array.from({ length: 20 }, (_, at) => (at < 12 ? 4 : at < 16 ? 0 : 2));
    const share = 56 / 80;
    const items = users.flatMap((passed, unit) =>
      Array.from({ length: 4 }, (_, at) => ({
        unit,
        side: 'later',
        weight: 1 / 80,
        deviation: ((at < passed ? 1 : 0) - share) / 80,
      })),
    );
    const effective = effectiveItems([...singly(users.map((successes) => ({ successes, n: 4 })))]);
    expect(80 * (clusterFactor(items, 24) ?? 0)).toBeCloseTo(effective, 9);
    expect(effective).toBeLessThan(30);
  });

  test('is less by the largest possible factor where nothing is known of it', () => {
    // Two groups of two without any deviation: 1/2, less by (t(3) / t(1))² = (3.182 / 12.706)².
    const alike = [1, 1, 2, 2].map((unit) => item(unit, 0));
    expect(clusterFactor(alike, 0)).toBeCloseTo(0.5 * (3.1824 / 12.7062) ** 2, 4);
  });

  test('goes by the side that has few groups, if most of the variance is its own', () => {
    const later = [1, 1, 2, 2].map((unit) => item(unit, unit === 1 ? 0.1 : -0.1, 'later'));
    const earlier = [3, 4, 5, 6].map((unit) => item(unit, unit % 2 === 0 ? 0.1 : -0.1, 'earlier'));
    // Variances 0.08 of two groups and 0.04 of four: 0.12² / (0.08² / 1 + 0.04² / 3) = 2.08 degrees of freedom.
    // deff: (0.08 · 2/1 + 0.04 · 4/3) / (0.08 · 8/7) = 2.3333; t(6) = 2.4469, t(2) = 4.3027.
    expect(clusterFactor([...later, ...earlier], 4)).toBeCloseTo((2.4469 / 4.3027) ** 2 / 2.3333, 4);
  });

  test('is not known of a single group', () => {
    expect(clusterFactor([item(1, 0.1), item(1, -0.1)], 1)).toBeNull();
    expect(
      clusterFactor([item(1, 0.1, 'later'), item(2, -0.1, 'earlier'), item(2, 0, 'earlier')], 1),
    ).toBeNull();
  });
});

describe('the test of one distribution in two samples', () => {
  test.each([
    // χ² = 4 with one degree of freedom; 5.3333 with two, e^(−χ²/2); 6.0240 with three.
    [
      [
        [30, 20],
        [20, 30],
      ],
      0.0455,
    ],
    [
      [
        [10, 20],
        [20, 20],
        [30, 20],
      ],
      0.069483,
    ],
    [
      [
        [10, 20],
        [20, 20],
        [30, 20],
        [12, 8],
      ],
      0.11045,
    ],
    [
      [
        [5, 10],
        [10, 20],
      ],
      1,
    ],
  ] satisfies [[number, number][], number][])('%j has p = %f', (table, p) => {
    const found = sameDistributionTest(table);
    expect(found.defined && found.value).toBeCloseTo(p, 5);
  });

  test('wants two categories and two samples', () => {
    for (const table of [
      [
        [5, 5],
        [0, 0],
      ],
      [
        [5, 0],
        [6, 0],
      ],
      [],
    ] satisfies [number, number][][])
      expect(sameDistributionTest(table)).toMatchObject({ defined: false });
  });
});
