import { cohenKappa, flipRate } from '../../statistics/agreement.ts';
import { calibrationOf } from '../../statistics/calibration.ts';
import { type Confusion, classify, type Outcome } from '../../statistics/classification.ts';
import { distributionOf, sum } from '../../statistics/descriptive.ts';
import { krippendorffAlpha } from '../../statistics/krippendorff-alpha.ts';
import type { Measure } from '../../statistics/measure.ts';
import { paretoFront } from '../../statistics/pareto-front.ts';
import { type Bin, itemsIn, type Tally } from '../../statistics/tallies.ts';
import {
  binsOf,
  byCase,
  type CaseCounter,
  caseBins,
  createCaseCounter,
  decidedCounts,
  sumOfBins,
} from './case-bins.ts';
import type {
  CriterionReport,
  Effectiveness,
  Efficiency,
  Estimate,
  Report,
  ReportMeasure,
  SetupReport,
} from './report.ts';
import { bootstrapEstimate, estimate, type Scored, scoredOf, scoresOf } from './scores.ts';
import { type CriterionFact, NO_ERROR, type Setup, type TrialFacts } from './trial-facts.ts';

/** Decisions and labels as two raters; trials without a decision are left out. */
const withLabels = (bins: readonly Bin<Confusion>[]): Estimate =>
  bootstrapEstimate(bins, (drawn) => {
    const { tp, fp, fn, tn } = decidedCounts(drawn);
    return cohenKappa([
      [tp, fn],
      [fp, tn],
    ]);
  });

/** The tallies of one case's repeats, sorted. */
type CaseTallies = readonly Tally[];

function talliesByCase(facts: readonly TrialFacts[]): CaseTallies[] {
  const cases = new Map<number, Tally[]>();
  for (const { place, firstRound } of facts) {
    if (firstRound.pass + firstRound.fail < 2) continue;
    const tally = [firstRound.pass, firstRound.fail];
    const own = cases.get(place);
    if (own === undefined) cases.set(place, [tally]);
    else own.push(tally);
  }
  const order = ([a = 0, b = 0]: Tally, [c = 0, d = 0]: Tally) => a - c || b - d;
  return [...cases.values()].map((tallies) => tallies.toSorted(order));
}

const alphaOf = (bins: readonly Bin<CaseTallies>[]): Measure =>
  krippendorffAlpha(
    bins.flatMap(({ value, items }) => value.map((tally) => ({ value: tally, items }))),
    { scale: 'nominal' },
  );

function amongJudges(facts: readonly TrialFacts[]): Estimate | null {
  const cases = talliesByCase(facts);
  return cases.length === 0
    ? null
    : bootstrapEstimate(
        binsOf(cases, (tallies) => tallies.join(';')),
        alphaOf,
      );
}

/**
 * Agreement of decisions with labels, and of judges with each other, beyond chance. For debates only the first round counts: later ones
 * show who gave in.
 *
 * @param bins outcomes of the repeats of each case
 */
export const agreementOf = (
  facts: readonly TrialFacts[],
  bins: readonly Bin<Confusion>[],
): SetupReport['agreement'] => ({
  labels: withLabels(bins),
  judges: amongJudges(facts),
});

interface Found {
  decisions: CaseCounter;
  /** Labeled trials only. */
  known: Record<Outcome, number>;
  scored: Scored[];
}

const nothing = (): Found => ({
  decisions: createCaseCounter(),
  known: { pass: 0, fail: 0, undecided: 0, unscored: 0 },
  scored: [],
});

function gather(found: Found, place: number, { truth, outcome, score, labelScore }: CriterionFact): void {
  if (truth !== null) {
    found.decisions.add(place, truth, outcome);
    found.known[outcome] += 1;
  }
  if (score !== null) found.scored.push({ place, score, labelScore });
}

function criterionReport(id: string, { decisions, known, scored }: Found): CriterionReport {
  const bins = decisions.bins();
  return {
    id,
    accuracy: bins.length === 0 ? null : estimate('accuracy', bins),
    undecided: known.undecided,
    unscored: known.unscored,
    scores: scoresOf(scored),
  };
}

/** In the order of the rubrics' criteria. */
function criteriaOf(facts: readonly TrialFacts[]): CriterionReport[] {
  const found = new Map<string, Found>();
  for (const { place, criteria } of facts)
    for (const criterion of criteria) {
      let own = found.get(criterion.id);
      if (own === undefined) {
        own = nothing();
        found.set(criterion.id, own);
      }
      gather(own, place, criterion);
    }
  return [...found].map(([id, own]) => criterionReport(id, own));
}

/** Accuracy on a criterion, or the rank correlation of its scores with labels; null without labels. */
export function agreementOn({ accuracy, scores }: CriterionReport): ReportMeasure | null {
  return accuracy?.measure ?? scores?.against?.spearman.measure ?? null;
}

/** The front over all labeled criteria; null if there are fewer than two. */
export function paretoOfCriteria(setups: readonly SetupReport[]): Report['pareto']['criteria'] {
  const labeled = setups.flatMap(({ criteria }) => criteria.filter((one) => agreementOn(one) !== null));
  const criteria = [...new Set(labeled.map(({ id }) => id))];
  if (criteria.length < 2) return null;
  const { front, dominated, incomparable } = paretoFront(
    setups,
    criteria.map((id) => ({
      of: (setup: SetupReport) => {
        const own = setup.criteria.find((one) => one.id === id);
        const measure = own === undefined ? null : agreementOn(own);
        return measure?.defined === true ? measure.value : null;
      },
      direction: 'max' as const,
    })),
  );
  const ids = (parted: readonly SetupReport[]) => parted.map(({ id }) => id);
  return { criteria, front: ids(front), dominated: ids(dominated), incomparable: ids(incomparable) };
}

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

/** Correct cases first, then error types in alphabetical order. */
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
