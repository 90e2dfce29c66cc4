import { logFactorial } from './log-factorial.ts';
import { type Measure, measured } from './measure.ts';
import { erfc } from './normal.ts';

/** How two configurations differ on the same cases, and how likely so much difference would be between equals. */
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

/** Twice the chance that of n fair coins at most `fewer` fall on one side. */
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
 * McNemar's test of two configurations on the same cases: only those count on which one was right and the other wrong.
 * McNemar, Psychometrika 12, 1947; correction: Edwards, Psychometrika 13, 1948. The correction never takes a difference
 * below 0. Where the two never differ every p-value is 1.
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
