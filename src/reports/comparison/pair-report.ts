import * as z from 'zod';
import { groupedBy } from '../../common/index.ts';
import {
  type Bin,
  distributionOf,
  holm,
  signFlipTest,
  singly,
  sum,
  unmeasured,
} from '../../statistics/index.ts';
import { type Confusion, classify, type GapRule } from '../../statistics/raters/index.ts';
import {
  type Both,
  type BothOfCase,
  bothCases,
  bothDecided,
  type CaseCounts,
  commonest,
  confusionKey,
  countCases,
  countPasses,
  countsIn,
  Difference,
  differenceOf,
  Gaps,
  pairedTest,
  pText,
  ReportMeasure,
  sideOf,
  sumOfBins,
  unitBins,
  unlessDecided,
} from '../estimates/index.ts';
import type { TrialFacts } from '../facts/index.ts';
import {
  compareScores,
  eachScore,
  PointsDifference,
  type ScoreName,
  scores as scoreList,
  scoreNames,
} from '../metrics/index.ts';

/** Two setups on the cases that both judged. */
export const PairReport = z.strictObject({
  first: z.string(),
  second: z.string(),
  cases: z.int(),
  /** A trial without a decision counts as the wrong one. */
  scores: z.record(z.enum(scoreNames), Difference),
  /** The same on the cases that both decided. */
  decided: z.strictObject({ cases: z.int(), scores: z.record(z.enum(scoreNames), Difference) }),
  /** On all cases that both judged, with labels or without; a trial without a decision does not pass. */
  decisions: z.strictObject({
    cases: z.int(),
    passRate: Difference,
    /** On the cases that both decided. */
    decided: z.strictObject({ cases: z.int(), passRate: Difference }),
  }),
  gaps: z.strictObject({ first: Gaps, second: Gaps }),
  /**
   * Cases that only one of them got right, by their most common outcome (no decision is not right), and McNemar's exact
   * two-sided p-value, or that of clusters (`signFlipTest`).
   */
  onlyFirst: z.int(),
  onlySecond: z.int(),
  pValue: ReportMeasure,
  /** The same adjusted for several comparisons in one report (Holm); null for a single one. */
  holm: ReportMeasure.nullable(),
  /** The measure that a sentence about the pair names (`mainMeasure`), tested itself: by exchanging the sides of a case (`swapTest`). */
  main: z.strictObject({
    measure: z.enum(['f1', 'pass-rate', 'mean']),
    pValue: ReportMeasure,
    /** Adjusted for several comparisons that are read together (Holm); null for a single one. */
    holm: ReportMeasure.nullable(),
  }),
  /** Mean calls per trial. */
  calls: z.strictObject({ first: ReportMeasure, second: ReportMeasure }),
  /** On the cases that both scored; null if there are none. */
  points: PointsDifference.nullable(),
});
export type PairReport = z.infer<typeof PairReport>;

/** A p-value, followed by the one adjusted for several comparisons. */
export const pTexts = ({ pValue, holm }: Pick<PairReport, 'pValue' | 'holm'>): string =>
  `p ${pText(pValue)}${holm === null ? '' : `, Holm ${pText(holm)}`}`;

/** The facts of one setup; places of cases match the other's. */
export interface SetupFacts {
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
  const { of, range = 'share' } = scoreList[name];
  const statistic = (some: readonly Bin<Confusion>[]) => of(countsIn(some, gaps));
  const [first, second] = [sideOf(bins, 'first'), sideOf(bins, 'second')];
  const [noFirst, noSecond] = [unlessDecided(first), unlessDecided(second)];
  const none = noFirst ?? noSecond;
  if (none !== null)
    return {
      first: noFirst ?? statistic(first),
      second: noSecond ?? statistic(second),
      difference: none,
      interval: none,
    };
  return differenceOf(bins, statistic, statistic, range === 'share' ? 'correlation' : 'any');
}

/** The test of what {@link differenceIn} gives. */
function testOf(name: ScoreName, bins: readonly Bin<Both<Confusion>>[]): ReportMeasure {
  const none = unlessDecided(sideOf(bins, 'first')) ?? unlessDecided(sideOf(bins, 'second'));
  return none ?? pairedTest(bins, (some) => scoreList[name].of(countsIn(some, 'wrong')), confusionKey);
}

const join = (cases: readonly Confusion[]): Confusion => sumOfBins([...singly(cases)]);

/**
 * Compares two setups on the cases that both judged, with each case's repeats counted together (McNemar's test by case, or by cases that
 * belong together).
 */
export function pairReport(first: SetupFacts, second: SetupFacts): PairReport {
  const both = (count: (facts: readonly TrialFacts[], by: 'place') => CaseCounts) =>
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
  const gains = [...groupedBy(rights, ({ unit }) => unit).values()].map((group) =>
    sum(group.map(({ gain }) => gain)),
  );
  const points = compareScores(first.facts, second.facts);
  const main =
    labeled.length > 0
      ? ({ measure: 'f1', pValue: testOf('f1', bins) } as const)
      : points === null
        ? ({ measure: 'pass-rate', pValue: testOf('accuracy', passes) } as const)
        : ({ measure: 'mean', pValue: points.pValue } as const);
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
    main: { ...main, holm: null },
    calls: { first: callsOf(first.facts), second: callsOf(second.facts) },
    points,
  };
}

/** Adjusts the p-values of comparisons that are read together; one by itself needs no adjustment. */
export function withHolm(pairs: readonly PairReport[]): PairReport[] {
  if (pairs.length < 2)
    return pairs.map((pair) => ({ ...pair, holm: null, main: { ...pair.main, holm: null } }));
  const adjusted = holm(pairs.map(({ pValue }) => pValue));
  const adjustedMain = holm(pairs.map(({ main }) => main.pValue));
  return pairs.map((pair, at) => ({
    ...pair,
    holm: adjusted[at] ?? null,
    main: { ...pair.main, holm: adjustedMain[at] ?? null },
  }));
}
