import { type Bin, createRandom, type Measure, measured, sum, unmeasured } from '../index.ts';

/** What several judges got wrong in cases that belong together, or in one case. */
export interface ErrorCounts {
  items: number;
  /** Errors of each judge. */
  errors: readonly number[];
  /** Errors that two judges share, for each pair in the order of {@link pairsOf}. */
  shared: readonly number[];
}

/** All pairs of k judges: (0, 1), (0, 2), …, (1, 2), … */
export const pairsOf = (k: number): [number, number][] =>
  Array.from({ length: k }, (_, first) =>
    Array.from({ length: k - first - 1 }, (_, after): [number, number] => [first, first + after + 1]),
  ).flat();

/** Counts the errors of k judges in some cases. @param cases whether each judge is right */
export function errorCounts(cases: readonly (readonly boolean[])[], k: number): ErrorCounts {
  const isWrong = (rights: readonly boolean[], judge: number) => rights[judge] === false;
  return {
    items: cases.length,
    errors: Array.from({ length: k }, (_, judge) => cases.filter((one) => isWrong(one, judge)).length),
    shared: pairsOf(k).map(
      ([first, second]) => cases.filter((one) => isWrong(one, first) && isWrong(one, second)).length,
    ),
  };
}

type Bins = readonly Bin<ErrorCounts>[];

const total = (bins: Bins, of: (counts: ErrorCounts) => number): number =>
  bins.reduce((all, { value, items }) => all + items * of(value), 0);

/**
 * How far each two judges err on the same cases: Pearson's correlation of their errors, for errors of 0 and 1 the phi coefficient. Yule,
 * Journal of the Royal Statistical Society 75, 1912. In the order of {@link pairsOf}.
 * @returns undefined for a judge that is always right or always wrong
 */
export function errorCorrelations(bins: Bins, k: number): Measure[] {
  const n = total(bins, ({ items }) => items);
  const errors = Array.from({ length: k }, (_, judge) => total(bins, (one) => one.errors[judge] ?? 0));
  return pairsOf(k).map(([first, second], at): Measure => {
    const [a, b] = [errors[first] ?? 0, errors[second] ?? 0];
    const both = total(bins, ({ shared }) => shared[at] ?? 0);
    const spread = a * (n - a) * b * (n - b);
    return spread <= 0
      ? unmeasured('a judge is always right, or always wrong', n)
      : measured((n * both - a * b) / Math.sqrt(spread), n);
  });
}

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

/** A case, and whether each judge is right about it. */
export interface RightJudges {
  /** Equal for cases that belong together. */
  unit: number;
  rights: readonly boolean[];
}

/**
 * The best judge as it is found without the cases that it is measured on: units are split in two halves by chance, the judge with the
 * most right answers in one half is measured on the other, and the other way round. A judge that is chosen and measured on the same
 * cases looks better than it is. Stone, Journal of the Royal Statistical Society B 36, 1974.
 * @returns the judge chosen for each half (the first of equally good ones), and for every case whether the chosen one is right; null with
 * fewer than two units, which leave nothing to choose by
 */
export function bestOfOtherHalf(
  cases: readonly RightJudges[],
  k: number,
): { chosen: number[]; isRight: boolean[] } | null {
  const units = [...new Set(cases.map(({ unit }) => unit))].sort((a, b) => a - b);
  if (units.length < 2) return null;
  const order = createRandom('halves of a panel', units.length).shuffled([...units.keys()]);
  const halfOf = new Map(order.map((index, place) => [units[index], place < units.length / 2 ? 0 : 1]));
  const chosen = [0, 1].map((half) => {
    const others = cases.filter(({ unit }) => halfOf.get(unit) !== half);
    const counts = Array.from(
      { length: k },
      (_, judge) => others.filter(({ rights }) => rights[judge]).length,
    );
    return counts.indexOf(Math.max(...counts));
  });
  return {
    chosen,
    isRight: cases.map(({ unit, rights }) => rights[chosen[halfOf.get(unit) ?? 0] ?? 0] === true),
  };
}
