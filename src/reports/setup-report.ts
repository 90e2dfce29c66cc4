import { groupedBy } from '../common/index.ts';
import { NO_ERROR } from '../labels/index.ts';
import {
  type Bin,
  distributionOf,
  jackknifeEstimate,
  type Measure,
  meanNoise,
  medianNoise,
  ratio,
  sum,
} from '../statistics/index.ts';
import {
  type Confusion,
  calibrationOf,
  classify,
  cohenKappa,
  flipRate,
  type Gap,
  type GapRule,
  gapsIn,
  krippendorffAlpha,
  type Tally,
} from '../statistics/raters/index.ts';
import {
  binsOf,
  byCase,
  caseBins,
  casesIn,
  countCases,
  countOutcomes,
  countPasses,
  countsIn,
  estimate,
  type Statistic,
  sumOfBins,
  unlessDecided,
} from './case-statistics.ts';
import { type Estimate, eachScore } from './measures.ts';
import type { CriterionReport, Decisions, Effectiveness, Efficiency, Scored, SetupReport } from './report.ts';
import { scoresOf } from './scores.ts';
import type { Setup, TrialFacts } from './trial-facts.ts';

/**
 * Decisions and labels as two raters. Trials without a decision are a third answer, which no label has, or left out.
 */
function withLabels(bins: readonly Bin<Confusion>[], gaps: GapRule): Estimate {
  const none = unlessDecided(bins);
  if (none !== null) return { measure: none, interval: none };
  const kappa: Statistic<Confusion> = (some) => {
    const [{ tp, fp, fn, tn }, all] = [countsIn(some, 'exclude'), countsIn(some, gaps)];
    return cohenKappa([
      [tp, fn, all.fn - fn],
      [fp, tn, all.fp - fp],
      [0, 0, 0],
    ]);
  };
  return jackknifeEstimate(bins, kappa, 'correlation');
}

/** The tallies of one unit's trials, sorted. */
type UnitTallies = readonly Tally[];

function talliesByUnit(facts: readonly TrialFacts[]): UnitTallies[] {
  const judged = facts.filter(({ firstRound: { pass, fail } }) => pass + fail >= 2);
  const order = ([a = 0, b = 0]: Tally, [c = 0, d = 0]: Tally) => a - c || b - d;
  return [...groupedBy(judged, ({ unit }) => unit).values()].map((own) =>
    own.map(({ firstRound: { pass, fail } }): Tally => [pass, fail]).sort(order),
  );
}

const alphaOf = (bins: readonly Bin<UnitTallies>[]): Measure =>
  krippendorffAlpha(
    bins.flatMap(({ value, items }) => value.map((tally) => ({ value: tally, items }))),
    { scale: 'nominal' },
  );

function amongJudges(facts: readonly TrialFacts[]): Estimate | null {
  const units = talliesByUnit(facts);
  return units.length === 0
    ? null
    : jackknifeEstimate(
        binsOf(units, (tallies) => tallies.join(';')),
        alphaOf,
        'correlation',
      );
}

/**
 * Agreement of decisions with labels, and of judges with each other, beyond chance. For debates only the first round counts: later ones
 * show who gave in.
 *
 * @param bins outcomes of all trials of each unit
 */
export const agreementOf = (
  facts: readonly TrialFacts[],
  bins: readonly Bin<Confusion>[],
): SetupReport['agreement'] => ({
  labels: withLabels(bins, 'wrong'),
  decided: withLabels(bins, 'exclude'),
  judges: amongJudges(facts),
});

function gapsOf(facts: Parameters<typeof countOutcomes>[0]): Record<Gap, number> {
  const { pass, fail, ...gaps } = countOutcomes(facts);
  return gaps;
}

/** A finding on a criterion in one trial. */
type Finding = TrialFacts['criteria'][number] & Pick<TrialFacts, 'place' | 'unit'>;

/** How well found relevance matches the labels, and what is decided whether relevant or not. */
function relevanceOf(findings: readonly Finding[]): CriterionReport['relevance'] {
  if (findings.every(({ isRelevant, foundRelevant }) => isRelevant !== false && foundRelevant !== false))
    return null;
  const agreementWith = (counts: Parameters<typeof countCases>[0]) => {
    const known = counts.filter(({ truth }) => truth !== null);
    const bins = caseBins(countCases(known));
    return known.length === 0
      ? null
      : { accuracy: estimate('accuracy', bins), kappa: withLabels(bins, 'wrong') };
  };
  const asOutcome = (relevant: boolean | null) => (relevant === null ? null : relevant ? 'pass' : 'fail');
  const relevance = agreementWith(
    findings.map(({ place, unit, isRelevant, foundRelevant }) => ({
      place,
      unit,
      truth: asOutcome(isRelevant),
      outcome: asOutcome(foundRelevant) ?? 'undecided',
    })),
  );
  const found = (wanted: boolean) => findings.filter(({ foundRelevant }) => foundRelevant === wanted).length;
  return {
    relevant: found(true),
    notRelevant: found(false),
    ...(relevance ?? { accuracy: null, kappa: null }),
    anyway: agreementWith(findings.map(({ anyway, ...one }) => ({ ...one, outcome: anyway }))),
  };
}

/** In the order of the rubrics' criteria; one after another, because the findings of all together would take much memory. */
function criteriaOf(facts: readonly TrialFacts[]): CriterionReport[] {
  const ids = new Set<string>();
  for (const { criteria } of facts) for (const { id } of criteria) ids.add(id);
  return [...ids].map((id) => {
    const own: Finding[] = [];
    for (const { place, unit, criteria } of facts) {
      const finding = criteria.find((one) => one.id === id);
      if (finding !== undefined) own.push({ place, unit, ...finding });
    }
    const labeled = own.filter(({ truth }) => truth !== null);
    const bins = caseBins(countCases(labeled));
    return {
      id,
      accuracy: labeled.length === 0 ? null : estimate('accuracy', bins),
      decided: labeled.length === 0 ? null : estimate('accuracy', bins, 'exclude'),
      kappa: labeled.length === 0 ? null : withLabels(bins, 'wrong'),
      ...gapsOf(labeled),
      relevance: relevanceOf(own),
      scores: scoresOf(own),
    };
  });
}

const scoredBy = (bins: readonly Bin<Confusion>[], gaps: GapRule): Scored => ({
  counts: countsIn(bins, gaps),
  ...eachScore((name) => estimate(name, bins, gaps)),
});

function effectivenessOf(facts: readonly TrialFacts[], bins: readonly Bin<Confusion>[]): Effectiveness {
  const { n, coverage, undecided, 'no-quorum': noQuorum, unanswered } = classify(sumOfBins(bins));
  const gaps = { undecided, 'no-quorum': noQuorum, unanswered };
  const strict = scoredBy(bins, 'wrong');
  const decided = gapsIn(gaps) === 0 ? strict : scoredBy(bins, 'exclude');
  const cases = casesIn(facts.filter(({ truth }) => truth !== null));
  return { n, cases, ...gaps, coverage, ...strict, decided };
}

/** Correct cases first, then error types in alphabetical order. */
const byCategory = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a === b ? 0 : a === NO_ERROR ? -1 : b === NO_ERROR ? 1 : a < b ? -1 : 1;

function categoriesOf(facts: readonly TrialFacts[]): SetupReport['categories'] {
  const labeled = facts.filter(({ category }) => category !== null);
  return [...groupedBy(labeled, ({ category }) => category ?? '')]
    .sort(byCategory)
    .map(([category, group]) => {
      const bins = caseBins(countCases(group));
      return {
        category,
        accuracy: estimate('accuracy', bins),
        decided: estimate('accuracy', bins, 'exclude'),
        ...gapsOf(group),
      };
    });
}

/** Null if every trial gives a score. */
export function decisionsOf(facts: readonly TrialFacts[]): Decisions | null {
  const bins = caseBins(countPasses(facts));
  const { n, coverage } = classify(sumOfBins(bins));
  if (n === 0) return null;
  const { pass } = sumOfBins(bins);
  return {
    n,
    cases: casesIn(facts.filter(({ score }) => score === null)),
    ...pass,
    passRate: estimate('accuracy', bins),
    decided: estimate('accuracy', bins, 'exclude'),
    coverage,
  };
}

function secondsPerToken(facts: readonly TrialFacts[]): Measure {
  const timed = facts.flatMap(({ sequentialMs, tokens }) =>
    sequentialMs === null || tokens === null ? [] : [{ sequentialMs, tokens }],
  );
  const [ms, tokens] = [sum(timed.map((one) => one.sequentialMs)), sum(timed.map((one) => one.tokens))];
  return ratio(ms / 1000, tokens, timed.length, 'no tokens are known');
}

function efficiencyOf(facts: readonly TrialFacts[]): Efficiency {
  const costs = facts.map(({ costUsd }) => costUsd);
  const known = costs.filter((cost) => cost !== null);
  const latencies = facts.map(({ latencyMs }) => latencyMs);
  return {
    calls: distributionOf(facts.map(({ calls }) => calls)),
    savedCalls: sum(facts.map(({ savedCalls }) => savedCalls)),
    tokens: distributionOf(facts.map(({ tokens }) => tokens)),
    outputTokens: distributionOf(facts.map(({ outputTokens }) => outputTokens)),
    costUsd: { ...distributionOf(costs), noise: meanNoise(known) },
    latencyMs: { ...distributionOf(latencies), noise: medianNoise(latencies.filter((ms) => ms !== null)) },
    sequentialMs: distributionOf(facts.map(({ sequentialMs }) => sequentialMs)),
    secondsPerToken: secondsPerToken(facts),
    totalCostUsd: known.length === 0 ? null : sum(known),
    fromCache: facts.filter(({ fromCache }) => fromCache).length,
  };
}

export function flipsOf(facts: readonly TrialFacts[]): SetupReport['flips'] {
  // For scores, the score is the answer.
  const answer = ({ outcome, score }: TrialFacts) => (outcome === 'undecided' ? (score ?? outcome) : outcome);
  return flipRate([...byCase(facts).values()].map((own) => own.map(answer)));
}

function calibrationOfFacts(facts: readonly TrialFacts[]): SetupReport['calibration'] {
  const decided = facts.filter(
    ({ truth, outcome }) => truth !== null && (outcome === 'pass' || outcome === 'fail'),
  );
  if (decided.every(({ confidence }) => confidence === null)) return null;
  return calibrationOf(
    decided.map(({ confidence, truth, outcome }) => ({ confidence, correct: truth === outcome })),
  );
}

/** @param cases number of cases of the run */
export function setupReport(setup: Setup, facts: readonly TrialFacts[], cases: number): SetupReport {
  const { id, method, models, temperature, equalCallsOf, configurations } = setup;
  const bins = caseBins(countCases(facts));
  return {
    id,
    run: null,
    method,
    models: [...models],
    temperature,
    equalCallsOf,
    repeats: configurations.length,
    trials: facts.length,
    planned: configurations.length * cases,
    unlabeled: facts.filter(({ truth }) => truth === null).length,
    decisions: decisionsOf(facts),
    effectiveness: effectivenessOf(facts, bins),
    categories: categoriesOf(facts),
    efficiency: efficiencyOf(facts),
    agreement: agreementOf(facts, bins),
    flips: configurations.length > 1 ? flipsOf(facts) : null,
    calibration: calibrationOfFacts(facts),
    scores: scoresOf(facts),
    criteria: criteriaOf(facts),
  };
}
