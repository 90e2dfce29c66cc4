import { logFactorial, normalQuantile } from './distributions.ts';
import { type Interval, type Measure, measured, unmeasured } from './measure.ts';

/**
 * Wilson's score interval of a share. Wilson, Journal of the American Statistical Association 22, 1927. Unlike a bootstrap interval, it
 * does not shrink to a point if all or no cases succeed.
 *
 * @param successes of n, 0 ≤ successes ≤ n
 */
export function wilsonInterval(successes: number, n: number, level = 0.95): Interval {
  if (n === 0) return unmeasured('there is no case', 0);
  const z = normalQuantile((1 + level) / 2);
  const share = successes / n;
  const scale = 1 + (z * z) / n;
  const center = (share + (z * z) / (2 * n)) / scale;
  const half = (z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))) / scale;
  // Exactly 0 and 1 at the ends, without floating-point error.
  return {
    defined: true,
    n,
    low: successes === 0 ? 0 : Math.max(0, center - half),
    high: successes === n ? 1 : Math.min(1, center + half),
    level,
  };
}

export interface Share {
  successes: number;
  n: number;
}

/**
 * Interval of the difference of two shares of different cases, first minus second. Newcombe, Statistics in Medicine 17,
 * 1998, 873–890, method 10: from Wilson's intervals of both.
 */
export function differenceInterval(first: Share, second: Share, level = 0.95): Interval {
  const [a, b] = [first, second].map(({ successes, n }) => wilsonInterval(successes, n, level));
  const n = Math.min(first.n, second.n);
  if (a?.defined !== true || b?.defined !== true) return unmeasured('one side has no case', n);
  const [p, q] = [first.successes / first.n, second.successes / second.n];
  return {
    defined: true,
    n,
    low: p - q - Math.hypot(p - a.low, b.high - q),
    high: p - q + Math.hypot(a.high - p, q - b.low),
    level,
  };
}

/**
 * Interval of the difference of two shares of the same cases. Agresti and Min, Statistics in Medicine 24, 2005, 729–740: Wald's
 * interval after half a case is added to each of the four kinds of pairs.
 *
 * @param gained cases that only the first got right
 * @param lost cases that only the second got right
 * @param n cases in all
 */
export function pairedDifferenceInterval(gained: number, lost: number, n: number, level = 0.95): Interval {
  if (n === 0) return unmeasured('no case was judged both times', 0);
  const z = normalQuantile((1 + level) / 2);
  const [up, down, total] = [gained + 0.5, lost + 0.5, n + 2];
  const center = (up - down) / total;
  const half = (z * Math.sqrt(up + down - (up - down) ** 2 / total)) / total;
  return { defined: true, n, low: Math.max(-1, center - half), high: Math.min(1, center + half), level };
}

/**
 * The two-sided p-value of the exact sign test: the probability of so uneven a split as of fair coin flips. 1 if there is none; `n`
 * counts the flips, without ties. For two configurations on the same cases, of which only one got some right, this is McNemar's
 * exact test (Psychometrika 12, 1947).
 */
export function signTest(onlyFirst: number, onlySecond: number): Measure {
  const n = onlyFirst + onlySecond;
  const fewer = Math.min(onlyFirst, onlySecond);
  let chance = Math.exp(logFactorial(n) - logFactorial(fewer) - logFactorial(n - fewer) - n * Math.LN2);
  let total = 0;
  for (let k = fewer; k >= 0 && chance > total * 1e-18; k -= 1) {
    total += chance;
    chance *= k / (n - k + 1);
  }
  return measured(Math.min(1, 2 * total), n);
}

/** What an interval of a difference allows to say; `unknown`: it may be chance. */
export type Trend = 'better' | 'worse' | 'steady' | 'unknown';

/** Better or worse only if the interval lies on one side of 0, steady only if it rules out a change larger than `margin`. */
export function trendOf(interval: Interval, margin: number): Trend {
  if (!interval.defined) return 'unknown';
  const { low, high } = interval;
  if (low > 0) return 'better';
  if (high < 0) return 'worse';
  return Math.max(-low, high) <= margin ? 'steady' : 'unknown';
}
