import type { SpokenTrial, Trial } from '../benchmark/index.ts';
import type { CsvValue } from '../common/text/index.ts';
import type { TrialFacts } from './facts/index.ts';
import {
  type CsvColumns,
  column,
  csvOf,
  estimateColumns,
  everyMetric,
  groupValueColumns,
  measureColumn,
  nameColumns,
  type SetupReport,
} from './metrics/index.ts';
import type { Report } from './report.ts';

const columnsOfSetup: readonly CsvColumns<SetupReport>[] = [
  ...nameColumns<SetupReport>((setup) => setup),
  column('repeats', ({ repeats }) => repeats),
  column('trials', ({ trials }) => trials),
  column('planned', ({ planned }) => planned),
  ...everyMetric.flatMap(({ csv = [] }) => csv),
];

/** One line per setup. */
export const setupsCsv = ({ setups, pareto }: Report): string =>
  csvOf(setups, [
    columnsOfSetup,
    column('run', ({ run }) => run),
    column('pareto front', ({ id }) => (pareto.all.front.includes(id) ? 'yes' : 'no')),
  ]);

/** One line a setup and group: the group's values, then the columns of a setup. */
export const groupsCsv = ({ by, reports }: NonNullable<Report['groups']>): string =>
  csvOf(reports, [
    groupValueColumns(by),
    columnsOfSetup.map(({ heads, of }) => ({ heads, of: ({ setup }) => of(setup) })),
  ]);

/** One line per group of cases and number of items. */
export const recallCsv = ({ recall, groups }: Report): string =>
  csvOf(
    recall.flatMap(({ at, ...group }) => at.map((one) => ({ ...group, ...one }))),
    [
      groupValueColumns((groups?.by ?? []).filter((one) => one.startsWith('tags.'))),
      column('run', ({ run }) => run),
      column('at', ({ cutoff }) => cutoff),
      column('cases', ({ cases }) => cases),
      estimateColumns('recall', ({ recall: one }) => one),
      column('scores of labels', ({ spearman }) => spearman.n),
      measureColumn('spearman', ({ spearman }) => spearman),
      measureColumn('kendall', ({ kendall }) => kendall),
      column('of', ({ values }) => (values.length === 0 ? 'all cases' : 'a group')),
      column('repeated items', ({ repeats }) => repeats.items),
    ],
  );

/** One line per setup and pair of criteria. */
export const correlationsCsv = ({ correlations }: Report): string =>
  csvOf(
    correlations.flatMap(({ setup, pairs }) => pairs.map((pair) => ({ setup, ...pair }))),
    [
      column('configuration', ({ setup }) => setup ?? 'labels'),
      column('first', ({ first }) => first),
      column('second', ({ second }) => second),
      column('n', ({ pearson }) => pearson.n),
      measureColumn('pearson', ({ pearson }) => pearson),
    ],
  );

/** The columns of the trials' file, each with one value. */
const trialColumns: Readonly<Record<string, (trial: Trial, setup: string, facts: TrialFacts) => CsvValue>> = {
  configuration: (_trial, setup) => setup,
  repeat: (_trial, _setup, { repeat }) => repeat,
  case: ({ caseId }) => caseId,
  label: (_trial, _setup, { truth }) => truth,
  'error type': ({ label }) => label?.errorType ?? null,
  decision: ({ decision }) => decision,
  outcome: (_trial, _setup, { outcome }) => outcome,
  score: ({ score }) => score,
  confidence: ({ confidence }) => confidence,
  calls: ({ calls }) => calls,
  'calls pooled': ({ pooled }) => pooled?.calls ?? 0,
  tokens: (_trial, _setup, { tokens }) => tokens,
  'cost usd': ({ usage }) => usage.costUsd,
  'latency ms': ({ latencyMs }) => latencyMs,
  why: ({ why }) => why,
};

/** @param tags names of the tags that cases have */
export const trialHeads = (tags: readonly string[]): string[] => [
  ...Object.keys(trialColumns),
  ...tags.map((name) => `tags.${name}`),
];

const trialCells = Object.values(trialColumns);

/** The cells of one trial. @param tags as for {@link trialHeads} */
export const trialRecord = (
  trial: SpokenTrial,
  setup: string,
  facts: TrialFacts,
  tags: readonly string[],
): CsvValue[] => [
  ...trialCells.map((of) => of(trial, setup, facts)),
  ...tags.map((name) => trial.tags?.[name] ?? null),
];
