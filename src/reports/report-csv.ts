import type { SpokenTrial, Trial } from '../benchmark/index.ts';
import { type CsvValue, csvText } from '../common/text/index.ts';
import { type Gap, gapNames } from '../statistics/raters/index.ts';
import { type Estimate, type ReportMeasure, scoreNames } from './measures.ts';
import type { Report, Scores, SetupReport } from './report.ts';
import type { TrialFacts } from './trial-facts.ts';

/** One or several columns of a file: their heads, and their cells of a row. */
interface Columns<Row> {
  heads: readonly string[];
  of: (row: Row) => readonly CsvValue[];
}

const column = <Row>(head: string, of: (row: Row) => CsvValue): Columns<Row> => ({
  heads: [head],
  of: (row) => [of(row)],
});

const numberIn = (measure: ReportMeasure | null | undefined): number | null =>
  measure?.defined === true ? measure.value : null;

const measure = <Row>(head: string, of: (row: Row) => ReportMeasure | null | undefined): Columns<Row> =>
  column(head, (row) => numberIn(of(row)));

/** A value with the ends of its interval. */
const estimate = <Row>(head: string, of: (row: Row) => Estimate | null | undefined): Columns<Row> => ({
  heads: [head, `${head} low`, `${head} high`],
  of: (row) => {
    const found = of(row);
    const ends = found?.interval.defined === true ? found.interval : null;
    return [numberIn(found?.measure), ends?.low ?? null, ends?.high ?? null];
  },
});

const distribution = <Row>(
  head: string,
  of: (row: Row) => Record<'mean' | 'median' | 'p95', ReportMeasure>,
): Columns<Row>[] =>
  (['mean', 'median', 'p95'] as const).map((name) => measure(`${head} ${name}`, (row) => of(row)[name]));

const gapColumns = <Row>(of: (row: Row) => Readonly<Record<Gap, number>>): Columns<Row>[] =>
  gapNames.map((name) => column(name.replace('-', ' '), (row) => of(row)[name]));

const scoreColumns = <Row>(of: (row: Row) => Scores | null): Columns<Row>[] => {
  const against = (row: Row) => of(row)?.against;
  return [
    column('scored', (row) => of(row)?.n ?? null),
    measure('scored of labeled', (row) => against(row)?.coverage),
    estimate('score mean', (row) => of(row)?.mean),
    measure('score sd', (row) => of(row)?.deviation),
    estimate('score error mean', (row) => against(row)?.meanAbsoluteError),
    estimate('spearman', (row) => against(row)?.spearman),
    estimate('alpha', (row) => against(row)?.alpha),
    column('alpha scale', (row) => against(row)?.alphaScale ?? null),
    measure('kendall', (row) => against(row)?.kendall),
    measure('pearson', (row) => against(row)?.pearson),
  ];
};

const nameColumns = <Row>(of: (row: Row) => SetupReport): Columns<Row>[] => [
  column('configuration', (row) => of(row).id),
  column('method', (row) => of(row).method),
  column('models', (row) => of(row).models.join(' + ')),
  column('temperature', (row) => of(row).temperature),
];

/** One line per row. @param parts columns, or lists of them, in order */
function csvOf<Row>(
  rows: readonly Row[],
  parts: readonly (Columns<NoInfer<Row>> | readonly Columns<NoInfer<Row>>[])[],
): string {
  const columns = parts.flat();
  return csvText([
    columns.flatMap(({ heads }) => heads),
    ...rows.map((row) => columns.flatMap(({ of }) => of(row))),
  ]);
}

const columnsOfSetup: readonly Columns<SetupReport>[] = [
  ...nameColumns<SetupReport>((setup) => setup),
  column('repeats', ({ repeats }) => repeats),
  column('trials', ({ trials }) => trials),
  column('planned', ({ planned }) => planned),
  column('labeled', ({ effectiveness }) => effectiveness.n),
  ...gapColumns<SetupReport>(({ effectiveness }) => effectiveness),
  measure('coverage', ({ effectiveness }) => effectiveness.coverage),
  ...(['tp', 'fp', 'fn', 'tn'] as const).map((name) =>
    column<SetupReport>(name, ({ effectiveness }) => effectiveness.counts[name]),
  ),
  ...scoreNames.map((name) => estimate<SetupReport>(name, ({ effectiveness }) => effectiveness[name])),
  ...scoreNames.map((name) =>
    estimate<SetupReport>(`${name} of decided`, ({ effectiveness }) => effectiveness.decided[name]),
  ),
  measure('calls mean', ({ efficiency }) => efficiency.calls.mean),
  column('calls saved', ({ efficiency }) => efficiency.savedCalls),
  ...distribution<SetupReport>('tokens', ({ efficiency }) => efficiency.tokens),
  ...distribution<SetupReport>('output tokens', ({ efficiency }) => efficiency.outputTokens),
  ...distribution<SetupReport>('cost usd', ({ efficiency }) => efficiency.costUsd),
  ...distribution<SetupReport>('latency ms', ({ efficiency }) => efficiency.latencyMs),
  ...distribution<SetupReport>('sequential ms', ({ efficiency }) => efficiency.sequentialMs),
  measure('seconds per token', ({ efficiency }) => efficiency.secondsPerToken),
  column('cost usd total', ({ efficiency }) => efficiency.totalCostUsd),
  column('from cache', ({ efficiency }) => efficiency.fromCache),
  estimate('kappa with labels', ({ agreement }) => agreement.labels),
  estimate('kappa with labels of decided', ({ agreement }) => agreement.decided),
  estimate('alpha of judges', ({ agreement }) => agreement.judges),
  measure('flip rate', ({ flips }) => flips?.anyFlip),
  measure('ece', ({ calibration }) => calibration?.ece),
  ...scoreColumns<SetupReport>(({ scores }) => scores),
  column('pass', ({ decisions }) => decisions?.pass ?? null),
  column('fail', ({ decisions }) => decisions?.fail ?? null),
  estimate('pass rate', ({ decisions }) => decisions?.passRate),
  estimate('pass rate of decided', ({ decisions }) => decisions?.decided),
  measure('decided', ({ decisions }) => decisions?.coverage),
];

/** One line per setup. */
export const setupsCsv = ({ setups, pareto }: Report): string =>
  csvOf(setups, [
    columnsOfSetup,
    column('run', ({ run }) => run),
    column('pareto front', ({ id }) => (pareto.all.front.includes(id) ? 'yes' : 'no')),
  ]);

/** The values of a group of cases. */
const groupColumns = <Row extends { values: readonly (string | null)[] }>(
  by: readonly string[],
): Columns<Row>[] => by.map((name, at) => column(name, ({ values }) => values[at] ?? null));

/** One line a setup and group: the group's values, then the columns of a setup. */
export const groupsCsv = ({ by, reports }: NonNullable<Report['groups']>): string =>
  csvOf(reports, [
    groupColumns(by),
    columnsOfSetup.map(({ heads, of }) => ({ heads, of: ({ setup }) => of(setup) })),
  ]);

/** One line per setup and error type. */
export const categoriesCsv = ({ setups }: Report): string =>
  csvOf(
    setups.flatMap((setup) => setup.categories.map((category) => ({ setup, ...category }))),
    [
      nameColumns(({ setup }) => setup),
      column('kind of error', ({ category }) => category),
      column('trials', ({ accuracy }) => accuracy.measure.n),
      column('decided', ({ decided }) => decided.measure.n),
      estimate('accuracy', ({ accuracy }) => accuracy),
      estimate('accuracy of decided', ({ decided }) => decided),
      gapColumns((row) => row),
    ],
  );

/** One line a setup and criterion, or a group of it and criterion. */
export const criteriaCsv = ({ setups }: Pick<Report, 'setups'>, groups: Report['groups'] = null): string => {
  const of = groups?.reports ?? setups.map((setup) => ({ values: [], setup }));
  const rows = of.flatMap((group) => group.setup.criteria.map((criterion) => ({ ...group, criterion })));
  return csvOf(rows, [
    groupColumns(groups?.by ?? []),
    nameColumns(({ setup }) => setup),
    column('criterion', ({ criterion }) => criterion.id),
    column('decided', ({ criterion }) => criterion.decided?.measure.n ?? null),
    estimate('accuracy', ({ criterion }) => criterion.accuracy),
    estimate('accuracy of decided', ({ criterion }) => criterion.decided),
    estimate('kappa', ({ criterion }) => criterion.kappa),
    gapColumns(({ criterion }) => criterion),
    column('relevant', ({ criterion }) => criterion.relevance?.relevant ?? null),
    column('not relevant', ({ criterion }) => criterion.relevance?.notRelevant ?? null),
    estimate('relevance accuracy', ({ criterion }) => criterion.relevance?.accuracy),
    estimate('relevance kappa', ({ criterion }) => criterion.relevance?.kappa),
    estimate('accuracy relevant or not', ({ criterion }) => criterion.relevance?.anyway?.accuracy),
    estimate('kappa relevant or not', ({ criterion }) => criterion.relevance?.anyway?.kappa),
    scoreColumns(({ criterion }) => criterion.scores),
  ]);
};

/** One line per group of cases and number of items. */
export const recallCsv = ({ recall, groups }: Report): string =>
  csvOf(
    recall.flatMap(({ at, ...group }) => at.map((one) => ({ ...group, ...one }))),
    [
      groupColumns((groups?.by ?? []).filter((one) => one.startsWith('tags.'))),
      column('run', ({ run }) => run),
      column('at', ({ cutoff }) => cutoff),
      column('cases', ({ cases }) => cases),
      estimate('recall', ({ recall: one }) => one),
      column('scores of labels', ({ spearman }) => spearman.n),
      measure('spearman', ({ spearman }) => spearman),
      measure('kendall', ({ kendall }) => kendall),
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
      measure('pearson', ({ pearson }) => pearson),
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
