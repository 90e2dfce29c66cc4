import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bin, Measure } from '../../src/statistics/measure.ts';
import { krippendorffAlpha } from '../../src/statistics/raters/agreement.ts';
import { type ScorePair, scoreTable, spearman, timesOf } from '../../src/statistics/raters/correlation.ts';

type Counts = readonly Bin<ScorePair>[];
const tableOf = (counted: Counts) => scoreTable(counted.map(({ value }) => value));
const times = (counted: Counts) => Float64Array.from(counted, ({ items }) => items);
const countedSpearman = (counted: Counts) => tableOf(counted).spearman(times(counted));
const countedAlpha = (counted: Counts, scale: 'ordinal' | 'interval') =>
  tableOf(counted).alpha(times(counted), scale);

const LEVELS = [0, 1, 2, 3, 4];

const bins = fc.array(
  fc.record({
    value: fc.record({ given: fc.constantFrom(...LEVELS), known: fc.constantFrom(...LEVELS) }),
    items: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 1, maxLength: 12 },
);

const oneByOne = (counted: readonly Bin<ScorePair>[]): ScorePair[] =>
  counted.flatMap(({ value, items }) => Array.from({ length: items }, () => value));

/** The same but for rounding. */
function expectSame(found: Measure, other: Measure): void {
  if (!found.defined || !other.defined) expect(found).toEqual(other);
  else {
    expect(found.n).toBe(other.n);
    expect(found.value).toBeCloseTo(other.value, 9);
  }
}

describe('counted pairs of scores', () => {
  test('correlate as the items one by one', () => {
    fc.assert(
      fc.property(bins, (counted) => {
        const items = oneByOne(counted);
        const [given, known] = [items.map((one) => one.given), items.map((one) => one.known)];
        expectSame(countedSpearman(counted), spearman(given, known));
      }),
    );
  });

  test.each(['ordinal', 'interval'] as const)('agree as the %s alpha of their tallies says', (scale) => {
    const tallyOf = ({ given, known }: ScorePair) =>
      LEVELS.map((level) => Number(level === given) + Number(level === known));
    fc.assert(
      fc.property(bins, (counted) => {
        const histogram = counted.map(({ value, items }) => ({ value: tallyOf(value), items }));
        const distance = scale === 'ordinal' ? { scale } : { scale, levels: LEVELS };
        expectSame(countedAlpha(counted, scale), krippendorffAlpha(histogram, distance));
      }),
    );
  });

  test('come to what is worked out by hand', () => {
    // Given 1, 2, 3 and known 1, 3, 2: ranks the same, differences 0, 1, 1: 1 − 6·2/(3·8) = 0.5.
    const pairs = [
      { value: { given: 1, known: 1 }, items: 1 },
      { value: { given: 2, known: 3 }, items: 1 },
      { value: { given: 3, known: 2 }, items: 1 },
    ];
    expect(countedSpearman(pairs)).toMatchObject({ value: expect.closeTo(0.5, 12), n: 3 });
    // Six ratings, mean 2, squared distances 4: expected 6·4, observed 0 + 1 + 1: 1 − 5·2/24.
    expect(countedAlpha(pairs, 'interval')).toMatchObject({ value: expect.closeTo(14 / 24, 12), n: 3 });
  });

  test('of one value have no correlation and no alpha', () => {
    const same = [{ value: { given: 2, known: 2 }, items: 5 }];
    expect(countedSpearman(same)).toMatchObject({ defined: false, n: 5 });
    expect(countedAlpha(same, 'ordinal')).toEqual({ defined: false, n: 5, why: 'every rating is the same' });
  });

  test('that were not drawn do not enter', () => {
    const table = scoreTable([
      { given: 1, known: 2 },
      { given: 2, known: 3 },
      { given: 9, known: 0 },
    ]);
    const drawn = timesOf([{ value: [0, 1], items: 2 }], 3);
    expect([...drawn]).toEqual([2, 2, 0]);
    expect(table.spearman(drawn)).toMatchObject({ value: expect.closeTo(1, 12), n: 4 });
    expect(table.alpha(timesOf([{ value: [0], items: 1 }], 3), 'interval')).toMatchObject({ n: 1 });
  });
});
