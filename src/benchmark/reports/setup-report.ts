import { flipRate } from '../../statistics/agreement.ts';
import { calibrationOf } from '../../statistics/calibration.ts';
import { type Confusion, classify } from '../../statistics/classification.ts';
import { distributionOf, sum } from '../../statistics/descriptive.ts';
import { type Bin, itemsIn } from '../../statistics/tallies.ts';
import { agreementOf } from './agreement.ts';
import { byCase, caseBins, sumOfBins } from './case-bins.ts';
import { criteriaOf } from './criteria.ts';
import { estimate } from './estimate.ts';
import type { Effectiveness, Efficiency, SetupReport } from './report.ts';
import { scoredOf, scoresOf } from './scores.ts';
import type { Setup } from './setups.ts';
import { NO_ERROR, type TrialFacts } from './trial-facts.ts';

function effectivenessOf(bins: readonly Bin<Confusion>[]): Effectiveness {
  const confusion = sumOfBins(bins);
  const { n, undecided, unscored, coverage, counts } = classify(confusion);
  const strict = classify(confusion, 'wrong');
  return {
    n,
    cases: itemsIn(bins),
    undecided,
    unscored,
    coverage,
    counts,
    f1: estimate('f1', bins),
    precision: estimate('precision', bins),
    recall: estimate('recall', bins),
    accuracy: estimate('accuracy', bins),
    balancedAccuracy: estimate('balancedAccuracy', bins),
    mcc: estimate('mcc', bins),
    strict: { f1: strict.f1, accuracy: strict.accuracy },
  };
}

/** Correct cases first, then the kinds of error in the order of the alphabet. */
const byCategory = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a === b ? 0 : a === NO_ERROR ? -1 : b === NO_ERROR ? 1 : a < b ? -1 : 1;

function categoriesOf(facts: readonly TrialFacts[]): SetupReport['categories'] {
  const groups = new Map<string, TrialFacts[]>();
  for (const fact of facts) {
    if (fact.category === null) continue;
    const group = groups.get(fact.category);
    if (group === undefined) groups.set(fact.category, [fact]);
    else group.push(fact);
  }
  return [...groups].sort(byCategory).map(([category, group]) => ({
    category,
    accuracy: estimate('accuracy', caseBins(group)),
    undecided: group.filter(({ outcome }) => outcome === 'undecided').length,
    unscored: group.filter(({ outcome }) => outcome === 'unscored').length,
  }));
}

function efficiencyOf(facts: readonly TrialFacts[]): Efficiency {
  const costs = facts.map(({ costUsd }) => costUsd);
  const known = costs.filter((cost) => cost !== null);
  return {
    calls: distributionOf(facts.map(({ calls }) => calls)),
    tokens: distributionOf(facts.map(({ tokens }) => tokens)),
    costUsd: distributionOf(costs),
    latencyMs: distributionOf(facts.map(({ latencyMs }) => latencyMs)),
    totalCostUsd: known.length === 0 ? null : sum(known),
    fromCache: facts.filter(({ fromCache }) => fromCache).length,
  };
}

function flipsOf(facts: readonly TrialFacts[]): SetupReport['flips'] {
  // Where the verdict is a score, that is the answer.
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

/** Everything that is said of one setup. @param cases cases of the run */
export function setupReport(setup: Setup, facts: readonly TrialFacts[], cases: number): SetupReport {
  const { id, method, models, temperature, equalCallsOf, configurations } = setup;
  const bins = caseBins(facts);
  return {
    id,
    method,
    models: [...models],
    temperature,
    equalCallsOf,
    repeats: configurations.length,
    trials: facts.length,
    planned: configurations.length * cases,
    unlabeled: facts.filter(({ truth }) => truth === null).length,
    effectiveness: effectivenessOf(bins),
    categories: categoriesOf(facts),
    efficiency: efficiencyOf(facts),
    agreement: agreementOf(facts, bins),
    flips: configurations.length > 1 ? flipsOf(facts) : null,
    calibration: calibrationOfFacts(facts),
    scores: scoresOf(scoredOf(facts, ({ place }) => place)),
    criteria: criteriaOf(facts),
  };
}
