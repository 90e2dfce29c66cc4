import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/statistics/index.ts';
import { jackknifeEstimate } from '../../src/statistics/jackknife.ts';
import { singly } from '../../src/statistics/measure.ts';
import {
  bestOfOtherHalf,
  effectiveVotes,
  errorCorrelations,
  errorCounts,
  meanErrorCorrelation,
} from '../../src/statistics/raters/shared-errors.ts';

const numberIn = (measure: { defined: boolean; value?: number }) => measure.value ?? Number.NaN;

describe('shared errors', () => {
  test('correlate as worked out by hand', () => {
    // Of 10 cases, A errs on 1–4, B on 3–6, C on 3–4: A and B share 2, A and C 2, B and C 2.
    const cases = Array.from({ length: 10 }, (_, index) => {
      const at = index + 1;
      return [!(at <= 4), !(at >= 3 && at <= 6), !(at === 3 || at === 4)];
    });
    const bins = [...singly([errorCounts(cases, 3)])];
    // (10·2 − 4·4) / (4·6) = 1/6; (10·2 − 4·2) / √(4·6·2·8) = 12/√384.
    const [ab, ac, bc] = errorCorrelations(bins, 3).map(numberIn);
    expect(ab).toBeCloseTo(1 / 6, 12);
    expect(ac).toBeCloseTo(12 / Math.sqrt(384), 12);
    expect(bc).toBeCloseTo(12 / Math.sqrt(384), 12);
    const mean = (1 / 6 + 24 / Math.sqrt(384)) / 3;
    expect(numberIn(meanErrorCorrelation(bins, 3))).toBeCloseTo(mean, 12);
    expect(numberIn(effectiveVotes(bins, 3))).toBeCloseTo(3 / (1 + 2 * mean), 12);
    // In whatever way the cases are grouped, the value is the same.
    const apart = [...singly(cases.map((one) => errorCounts([one], 3)))];
    expect(numberIn(effectiveVotes(apart, 3))).toBeCloseTo(3 / (1 + 2 * mean), 12);
  });

  test('of a judge that never errs say nothing', () => {
    const bins = [
      ...singly([
        errorCounts(
          [
            [true, false],
            [true, true],
          ],
          2,
        ),
      ]),
    ];
    expect(effectiveVotes(bins, 2)).toMatchObject({ defined: false, why: 'no two judges both err' });
  });

  test.each([1.5, 2, 2.5])(
    'of three judges worth %f independent ones are found on 2,000 made cases',
    (planted) => {
      // Each judge takes over one common error with probability √r, and else errs by itself: any two errors correlate by r.
      const correlation = (3 / planted - 1) / 2;
      const random = createRandom('planted', planted);
      const errs = () => random.fraction() < 0.25;
      const cases = Array.from({ length: 2000 }, () => {
        const common = errs();
        return [0, 1, 2].map(() => !(random.fraction() < Math.sqrt(correlation) ? common : errs()));
      });
      const bins = [...singly(cases.map((one) => errorCounts([one], 3)))];
      const { measure, interval } = jackknifeEstimate(bins, (some) => effectiveVotes(some, 3), 'positive');
      expect(Math.abs(numberIn(measure) - planted)).toBeLessThan(0.2);
      expect(interval.defined && interval.low < planted && planted < interval.high).toBe(true);
    },
  );
});

describe('the best judge of the other half', () => {
  test('is measured on cases that did not choose it', () => {
    // 40 units of three cases. The first judge is right in all, the second in none.
    const cases = Array.from({ length: 120 }, (_, index) => ({ unit: index % 40, rights: [true, false] }));
    expect(bestOfOtherHalf(cases, 2)).toEqual({ chosen: [0, 0], isRight: cases.map(() => true) });
  });

  test('looks no better than it is where all judges guess', () => {
    const random = createRandom('guesses');
    const judges = 8;
    const shares = Array.from({ length: 60 }, () => {
      const cases = Array.from({ length: 60 }, (_, unit) => ({
        unit,
        rights: Array.from({ length: judges }, () => random.fraction() < 0.5),
      }));
      const best = Math.max(
        ...Array.from(
          { length: judges },
          (_, judge) => cases.filter(({ rights }) => rights[judge]).length / 60,
        ),
      );
      return { best, fair: (bestOfOtherHalf(cases, judges)?.isRight ?? []).filter(Boolean).length / 60 };
    });
    const mean = (of: (one: (typeof shares)[number]) => number) =>
      shares.reduce((sum, one) => sum + of(one), 0) / shares.length;
    expect(mean(({ best }) => best)).toBeGreaterThan(0.57);
    expect(Math.abs(mean(({ fair }) => fair) - 0.5)).toBeLessThan(0.025);
  });

  test('does not depend on the order of the cases', () => {
    const random = createRandom('order');
    const cases = Array.from({ length: 90 }, (_, index) => ({
      unit: index % 30,
      rights: [random.fraction() < 0.6, random.fraction() < 0.6, random.fraction() < 0.6],
    }));
    const turned = bestOfOtherHalf(cases.toReversed(), 3);
    const straight = bestOfOtherHalf(cases, 3);
    expect(turned).toEqual({ chosen: straight?.chosen, isRight: straight?.isRight.toReversed() });
    expect(straight).not.toBeNull();
  });

  test('is not there where all cases belong together', () => {
    const rights = [true, false];
    expect(
      bestOfOtherHalf(
        [
          { unit: 0, rights },
          { unit: 0, rights },
        ],
        2,
      ),
    ).toBeNull(); // nothing is left to choose by
  });
});
