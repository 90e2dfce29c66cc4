import { describe, expect, test } from 'vitest';
import { usd } from '../../src/common/text/text.ts';
import { duration, fixed, rangeText, signed } from '../../src/reports/estimates/measures.ts';
import { junitFile } from '../../src/reports/gates/build-junit.ts';
import { checkChange } from '../../src/reports/gates/no-worse-than.ts';
import { checkThreshold, readThreshold } from '../../src/reports/gates/thresholds.ts';

describe('a threshold', () => {
  test.each([
    ['f1=0.9', { metric: 'f1', minimum: 0.9 }],
    ['mcc=-0.1', { metric: 'mcc', minimum: -0.1 }],
    ['coverage=1', { metric: 'coverage', minimum: 1 }],
    ['balanced-accuracy=.5', { metric: 'balanced-accuracy', minimum: 0.5 }],
    ['f1', null],
    ['f2=0.9', null],
    ['f1=90', null],
    ['f1=', null],
    ['coverage=-1', null],
    ['f1=-0.1', null],
    ['mcc=-1.1', null],
    ['constructor=1', null],
  ])('%s', (text, threshold) => expect(readThreshold(text)).toEqual(threshold));

  test('that is missed by a hair shows by how little', () => {
    const measure = { defined: true, n: 10_000, value: 0.8999 } as const;
    expect(checkThreshold({ metric: 'f1', minimum: 0.9 }, 's', measure).text).toBe(
      'f1 is 0.899900, under 0.9',
    );
  });

  test.each([
    [0.1, true],
    [0, true],
    [-0.02, true],
    [-0.021, false],
  ])('of a difference of %s from a baseline is met: %s', (value, met) => {
    const difference = { defined: true, n: 50, value } as const;
    const interval = { defined: false, n: 50, why: 'too few' } as const;
    const change = { setup: 's', metric: 'f1', difference: { difference, interval } };
    expect(checkChange(change, 'nightly', { by: 0.02, whenUnclear: 'estimate' }).met).toBe(met);
  });

  test('of judged answers says so', () => {
    const change = {
      setup: 's',
      metric: 'pass-rate',
      difference: {
        difference: { defined: true, n: 500, value: -0.01 } as const,
        interval: { defined: true, n: 500, low: -0.03, high: 0.01, level: 0.95, by: 'paired' } as const,
      },
      isJudged: true,
    };
    expect(checkChange(change, 'main', { by: 0.05, whenUnclear: 'fail' })).toEqual({
      setup: 's',
      metric: 'pass-rate',
      name: 'pass-rate no worse than main by 0.05',
      required: { kind: 'drop', value: 0.05 },
      found: { value: -0.01, n: 500 },
      isByValue: false,
      met: true,
      text: 'pass-rate changed by −0.010 since main (n = 500; 95 % interval −0.030 to +0.010); it may be lower by at most 0.05: not worse by more than 5 points of judged answers',
    });
  });

  test('of a difference without an exact interval needs more cases by the square of how much narrower it must be', () => {
    const change = {
      setup: 's',
      metric: 'f1',
      difference: {
        difference: { defined: true, n: 100, value: -0.03 } as const,
        interval: { defined: true, n: 100, low: -0.06, high: 0, level: 0.95, by: 'jackknife' } as const,
      },
    };
    // From 3 points on either side to 1: nine times as many.
    expect(checkChange(change, 'main', { by: 0.02, whenUnclear: 'fail' })).toMatchObject({
      met: false,
      text: expect.stringMatching(/: too few to tell: 900 cases would do$/),
    });
  });
});

describe('a JUnit file', () => {
  const check = (setup: string, met: boolean) =>
    checkThreshold({ metric: 'f1', minimum: 0.9 }, setup, { defined: true, n: 10, value: met ? 0.95 : 0.5 });
  const file = junitFile({
    run: 'nightly',
    series: 'nightly',
    createdAt: '2026-11-21T09:00:00.000Z',
    baseline: null,
    passes: false,
    checks: [check('a <"m"> & t0', true), check('b', false)],
    notes: [],
    unfinished: null,
    cases: [],
    page: null,
    placeOf: () => null,
  });

  test('has a suite for each configuration and a test case for each threshold', () => {
    expect(file.split('\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="jury bench nightly" tests="2" failures="1" errors="0">',
      '  <testsuite name="a &lt;&quot;m&quot;&gt; &amp; t0" tests="1" failures="0" errors="0" skipped="0" time="0.000" timestamp="2026-11-21T09:00:00">',
      '    <testcase name="f1 at least 0.9" classname="nightly.a &lt;&quot;m&quot;&gt; &amp; t0" time="0.000"/>',
      '  </testsuite>',
      '  <testsuite name="b" tests="1" failures="1" errors="0" skipped="0" time="0.000" timestamp="2026-11-21T09:00:00">',
      '    <testcase name="f1 at least 0.9" classname="nightly.b" time="0.000"><failure type="threshold" message="f1 is 0.500, under 0.9"/></testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ]);
  });
});

describe('numbers', () => {
  test('read as people write them', () => {
    expect([0, 0.00012, 0.0009, 0.004, 0.028, 1.08, 33.6].map(usd)).toEqual([
      '$0',
      '$0.00012',
      '$0.00090',
      '$0.0040',
      '$0.028',
      '$1.08',
      '$33.60',
    ]);
    expect([0, 0.4, 12.4, 999, 1500, 90_000].map(duration)).toEqual([
      '0 ms',
      '<1 ms',
      '12 ms',
      '999 ms',
      '1.5 s',
      '1.5 min',
    ]);
    expect(signed({ defined: true, n: 1, value: -0.0001 })).toBe('±0.000');
    expect(rangeText({ defined: false, n: 0, why: 'none' })).toBe('–');
  });
});

test('negative numbers and ranges keep their signs apart from dashes, and zero has none', () => {
  const interval = (low: number, high: number) =>
    ({ defined: true, n: 9, low, high, level: 0.95, by: 'jackknife' }) as const;
  expect(rangeText(interval(-0.25, -0.05), 2)).toBe('−0.25 to −0.05');
  expect(rangeText(interval(-0.0001, 0.5), 2)).toBe('0.00–0.50');
  expect(fixed({ defined: true, n: 9, value: -0.1214 })).toBe('−0.121');
});
