import { JuryError } from '../../common/index.ts';
import { type Bin, type Measure, measured, ranks, sum, unmeasured } from '../index.ts';

/** Measurements of items; `null` if missing. */
export type Series = readonly (number | null)[];

/** The items with a value in both series. @throws JuryError `internal` if the series differ in length */
function completePairs(xs: Series, ys: Series): { xs: number[]; ys: number[] } {
  if (xs.length !== ys.length)
    throw new JuryError(
      'internal',
      `A correlation needs two series of the same length, not ${xs.length} and ${ys.length}.`,
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

/** Pearson's correlation, −1 to 1, over the items with a value in both series; `n` counts them. */
export function pearson(first: Series, second: Series): Measure {
  const { xs, ys } = completePairs(first, second);
  const n = xs.length;
  if (n < 2) return unmeasured('a correlation needs at least two items', n);
  // Checked before the means are subtracted, as rounding could leave a spread of about 1e-17.
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
 * Spearman's rank correlation with mid-ranks for ties, over the items with a value in both series. Spearman, American Journal of Psychology
 * 15, 1904; used by Chen et al., CoRE, 7.1.
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

/** Merge sort that counts inversions, in O(n log n). */
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
 * Kendall's tau-b over the items with a value in both series: concordant minus discordant pairs, over the geometric mean of the untied pairs
 * in each series. Kendall, Biometrika 33, 1945; computed as in Knight, Journal of the American Statistical Association 61, 1966. Used
 * by Chen et al., CoRE, 7.1.
 */
export function kendallTau(first: Series, second: Series): Measure {
  const { xs, ys } = completePairs(first, second);
  const n = xs.length;
  if (n < 2) return unmeasured('a correlation needs at least two items', n);
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

/** The judged score (`given`) and the labeled score (`known`). */
export interface ScorePair {
  given: number;
  known: number;
}

/** The distinct scores in ascending order, and the position of each pair's scores among them. */
function places(pairs: readonly ScorePair[]) {
  const values = Float64Array.from(new Set(pairs.flatMap(({ given, known }) => [given, known]))).sort();
  const placeOf = new Map([...values].map((value, place) => [value, place]));
  const of = (read: (pair: ScorePair) => number) =>
    Int32Array.from(pairs, (pair) => placeOf.get(read(pair)) ?? 0);
  return { values, given: of((pair) => pair.given), known: of((pair) => pair.known) };
}

const at = (values: ArrayLike<number>, place: number | undefined): number => values[place ?? 0] ?? 0;

/** Adds the frequency of each score to `totals`. */
function addTotals(totals: Float64Array, scores: Int32Array, times: Float64Array): void {
  for (let pair = 0; pair < scores.length; pair += 1) {
    const place = at(scores, pair);
    totals[place] = at(totals, place) + at(times, pair);
  }
}

/** Mid-rank of each score, from 0. */
function middlesOf(totals: Float64Array): Float64Array {
  let below = 0;
  return totals.map((items) => {
    below += items;
    return below - items / 2;
  });
}

function countOf(times: Float64Array): number {
  let n = 0;
  for (const items of times) n += items;
  return n;
}

/** Whether all items have the same score. */
function isConstant(totals: Float64Array): boolean {
  let distinct = 0;
  for (const items of totals) if (items > 0) distinct += 1;
  return distinct < 2;
}

/** Mean and sum of squared deviations. */
function spreadOf(totals: Float64Array, values: Float64Array, n: number): { mean: number; spread: number } {
  let mean = 0;
  for (let place = 0; place < totals.length; place += 1) mean += at(totals, place) * at(values, place);
  mean /= n;
  let spread = 0;
  for (let place = 0; place < totals.length; place += 1) {
    const away = at(values, place) - mean;
    spread += at(totals, place) * away * away;
  }
  return { mean, spread };
}

/**
 * Statistics of score pairs from their frequencies (`times`: how many items have each pair, in the order of `pairs`). The pairs are indexed
 * once, so that each of the hundreds of subsets evaluated for an interval costs only as much as there are distinct pairs.
 */
export function scoreTable(pairs: readonly ScorePair[]) {
  const { values, given, known } = places(pairs);
  const totalsOf = (times: Float64Array, ...sides: Int32Array[]): Float64Array => {
    const totals = new Float64Array(values.length);
    for (const side of sides) addTotals(totals, side, times);
    return totals;
  };
  /** Spearman's rank correlation, equal to `spearman` over the individual items. */
  function spearman(times: Float64Array): Measure {
    const n = countOf(times);
    if (n < 2) return unmeasured('a correlation needs at least two items', n);
    const [givenTotals, knownTotals] = [totalsOf(times, given), totalsOf(times, known)];
    if (isConstant(givenTotals) || isConstant(knownTotals))
      return unmeasured('one of the series is the same everywhere', n);
    const [xs, ys] = [middlesOf(givenTotals), middlesOf(knownTotals)];
    const [x, y] = [spreadOf(givenTotals, xs, n), spreadOf(knownTotals, ys, n)];
    let together = 0;
    for (let pair = 0; pair < times.length; pair += 1)
      together += at(times, pair) * (at(xs, given[pair]) - x.mean) * (at(ys, known[pair]) - y.mean);
    return measured(Math.max(-1, Math.min(1, together / Math.sqrt(x.spread) / Math.sqrt(y.spread))), n);
  }
  return {
    spearman,
    /**
     * Krippendorff's alpha for two raters who both rated every item: equals `krippendorffAlpha` with the ordinal or interval distance, for any
     * number of distinct scores. Both distances are squared differences, of the scores or of the mid-ranks of all ratings, so the expected
     * disagreement is twice a variance.
     */
    alpha(times: Float64Array, scale: 'ordinal' | 'interval'): Measure {
      const n = countOf(times);
      if (n === 0) return unmeasured('no item has two ratings', 0);
      const totals = totalsOf(times, given, known);
      if (isConstant(totals)) return unmeasured('every rating is the same', n);
      const placed = scale === 'ordinal' ? middlesOf(totals) : values;
      const expected = 2 * n * spreadOf(totals, placed, 2 * n).spread;
      let observed = 0;
      for (let pair = 0; pair < times.length; pair += 1)
        observed += at(times, pair) * (at(placed, given[pair]) - at(placed, known[pair])) ** 2;
      return measured(1 - ((2 * n - 1) * observed) / expected, n);
    },
  };
}

/**
 * The frequency of each pair over binned lists of pairs.
 * @param bins lists of pairs, as positions in the table
 * @param size number of pairs in the table
 */
export function timesOf(bins: readonly Bin<readonly number[]>[], size: number): Float64Array {
  const times = new Float64Array(size);
  for (const { value, items } of bins) for (const pair of value) times[pair] = at(times, pair) + items;
  return times;
}
