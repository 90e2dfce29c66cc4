import { expect, test } from 'vitest';
import { casesToShow, designEffectOf, discordanceOf } from '../../src/statistics/comparison.ts';

const aim = { difference: 0.05, discordance: 0.1, designEffect: 1, power: 0.8, alpha: 0.05 };

test('the number of cases follows from how often two configurations differ', () => {
  // (1.95996·√0.1 + 0.84162·√0.0975)² / 0.0025 + 1 / 0.05 = 311.6 + 20.
  expect(casesToShow(aim)).toBe(332);
  expect(casesToShow({ ...aim, designEffect: 2 })).toBe(664);
  expect(casesToShow({ ...aim, discordance: 0.2 })).toBeGreaterThan(casesToShow(aim));
  expect(casesToShow({ ...aim, power: 0.9 })).toBeGreaterThan(casesToShow(aim));
  expect(casesToShow({ ...aim, difference: 1, discordance: 1 })).toBeLessThan(10);
});

test('they differ the less the more alike they are, but never by less than their accuracies', () => {
  // Independent: 0.8·0.15 + 0.2·0.85.
  expect(discordanceOf(0.8, 0.85, 0)).toBeCloseTo(0.29, 12);
  expect(discordanceOf(0.8, 0.85, 1)).toBeCloseTo(0.05, 12);
  expect(discordanceOf(0.8, 0.85, -1)).toBeCloseTo(0.35, 12);
  // Both right: 0.8·0.7 + 0.5·√(0.8·0.2·0.7·0.3) = 0.6516515.
  expect(discordanceOf(0.8, 0.7, 0.5)).toBeCloseTo(1.5 - 2 * 0.6516515, 6);
});

test('the design effect is 1 for independent cases, and the size of groups whose cases are all alike', () => {
  const alike = Array.from({ length: 1000 }, (_, at): number[] => Array(6).fill(at % 2));
  const effect = designEffectOf(alike);
  expect(effect.defined && effect.value).toBeCloseTo(6, 1);
  expect(designEffectOf(alike.flat().map((value) => [value]))).toMatchObject({ value: expect.closeTo(1, 9) });
  // Mean 0.5: sums 1 above and below, 2·2/1 = 4, over 4·0.25·4/3.
  expect(
    designEffectOf([
      [1, 1],
      [0, 0],
    ]),
  ).toMatchObject({ value: expect.closeTo(3, 12), n: 4 });
  expect(
    designEffectOf([
      [1, 0],
      [0, 1],
    ]),
  ).toMatchObject({ value: 1 });
  expect(designEffectOf([[1, 1], [1]])).toMatchObject({ defined: false, why: 'all values are the same' });
  expect(designEffectOf([[1, 0]])).toMatchObject({ defined: false });
});
