import { type Interval, unmeasured } from './measure.ts';
import { normalQuantile } from './normal.ts';

/**
 * Wilson's score interval of a share. Wilson, Journal of the American Statistical Association 22, 1927. Unlike a
 * bootstrap it does not shrink to a point where all or none of the cases succeed.
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
  // The bounds are exactly 0 and 1 at the ends; floating point may miss that by a hair.
  return {
    defined: true,
    n,
    low: successes === 0 ? 0 : Math.max(0, center - half),
    high: successes === n ? 1 : Math.min(1, center + half),
    level,
  };
}
