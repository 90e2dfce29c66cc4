import { normalQuantile } from './distributions.ts';
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
