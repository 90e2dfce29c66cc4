import { type CsvValue, csvText } from '../../common/csv.ts';
import type { Trial } from '../trial.ts';
import {
  type Estimate,
  type Report,
  type ReportInterval,
  type ReportMeasure,
  type Scores,
  type SetupReport,
  scoreNames,
} from './report.ts';
import type { TrialFacts } from './trial-facts.ts';

const value = (measure: ReportMeasure): number | null => (measure.defined ? measure.value : null);
const ends = (interval: ReportInterval): CsvValue[] =>
  interval.defined ? [interval.low, interval.high] : [null, null];

const agreementCells = (estimate: Estimate | null): CsvValue[] =>
  estimate === null ? [null, null, null] : [value(estimate.measure), ...ends(estimate.interval)];

const SCORE_HEADS = [
  'scored',
  ...['score mean', 'score error mean', 'spearman', 'alpha'].flatMap((name) => [
    name,
    `${name} low`,
    `${name} high`,
  ]),
  'alpha scale',
  'kendall',
  'pearson',
];

function scoreCells(scores: Scores | null): CsvValue[] {
  const against = scores?.against ?? null;
  const estimates = [scores?.mean, against?.meanAbsoluteError, against?.spearman, against?.alpha];
  return [
    scores?.n ?? null,
    ...estimates.flatMap((estimate) => agreementCells(estimate ?? null)),
    against?.alphaScale ?? null,
    against === null ? null : value(against.kendall),
    against === null ? null : value(against.pearson),
  ];
}

const named = ({ id, method, models, temperature }: SetupReport): CsvValue[] => [
  id,
  method,
  models.join(' + '),
  temperature,
];
const NAMES = ['configuration', 'method', 'models', 'temperature'];

function setupRecord(report: Report, setup: SetupReport): CsvValue[] {
  const { effectiveness: e, efficiency: f } = setup;
  return [
    ...named(setup),
    setup.repeats,
    setup.trials,
    setup.planned,
    e.n,
    e.undecided,
    e.unscored,
    value(e.coverage),
    ...[e.counts.tp, e.counts.fp, e.counts.fn, e.counts.tn],
    ...scoreNames.flatMap((name) => [value(e[name].measure), ...ends(e[name].interval)]),
    value(e.strict.f1),
    value(e.strict.accuracy),
    value(f.calls.mean),
    ...[f.tokens, f.costUsd, f.latencyMs].flatMap(({ mean, median, p95 }) => [mean, median, p95].map(value)),
    f.totalCostUsd,
    f.fromCache,
    ...agreementCells(setup.agreement.labels),
    ...agreementCells(setup.agreement.judges),
    setup.flips === null ? null : value(setup.flips.anyFlip),
    setup.calibration === null ? null : value(setup.calibration.ece),
    report.pareto.all.front.includes(setup.id) ? 'yes' : 'no',
    ...scoreCells(setup.scores),
  ];
}

const SETUP_HEADS = [
  ...NAMES,
  'repeats',
  'trials',
  'planned',
  'labeled',
  'undecided',
  'unscored',
  'coverage',
  'tp',
  'fp',
  'fn',
  'tn',
  ...scoreNames.flatMap((name) => [name, `${name} low`, `${name} high`]),
  'f1 undecided as wrong',
  'accuracy undecided as wrong',
  'calls mean',
  ...['tokens', 'cost usd', 'latency ms'].flatMap((name) => [
    `${name} mean`,
    `${name} median`,
    `${name} p95`,
  ]),
  'cost usd total',
  'from cache',
  ...['kappa with labels', 'alpha of judges'].flatMap((name) => [name, `${name} low`, `${name} high`]),
  'flip rate',
  'ece',
  'pareto front',
  ...SCORE_HEADS,
];

/** One line a setup. */
export const setupsCsv = (report: Report): string =>
  csvText([SETUP_HEADS, ...report.setups.map((setup) => setupRecord(report, setup))]);

const CATEGORY_HEADS = [
  ...NAMES,
  'kind of error',
  'decided',
  'accuracy',
  'low',
  'high',
  'undecided',
  'unscored',
];

/** One line a setup and kind of error. */
export const categoriesCsv = ({ setups }: Report): string =>
  csvText([
    CATEGORY_HEADS,
    ...setups.flatMap((setup) =>
      setup.categories.map(({ category, accuracy, undecided, unscored }) => [
        ...named(setup),
        category,
        accuracy.measure.n,
        value(accuracy.measure),
        ...ends(accuracy.interval),
        undecided,
        unscored,
      ]),
    ),
  ]);

const CRITERION_HEADS = [
  ...NAMES,
  'criterion',
  'decided',
  ...['accuracy', 'accuracy low', 'accuracy high', 'undecided', 'unscored'],
  ...SCORE_HEADS,
];

/** One line a setup and criterion. */
export const criteriaCsv = ({ setups }: Report): string =>
  csvText([
    CRITERION_HEADS,
    ...setups.flatMap((setup) =>
      setup.criteria.map(({ id, accuracy, undecided, unscored, scores }) => [
        ...named(setup),
        id,
        accuracy?.measure.n ?? null,
        ...agreementCells(accuracy),
        undecided,
        unscored,
        ...scoreCells(scores),
      ]),
    ),
  ]);

export const TRIAL_HEADS = [
  'configuration',
  'repeat',
  'case',
  'label',
  'error type',
  'decision',
  'outcome',
  'score',
  'confidence',
  'calls',
  'tokens',
  'cost usd',
  'latency ms',
  'why',
];

/** The cells of one trial. */
export const trialRecord = (trial: Trial, setup: string, facts: TrialFacts): CsvValue[] => [
  setup,
  facts.repeat,
  trial.caseId,
  facts.truth,
  trial.label?.errorType ?? null,
  trial.decision,
  facts.outcome,
  trial.score,
  trial.confidence,
  trial.calls,
  facts.tokens,
  trial.usage.costUsd,
  trial.latencyMs,
  trial.why,
];
