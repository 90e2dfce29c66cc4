import { describe, expect, test } from 'vitest';
import { changeBetween, independentCases, independentPairs } from '../../src/reports/estimates/changes.ts';
import type { Interval } from '../../src/statistics/measure.ts';
import { differenceInterval, pairedDifferenceInterval } from '../../src/statistics/proportions.ts';

/** Requests of one run, of which so many pass, each of its own user. */
const separate = (passed: number, n: number, stratum = '', from = '') =>
  Array.from({ length: n }, (_, at) => ({
    unit: `${from} ${stratum} ${at}`,
    stratum,
    value: at < passed ? 1 : 0,
  }));

/** Requests of both runs. @param cluster how many belong together */
const pairs = (gained: number, lost: number, n: number, cluster = 1) =>
  Array.from({ length: n }, (_, at) => ({
    unit: Math.floor(at / cluster),
    gained: at < gained ? 1 : 0,
    lost: at >= gained && at < gained + lost ? 1 : 0,
  }));

function limitsOf({ interval }: { interval: Interval }): [number, number] {
  if (!interval.defined) throw new Error(interval.why);
  return [interval.low, interval.high];
}

describe('the change between two runs', () => {
  test('of the same requests has Agresti and Min’s interval', () => {
    const change = changeBetween({ pairs: pairs(3, 9, 100), later: [], earlier: [] }, 'answers');
    const expected = pairedDifferenceInterval(3, 9, 100);
    expect(change).toMatchObject({ value: -0.06, n: 100, trend: 'unknown', interval: { by: 'paired' } });
    expect(change && limitsOf(change)).toEqual(limitsOf({ interval: expected }));
  });

  test('of other requests is that of two samples: 191 and 158 of 240 pass', () => {
    const change = changeBetween(
      { pairs: [], later: separate(158, 240, '', 'later'), earlier: separate(191, 240, '', 'earlier') },
      'answers',
    );
    // Newcombe, method 10: 65.83 % (59.62–71.54) and 79.58 % (74.03–84.20).
    expect(change).toMatchObject({ n: 240, trend: 'worse', interval: { by: 'newcombe', n: 240 } });
    expect(change?.value).toBeCloseTo(-0.1375, 9);
    const [low, high] = change ? limitsOf(change) : [];
    expect(low).toBeCloseTo(-0.2148, 3);
    expect(high).toBeCloseTo(-0.0579, 3);
    expect(change && limitsOf(change)).toEqual(
      limitsOf({ interval: differenceInterval({ successes: 158, n: 240 }, { successes: 191, n: 240 }) }).map(
        (limit) => expect.closeTo(limit, 9),
      ),
    );
  });

  test('of some requests in both and as many others is the difference of all', () => {
    // 60 in both, of which 6 got worse; of 60 others 48 passed and 42 pass: (−6 − 6) / 120.
    const change = changeBetween(
      {
        pairs: pairs(0, 6, 60),
        later: separate(42, 60, '', 'later'),
        earlier: separate(48, 60, '', 'earlier'),
      },
      'answers',
    );
    expect(change?.value).toBeCloseTo(-0.1, 9);
    expect(change).toMatchObject({ n: 120, interval: { by: 'newcombe' } });
    // Both parts weigh a half: half of each distance, squared and added, as in `sumInterval`.
    const [pairedLow = 0, pairedHigh = 0] = limitsOf({ interval: pairedDifferenceInterval(0, 6, 60) });
    const [otherLow = 0, otherHigh = 0] = limitsOf({
      interval: differenceInterval({ successes: 42, n: 60 }, { successes: 48, n: 60 }),
    });
    const [low, high] = change ? limitsOf(change) : [];
    expect(low).toBeCloseTo(-0.1 - Math.hypot(-0.1 - pairedLow, -0.1 - otherLow) / 2, 9);
    expect(high).toBeCloseTo(-0.1 + Math.hypot(pairedHigh + 0.1, otherHigh + 0.1) / 2, 9);
  });

  test('leaves out requests that only one run has if the other has none of their kind', () => {
    const runs = { pairs: pairs(3, 9, 100), later: separate(1, 40, '', 'later'), earlier: [] };
    const { value, interval, bounds } = changeBetween({ ...runs, later: [] }, 'answers') ?? {};
    expect(changeBetween(runs, 'answers')).toMatchObject({ value, n: 100, interval, bounds });
    expect(changeBetween({ ...runs, pairs: [] }, 'answers')).toBeNull();
    const some = { ...runs, pairs: [], later: [...separate(1, 4, 'de', 'later'), ...runs.later] };
    expect(changeBetween({ ...some, earlier: separate(1, 4, 'de', 'earlier') }, 'answers')?.n).toBe(4);
    expect(
      changeBetween(
        { pairs: [], later: separate(1, 4, 'de', 'later'), earlier: separate(1, 4, 'en', 'earlier') },
        'answers',
      ),
    ).toBeNull();
  });

  test('compares requests of one kind with each other', () => {
    // 90 % of English and 60 % of German answers pass in both; the share of German ones rose from 20 to 50 %.
    const change = changeBetween(
      {
        pairs: [],
        later: [...separate(90, 100, 'en', 'later'), ...separate(60, 100, 'de', 'later')],
        earlier: [...separate(144, 160, 'en', 'earlier'), ...separate(24, 40, 'de', 'earlier')],
      },
      'answers',
    );
    expect(change?.value).toBeCloseTo(0, 9);
    const [low = 0, high = 0] = change ? limitsOf(change) : [];
    expect(low).toBeLessThan(-0.07);
    expect(high).toBeGreaterThan(0.07);
  });

  test('counts requests that belong together as few', () => {
    const width = (cluster: number) => {
      const change = changeBetween({ pairs: pairs(0, 24, 120, cluster), later: [], earlier: [] }, 'answers');
      const [low = 0, high = 0] = change ? limitsOf(change) : [];
      return high - low;
    };
    // The 24 that got worse are those of six users of four: nearly √4 times as wide.
    expect(width(4) / width(1)).toBeGreaterThan(1.8);
    expect(width(4) / width(1)).toBeLessThan(2.2);
    const alone = { pairs: pairs(0, 4, 8, 8), later: [], earlier: [] };
    expect(changeBetween(alone, 'answers')).toMatchObject({
      value: -0.5,
      trend: 'unknown',
      interval: { defined: false, why: 'an interval needs at least two independent cases' },
    });
  });

  test('of scores has the jackknife’s interval, also of other requests', () => {
    const scores = (values: readonly number[], from: string) =>
      values.map((value, at) => ({ unit: `${from} ${at}`, stratum: '', value }));
    const change = changeBetween(
      {
        pairs: [],
        later: scores([60, 55, 65, 70, 50, 61], 'later'),
        earlier: scores([80, 70, 90, 85, 75, 80], 'earlier'),
      },
      'score',
    );
    // Means 60.17 and 80; standard errors √(50.17 / 6) and √(50 / 6), so about 4.1, times t(11) = 2.2.
    expect(change?.value).toBeCloseTo(-19.833, 3);
    expect(change).toMatchObject({ trend: 'worse', interval: { by: 'jackknife' } });
    const [low = 0, high = 0] = change ? limitsOf(change) : [];
    expect(low).toBeCloseTo(-29.4, 0);
    expect(high).toBeCloseTo(-10.3, 0);
  });

  test('of a few requests without one is not called steady', () => {
    const trendOf = (n: number) =>
      changeBetween({ pairs: pairs(0, 0, n), later: [], earlier: [] }, 'answers')?.trend;
    // With a loss of 5 points, none of 40 turn in 13 % of tries.
    expect([trendOf(40), trendOf(60), trendOf(74)]).toEqual(['unknown', 'unknown', 'steady']);
  });
});

test('cases that belong together are few independent ones', () => {
  expect(independentCases(Array.from({ length: 6 }, (_, unit) => ({ unit, value: 0.5 })))).toBe(6);
  const users = Array.from({ length: 120 }, (_, at) => ({
    unit: Math.floor(at / 6),
    value: at < 60 ? 1 : 0,
  }));
  // 20 users who are right on all or on none, with Student's t: fewer than 20.
  expect(independentCases(users)).toBeGreaterThan(15);
  expect(independentCases(users)).toBeLessThan(20);
  expect(independentPairs(pairs(3, 9, 100))).toBe(100);
  expect(independentPairs(pairs(0, 24, 120, 4))).toBeLessThan(35);
  expect(independentPairs(pairs(0, 2, 4, 4))).toBe(1);
});
