import fc from 'fast-check';
import { expect, test } from 'vitest';
import { krippendorffAlpha, scoreAlpha, tallyHistogram } from '../../src/statistics/raters/agreement.ts';

test("alpha of scores is Krippendorff's own in his example: 4 coders, 12 units, 7 ratings missing", () => {
  // Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C, by unit.
  const units = [
    [1, 1, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [5, 5, 5],
    [1, 1],
    [3],
  ];
  expect(scoreAlpha(units, 'ordinal')).toMatchObject({ value: expect.closeTo(0.815, 3), n: 11 });
  expect(scoreAlpha(units, 'interval')).toMatchObject({ value: expect.closeTo(0.849, 3), n: 11 });
});

test('alpha of scores is that of the table of categories, whatever the scores', () => {
  const levels = [0, 0.5, 2, 3, 10];
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.constantFrom(...levels), { maxLength: 5 }), { maxLength: 12 }),
      (units) => {
        const table = tallyHistogram(units, levels);
        const pairs = [
          [scoreAlpha(units, 'ordinal'), krippendorffAlpha(table, { scale: 'ordinal' })],
          [scoreAlpha(units, 'interval'), krippendorffAlpha(table, { scale: 'interval', levels })],
        ] as const;
        for (const [found, expected] of pairs)
          expect(found).toEqual(
            expected.defined ? { ...expected, value: expect.closeTo(expected.value, 9) } : expected,
          );
      },
    ),
  );
});
