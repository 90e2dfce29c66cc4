import { groupedBy } from '../common/index.ts';
import { normalCdf, normalQuantile, tQuantile } from './distributions.ts';
import { type Interval, type Measure, measured, sum, unmeasured } from './measure.ts';
import { sumLimits, worstCaseWeight } from './proportions.ts';

/** A part of a difference: `weight` times `value`, with the interval of `value`. */
export interface WeightedPart {
  weight: number;
  value: number;
  interval: Interval;
}

/** Interval of a weighted sum of independent estimates, from the limits of each: see `sumLimits`. */
export function sumInterval(parts: readonly WeightedPart[], n: number, level = 0.95): Interval {
  const terms = [];
  for (const { weight, value, interval } of parts) {
    if (weight === 0) continue;
    if (!interval.defined) return interval;
    terms.push({ weight, value, low: interval.low, high: interval.high });
  }
  const { low, high } = sumLimits(terms);
  return { defined: true, n, low: Math.max(-1, low), high: Math.min(1, high), level };
}

/**
 * Score statistic of the difference between two shares of the same cases, against the null hypothesis that it is `margin`. Unlike Wald's, its
 * variance is the one under that hypothesis, so that a few cases without a change do not look like proof. Tango, Statistics in Medicine 17,
 * 1998, 891–908.
 * @param gained cases that only the first got right
 * @param lost cases that only the second got right
 * @param margin between −1 and 1
 */
function pairedScore(gained: number, lost: number, n: number, margin: number): number {
  const b = -gained - lost + (2 * n - gained + lost) * margin;
  const c = -lost * margin * (1 - margin);
  const share = (Math.sqrt(Math.max(0, b * b - 8 * n * c)) - b) / (4 * n);
  const variance = n * (2 * share + margin * (1 - margin));
  const distance = gained - lost - n * margin;
  return variance <= 0
    ? distance === 0
      ? 0
      : Math.sign(distance) * Number.POSITIVE_INFINITY
    : distance / Math.sqrt(variance);
}

/**
 * Limits outside which {@link pairedScore} rejects every difference, by bisection.
 */
export function pairedScoreInterval(gained: number, lost: number, n: number, level = 0.95): Interval {
  if (n === 0) return unmeasured('no case was judged both times', 0);
  const z = normalQuantile((1 + level) / 2);
  const value = (gained - lost) / n;
  const limit = (from: number, isBelow: boolean): number => {
    let [inside, outside] = [value, from];
    for (let step = 0; step < 50; step += 1) {
      const middle = (inside + outside) / 2;
      const score = pairedScore(gained, lost, n, middle);
      if (isBelow ? score < z : score > -z) inside = middle;
      else outside = middle;
    }
    return inside;
  };
  return { defined: true, n, low: limit(-1, true), high: limit(1, false), level };
}

/** What independent units contribute to an estimate. */
export interface Contribution {
  /** Equal for items that belong together. */
  unit: number | string;
  /** Equal for items whose contributions can't cancel out each other: those of one run. */
  side: string;
  /** How much the item weighs in the estimate, at least 0. */
  weight: number;
  /** Its weighted deviation from what is expected of it; its sign is that in the estimate. */
  deviation: number;
}

/** Sums by key. */
function summed<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  amountOf: (item: T) => number,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(keyOf(item), (sums.get(keyOf(item)) ?? 0) + amountOf(item));
  return sums;
}

const squares = (values: Iterable<number>): number => sum(Array.from(values, (value) => value ** 2));

/** What the units of one side say of the variance. */
interface SideUnits {
  units: number;
  variance: number;
}

/**
 * Degrees of freedom of a variance that is estimated from several sides, and the factor that makes it unbiased. Satterthwaite, Biometrics
 * Bulletin 2, 1946. A side with a single unit counts as if it had two.
 */
function freedomOf(sides: readonly SideUnits[]): { freedom: number; unbiased: number } {
  const total = sum(sides.map(({ variance }) => variance));
  const all = sum(sides.map(({ units }) => Math.max(1, units - 1)));
  if (total === 0) return { freedom: all, unbiased: 1 };
  const left = sides.map(({ units, variance }) => ({ variance, freedom: Math.max(1, units - 1) }));
  return {
    freedom: total ** 2 / sum(left.map(({ variance, freedom }) => variance ** 2 / freedom)),
    unbiased: sum(left.map(({ variance, freedom }) => variance * (1 + 1 / freedom))) / total,
  };
}

/**
 * Factor by which clusters shrink the number of independent items behind a difference: 1 / deff · (t(n − sides) / t(f))², where deff is the
 * linearized variance by cluster over that by item, at least 1, and f its degrees of freedom; with few events, part of the largest deff
 * possible. As `effectiveItems` for one share.
 * @param events items that say anything of the variance, such as those that changed
 * @returns null if there are too few clusters
 */
export function clusterFactor(items: readonly Contribution[], events: number, level = 0.95): number | null {
  const ownOf = ({ side, unit }: Contribution) => JSON.stringify([side, unit]);
  const weights = summed(items, ownOf, ({ weight }) => weight);
  const together = summed(
    items,
    ({ unit }) => JSON.stringify(unit),
    ({ deviation }) => deviation,
  );
  const n = items.length;
  if (weights.size === n && together.size === n) return 1;
  const bySide = groupedBy(items, ({ side }) => side);
  if (together.size <= bySide.size) return null;
  const sides = [...bySide.values()].map((own): SideUnits => {
    const units = summed(own, ownOf, ({ deviation }) => deviation);
    return { units: units.size, variance: squares(units.values()) };
  });
  const { freedom, unbiased } = freedomOf(sides);
  const alone = squares(items.map(({ deviation }) => deviation));
  const largest = squares(weights.values()) / squares(items.map(({ weight }) => weight));
  const design =
    alone === 0 ? largest : Math.max(1, (unbiased * squares(together.values())) / ((n / (n - 1)) * alone));
  const steady = design + Math.max(0, largest - design) * worstCaseWeight(events, Math.max(1, largest));
  const [wide, narrow] = [freedom, n - bySide.size].map((own) =>
    tQuantile((1 + level) / 2, Math.max(1, Math.floor(own + 1e-9))),
  );
  return ((narrow ?? 1) / (wide ?? 1)) ** 2 / steady;
}

/** Probability that a chi-square variable with `freedom` degrees of freedom is at least x. Abramowitz and Stegun, 26.4.4 and 26.4.5. */
function chiSquareTail(x: number, freedom: number): number {
  if (x <= 0) return 1;
  const isOdd = freedom % 2 === 1;
  // Terms (x / 2)^k / Γ(k + 1), for k from 0 or from 1/2, to freedom / 2 − 1.
  let term = isOdd ? Math.sqrt((2 * x) / Math.PI) : 1;
  let total = freedom === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k <= freedom - 2; k += 2) {
    term *= x / k;
    total += term;
  }
  const tail = isOdd ? 2 * (1 - normalCdf(Math.sqrt(x))) : 0;
  return Math.min(1, tail + total * Math.exp(-x / 2));
}

/**
 * P-value of the hypothesis that two samples have the same distribution over categories: Pearson's chi-square test. Pearson, Philosophical
 * Magazine 50, 1900. `n` counts the items of both; the approximation wants about five expected items in each category of each sample.
 * @param categories how many items each sample has in each category; fractions allowed
 */
export function sameDistributionTest(categories: readonly (readonly [number, number])[]): Measure {
  const filled = categories.filter(([one, other]) => one + other > 0);
  const [first, second] = [0, 1].map((side) =>
    filled.reduce((total, counts) => total + (counts[side] ?? 0), 0),
  );
  const n = (first ?? 0) + (second ?? 0);
  if (filled.length < 2 || !first || !second) return unmeasured('there is nothing to compare', n);
  let statistic = 0;
  for (const [one, other] of filled) {
    const share = (one + other) / n;
    statistic +=
      (one - share * first) ** 2 / (share * first) + (other - share * second) ** 2 / (share * second);
  }
  return measured(chiSquareTail(statistic, filled.length - 1), n);
}
