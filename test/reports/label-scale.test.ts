import { describe, expect, test } from 'vitest';
import { factsOf } from '../../src/reports/facts/trial-facts.ts';
import { isOtherScale, readLabelScale } from '../../src/reports/metrics/label-scale.ts';
import { compareScores, scoresOf } from '../../src/reports/metrics/scores.ts';
import { aTrial } from '../support/run-builders.ts';

/** Trials with these scores and labels, one a case. */
const factsFor = (scores: readonly number[], labels: readonly number[], mapping?: string) =>
  scores.map((score, at) =>
    factsOf({ ...aTrial(`0-${at}`), decision: 'scored', score, label: { score: labels[at] } }, 1, {
      labelOf: readLabelScale(mapping) ?? ((label) => label),
    }),
  );

const judged = [1, 2.5, 3, 0.5, 4, 2];
const labels = [20, 70, 65, 10, 95, 60];

describe('labels from 0 to 100 beside scores from 0 to 4', () => {
  test('are compared by rank alone', () => {
    const against = scoresOf(factsFor(judged, labels))?.against;
    // Ranks 2 4 5 1 6 3 beside 2 5 4 1 6 3: 1 − 6·2 / (6·35).
    expect(against?.spearman).toMatchObject({ measure: { value: expect.closeTo(1 - 12 / 210, 12) } });
    expect(against?.kendall.defined).toBe(true);
    const why = 'labels are on another scale than scores, which can be compared by rank alone';
    expect(against?.meanAbsoluteError.measure).toEqual({ defined: false, n: 6, why });
    expect(against?.alpha.measure).toEqual({ defined: false, n: 6, why });
    expect(against?.pearson).toEqual({ defined: false, n: 6, why });
    const compared = compareScores(factsFor(judged, labels), factsFor([...judged].reverse(), labels));
    expect(compared?.against?.spearman.difference.defined).toBe(true);
    expect(compared?.against?.meanAbsoluteError.difference).toMatchObject({ defined: false, why });
  });

  test('are compared as numbers after a stated mapping', () => {
    const against = scoresOf(factsFor(judged, labels, '0-100=0-4'))?.against;
    // 0.8 2.8 2.6 0.4 3.8 2.4: errors 0.2 0.3 0.4 0.1 0.2 0.4.
    expect(against?.meanAbsoluteError.measure).toMatchObject({ value: expect.closeTo(1.6 / 6, 12) });
    expect(against?.alpha.measure.defined).toBe(true);
  });
});

test.each([
  ['0 to 100 beside 0 to 4', [1, 2, 3], [20, 50, 75], true],
  ['0 to 10 beside 0 to 4', [1, 2, 3], [2, 9, 5], true],
  ['0 to 4 beside 0 to 100', [80, 95, 60, 70, 90], [3, 4, 2, 3, 4], true],
  ['0 to 1 beside 0 to 4', [3, 4, 2, 3, 4], [0.7, 1, 0.5, 0.6, 0.9], true],
  ['the same scale, of which judges use little', [1, 1, 1, 0, 1], [3, 4, 4, 2, 4], false],
  ['the same scale, of which labels use little', [80, 95], [5, 10], false],
  ['1 to 5 beside 0 to 4, which numbers do not tell', [1, 4, 3, 2, 2], [2, 5, 4, 3, 3], false],
  ['preferences', [-1, 1, 0, 1, 1], [1, -1, 0, 0, 1], false],
  ['preferences of which none is', [-1, 1, 0, 1, 1], [0, 0, 0, 0, 0], false],
] as const)('%s', (_, scores, known, isOther) => {
  expect(isOtherScale(scores, known, known.length)).toBe(isOther);
});

test('means that only rounding tells apart are ties', () => {
  // (1/12 + 2/12 + 4/12) / 3 and 7/36 are the same number, and not the same to a machine.
  const [one, other] = [(1 / 12 + 2 / 12 + 4 / 12) / 3, (4 / 12 + 2 / 12 + 1 / 12) / 3 + Number.EPSILON / 8];
  expect(one).not.toBe(other);
  const against = scoresOf(factsFor([one, other, 1, 2], [2, 1, 3, 4]))?.against;
  // Ranks 1.5 1.5 3 4 beside 2 1 3 4: 4.5 / √(4.5 · 5); five of six pairs untied, all concordant
  expect(against?.spearman.measure).toMatchObject({ value: expect.closeTo(4.5 / Math.sqrt(4.5 * 5), 12) });
  expect(against?.kendall).toMatchObject({ value: expect.closeTo(5 / Math.sqrt(5 * 6), 12) });
});

test('a mapping names both scales', () => {
  const mapped = (text: string, score: number) => readLabelScale(text)?.(score);
  expect(mapped('0-100=0-4', 50)).toBe(2);
  expect(mapped('1..5=0..4', 5)).toBe(4);
  expect(mapped('-1-1=0-100', -1)).toBe(0);
  expect(readLabelScale(undefined)).toBeUndefined();
  for (const wrong of ['0-100', '100-0=0-4', 'a=b', '0-100=4-4'])
    expect(() => readLabelScale(wrong)).toThrow('Must be the scale of the labels and that of the scores');
  expect(() => mapped('0-10=0-4', 11)).toThrow('A label is 11, outside 0 to 10.');
});
