import { type Bin, createRandom, type Measure, measured, sum, unmeasured } from '../index.ts';

/** What several judges got wrong in cases that belong together, or in one case. */
export interface ErrorSums {
  items: number;
  /** The errors of each judge, and their squares, added up. */
  errors: readonly number[];
  squares: readonly number[];
  /** The products of the errors of two judges added up, for each pair in the order of {@link pairsOf}. */
  shared: readonly number[];
}

/** All pairs of k judges: (0, 1), (0, 2), …, (1, 2), … */
export const pairsOf = (k: number): [number, number][] =>
  Array.from({ length: k }, (_, first) =>
    Array.from({ length: k - first - 1 }, (_, after): [number, number] => [first, first + after + 1]),
  ).flat();

/** Adds up the errors of k judges in some cases. @param cases the error of each judge, such as its score minus the right one */
export function errorSums(cases: readonly (readonly number[])[], k: number): ErrorSums {
  const judges = Array.from({ length: k }, (_, judge) => judge);
  const total = (of: (errors: readonly number[]) => number) => sum(cases.map(of));
  return {
    items: cases.length,
    errors: judges.map((judge) => total((errors) => errors[judge] ?? 0)),
    squares: judges.map((judge) => total((errors) => (errors[judge] ?? 0) ** 2)),
    shared: pairsOf(k).map(([first, second]) =>
      total((errors) => (errors[first] ?? 0) * (errors[second] ?? 0)),
    ),
  };
}

/** Counts the errors of k judges in some cases. @param cases whether each judge is right */
export const errorCounts = (cases: readonly (readonly boolean[])[], k: number): ErrorSums =>
  errorSums(
    cases.map((rights) => rights.map((isRight) => (isRight ? 0 : 1))),
    k,
  );

type Bins = readonly Bin<ErrorSums>[];

const total = (bins: Bins, of: (sums: ErrorSums) => number): number =>
  bins.reduce((all, { value, items }) => all + items * of(value), 0);

/**
 * How far each two judges err on the same cases: Pearson's correlation of their errors, for errors of 0 and 1 the phi coefficient. Yule,
 * Journal of the Royal Statistical Society 75, 1912. In the order of {@link pairsOf}.
 * @returns undefined for a judge that always errs alike: that is always right, or always wrong
 */
export function errorCorrelations(bins: Bins, k: number): Measure[] {
  const n = total(bins, ({ items }) => items);
  const errors = Array.from({ length: k }, (_, judge) => total(bins, (one) => one.errors[judge] ?? 0));
  const spreads = errors.map((error, judge) => {
    const squares = n * total(bins, (one) => one.squares[judge] ?? 0);
    const spread = squares - error ** 2;
    return spread <= ROUNDING * squares ? 0 : spread;
  });
  return pairsOf(k).map(([first, second], at): Measure => {
    const [a, b] = [errors[first] ?? 0, errors[second] ?? 0];
    const both = total(bins, ({ shared }) => shared[at] ?? 0);
    const spread = (spreads[first] ?? 0) * (spreads[second] ?? 0);
    return spread <= 0
      ? unmeasured('a judge is always right, or always wrong', n)
      : measured((n * both - a * b) / Math.sqrt(spread), n);
  });
}

/** Smaller shares of a sum of squares are floating-point error. */
const ROUNDING = 1e-12;

/** The mean of {@link errorCorrelations}, over the pairs that have one. */
export function meanErrorCorrelation(bins: Bins, k: number): Measure {
  const known = errorCorrelations(bins, k).flatMap((one) => (one.defined ? one.value : []));
  const n = total(bins, ({ items }) => items);
  return known.length === 0
    ? unmeasured('no two judges both err', n)
    : measured(sum(known) / known.length, n);
}

/**
 * How many judges with independent errors k judges are worth: k ÷ (1 + (k − 1)·r̄), where r̄ is the {@link meanErrorCorrelation}. The
 * effective sample size of equally correlated items: Kish, Survey Sampling, 1965, 5.4; for panels of judges arXiv 2605.29800.
 */
export function effectiveVotes(bins: Bins, k: number): Measure {
  const mean = meanErrorCorrelation(bins, k);
  if (!mean.defined) return mean;
  const divisor = 1 + (k - 1) * mean.value;
  return divisor <= 0 ? unmeasured('errors exclude each other', mean.n) : measured(k / divisor, mean.n);
}

/** A case, and how far each judge is off: 0 if it is right. */
export interface JudgeLosses {
  /** Equal for cases that belong together. */
  unit: number;
  losses: readonly number[];
}

/**
 * The best judge as it is found without the cases that it is measured on: units are split in two halves by chance, the judge that is off
 * least in one half is measured on the other, and the other way round. A judge that is chosen and measured on the same cases looks
 * better than it is. Stone, Journal of the Royal Statistical Society B 36, 1974.
 * @returns the judge chosen for each half (the first of equally good ones), and for every case how far the chosen one is off; null with
 * fewer than two units, which leave nothing to choose by
 */
export function closestOfOtherHalf(
  cases: readonly JudgeLosses[],
  k: number,
): { chosen: number[]; losses: number[] } | null {
  const units = [...new Set(cases.map(({ unit }) => unit))].sort((a, b) => a - b);
  if (units.length < 2) return null;
  const order = createRandom('halves of a panel', units.length).shuffled([...units.keys()]);
  const halfOf = new Map(order.map((index, place) => [units[index], place < units.length / 2 ? 0 : 1]));
  const chosen = [0, 1].map((half) => {
    const others = cases.filter(({ unit }) => halfOf.get(unit) !== half);
    const totals = Array.from({ length: k }, (_, judge) =>
      // Sorted, so that the order of the cases does not change the sum.
      sum(others.map(({ losses }) => losses[judge] ?? 0).sort((a, b) => a - b)),
    );
    return totals.indexOf(Math.min(...totals));
  });
  return {
    chosen,
    losses: cases.map(({ unit, losses }) => losses[chosen[halfOf.get(unit) ?? 0] ?? 0] ?? 0),
  };
}

/** {@link closestOfOtherHalf}, where a judge is right or wrong. */
export function bestOfOtherHalf(
  cases: readonly { unit: number; rights: readonly boolean[] }[],
  k: number,
): { chosen: number[]; isRight: boolean[] } | null {
  const best = closestOfOtherHalf(
    cases.map(({ unit, rights }) => ({
      unit,
      losses: Array.from({ length: k }, (_, judge) => (rights[judge] === true ? 0 : 1)),
    })),
    k,
  );
  return best === null ? null : { chosen: best.chosen, isRight: best.losses.map((loss) => loss === 0) };
}
