import { type Confusion, classify, type Outcome } from '../../statistics/classification.ts';
import { distributionOf } from '../../statistics/descriptive.ts';
import { type Measure, measured, unmeasured } from '../../statistics/measure.ts';
import { mcnemar } from '../../statistics/paired-tests.ts';
import { type Bin, itemsIn } from '../../statistics/tallies.ts';
import { binsOf, confusionKey, countCases, decidedCounts, sumOfBins } from './case-bins.ts';
import { pointsOf } from './points.ts';
import type { Difference, Gaps, PairReport, ScoreName } from './report.ts';
import { bootstrapped, scoreOf } from './scores.ts';
import type { TrialFacts } from './trial-facts.ts';

/** The outcomes of both setups on one case. */
interface Both {
  first: Confusion;
  second: Confusion;
}

/** The facts of one setup; places of cases match the other's. */
export interface Side {
  id: string;
  facts: readonly TrialFacts[];
}

const sideOf = (bins: readonly Bin<Both>[], which: keyof Both): Bin<Confusion>[] =>
  bins.map(({ value, items }) => ({ value: value[which], items }));

const side = (bins: readonly Bin<Both>[], which: keyof Both, name: ScoreName): Measure =>
  scoreOf[name](decidedCounts(sideOf(bins, which)));

function gapsOf(bins: readonly Bin<Both>[], which: keyof Both): Gaps {
  const { n, undecided, unscored } = classify(sumOfBins(sideOf(bins, which)));
  return { n, undecided, unscored };
}

function differenceOf(bins: readonly Bin<Both>[], name: ScoreName): Measure {
  const [first, second] = [side(bins, 'first', name), side(bins, 'second', name)];
  if (!first.defined) return first;
  if (!second.defined) return second;
  return measured(second.value - first.value, Math.min(first.n, second.n));
}

const difference = (bins: readonly Bin<Both>[], name: ScoreName): Difference => ({
  first: side(bins, 'first', name),
  second: side(bins, 'second', name),
  difference: differenceOf(bins, name),
  interval: bootstrapped(bins, (drawn) => differenceOf(drawn, name)),
});

/** The most common outcome over a case's repeats; undecided if two are equally common. */
export function commonest(facts: readonly Pick<TrialFacts, 'outcome'>[]): Outcome {
  const counts = new Map<Outcome, number>();
  for (const { outcome } of facts) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const [first = 'unscored', ...others] = [...counts].filter(([, n]) => n === most).map(([kind]) => kind);
  return others.length === 0 ? first : 'undecided';
}

/** Whether the most common outcome of a case is right. */
const isRight = ({ pass, fail }: Confusion): boolean => isMost(pass, 'pass') || isMost(fail, 'fail');

const isMost = (row: Readonly<Record<Outcome, number>>, truth: 'pass' | 'fail'): boolean =>
  outcomes.every((other) => other === truth || row[other] < row[truth]);

const outcomes = ['pass', 'fail', 'undecided', 'unscored'] as const;

const countOf = (bins: readonly Bin<Both>[], holds: (both: Both) => boolean): number =>
  itemsIn(bins.filter(({ value }) => holds(value)));

/**
 * Compares two setups on the labeled cases that both judged. Each resample takes the same cases for both, so that easy and hard cases
 * cancel out (paired bootstrap by case; McNemar's test).
 */
export function pairReport(first: Side, second: Side): PairReport {
  const others = countCases(second.facts).byCase();
  const pairs = [...countCases(first.facts).byCase()].flatMap(([place, own]): Both[] => {
    const paired = others.get(place);
    return paired === undefined ? [] : [{ first: own, second: paired }];
  });
  const bins = binsOf(pairs, (both) => `${confusionKey(both.first)} | ${confusionKey(both.second)}`);
  const onlyFirst = countOf(bins, (both) => isRight(both.first) && !isRight(both.second));
  const onlySecond = countOf(bins, (both) => !isRight(both.first) && isRight(both.second));
  const callsOf = (facts: readonly TrialFacts[]) => distributionOf(facts.map(({ calls }) => calls)).mean;
  return {
    first: first.id,
    second: second.id,
    cases: pairs.length,
    scores: {
      f1: difference(bins, 'f1'),
      precision: difference(bins, 'precision'),
      recall: difference(bins, 'recall'),
      accuracy: difference(bins, 'accuracy'),
      balancedAccuracy: difference(bins, 'balancedAccuracy'),
      mcc: difference(bins, 'mcc'),
    },
    gaps: { first: gapsOf(bins, 'first'), second: gapsOf(bins, 'second') },
    onlyFirst,
    onlySecond,
    pValue:
      pairs.length === 0 ? unmeasured('no case was judged by both', 0) : mcnemar(onlyFirst, onlySecond).exact,
    calls: { first: callsOf(first.facts), second: callsOf(second.facts) },
    points: pointsOf(first.facts, second.facts),
  };
}
