import { leaveClustersOut, resample } from './bootstrap.ts';
import { type BootstrapInterval, type BootstrapOptions, bootstrapInterval } from './bootstrap-interval.ts';
import { type Measure, measured, unmeasured } from './measure.ts';

/** How two configurations compare on the same cases. */
export interface PairedComparison {
  first: Measure;
  second: Measure;
  /** First less second. */
  difference: Measure;
  interval: BootstrapInterval;
  /** Two-sided: how often resampling puts the difference on the other side of 0, doubled. Small speaks against equality. */
  pValue: Measure;
}

/**
 * Compares a statistic of two configurations by resampling the cases that both judged: each resample takes the same cases
 * for both, so that easy and hard cases cancel out. Efron and Tibshirani, An Introduction to the Bootstrap, chapters 13
 * and 15; one is added to both counts of the p-value, so that it is never 0 (Davison and Hinkley, 4.2).
 *
 * @param clusters items that belong together; each item holds what both configurations said
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
  const replicates = Array.from(resample(clusters, options), difference);
  const estimate = difference(items);
  return {
    first: first(items),
    second: second(items),
    difference: estimate,
    interval: bootstrapInterval(
      estimate,
      clusters.length,
      replicates,
      () => leaveClustersOut(clusters, difference),
      options,
    ),
    pValue: estimate.defined ? twoSided(replicates, estimate.n) : estimate,
  };
}

function twoSided(replicates: readonly Measure[], n: number): Measure {
  const values = replicates.flatMap((replicate) => (replicate.defined ? [replicate.value] : []));
  if (values.length === 0) return unmeasured('the statistic is not defined in most resamples', n);
  const notAbove = values.filter((value) => value <= 0).length;
  const notBelow = values.filter((value) => value >= 0).length;
  return measured(Math.min(1, (2 * (Math.min(notAbove, notBelow) + 1)) / (values.length + 1)), n);
}
