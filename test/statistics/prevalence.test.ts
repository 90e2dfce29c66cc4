import { describe, expect, test } from 'vitest';
import { trueShare } from '../../src/statistics/proportions.ts';
import { createRandom } from '../../src/statistics/random.ts';

const share = (successes: number, n: number) => ({ successes, n });

describe('the true share of right answers', () => {
  // (194/240 + 26/30 − 1) / (82/90 + 26/30 − 1) = 0.675 / 0.777… = 0.867857…; 23 of 150 with 96 % and 89 % gives the
  // 5.1 % of Rogan and Gladen's textbook example. Limits: the paper's formulas, worked out apart from this code.
  test.each([
    {
      passed: share(194, 240),
      se: share(82, 90),
      sp: share(26, 30),
      value: 0.867857142857,
      low: 0.770114562353,
      high: 0.969666232125,
    },
    {
      passed: share(23, 150),
      se: share(96, 100),
      sp: share(178, 200),
      value: 0.050980392157,
      low: 0,
      high: 0.139387098915,
    },
    {
      passed: share(60, 80),
      se: share(45, 50),
      sp: share(9, 10),
      value: 0.8125,
      low: 0.617213710838,
      high: 0.963718932887,
    },
  ])('of $passed.successes passed of $passed.n is $value', ({ passed, se, sp, value, low, high }) => {
    const { measure, interval } = trueShare(passed, se, sp);
    if (!measure.defined || !interval.defined) throw new Error('it is defined');
    expect(measure.value).toBeCloseTo(value, 9);
    expect(interval.low).toBeCloseTo(low, 9);
    expect(interval.high).toBeCloseTo(high, 9);
  });

  test('of perfect judges is the share that they pass', () => {
    expect(trueShare(share(60, 80), share(50, 50), share(20, 20)).measure).toMatchObject({ value: 0.75 });
  });

  test.each([
    [share(0, 0), share(9, 10), share(9, 10), 'no answer was decided'],
    [share(8, 10), share(0, 0), share(9, 10), 'no answer is known to be right'],
    [share(8, 10), share(9, 10), share(0, 0), 'no answer is known to be wrong'],
    [share(8, 10), share(5, 10), share(5, 10), 'the judges are no better than chance'],
    [share(200, 1000), share(300, 1000), share(1, 1), 'too few answers are known to be right or wrong'],
  ])('is not defined without what it takes (%#)', (passed, se, sp, why) => {
    const { measure, interval } = trueShare(passed, se, sp);
    expect([measure, interval]).toMatchObject([
      { defined: false, why },
      { defined: false, why },
    ]);
  });

  test.each([
    { truth: 0.8, se: 0.92, sp: 0.85, n: 240, right: 90, wrong: 30 },
    { truth: 0.6, se: 0.85, sp: 0.9, n: 120, right: 60, wrong: 60 },
    { truth: 0.9, se: 0.95, sp: 0.8, n: 600, right: 160, wrong: 40 },
    { truth: 0.5, se: 0.75, sp: 0.75, n: 400, right: 100, wrong: 100 },
  ])('lies within the 95 % interval in 93 to 97 % of samples (truth $truth, n $n)', (setting) => {
    const { truth, se, sp, n, right, wrong } = setting;
    const { fraction } = createRandom(`prevalence ${truth} ${n}`);
    const drawn = (of: number, chance: number) =>
      share(Array.from({ length: of }, fraction).filter((one) => one < chance).length, of);
    const samples = 4000;
    let covered = 0;
    for (let sample = 0; sample < samples; sample += 1) {
      const passed = drawn(n, truth * se + (1 - truth) * (1 - sp));
      const { interval } = trueShare(passed, drawn(right, se), drawn(wrong, sp));
      if (interval.defined && interval.low <= truth && truth <= interval.high) covered += 1;
    }
    expect(covered / samples).toBeGreaterThan(0.93);
    expect(covered / samples).toBeLessThan(0.97);
  });
});
