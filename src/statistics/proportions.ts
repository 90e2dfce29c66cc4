import { normalQuantile, tQuantile } from './distributions.ts';
import { type Bin, type Interval, itemsIn, type Measure, measured, sum, unmeasured } from './measure.ts';

const within = (value: number): number => Math.min(1, Math.max(0, value));

const shareOf = ({ successes, n }: Share): number => successes / n;

/**
 * The true share of correct answers, estimated from the share that imperfect judges passed. Rogan and Gladen, American Journal of
 * Epidemiology 107, 1978: (passed + specificity − 1) / (sensitivity + specificity − 1), clamped to 0 and 1. The interval reflects the
 * uncertainty of all three shares: Lang and Reiczigel, Preventive Veterinary Medicine 113, 2014.
 * @param passed answers that the judges passed, among those they decided
 * @param sensitivity answers that the judges passed, among those known to be correct
 * @param specificity answers that the judges failed, among those known to be wrong
 * @param left how much of the variance due to sensitivity and specificity is left where both come from a stratified sample
 * @returns undefined without enough known answers of both kinds, or if the judges are no better than chance
 */
export function trueShare(
  passed: Share,
  sensitivity: Share,
  specificity: Share,
  left = 1,
  level = 0.95,
): { measure: Measure; interval: Interval } {
  const { n } = passed;
  const none = (why: string) => ({ measure: unmeasured(why, n), interval: unmeasured(why, n) });
  if (n === 0) return none('no answer was decided');
  if (sensitivity.n === 0) return none('no answer is known to be right');
  if (specificity.n === 0) return none('no answer is known to be wrong');
  const youden = shareOf(sensitivity) + shareOf(specificity) - 1;
  if (youden <= 0) return none('the judges are no better than chance');
  const z = normalQuantile((1 + level) / 2);
  // As in the intervals of Wilson and of Agresti, pseudo-observations are added, half of them successes.
  const padded = ({ successes, n: of }: Share, more: number) => {
    const [all, share] = [of + more, (successes + more / 2) / (of + more)];
    return { share, variance: (share * (1 - share)) / all };
  };
  const [p, se, sp] = [padded(passed, z * z), padded(sensitivity, 2), padded(specificity, 2)];
  const scale = se.share + sp.share - 1;
  if (scale <= 0) return none('too few answers are known to be right or wrong');
  const center = (p.share + sp.share - 1) / scale;
  const shift = 2 * z * z * (center * se.variance - (1 - center) * sp.variance);
  const errors = center ** 2 * se.variance + (1 - center) ** 2 * sp.variance;
  const half = (z * Math.sqrt(p.variance + left * errors)) / scale;
  return {
    measure: measured(within((shareOf(passed) + shareOf(specificity) - 1) / youden), n),
    interval: {
      defined: true,
      n,
      low: within(center + shift - half),
      high: within(center + shift + half),
      level,
    },
  };
}

/**
 * Wilson's score interval of a share. Wilson, Journal of the American Statistical Association 22, 1927. Unlike Wald's or a bootstrap
 * interval, it does not shrink to a point if all or no cases succeed.
 * @param successes out of n, 0 ≤ successes ≤ n; fractions allowed
 */
export function wilsonInterval(successes: number, n: number, level = 0.95): Interval {
  if (n === 0) return unmeasured('there is no case', 0);
  const z = normalQuantile((1 + level) / 2);
  const share = successes / n;
  const scale = 1 + (z * z) / n;
  const center = (share + (z * z) / (2 * n)) / scale;
  const half = (z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))) / scale;
  // Exactly 0 and 1 at the ends, free of floating-point error.
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

/** The nonempty clusters, with their total successes and items. */
function summed(clusters: readonly Bin<Share>[]) {
  const filled = clusters.filter(({ value, items }) => items > 0 && value.n > 0);
  const total = (of: (share: Share) => number): number =>
    filled.reduce((sum, { value, items }) => sum + of(value) * items, 0);
  return { filled, total, successes: total((one) => one.successes), n: total((one) => one.n) };
}

/**
 * How much weight the worst case gets, in which errors fill whole clusters, even if none was seen to. Beside the e errors, one more is
 * assumed that fills its cluster: 1 / (e + 1) of all. The weight is at most the chance that none of the e errors fills its cluster if
 * one in `size` does.
 */
export const worstCaseWeight = (errors: number, size: number): number =>
  Math.min(1 / (errors + 1), (1 - 1 / size) ** errors);

/**
 * The effective sample size of clustered items for the share of successes: n* = n / deff · (t(n − 1) / t(G − 1))² for G clusters, where deff
 * is the ratio of the linearized variance to that of a simple random sample, at least 1. Korn and Graubard, Survey Methodology 24,
 * 1998. A few errors say little about deff, so it is averaged with its largest possible value, the cluster size, see
 * {@link worstCaseWeight}. Without clusters (no `n` over 1) it is the number of items.
 * @param clusters the successes and items of each cluster
 */
export function effectiveItems(clusters: readonly Bin<Share>[], level = 0.95): number {
  const { filled, total, successes, n } = summed(clusters);
  if (filled.every((cluster) => cluster.value.n <= 1)) return n;
  const groups = itemsIn(filled);
  const size = total((one) => one.n ** 2) / n;
  const share = successes / n;
  const errors = Math.min(successes, n - successes);
  if (errors === 0 || groups < 2) return n / size;
  const between = (groups / (groups - 1)) * total((one) => (one.successes - share * one.n) ** 2);
  const design = Math.max(1, (between / n ** 2) * ((n - 1) / (share * (1 - share))));
  const steady = design + Math.max(0, size - design) * worstCaseWeight(errors, size);
  const [wide, narrow] = [groups - 1, n - 1].map((freedom) =>
    tQuantile((1 + level) / 2, Math.max(1, Math.floor(freedom))),
  );
  return (n / steady) * ((narrow ?? 1) / (wide ?? 1)) ** 2;
}

/**
 * Interval of the share of successes among clustered items, which are not independent: Wilson's interval with the effective number of items,
 * see {@link effectiveItems}, instead of Clopper and Pearson's: Franco, Little, Louis and Slud, Journal of Survey Statistics and
 * Methodology 7, 2019. `npm run bench:intervals` shows its coverage.
 * @param clusters the successes and items of each cluster
 */
export function clusteredShareInterval(clusters: readonly Bin<Share>[], level = 0.95): Interval {
  const { filled, successes, n } = summed(clusters);
  if (filled.some(({ value }) => value.n > 1) && itemsIn(filled) < 2)
    return unmeasured('an interval needs at least two independent cases', n);
  const effective = effectiveItems(filled, level);
  const interval = wilsonInterval(n === 0 ? 0 : (successes / n) * effective, effective, level);
  return interval.defined ? { ...interval, n } : interval;
}

/** `weight` times an estimate with its limits; a negative weight subtracts it. */
interface Term {
  weight: number;
  value: number;
  low: number;
  high: number;
}

/**
 * Limits of a sum of estimates, from the limits of each (MOVER). Zou and Donner, Statistics in Medicine 27, 2008, 1693–1702; for
 * correlated ones Zou, Psychological Methods 12, 2007.
 * @param correlation of any two of the estimates, −1 to 1
 */
export function sumLimits(terms: readonly Term[], correlation = 0): { low: number; high: number } {
  const value = sum(terms.map((term) => term.weight * term.value));
  // Reaches keep the sign of their weight, so that what two estimates share cancels out in a difference.
  const far = (reaches: readonly number[]): number => {
    const alone = sum(reaches.map((reach) => reach ** 2));
    return Math.sqrt(Math.max(0, alone + correlation * (sum(reaches) ** 2 - alone)));
  };
  const low = far(
    terms.map(({ weight, ...one }) => weight * (weight > 0 ? one.value - one.low : one.high - one.value)),
  );
  const high = far(
    terms.map(({ weight, ...one }) => weight * (weight > 0 ? one.high - one.value : one.value - one.low)),
  );
  return { low: value - low, high: value + high };
}

/**
 * Interval of the difference between two shares of different cases, first minus second. Newcombe, Statistics in Medicine 17, 1998,
 * 873–890, method 10: from the Wilson intervals of both, see {@link sumLimits}.
 */
export function differenceInterval(first: Share, second: Share, level = 0.95): Interval {
  const [a, b] = [first, second].map(({ successes, n }) => wilsonInterval(successes, n, level));
  const n = Math.min(first.n, second.n);
  if (a?.defined !== true || b?.defined !== true) return unmeasured('one side has no case', n);
  const [p, q] = [first.successes / first.n, second.successes / second.n];
  const terms = [
    { weight: 1, value: p, low: a.low, high: a.high },
    { weight: -1, value: q, low: b.low, high: b.high },
  ];
  return { defined: true, n, ...sumLimits(terms), level };
}

/**
 * Interval of the difference between two shares of the same cases. Agresti and Min, Statistics in Medicine 24, 2005, 729–740: Wald's
 * interval after adding half a case to each of the four kinds of pairs.
 * @param gained cases that only the first got right
 * @param lost cases that only the second got right
 * @param n total number of cases
 */
export function pairedDifferenceInterval(gained: number, lost: number, n: number, level = 0.95): Interval {
  if (n === 0) return unmeasured('no case was judged both times', 0);
  const z = normalQuantile((1 + level) / 2);
  const [up, down, total] = [gained + 0.5, lost + 0.5, n + 2];
  const center = (up - down) / total;
  const half = (z * Math.sqrt(up + down - (up - down) ** 2 / total)) / total;
  return { defined: true, n, low: Math.max(-1, center - half), high: Math.min(1, center + half), level };
}

/** What the interval of a difference shows; `unknown`: it may be chance. */
export type Trend = 'better' | 'worse' | 'steady' | 'unknown';

/**
 * Better or worse only if the interval lies on one side of 0, steady only if `bounds` rule out a change larger than `margin`.
 * @param bounds limits of the change that hold where it is at the margin; default: the interval
 */
export function trendOf(interval: Interval, margin: number, bounds: Interval = interval): Trend {
  if (!interval.defined) return 'unknown';
  if (interval.low > 0) return 'better';
  if (interval.high < 0) return 'worse';
  return bounds.defined && Math.max(-bounds.low, bounds.high) <= margin ? 'steady' : 'unknown';
}
