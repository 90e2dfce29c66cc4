import { bootstrapBins, bootstrapInterval, resampleBins, resampled } from '../../statistics/bootstrap.ts';
import type { BinaryCounts, Confusion, Unanswered } from '../../statistics/classification.ts';
import { type Measure, measured } from '../../statistics/measure.ts';
import { wilsonInterval } from '../../statistics/proportions.ts';
import { type Bin, itemsIn } from '../../statistics/tallies.ts';
import { binsOf, countsIn } from './case-bins.ts';
import type { Estimate, ReportInterval } from './measures.ts';
import { type ScoreName, scores } from './metrics.ts';
import type { Difference } from './report.ts';

export type Statistic<T> = (bins: readonly Bin<T>[]) => Measure;

/** Fixed, so that the same data give the same report. */
const SEED = 1;

/** Bins times resamples per interval: with many distinct values there are fewer resamples, down to a minimum. */
const MAX_DRAWS = 30_000;
const RESAMPLES = { min: 400, max: 2000 };

const optionsFor = (bins: readonly unknown[]): { seed: number; resamples: number } => {
  const few = Math.floor(MAX_DRAWS / Math.max(1, bins.length));
  return { seed: SEED, resamples: Math.max(RESAMPLES.min, Math.min(RESAMPLES.max, few)) };
};

/** A statistic with its percentile bootstrap interval by case. */
export function bootstrapEstimate<T>(bins: readonly Bin<T>[], statistic: Statistic<T>): Estimate {
  const measure = statistic(bins);
  if (!measure.defined) return { measure, interval: measure };
  return resampled(measure, bootstrapBins(bins, statistic, optionsFor(bins)));
}

/** Several statistics over the same resamples, because drawing is slower than most statistics. */
export function bootstrapEstimates<T>(
  bins: readonly Bin<T>[],
  statistics: readonly Statistic<T>[],
): Estimate[] {
  const options = optionsFor(bins);
  const drawn = Array.from(resampleBins(bins, options), (resample) => statistics.map((of) => of(resample)));
  return statistics.map((of, index) => {
    const measure = of(bins);
    const replicates = drawn.flatMap((values) => values[index] ?? []);
    return resampled(measure, bootstrapInterval(measure, itemsIn(bins), replicates));
  });
}

/** @param perCase trials per case: repeats of a case count as one, because they are not independent */
function byWilson(name: ScoreName, counts: BinaryCounts, perCase: number): ReportInterval | null {
  const { share, ofShare = (value) => value } = scores[name];
  if (share === undefined) return null;
  const { hits, of } = share(counts);
  const interval = wilsonInterval(hits / perCase, of / perCase);
  return interval.defined
    ? { ...interval, n: of, low: ofShare(interval.low), high: ofShare(interval.high), by: 'wilson' }
    : interval;
}

const trialsIn = ({ pass, fail }: Confusion): number =>
  [pass, fail].reduce((sum, row) => sum + row.pass + row.fail + row.undecided + row.unscored, 0);

/**
 * A score with its 95 % interval. For cases judged once, Wilson's interval if the score is a monotone function of a share. For repeats
 * and other scores, a percentile bootstrap by case; if that is a point (all cases alike), Wilson's interval with n = number of cases.
 *
 * @param bins outcomes of the repeats of each case
 * @param gaps how trials without a decision count
 */
export function estimate(
  name: ScoreName,
  bins: readonly Bin<Confusion>[],
  gaps: Unanswered = 'wrong',
): Estimate {
  const statistic: Statistic<Confusion> = (drawn) => scores[name].of(countsIn(drawn, gaps));
  const counts = countsIn(bins, gaps);
  const measure = statistic(bins);
  if (!measure.defined) return { measure, interval: measure };
  const repeated = bins.some(({ value }) => trialsIn(value) > 1);
  const wilson = byWilson(name, counts, repeated ? Math.max(1, measure.n / itemsIn(bins)) : 1);
  if (wilson !== null && !repeated) return { measure, interval: wilson };
  const { interval } = bootstrapEstimate(bins, statistic);
  return { measure, interval: interval.defined ? interval : (wilson ?? interval) };
}

/** What two setups have of one case. */
export interface Both<T> {
  first: T;
  second: T;
}

/** The cases that both have, binned. @param keyOf equal for equal values */
export function bothBins<T>(
  first: ReadonlyMap<number, T>,
  second: ReadonlyMap<number, T>,
  keyOf: (own: T) => string,
): Bin<Both<T>>[] {
  const both = [...first].flatMap(([place, one]): Both<T>[] => {
    const other = second.get(place);
    return other === undefined ? [] : [{ first: one, second: other }];
  });
  return binsOf(both, (one) => `${keyOf(one.first)} | ${keyOf(one.second)}`);
}

export const sideOf = <T>(bins: readonly Bin<Both<T>>[], side: keyof Both<T>): Bin<T>[] =>
  bins.map(({ value, items }) => ({ value: value[side], items }));

/**
 * A statistic of both sides and its difference. Each resample takes the same cases for both, so that easy and hard cases cancel out
 * (paired bootstrap by case).
 */
export function differenceOf<T>(
  bins: readonly Bin<Both<T>>[],
  first: Statistic<T>,
  second: Statistic<T> = first,
): Difference {
  const difference: Statistic<Both<T>> = (drawn) => {
    const [one, other] = [first(sideOf(drawn, 'first')), second(sideOf(drawn, 'second'))];
    if (!one.defined) return one;
    return other.defined ? measured(other.value - one.value, Math.min(one.n, other.n)) : other;
  };
  const { measure, interval } = bootstrapEstimate(bins, difference);
  return {
    first: first(sideOf(bins, 'first')),
    second: second(sideOf(bins, 'second')),
    difference: measure,
    interval,
  };
}
