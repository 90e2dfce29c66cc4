import { type BootstrapInterval, type BootstrapOptions, bootstrapInterval } from './bootstrap-interval.ts';
import type { Measure } from './measure.ts';
import { createRandom } from './random.ts';

export const RESAMPLES = 2000;

/** Draws as many clusters as there are, with replacement, so often as asked, and puts their items together. */
export function* resample<T>(
  clusters: readonly (readonly T[])[],
  { seed, resamples = RESAMPLES }: BootstrapOptions,
): Generator<T[]> {
  const random = createRandom(seed);
  for (let round = 0; round < resamples; round += 1) {
    const items: T[] = [];
    for (let drawn = 0; drawn < clusters.length; drawn += 1)
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
 */
export function bootstrap<T>(
  clusters: readonly (readonly T[])[],
  statistic: (items: readonly T[]) => Measure,
  options: BootstrapOptions,
): BootstrapInterval {
  const replicates = Array.from(resample(clusters, options), statistic);
  return bootstrapInterval(
    statistic(clusters.flat()),
    clusters.length,
    replicates,
    () => leaveClustersOut(clusters, statistic),
    options,
  );
}
