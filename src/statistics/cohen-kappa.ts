import type { Contingency } from './contingency.ts';
import { type Measure, measured, unmeasured } from './measure.ts';
import { sum } from './sum.ts';

/** How much a disagreement weighs: all the same, by the distance of the categories' positions, or by its square. */
export type KappaWeights = 'none' | 'linear' | 'quadratic';

const weigh = {
  none: (d: number) => (d === 0 ? 0 : 1),
  linear: (d: number) => d,
  quadratic: (d: number) => d * d,
};

/**
 * Cohen's kappa: agreement of two raters beyond what their own habits would give by chance; 1 is full agreement, 0 is
 * chance. Cohen, Educational and Psychological Measurement 20, 1960; weighted: Psychological Bulletin 70, 1968.
 * Misleads where one category is rare: see Gwet's AC1.
 */
export function cohenKappa(counts: Contingency, weights: KappaWeights = 'none'): Measure {
  const rows = counts.map((row) => sum(row));
  const columns = counts.map((_, column) => sum(counts.map((row) => row[column] ?? 0)));
  const n = sum(rows);
  if (n === 0) return unmeasured('no item was rated by both', 0);
  const weight = weigh[weights];
  const observed = sum(counts.flatMap((row, i) => row.map((count, j) => weight(Math.abs(i - j)) * count)));
  const expected = sum(
    rows.flatMap((row, i) => columns.map((column, j) => (weight(Math.abs(i - j)) * row * column) / n)),
  );
  if (expected === 0) return unmeasured('both raters said the same one thing of every item', n);
  return measured(1 - observed / expected, n);
}
