import { JuryError } from '../common/errors.ts';
import { ranks, sum } from './descriptive.ts';
import { type Measure, measured, unmeasured } from './measure.ts';

/** Measurements of items; `null` if missing. */
export type Series = readonly (number | null)[];

/** The items that both series have. @throws JuryError `internal` if the series differ in length */
function completePairs(xs: Series, ys: Series): { xs: number[]; ys: number[] } {
  if (xs.length !== ys.length)
    throw new JuryError(
      'internal',
      `A correlation takes two series of the same length, not ${xs.length} and ${ys.length}.`,
    );
  const kept: { xs: number[]; ys: number[] } = { xs: [], ys: [] };
  for (const [index, x] of xs.entries()) {
    const y = ys[index] ?? null;
    if (x === null || y === null) continue;
    kept.xs.push(x);
    kept.ys.push(y);
  }
  return kept;
}

/** Pearson's correlation of the items that both series have, −1 to 1; `n` counts them. */
export function pearson(first: Series, second: Series): Measure {
  const { xs, ys } = completePairs(first, second);
  const n = xs.length;
  if (n < 2) return unmeasured('a correlation takes at least two items', n);
  // Checked before subtracting means, which would leave a spread of about 1e-17.
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

/**
 * Spearman's rank correlation with mid-ranks for ties, of the items that both series have. Spearman, American Journal of
 * Psychology 15, 1904; used by Chen et al., CoRE, 7.1.
 */
export function spearman(first: Series, second: Series): Measure {
  const { xs, ys } = completePairs(first, second);
  return pearson(ranks(xs), ranks(ys));
}

const pairsOf = (count: number): number => (count * (count - 1)) / 2;

/** Number of tied pairs in a sorted list. */
function tiedPairs<T>(sorted: readonly T[], same: (a: T, b: T) => boolean): number {
  let tied = 0;
  let run = 0;
  for (const [index, item] of sorted.entries()) {
    const before = sorted[index - 1];
    run = before !== undefined && same(before, item) ? run + 1 : 0;
    tied += run;
  }
  return tied;
}

/** Merge sort that counts inversions, in n log n steps. */
function countSwaps(values: readonly number[]): { sorted: number[]; swaps: number } {
  if (values.length < 2) return { sorted: [...values], swaps: 0 };
  const middle = values.length >> 1;
  const left = countSwaps(values.slice(0, middle));
  const right = countSwaps(values.slice(middle));
  const sorted: number[] = [];
  let swaps = left.swaps + right.swaps;
  let taken = 0;
  for (const value of right.sorted) {
    while (taken < left.sorted.length && (left.sorted[taken] ?? 0) <= value) {
      sorted.push(left.sorted[taken] ?? 0);
      taken += 1;
    }
    swaps += left.sorted.length - taken;
    sorted.push(value);
  }
  return { sorted: sorted.concat(left.sorted.slice(taken)), swaps };
}

/**
 * Kendall's tau-b of the items that both series have: concordant minus discordant pairs, over the geometric mean of the pairs not tied
 * in each series. Kendall, Biometrika 33, 1945; counted as by Knight, Journal of the
 * American Statistical Association 61, 1966. Used by Chen et al., CoRE, 7.1.
 */
export function kendallTau(first: Series, second: Series): Measure {
  const { xs, ys } = completePairs(first, second);
  const n = xs.length;
  if (n < 2) return unmeasured('a correlation takes at least two items', n);
  const points = xs.map((x, index) => ({ x, y: ys[index] ?? 0 })).sort((a, b) => a.x - b.x || a.y - b.y);
  const { sorted, swaps } = countSwaps(points.map(({ y }) => y));
  const all = pairsOf(n);
  const xTied = tiedPairs(points, (a, b) => a.x === b.x);
  const yTied = tiedPairs(sorted, (a, b) => a === b);
  const bothTied = tiedPairs(points, (a, b) => a.x === b.x && a.y === b.y);
  if (all === xTied || all === yTied) return unmeasured('one of the series is the same everywhere', n);
  const score = all - xTied - yTied + bothTied - 2 * swaps;
  return measured(score / (Math.sqrt(all - xTied) * Math.sqrt(all - yTied)), n);
}
