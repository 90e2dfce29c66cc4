import { type Measure, measured, unmeasured } from './measure.ts';
import { sum } from './sum.ts';

/** How far values lie from their mean: the root of the mean squared deviation, by n − 1 since the values are a sample. */
export function standardDeviation(values: readonly number[]): Measure {
  const n = values.length;
  if (n < 2) return unmeasured('there are fewer than two values', n);
  const mean = sum(values) / n;
  return measured(Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (n - 1)), n);
}
