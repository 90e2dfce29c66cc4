import { type BootstrapInterval, type BootstrapOptions, bootstrap, resample } from './bootstrap.ts';
import { erfc, logFactorial } from './distributions.ts';
import { type Measure, measured, unmeasured } from './measure.ts';

export interface McNemar {
  /** Cases that only the first got right. */
  onlyFirst: number;
  onlySecond: number;
  /** Two-sided p-values; `n` counts the cases on which the two differ. */
  exact: Measure;
  /** By the chi-square distribution with Edwards' correction for continuity. */
  corrected: Measure;
  /** By the chi-square distribution. */
  uncorrected: Measure;
}

/** Two-sided probability of at most `fewer` heads in n fair coin flips. */
function twoSidedBinomial(fewer: number, n: number): number {
  let chance = Math.exp(logFactorial(n) - logFactorial(fewer) - logFactorial(n - fewer) - n * Math.LN2);
  let total = 0;
  for (let k = fewer; k >= 0 && chance > total * 1e-18; k -= 1) {
    total += chance;
    chance *= k / (n - k + 1);
  }
  return Math.min(1, 2 * total);
}

/** Upper tail of the chi-square distribution with one degree of freedom. */
const chiSquareTail = (statistic: number): number => erfc(Math.sqrt(statistic / 2));

/**
 * McNemar's test of two configurations on the same cases: only cases that exactly one of them got right count.
 * McNemar, Psychometrika 12, 1947; correction: Edwards, Psychometrika 13, 1948. The correction is limited so
 * that the difference stays at least 0. If the two never differ, every p-value is 1.
 */
export function mcnemar(onlyFirst: number, onlySecond: number): McNemar {
  const n = onlyFirst + onlySecond;
  const gap = Math.abs(onlyFirst - onlySecond);
  const tail = (difference: number): Measure =>
    measured(n === 0 ? 1 : chiSquareTail((difference * difference) / n), n);
  return {
    onlyFirst,
    onlySecond,
    exact: measured(twoSidedBinomial(Math.min(onlyFirst, onlySecond), n), n),
    corrected: tail(Math.max(0, gap - 1)),
    uncorrected: tail(gap),
  };
}

export interface PairedComparison {
  first: Measure;
  second: Measure;
  /** First minus second. */
  difference: Measure;
  interval: BootstrapInterval;
  /** Two-sided: twice the share of resamples in which the difference is on the other side of 0. */
  pValue: Measure;
}

/**
 * Compares a statistic of two configurations by resampling the cases that both judged: each resample takes the same cases
 * for both, so that easy and hard cases cancel out. Efron and Tibshirani, An Introduction to the Bootstrap, chapters 13
 * and 15; one is added to both counts of the p-value, so that it is never 0 (Davison and Hinkley, 4.2).
 *
 * @param clusters groups of dependent items, each with both configurations' outcomes
 */
export function pairedBootstrap<T>(
  clusters: readonly (readonly T[])[],
  first: (items: readonly T[]) => Measure,
  second: (items: readonly T[]) => Measure,
  options: BootstrapOptions,
): PairedComparison {
  const difference = (items: readonly T[]): Measure => {
    const [a, b] = [first(items), second(items)];
    if (!a.defined) return a;
    if (!b.defined) return b;
    return measured(a.value - b.value, Math.min(a.n, b.n));
  };
  const items = clusters.flat();
  const estimate = difference(items);
  return {
    first: first(items),
    second: second(items),
    difference: estimate,
    interval: bootstrap(clusters, difference, options),
    pValue: estimate.defined
      ? twoSided(Array.from(resample(clusters, options), difference), estimate.n)
      : estimate,
  };
}

function twoSided(replicates: readonly Measure[], n: number): Measure {
  const values = replicates.flatMap((replicate) => (replicate.defined ? [replicate.value] : []));
  if (values.length === 0) return unmeasured('the statistic is not defined in most resamples', n);
  const notAbove = values.filter((value) => value <= 0).length;
  const notBelow = values.filter((value) => value >= 0).length;
  return measured(Math.min(1, (2 * (Math.min(notAbove, notBelow) + 1)) / (values.length + 1)), n);
}
