import { groupedBy } from '../../common/collections.ts';
import { type Confusion, classify, type GapRule } from '../../statistics/classification.ts';
import { distributionOf, sum, unmeasured } from '../../statistics/measure.ts';
import { holm, signFlipTest } from '../../statistics/significance.ts';
import { type Bin, singly } from '../../statistics/tallies.ts';
import {
  bothDecided,
  commonest,
  confusionKey,
  countCases,
  countPasses,
  countsIn,
  sumOfBins,
} from './case-bins.ts';
import { type Both, type BothOfCase, bothCases, differenceOf, sideOf, unitBins } from './intervals.ts';
import {
  type Difference,
  eachScore,
  type Gaps,
  type PairReport,
  type ScoreName,
  scores,
} from './measures.ts';
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
export const isRight = ({ pass, fail }: Confusion): boolean =>
  commonest(pass) === 'pass' || commonest(fail) === 'fail';

function differenceIn(name: ScoreName, bins: readonly Bin<Both<Confusion>>[], gaps: GapRule): Difference {
  const { of, range = 'share' } = scores[name];
  const statistic = (some: readonly Bin<Confusion>[]) => of(countsIn(some, gaps));
  return differenceOf(bins, statistic, statistic, range === 'share' ? 'correlation' : 'any');
}

const join = (cases: readonly Confusion[]): Confusion => sumOfBins([...singly(cases)]);

/**
 * Compares two setups on the cases that both judged, with each case's repeats counted together (McNemar's test by case, or by cases that
 * belong together).
 */
export function pairReport(first: Side, second: Side): PairReport {
  const both = (count: typeof countPasses) =>
    bothCases(count(first.facts, 'place'), count(second.facts, 'place'), first.facts);
  const binned = (cases: readonly BothOfCase<Confusion>[]) => unitBins(cases, join, confusionKey);
  const [labeled, all] = [both(countCases), both(countPasses)];
  const [decided, decidedPasses] = [bothDecided(labeled), bothDecided(all)];
  const [bins, passes] = [binned(labeled), binned(all)];
  const [decidedBins, decidedPassBins] = [binned(decided), binned(decidedPasses)];
  const rights = labeled.map((one) => ({
    unit: one.unit,
    gain: Number(isRight(one.second)) - Number(isRight(one.first)),
  }));
  const gains = [...groupedBy(rights, ({ unit }) => unit).values()].map((own) =>
    sum(own.map(({ gain }) => gain)),
  );
  const callsOf = (facts: readonly TrialFacts[]) => distributionOf(facts.map(({ calls }) => calls)).mean;
  return {
    first: first.id,
    second: second.id,
    cases: labeled.length,
    scores: eachScore((name) => differenceIn(name, bins, 'wrong')),
    decided: {
      cases: decided.length,
      scores: eachScore((name) => differenceIn(name, decidedBins, 'exclude')),
    },
    decisions: {
      cases: all.length,
      passRate: differenceIn('accuracy', passes, 'wrong'),
      decided: {
        cases: decidedPasses.length,
        passRate: differenceIn('accuracy', decidedPassBins, 'exclude'),
      },
    },
    gaps: { first: gapsOf(sideOf(bins, 'first')), second: gapsOf(sideOf(bins, 'second')) },
    onlyFirst: rights.filter(({ gain }) => gain < 0).length,
    onlySecond: rights.filter(({ gain }) => gain > 0).length,
    pValue:
      gains.length < 2
        ? unmeasured('a test needs at least two independent cases', gains.length)
        : signFlipTest(gains),
    holm: null,
    calls: { first: callsOf(first.facts), second: callsOf(second.facts) },
    points: compareScores(first.facts, second.facts),
  };
}

/** Adjusts the p-values of comparisons that are read together; one by itself needs no adjustment. */
export function withHolm(pairs: readonly PairReport[]): PairReport[] {
  const adjusted = holm(pairs.map(({ pValue }) => pValue));
  return pairs.map((pair, at) => ({ ...pair, holm: pairs.length > 1 ? (adjusted[at] ?? null) : null }));
}
