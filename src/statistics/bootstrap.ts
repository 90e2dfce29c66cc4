import { type BootstrapInterval, type BootstrapOptions, bootstrapInterval } from './bootstrap-interval.ts';
import type { Measure } from './measure.ts';
import { createRandom } from './random.ts';

export const RESAMPLES = 2000;

/** Draws as many clusters as there are, or `drawn`, with replacement, so often as asked, and puts their items together. */
export function* resample<T>(
  clusters: readonly (readonly T[])[],
  { seed, resamples = RESAMPLES }: BootstrapOptions,
  drawn = clusters.length,
): Generator<T[]> {
  const random = createRandom(seed);
  for (let round = 0; round < resamples; round += 1) {
    const items: T[] = [];
    for (let n = 0; n < drawn; n += 1)
      for (const item of clusters[Math.floor(random() * clusters.length)] ?? []) items.push(item);
    yield items;
  }
}

/** The clusters without each one in turn, where the statistic is defined there. */
export function leaveClustersOut<T>(
  clusters: readonly (readonly T[])[],
  statistic: (items: readonly T[]) => Measure,
): { value: number; items: number }[] {
  return clusters.flatMap((_, left) => {
    const rest = statistic(clusters.filter((_cluster, index) => index !== left).flat());
    return rest.defined ? [{ value: rest.value, items: 1 }] : [];
  });
}

/**
 * A seeded bootstrap interval of any statistic. Resamples whole clusters: items that belong together, such as the trials
 * of one case or the cases made from one request, are drawn together, because they are not independent. Davison and
 * Hinkley, Bootstrap Methods and Their Application, 3.8. One item a cluster is the plain bootstrap.
 * BCa evaluates the statistic once more for each cluster.
 *
 * @param most clusters that a resample draws, default all. Where there are more, resamples vary too much, and what they differ by
 *   from the estimate is taken times √(drawn / all): the m out of n bootstrap, whose cost does not grow with the clusters
 *   (Bickel, Götze and van Zwet, Statistica Sinica 7, 1997).
 */
export function bootstrap<T>(
  clusters: readonly (readonly T[])[],
  statistic: (items: readonly T[]) => Measure,
  options: BootstrapOptions,
  most = clusters.length,
): BootstrapInterval {
  const estimate = statistic(clusters.flat());
  const drawn = Math.min(most, clusters.length);
  const nearer = Math.sqrt(drawn / clusters.length);
  const replicates = Array.from(resample(clusters, options, drawn), (items): Measure => {
    const found = statistic(items);
    if (nearer === 1 || !found.defined || !estimate.defined) return found;
    return { ...found, value: estimate.value + (found.value - estimate.value) * nearer };
  });
  return bootstrapInterval(
    estimate,
    clusters.length,
    replicates,
    () => leaveClustersOut(clusters, statistic),
    options,
  );
}
