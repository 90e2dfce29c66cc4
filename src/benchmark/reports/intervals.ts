import type { Confusion, GapRule } from '../../statistics/classification.ts';
import { jackknifeEstimate, type Range } from '../../statistics/jackknife.ts';
import { type Measure, measured } from '../../statistics/measure.ts';
import { clusteredShareInterval } from '../../statistics/proportions.ts';
import type { Bin } from '../../statistics/tallies.ts';
import { binsOf, countsIn } from './case-bins.ts';
import type { Difference, Estimate } from './measures.ts';
import { type ScoreName, scores } from './metrics.ts';

export type Statistic<T> = (bins: readonly Bin<T>[]) => Measure;

/**
 * A score with its 95 % interval. A monotone function of a share has Wilson's interval, with an effective number of trials where a case
 * was judged several times or belongs to a group; other scores have the jackknife's.
 *
 * @param bins outcomes of all trials of each group of cases, or of each case that is in none
 * @param gaps how trials without a decision count
 */
export function estimate(
  name: ScoreName,
  bins: readonly Bin<Confusion>[],
  gaps: GapRule = 'wrong',
): Estimate {
  const statistic: Statistic<Confusion> = (some) => scores[name].of(countsIn(some, gaps));
  const { share, ofShare = (value) => value, range = 'share' } = scores[name];
  if (share === undefined) return jackknifeEstimate(bins, statistic, range);
  const measure = statistic(bins);
  if (!measure.defined) return { measure, interval: measure };
  const interval = clusteredShareInterval(
    bins.map(({ value, items }) => {
      const { hits, of } = share(countsIn([{ value, items: 1 }], gaps));
      return { value: { successes: hits, n: of }, items };
    }),
  );
  if (!interval.defined) return { measure, interval };
  const [low, high] = [ofShare(interval.low), ofShare(interval.high)];
  return { measure, interval: { ...interval, low, high, by: 'wilson' } };
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

/** A statistic of both sides and its difference, with the jackknife's interval by case, so that easy and hard cases cancel out. */
export function differenceOf<T>(
  bins: readonly Bin<Both<T>>[],
  first: Statistic<T>,
  second: Statistic<T> = first,
  range: Range = 'any',
): Difference {
  const difference: Statistic<Both<T>> = (drawn) => {
    const [one, other] = [first(sideOf(drawn, 'first')), second(sideOf(drawn, 'second'))];
    if (!one.defined) return one;
    return other.defined ? measured(other.value - one.value, Math.min(one.n, other.n)) : other;
  };
  const { measure, interval } = jackknifeEstimate(bins, difference, range);
  return {
    first: first(sideOf(bins, 'first')),
    second: second(sideOf(bins, 'second')),
    difference: measure,
    interval,
  };
}
