import { completePairs, type Series } from './complete-pairs.ts';
import { type Measure, measured, unmeasured } from './measure.ts';
import { sum } from './sum.ts';

/** Pearson's correlation of the items that both series know, −1 to 1; `n` counts them. */
export function pearson(first: Series, second: Series): Measure {
  const { xs, ys } = completePairs(first, second);
  const n = xs.length;
  if (n < 2) return unmeasured('a correlation takes at least two items', n);
  // Seen before means are taken: rounding would leave a spread of about 1e-17.
  if (constant(xs) || constant(ys)) return unmeasured('one of the series is the same everywhere', n);
  const xMean = sum(xs) / n;
  const yMean = sum(ys) / n;
  const xSpread = Math.sqrt(sum(xs.map((x) => (x - xMean) ** 2)));
  const ySpread = Math.sqrt(sum(ys.map((y) => (y - yMean) ** 2)));
  const together = sum(
    xs.map((x, index) => ((x - xMean) / xSpread) * (((ys[index] ?? 0) - yMean) / ySpread)),
  );
  return measured(Math.max(-1, Math.min(1, together)), n);
}

const constant = (values: readonly number[]): boolean => values.every((value) => value === values[0]);
