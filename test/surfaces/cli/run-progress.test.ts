import { expect, test } from 'vitest';
import { noTotals } from '../../../src/benchmark/trial-store.ts';
import { progressLine } from '../../../src/surfaces/cli/progress.ts';

test('the progress of a run shows pace, money and time left, by what was judged since it was resumed', () => {
  const totals = { ...noTotals, trials: 150, spentUsd: 1.5 };
  // 50 since then in 10 s are 5 a second; 450 are left: 90 s.
  expect(progressLine(totals, 600, 100, 10_000)).toBe(
    '150 of 600 trials · 5.0/s · $1.50 · 1:30 left · Ctrl-C stops',
  );
  expect(progressLine({ ...totals, trials: 100 }, 600, 100, 10_000)).toContain('time left unknown');
  // At 0.005 a second 450 more take 90,000 s.
  expect(progressLine({ ...totals, unknownCosts: 1 }, 600, 100, 10_000_000)).toContain(
    'cost partly unknown · 25:00:00 left',
  );
});
