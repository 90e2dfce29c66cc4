import { type Measure, measured } from '../../statistics/measure.ts';
import { scoreTable, timesOf } from '../../statistics/score-agreement.ts';
import { type Bin, itemsIn } from '../../statistics/tallies.ts';
import { binsOf } from './case-bins.ts';
import type { Difference, PairReport } from './report.ts';
import {
  bootstrapped,
  type CasePairs,
  errorOf,
  givenScore,
  hasLabel,
  meanOfBins,
  pairsByCase,
  pairsKey,
  scoredOf,
  sumKey,
  sumsByCase,
} from './scores.ts';
import type { TrialFacts } from './trial-facts.ts';

/** Both sides' scores of one case over its repeats. */
interface Both<T> {
  first: T;
  second: T;
}

function bothBins<T>(
  first: ReadonlyMap<number, T>,
  second: ReadonlyMap<number, T>,
  keyOf: (own: T) => string,
): Bin<Both<T>>[] {
  const both = [...first].flatMap(([place, own]): Both<T>[] => {
    const paired = second.get(place);
    return paired === undefined ? [] : [{ first: own, second: paired }];
  });
  return binsOf(both, (one) => `${keyOf(one.first)} | ${keyOf(one.second)}`);
}

type Statistic<T> = (bins: readonly Bin<T>[]) => Measure;

/** A statistic of both sides; each resample takes the same cases for both. */
function difference<T>(bins: readonly Bin<Both<T>>[], statistic: Both<Statistic<T>>): Difference {
  const of = (drawn: readonly Bin<Both<T>>[], which: keyof Both<T>): Measure =>
    statistic[which](drawn.map(({ value, items }) => ({ value: value[which], items })));
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

const meanOfBoth = { first: meanOfBins, second: meanOfBins };

/** Rank correlation with labels. */
function spearmanOf({ pairs }: CasePairs): Statistic<readonly number[]> {
  const table = scoreTable(pairs);
  return (bins) => table.spearman(timesOf(bins, pairs.length));
}

const placeOf = ({ place }: TrialFacts): number => place;

/** Compares the scores of two setups on the cases that both scored. */
export function pointsOf(first: readonly TrialFacts[], second: readonly TrialFacts[]): PairReport['points'] {
  const [ones, others] = [scoredOf(first, placeOf), scoredOf(second, placeOf)];
  const bins = bothBins(sumsByCase(ones, givenScore), sumsByCase(others, givenScore), sumKey);
  const cases = itemsIn(bins);
  if (cases === 0) return null;
  const moved = (isSo: (change: number) => boolean) =>
    itemsIn(
      bins.filter(({ value }) => isSo(value.second.sum / value.second.n - value.first.sum / value.first.n)),
    );
  const [up, down] = [moved((change) => change > 0), moved((change) => change < 0)];
  const [known, knownOthers] = [ones.filter(hasLabel), others.filter(hasLabel)];
  const [own, other] = [pairsByCase(known), pairsByCase(knownOthers)];
  const pairs = bothBins(own.cases, other.cases, pairsKey);
  const errors = bothBins(sumsByCase(known, errorOf), sumsByCase(knownOthers, errorOf), sumKey);
  return {
    cases,
    mean: difference(bins, meanOfBoth),
    against:
      pairs.length === 0
        ? null
        : {
            spearman: difference(pairs, { first: spearmanOf(own), second: spearmanOf(other) }),
            meanAbsoluteError: difference(errors, meanOfBoth),
          },
    up,
    down,
    same: cases - up - down,
  };
}
