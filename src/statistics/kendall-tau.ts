import { completePairs, type Series } from './complete-pairs.ts';
import { type Measure, measured, unmeasured } from './measure.ts';

const pairsOf = (count: number): number => (count * (count - 1)) / 2;

/** Pairs that are tied, given a sorted list and what makes neighbors equal. */
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

/** Sorts, and counts how many pairs stood the wrong way round; by merging, in n log n steps. */
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
 * Kendall's tau-b of the items that both series know: agreeing less disagreeing pairs, over the pairs not tied in one
 * series and in the other (their geometric mean). Kendall, Biometrika 33, 1945; counted as by Knight, Journal of the
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
