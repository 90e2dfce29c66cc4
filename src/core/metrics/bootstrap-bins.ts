import { type Bin, itemsIn } from './bin.ts';
import { drawBinomial } from './binomial.ts';
import { RESAMPLES } from './bootstrap.ts';
import {
  type BootstrapInterval,
  type BootstrapOptions,
  bootstrapInterval,
  type LeftOut,
} from './bootstrap-interval.ts';
import type { Measure } from './measure.ts';
import { createRandom, type Random } from './random.ts';

/** Draws items with replacement: one binomial draw a bin, of the items that are left to draw. */
function drawBins<T>(bins: readonly Bin<T>[], total: number, wanted: number, random: Random): Bin<T>[] {
  let toDraw = wanted;
  let among = total;
  return bins.flatMap(({ value, items }) => {
    const drawn = drawBinomial(toDraw, among === 0 ? 0 : items / among, random);
    toDraw -= drawn;
    among -= items;
    return drawn === 0 ? [] : [{ value, items: drawn }];
  });
}

/** The bins with one item less, once for each bin: all items of a bin leave the same. */
function leaveItemsOut<T>(
  bins: readonly Bin<T>[],
  statistic: (bins: readonly Bin<T>[]) => Measure,
): LeftOut[] {
  return bins.flatMap((left) => {
    const rest = bins.flatMap((bin) => {
      const items = bin === left ? bin.items - 1 : bin.items;
      return items === 0 ? [] : [{ value: bin.value, items }];
    });
    const value = statistic(rest);
    return value.defined ? [{ value: value.value, items: left.items }] : [];
  });
}

/**
 * A seeded bootstrap interval of a statistic of counted items ("n items had this tally", "n cases fell into this cell"),
 * resampled by item. The same as resampling the items one by one (a multinomial draw of the bins), at a cost that grows
 * with the distinct values and not with the items.
 *
 * @param units how many of the items stand for themselves, default all. Fewer where items belong together and it is not known
 *   which: only so many are drawn, as though those that belong together were alike, and the interval is wide enough.
 */
export function bootstrapBins<T>(
  bins: readonly Bin<T>[],
  statistic: (bins: readonly Bin<T>[]) => Measure,
  options: BootstrapOptions,
  units = Number.POSITIVE_INFINITY,
): BootstrapInterval {
  const filled = bins.filter(({ items }) => items > 0);
  const total = itemsIn(filled);
  const wanted = Math.min(units, total);
  const random = createRandom(options.seed);
  const replicates = Array.from({ length: options.resamples ?? RESAMPLES }, () =>
    statistic(drawBins(filled, total, wanted, random)),
  );
  return bootstrapInterval(
    statistic(filled),
    wanted,
    replicates,
    () => leaveItemsOut(filled, statistic),
    options,
  );
}
