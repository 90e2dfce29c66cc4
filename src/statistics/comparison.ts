import { logFactorial, normalQuantile } from './distributions.ts';
import { type Measure, measured, sum, unmeasured } from './measure.ts';

/**
 * How often two configurations differ on a case, from how often each is right and the correlation (phi) of being right, as far as these
 * fit together.
 */
export function discordanceOf(first: number, second: number, correlation: number): number {
  const spread = Math.sqrt(first * (1 - first) * second * (1 - second));
  const both = first * second + correlation * spread;
  const possible = Math.min(first, second, Math.max(0, first + second - 1, both));
  return first + second - 2 * possible;
}

/** What is to be shown, and how surely. */
export interface Aim {
  /** Share of cases by which one is more often right, above 0. */
  difference: number;
  /** Share of cases on which they differ, at least the difference. */
  discordance: number;
  /** How much wider clusters make the variance; 1 for independent cases. */
  designEffect: number;
  /** Probability that the difference is found, and highest p that counts as a finding. */
  power: number;
  alpha: number;
}

/**
 * How many cases both configurations must judge for McNemar's exact two-sided test to show a difference. Lachin, Statistics in Medicine
 * 11, 1992, with a continuity correction (Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions, 3rd edition, 13), and
 * in clusters times the design effect: Gönen, Statistics in Medicine 23, 2004.
 */
export function casesToShow({ difference, discordance, designEffect, power, alpha }: Aim): number {
  const significance = normalQuantile(1 - alpha / 2) * Math.sqrt(discordance);
  const chance = normalQuantile(power) * Math.sqrt(Math.max(0, discordance - difference ** 2));
  const independent = ((significance + chance) / difference) ** 2 + 1 / difference;
  return Math.ceil(independent * designEffect);
}

/**
 * How much wider it makes the variance of a mean that values come in clusters, at least 1. Kish, Survey Sampling, 1965, 8.2, with the
 * variance between clusters as in Korn and Graubard, Survey Methodology 24, 1998.
 */
export function designEffectOf(clusters: readonly (readonly number[])[]): Measure {
  const values = clusters.flat();
  const n = values.length;
  if (clusters.length < 2) return unmeasured('there are fewer than two groups', n);
  const mean = sum(values) / n;
  const simple = (sum(values.map((value) => (value - mean) ** 2)) * n) / (n - 1);
  if (simple === 0) return unmeasured('all values are the same', n);
  const between = sum(clusters.map((own) => (sum(own) - own.length * mean) ** 2));
  return measured(Math.max(1, (between * clusters.length) / (clusters.length - 1) / simple), n);
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

/**
 * The two-sided p-value of paired differences that are not independent within clusters: the probability of so large a sum if every
 * cluster's had either sign alike. Exact, by counting all signs; for differences of −1, 0 and 1 it is the sign test. Fisher, The Design
 * of Experiments, 1935, section 21; of clustered pairs: Gönen, Statistics in Medicine 23, 2004, with Durkalski et al., Statistics in
 * Medicine 22, 2003, as its normal approximation. `n` counts the clusters that differ.
 *
 * @param differences of each cluster, whole numbers: cases that only the second got right, minus those that only the first did
 */
export function signFlipTest(differences: readonly number[]): Measure {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const sum = Math.abs(differences.reduce((total, one) => total + one, 0));
  if (sizes.every((size) => size === 1)) return signTest((sizes.length + sum) / 2, (sizes.length - sum) / 2);
  const most = sizes.reduce((total, size) => total + size, 0);
  // How likely it is that the clusters with a plus come to a total; all those with a minus are the rest.
  let chances = new Float64Array([1]);
  for (const size of sizes) {
    const next = new Float64Array(chances.length + size);
    for (const [total, chance] of chances.entries()) {
      next[total] = (next[total] ?? 0) + chance / 2;
      next[total + size] = (next[total + size] ?? 0) + chance / 2;
    }
    chances = next;
  }
  const p = chances.reduce((all, chance, plus) => (Math.abs(2 * plus - most) >= sum ? all + chance : all), 0);
  return measured(Math.min(1, p), sizes.length);
}

/**
 * P-values adjusted for being several: any at most α stays a finding at level α whatever the others are. Holm, Scandinavian Journal of
 * Statistics 6, 1979. What is not defined stays so and does not count.
 */
export function holm(pValues: readonly Measure[]): Measure[] {
  const known = pValues.flatMap((p) => (p.defined ? [p.value] : [])).sort((a, b) => a - b);
  let most = 0;
  const adjusted = known.map((p, at) => {
    most = Math.max(most, Math.min(1, p * (known.length - at)));
    return most;
  });
  return pValues.map((p) => (p.defined ? { ...p, value: adjusted[known.indexOf(p.value)] ?? p.value } : p));
}

/** A quantity to compare items by (null: unknown), and which direction is better. */
export interface Objective<T> {
  of: (item: T) => number | null;
  direction: 'max' | 'min';
  /** Two items that are no further apart than this are equal in it; default: 0. */
  noise?: (a: T, b: T) => number;
}

/**
 * Splits items by Pareto dominance, such as configurations by F1, cost and latency; each list in the given order. Giebisch
 * et al., Automated Factual Benchmarking, III-F (relevance and consistency).
 */
export function paretoFront<T>(items: readonly T[], objectives: readonly Objective<T>[]) {
  const isKnown = (item: T): boolean => objectives.every(({ of }) => of(item) !== null);
  const known = items.filter(isKnown);
  const isBeaten = (item: T): boolean => known.some((other) => beats(other, item, objectives));
  return {
    /** Items that no other dominates, by being at least as good in everything and better in something. */
    front: known.filter((item) => !isBeaten(item)),
    dominated: known.filter(isBeaten),
    /** Items with an unknown objective. */
    incomparable: items.filter((item) => !isKnown(item)),
  };
}

function beats<T>(a: T, b: T, objectives: readonly Objective<T>[]): boolean {
  const leads = objectives.map(({ of, direction, noise }) => {
    const lead = (direction === 'max' ? 1 : -1) * ((of(a) ?? 0) - (of(b) ?? 0));
    return noise !== undefined && Math.abs(lead) <= noise(a, b) ? 0 : lead;
  });
  return leads.every((lead) => lead >= 0) && leads.some((lead) => lead > 0);
}
