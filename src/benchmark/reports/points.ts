import { type Bin, itemsIn } from '../../core/metrics/bin.ts';
import { type Measure, measured } from '../../core/metrics/measure.ts';
import { countedSpearman } from '../../core/metrics/score-agreement.ts';
import { binsOf } from './case-bins.ts';
import { bootstrapped } from './estimate.ts';
import type { Difference, PairReport } from './report.ts';
import {
  errorOf,
  hasLabel,
  meanOfBins,
  pairsByCase,
  pairsKey,
  pairsOf,
  scoredOf,
  scoreOf,
  sumKey,
  sumsByCase,
} from './scores.ts';
import type { TrialFacts } from './trial-facts.ts';

/** What both sides gave one case, over its repeats. */
interface Both<T> {
  first: T;
  second: T;
}

/** The cases that both sides have. */
function bothBins<T>(
  first: ReadonlyMap<number, T>,
  second: ReadonlyMap<number, T>,
  keyOf: (own: T) => string,
): Bin<Both<T>>[] {
  const both = [...first].flatMap(([place, own]): Both<T>[] => {
    const twin = second.get(place);
    return twin === undefined ? [] : [{ first: own, second: twin }];
  });
  return binsOf(both, (one) => `${keyOf(one.first)} | ${keyOf(one.second)}`);
}

/** A statistic of both sides; each resample takes the same cases for both. */
function difference<T>(
  bins: readonly Bin<Both<T>>[],
  statistic: (bins: readonly Bin<T>[]) => Measure,
): Difference {
  const of = (drawn: readonly Bin<Both<T>>[], which: keyof Both<T>): Measure =>
    statistic(drawn.map(({ value, items }) => ({ value: value[which], items })));
  const lessFirst = (drawn: readonly Bin<Both<T>>[]): Measure => {
    const [first, second] = [of(drawn, 'first'), of(drawn, 'second')];
    if (!first.defined) return first;
    return second.defined ? measured(second.value - first.value, Math.min(first.n, second.n)) : second;
  };
  return {
    first: of(bins, 'first'),
    second: of(bins, 'second'),
    difference: lessFirst(bins),
    interval: bootstrapped(bins, lessFirst),
  };
}

const placeOf = ({ place }: TrialFacts): number => place;

/** What scores of two setups come to on the cases that both gave one. */
export function pointsOf(first: readonly TrialFacts[], second: readonly TrialFacts[]): PairReport['points'] {
  const [ones, others] = [scoredOf(first, placeOf), scoredOf(second, placeOf)];
  const bins = bothBins(sumsByCase(ones, scoreOf), sumsByCase(others, scoreOf), sumKey);
  const cases = itemsIn(bins);
  if (cases === 0) return null;
  const moved = (isSo: (change: number) => boolean) =>
    itemsIn(
      bins.filter(({ value }) => isSo(value.second.sum / value.second.n - value.first.sum / value.first.n)),
    );
  const [up, down] = [moved((change) => change > 0), moved((change) => change < 0)];
  const [known, knownOthers] = [ones.filter(hasLabel), others.filter(hasLabel)];
  const pairs = bothBins(pairsByCase(known), pairsByCase(knownOthers), pairsKey);
  const errors = bothBins(sumsByCase(known, errorOf), sumsByCase(knownOthers, errorOf), sumKey);
  return {
    cases,
    mean: difference(bins, meanOfBins),
    against:
      pairs.length === 0
        ? null
        : {
            spearman: difference(pairs, (drawn) => countedSpearman(pairsOf(drawn))),
            meanAbsoluteError: difference(errors, meanOfBins),
          },
    up,
    down,
    same: cases - up - down,
  };
}
