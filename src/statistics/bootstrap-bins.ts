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
  const drawn: Bin<T>[] = [];
  for (const { value, items } of bins) {
    const times = drawBinomial(toDraw, among === 0 ? 0 : items / among, random);
    toDraw -= times;
    among -= items;
    if (times > 0) drawn.push({ value, items: times });
  }
  return drawn;
}

/** As many items as there are, or as wanted, drawn anew so often as asked. */
export function* resampleBins<T>(
  bins: readonly Bin<T>[],
  { seed, resamples = RESAMPLES }: BootstrapOptions,
  wanted?: number,
): Generator<Bin<T>[]> {
  const total = itemsIn(bins);
  const random = createRandom(seed);
  for (let round = 0; round < resamples; round += 1) yield drawBins(bins, total, wanted ?? total, random);
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
  const wanted = Math.min(units, itemsIn(filled));
  const replicates = Array.from(resampleBins(filled, options, wanted), statistic);
  return bootstrapInterval(
    statistic(filled),
    wanted,
    replicates,
    () => leaveItemsOut(filled, statistic),
    options,
  );
}
