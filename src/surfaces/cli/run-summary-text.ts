import type { ConfigurationSummary, RunTotals } from '../../benchmark/run-outcomes.ts';
import { classify } from '../../statistics/classification.ts';
import type { Measure } from '../../statistics/measure.ts';
import type { Screen } from './render-card.ts';
import { dollars } from './run-plan-text.ts';
import { textTable } from './text-table.ts';

const told = (measure: Measure): string => (measure.defined ? measure.value.toFixed(3) : '–');

const costText = ({ costUsd, unknownCosts, trials }: ConfigurationSummary): string => {
  if (unknownCosts === trials && trials > 0) return 'not known';
  return `${dollars(costUsd)}${unknownCosts > 0 ? '+' : ''}`;
};

const perTrial = ({ latencyMs, trials }: ConfigurationSummary): string =>
  trials === 0 ? '–' : `${(latencyMs / trials / 1000).toFixed(2)} s`;

const columns = [
  'trials',
  'pass',
  'fail',
  'scored',
  'undecided',
  'accuracy',
  'F1',
  'calls',
  'cost',
  'time/trial',
] as const;

function cellsOf(summary: ConfigurationSummary): string[] {
  const { calls, confusion, decisions, trials } = summary;
  const { accuracy, f1 } = classify(confusion);
  return [
    String(trials),
    String(decisions.pass),
    String(decisions.fail),
    String(decisions.scored),
    String(decisions.undecided),
    told(accuracy),
    told(f1),
    String(calls),
    costText(summary),
    perTrial(summary),
  ];
}

/** What a run came to, on one screen: counts of each configuration, accuracy and F1 where cases have labels. */
export function summaryText(
  screen: Screen,
  name: string,
  planned: number,
  totals: RunTotals,
  summaries: readonly ConfigurationSummary[],
): string {
  const rows = summaries.map((summary) => [summary.id, ...cellsOf(summary)]);
  // What no configuration has anything to say on is left out, but for the counts that are always asked for.
  const shown = columns
    .map((title, index) => ({ title, index: index + 1 }))
    .filter(
      ({ title, index }) =>
        !(title === 'scored' && rows.every((row) => row[index] === '0')) &&
        !((title === 'accuracy' || title === 'F1') && rows.every((row) => row[index] === '–')),
    );
  const table = textTable(
    screen,
    [
      { title: 'configuration', align: 'left' },
      ...shown.map(({ title }) => ({ title, align: 'right' }) as const),
    ],
    rows.map((row) => [row[0] ?? '', ...shown.map(({ index }) => row[index] ?? '')]),
    1,
  );
  const cost = `${dollars(totals.spentUsd)} spent${totals.unknownCosts > 0 ? `, the cost of ${totals.unknownCosts} trials is not, or not wholly, known` : ''}`;
  return [
    `${name}: ${totals.trials} of ${planned} trials, ${totals.calls} calls, ${cost}`,
    '',
    ...table,
    ...(shown.some(({ title }) => title === 'accuracy')
      ? ['', '  Accuracy and F1 (positive class: pass) leave undecided trials out.']
      : []),
  ].join('\n');
}

/** The same as data. */
export const summaryJson = (
  name: string,
  planned: number,
  totals: RunTotals,
  summaries: readonly ConfigurationSummary[],
) => ({
  run: name,
  planned,
  ...totals,
  configurations: summaries.map((summary) => ({ ...summary, classification: classify(summary.confusion) })),
});
