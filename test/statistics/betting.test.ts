import { describe, expect, test } from 'vitest';
import { type Account, afterLook, capitalOf, richestOf, type Unit } from '../../src/statistics/betting.ts';
import type { Bin } from '../../src/statistics/measure.ts';

const units = (...values: readonly [total: number, n: number, items: number][]): Bin<Unit>[] =>
  values.map(([total, n, items]) => ({ value: { total, n }, items }));

/** The expected factor of each account's capital over all outcomes of these requests, each of which passes with its own probability. */
function expectedGains(chances: readonly number[], limit: number): number[] {
  const gains: number[] = [];
  for (let outcome = 0; outcome < 2 ** chances.length; outcome += 1) {
    const passes = chances.map((_, at) => (outcome >> at) & 1);
    const chance = chances.reduce((product, p, at) => product * (passes[at] === 1 ? p : 1 - p), 1);
    const after = afterLook(
      [],
      units(...passes.map((pass): [number, number, number] => [pass, 1, 1])),
      limit,
      1,
    );
    for (const [at, { capital }] of after.entries()) gains[at] = (gains[at] ?? 0) + chance * capital;
  }
  return gains;
}

describe('betting that a mean is below a limit', () => {
  test('multiplies the capital by 1 + λ (limit − value) for each value', () => {
    // The boldest stake is 0.95, so that λ = 0.95 / (1 − 0.9) = 9.5: a pass leaves 1 − 0.95 = 0.05, a failure brings 1 + 9.5 × 0.9 = 9.55.
    const [bold] = afterLook([], units([1, 1, 1], [0, 1, 2]), 0.9, 0.5);
    expect(bold?.capital).toBeCloseTo(0.5 * 0.05 * 9.55 ** 2, 10);
    expect(bold).toMatchObject({ looks: 1, total: 1, n: 3 });
  });

  test('adds the deposit before each look', () => {
    const first = afterLook([], units([1, 1, 1]), 0.9, 0.5);
    // 0.5 × 0.05 = 0.025; then (0.025 + 0.5) × 9.55.
    const [bold] = afterLook(first, units([0, 1, 1]), 0.9, 0.5);
    expect(bold?.capital).toBeCloseTo(0.525 * 9.55, 10);
  });

  test('counts values that belong together as one bet, by their share of the largest unit', () => {
    // Four values with mean ½ are the largest unit: 1 + 9.5 (0.9 − 0.5) = 4.8. A single failure weighs a quarter: 1 + 9.5 × 0.9 / 4 = 3.1375.
    const [bold] = afterLook([], units([2, 4, 1], [0, 1, 1]), 0.9, 1);
    expect(bold?.capital).toBeCloseTo(4.8 * 3.1375, 10);
  });

  test.each([
    { of: 'a sample on the limit', chances: [0.75, 0.75, 0.75, 0.75] },
    { of: 'fixed requests with their mean on the limit', chances: [1, 1, 0.5, 0.5] },
    { of: 'fixed requests that always answer alike', chances: [1, 1, 1, 0] },
    { of: 'requests above the limit', chances: [1, 1, 0.9, 0.5] },
  ])('never grows on average: $of', ({ chances }) => {
    for (const gain of expectedGains(chances, 0.75)) expect(gain).toBeLessThanOrEqual(1 + 1e-12);
  });

  test('grows on average where the mean is below the limit', () => {
    const gains = expectedGains([0.5, 0.5, 0.5, 0.5], 0.75);
    expect(Math.max(...gains)).toBeGreaterThan(1);
  });

  test('is on average at most the deposits of unequal units, by the mean of all values', () => {
    // Three values that always pass, and one that never does: their mean is the limit, 0.75.
    for (const { capital } of afterLook([], units([3, 3, 1], [0, 1, 1]), 0.75, 1))
      expect(capital).toBeLessThanOrEqual(1 + 1e-12);
  });

  test('says over how many looks its capital came', () => {
    const good = units([1, 1, 240]);
    const bad = units([1, 1, 204], [0, 1, 36]);
    let accounts: Account[] = [];
    for (const look of [good, good, good, bad, bad]) accounts = afterLook(accounts, look, 0.9, 1 / 52);
    expect(richestOf(accounts)).toMatchObject({ looks: 2, total: 408, n: 480 });
    expect(capitalOf(accounts)).toBeGreaterThan(1);
    expect(richestOf([])).toBeNull();
  });

  test('keeps numbers that JSON can hold, however clear the case', () => {
    let accounts: Account[] = [];
    for (let look = 0; look < 3; look += 1) accounts = afterLook(accounts, units([0, 1, 100_000]), 0.99, 1);
    expect(JSON.parse(JSON.stringify(accounts))).toEqual(accounts);
    for (let look = 0; look < 3; look += 1) accounts = afterLook(accounts, units([1, 1, 100_000]), 0.99, 1);
    expect(JSON.parse(JSON.stringify(accounts))).toEqual(accounts);
  });

  test('takes one failure for proof against a limit of 100 %', () => {
    expect(capitalOf(afterLook([], units([1, 1, 239], [0, 1, 1]), 1, 1))).toBeGreaterThan(100);
    expect(capitalOf(afterLook([], units([1, 1, 240]), 1, 1))).toBeLessThanOrEqual(1);
  });
});
