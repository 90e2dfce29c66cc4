import { describe, expect, test } from 'vitest';
import { comparisonLeadText } from '../../src/reports/comparison/lead.ts';
import { pairReport, withHolm } from '../../src/reports/comparison/pair-report.ts';
import type { TrialFacts } from '../../src/reports/facts/trial-facts.ts';
import { plainFacts } from '../support/coverage.ts';

/** Cases whose label is pass, the first ones judged rightly. */
const facts = (n: number, right: (place: number) => boolean): TrialFacts[] =>
  Array.from({ length: n }, (_, place) => ({
    ...plainFacts,
    place,
    unit: place,
    repeat: 1,
    truth: 'pass',
    outcome: right(place) ? 'pass' : 'fail',
  }));

/** The lead of configurations on 40 cases, of which the first is right on 20, and the second on this many of them or more. */
const leadOf = (...after: readonly number[]): string | null => {
  const pairs = after.map((right, at) =>
    pairReport(
      { id: `c${at}`, facts: facts(40, (place) => place < 20) },
      { id: `c${at}`, facts: facts(40, (place) => place < right) },
    ),
  );
  return comparisonLeadText({ pairs: withHolm(pairs).map((pair) => ({ pair, flips: [], moves: [] })) });
};

describe('the lead of a comparison', () => {
  test('names the difference of a single configuration, and says where it can be chance', () => {
    // F1 is 2 × 20 / (40 + 20) before and 2 × 26 / (52 + 14) after; six cases turned, all one way: 2 × (1/2)⁶ = 0.031.
    expect(leadOf(26)).toMatch(
      /^F1 is higher by 0\.121 \(\+\d\.\d+ to \+\d\.\d+\): 0\.667 before, 0\.788 after, on 40 cases\.$/,
    );
    // Five: 0.0625, although the interval leaves out 0.
    expect(leadOf(25)).toMatch(/^F1 is higher by .* on 40 cases, which can be chance\.$/);
    expect(leadOf(20)).toBe('F1 is the same (no interval): 0.667 before, 0.667 after, on 40 cases.');
  });

  test('names none of several that is not beyond chance among all of them', () => {
    // 2 × (1/2)⁶ × 3 = 0.094.
    expect(leadOf(26, 20, 21)).toBe('No change beyond chance among 3 configurations.');
  });

  test('names the largest that is, with how many are', () => {
    // 2 × (1/2)⁹ × 3 = 0.012 and 2 × (1/2)⁸ × 2 = 0.016.
    expect(leadOf(12, 29, 20)).toMatch(
      /^F1 is lower by 0\.205 \(.*\): 0\.667 before, 0\.462 after, on 40 cases\. This is the largest of 2 changes beyond chance among 3 configurations: c0\.$/,
    );
    expect(leadOf(20, 29, 22)).toMatch(/This is the only change beyond chance among 3 configurations: c1\.$/);
  });

  test('names a difference that no interval can be given for', () => {
    // None right before, all right after: forty cases turned.
    const pair = pairReport(
      { id: 'c', facts: facts(40, () => false) },
      { id: 'c', facts: facts(40, () => true) },
    );
    expect(comparisonLeadText({ pairs: [{ pair, flips: [], moves: [] }] })).toBe(
      'F1 is higher by 1.000 (no interval): 0.000 before, 1.000 after, on 40 cases.',
    );
  });
});
