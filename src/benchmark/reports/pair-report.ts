import { type Confusion, classify, type GapRule } from '../../statistics/classification.ts';
import { distributionOf, unmeasured } from '../../statistics/measure.ts';
import { signTest } from '../../statistics/significance.ts';
import { type Bin, itemsIn } from '../../statistics/tallies.ts';
import {
  bothDecided,
  commonest,
  confusionKey,
  countCases,
  countPasses,
  countsIn,
  sumOfBins,
} from './case-bins.ts';
import { type Both, bothBins, differenceOf, sideOf } from './intervals.ts';
import type { Difference, Gaps, PairReport } from './measures.ts';
import { eachScore, type ScoreName, scores } from './metrics.ts';
import { compareScores } from './scores.ts';
import type { TrialFacts } from './trial-facts.ts';

/** The facts of one setup; places of cases match the other's. */
export interface Side {
  id: string;
  facts: readonly TrialFacts[];
}

function gapsOf(bins: readonly Bin<Confusion>[]): Gaps {
  const { n, undecided, 'no-quorum': noQuorum, unanswered } = classify(sumOfBins(bins));
  return { n, undecided, 'no-quorum': noQuorum, unanswered };
}

/** Whether the most common outcome of a case is right. A case has one label, so one of the rows is empty. */
const isRight = ({ pass, fail }: Confusion): boolean =>
  commonest(pass) === 'pass' || commonest(fail) === 'fail';

function differenceIn(name: ScoreName, bins: readonly Bin<Both<Confusion>>[], gaps: GapRule): Difference {
  const { of, range = 'share' } = scores[name];
  const statistic = (some: readonly Bin<Confusion>[]) => of(countsIn(some, gaps));
  return differenceOf(bins, statistic, statistic, range === 'share' ? 'correlation' : 'any');
}

/** Compares two setups on the cases that both judged, with each case's repeats counted together (McNemar's test by case). */
export function pairReport(first: Side, second: Side): PairReport {
  const bins = bothBins(countCases(first.facts), countCases(second.facts), confusionKey);
  const passes = bothBins(countPasses(first.facts), countPasses(second.facts), confusionKey);
  const [decided, decidedPasses] = [bothDecided(bins), bothDecided(passes)];
  const cases = itemsIn(bins);
  const countOf = (holds: (first: boolean, second: boolean) => boolean): number =>
    itemsIn(bins.filter(({ value }) => holds(isRight(value.first), isRight(value.second))));
  const onlyFirst = countOf((one, other) => one && !other);
  const onlySecond = countOf((one, other) => !one && other);
  const callsOf = (facts: readonly TrialFacts[]) => distributionOf(facts.map(({ calls }) => calls)).mean;
  return {
    first: first.id,
    second: second.id,
    cases,
    scores: eachScore((name) => differenceIn(name, bins, 'wrong')),
    decided: {
      cases: itemsIn(decided),
      scores: eachScore((name) => differenceIn(name, decided, 'exclude')),
    },
    decisions: {
      cases: itemsIn(passes),
      passRate: differenceIn('accuracy', passes, 'wrong'),
      decided: {
        cases: itemsIn(decidedPasses),
        passRate: differenceIn('accuracy', decidedPasses, 'exclude'),
      },
    },
    gaps: { first: gapsOf(sideOf(bins, 'first')), second: gapsOf(sideOf(bins, 'second')) },
    onlyFirst,
    onlySecond,
    pValue: cases === 0 ? unmeasured('no case was judged by both', 0) : signTest(onlyFirst, onlySecond),
    calls: { first: callsOf(first.facts), second: callsOf(second.facts) },
    points: compareScores(first.facts, second.facts),
  };
}
