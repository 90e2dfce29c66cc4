import { logFactorial, normalQuantile } from './distributions.ts';
import { type Measure, measured, sum, unmeasured } from './measure.ts';

/**
 * Share of cases on which two configurations differ, given each one's accuracy and the correlation (phi) of their being right. An impossible
 * combination is clamped to the nearest possible one.
 */
export function discordanceOf(first: number, second: number, correlation: number): number {
  const spread = Math.sqrt(first * (1 - first) * second * (1 - second));
  const both = first * second + correlation * spread;
  const possible = Math.min(first, second, Math.max(0, first + second - 1, both));
  return first + second - 2 * possible;
}

/** What a comparison should be able to show, and how reliably. */
export interface Aim {
  /** The difference in accuracy to detect, above 0. */
  difference: number;
  /** Share of cases on which the configurations differ; at least `difference`. */
  discordance: number;
  /** Factor by which clustering increases the variance; 1 for independent cases. */
  designEffect: number;
  /** `power`: probability of detecting the difference. `alpha`: significance level. */
  power: number;
  alpha: number;
}

/**
 * Number of cases that both configurations must judge for McNemar's exact two-sided test to show a difference. Lachin, Statistics in
 * Medicine 11, 1992, with a continuity correction (Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions, 3rd edition,
 * 13); for clusters multiplied by the design effect: Gönen, Statistics in Medicine 23, 2004.
 */
export function casesToShow({ difference, discordance, designEffect, power, alpha }: Aim): number {
  const significance = normalQuantile(1 - alpha / 2) * Math.sqrt(discordance);
  const chance = normalQuantile(power) * Math.sqrt(Math.max(0, discordance - difference ** 2));
  const independent = ((significance + chance) / difference) ** 2 + 1 / difference;
  return Math.ceil(independent * designEffect);
}

/**
 * Factor by which clustering increases the variance of a mean, at least 1. Kish, Survey Sampling, 1965, 8.2, with the variance between
 * clusters as in Korn and Graubard, Survey Methodology 24, 1998.
 */
export function designEffectOf(clusters: readonly (readonly number[])[]): Measure {
  const values = clusters.flat();
  const n = values.length;
  if (clusters.length < 2) return unmeasured('there are fewer than two groups', n);
  const mean = sum(values) / n;
  const simple = (sum(values.map((value) => (value - mean) ** 2)) * n) / (n - 1);
  if (simple === 0) return unmeasured('all values are the same', n);
  const between = sum(clusters.map((cluster) => (sum(cluster) - cluster.length * mean) ** 2));
  return measured(Math.max(1, (between * clusters.length) / (clusters.length - 1) / simple), n);
}

/**
 * Two-sided p-value of the exact sign test: the probability that fair coin flips split at least this unevenly. 1 if there are no flips; `n`
 * counts the flips, without ties. For two configurations on the same cases, with the cases that only one of them got right, this is
 * McNemar's exact test (Psychometrika 12, 1947).
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
 * Two-sided p-value for paired differences that are not independent within clusters: the probability of a sum at least this large if each
 * cluster's sum were equally likely to have either sign. Exact, over all combinations of signs; for differences of −1, 0 and 1 it is
 * the sign test. Fisher, The Design of Experiments, 1935, section 21; for clustered pairs Gönen, Statistics in Medicine 23, 2004, with
 * Durkalski et al., Statistics in Medicine 22, 2003, as its normal approximation. `n` counts the clusters that differ.
 * @param differences of each cluster, whole numbers: cases that only the second got right minus those that only the first got right
 */
export function signFlipTest(differences: readonly number[]): Measure {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const sum = Math.abs(differences.reduce((total, one) => total + one, 0));
  if (sizes.every((size) => size === 1)) return signTest((sizes.length + sum) / 2, (sizes.length - sum) / 2);
  const most = sizes.reduce((total, size) => total + size, 0);
  // The distribution of the sum over clusters with a plus sign; the clusters with a minus sign sum to the rest.
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
 * P-values adjusted for multiple comparisons: an adjusted value of at most α is significant at level α, whatever the other hypotheses.
 * Holm, Scandinavian Journal of Statistics 6, 1979. Undefined values stay undefined and do not count.
 */
export function holm(pValues: readonly Measure[]): Measure[] {
  const sorted = pValues.flatMap((p) => (p.defined ? [p.value] : [])).sort((a, b) => a - b);
  let most = 0;
  const adjusted = sorted.map((p, at) => {
    most = Math.max(most, Math.min(1, p * (sorted.length - at)));
    return most;
  });
  return pValues.map((p) => (p.defined ? { ...p, value: adjusted[sorted.indexOf(p.value)] ?? p.value } : p));
}

/** A quantity to compare items by (null if unknown), and which direction is better. */
export interface Objective<T> {
  of: (item: T) => number | null;
  direction: 'max' | 'min';
  /** Two items that differ by no more than this count as equal. Default: 0. */
  noise?: (a: T, b: T) => number;
  /**
   * Whether a lead of the first over the second is beyond chance; asked only if there is one. If some objectives have it, an item is
   * dominated only by one that leads beyond chance in one of them.
   */
  isSure?: (a: T, b: T) => boolean;
}

/**
 * Splits items by Pareto dominance, such as configurations by F1, cost and latency. Each list keeps the given order. Giebisch et al.,
 * Automated Factual Benchmarking, III-F (relevance and consistency).
 */
export function paretoFront<T>(items: readonly T[], objectives: readonly Objective<T>[]) {
  const isKnown = (item: T): boolean => objectives.every(({ of }) => of(item) !== null);
  const comparable = items.filter(isKnown);
  const beaten = new Set(
    comparable.filter((item) => comparable.some((other) => beats(other, item, objectives))),
  );
  return {
    /**
     * Items not dominated by any other: no other is at least as good in every objective and better in one, or better beyond chance where
     * that is asked.
     */
    front: comparable.filter((item) => !beaten.has(item)),
    dominated: comparable.filter((item) => beaten.has(item)),
    /** Items with an unknown objective. */
    incomparable: items.filter((item) => !isKnown(item)),
  };
}

function beats<T>(a: T, b: T, objectives: readonly Objective<T>[]): boolean {
  const leads = objectives.map((objective) => {
    const { of, direction, noise } = objective;
    const by = (direction === 'max' ? 1 : -1) * ((of(a) ?? 0) - (of(b) ?? 0));
    return { objective, lead: noise !== undefined && Math.abs(by) <= noise(a, b) ? 0 : by };
  });
  if (leads.some(({ lead }) => lead < 0)) return false;
  const tested = leads.filter(({ objective }) => objective.isSure !== undefined);
  return tested.length === 0
    ? leads.some(({ lead }) => lead > 0)
    : tested.some(({ objective, lead }) => lead > 0 && objective.isSure?.(a, b) === true);
}
