import type { Range, RunEstimate } from '../../benchmark/estimate-run.ts';
import { methodNotes, type RunManifest, rubricTexts } from '../../benchmark/run.ts';
import type { RunEnd } from '../../benchmark/run-benchmark.ts';
import type { ConfigurationSummary, RunTotals } from '../../benchmark/run-totals.ts';
import { andList, counted, grouped, usd } from '../../common/text.ts';
import { findModel } from '../../judges/llm/models.ts';
import { RULES } from '../../judges/rules/rules-judge.ts';
import { classify } from '../../statistics/classification.ts';
import type { Measure } from '../../statistics/measure.ts';
import { type Column, tableOf } from './table.ts';
import type { Screen } from './terminal.ts';

const spread = ({ min, max }: Range<number>, tell: (value: number) => string): string =>
  min === max ? tell(min) : `${tell(min)}–${tell(max)}`;

const callsText = ({ min, max }: Range<number>): string =>
  min === max ? counted(max, 'call') : `${spread({ min, max }, grouped)} calls`;

function costText({ min, max }: RunEstimate['costUsd']): string {
  if (min === null || max === null) return 'cost unknown';
  return max === 0 ? 'free' : `about ${spread({ min, max }, usd)}`;
}

const takesNoTemperature = (model: string): boolean =>
  model === RULES || findModel(model)?.reasoning === true;

/** What a run is going to do, before it does it. */
export function planText(manifest: RunManifest, estimate: RunEstimate, kept: number): string {
  const { configurations, dataset, name } = manifest;
  const lines = [
    `Run ${name}: ${counted(dataset.cases, 'case')} (${grouped(dataset.labeled)} with labels) × ${counted(configurations.length, 'configuration')} = ${counted(estimate.trials, 'trial')}`,
    `  Rubric: ${rubricTexts(manifest).join(', ')}`,
    `  ${callsText(estimate.calls)}, ${costText(estimate.costUsd)}`,
    ...estimate.configurations.map(
      ({ id, calls, costUsd }) => `  - ${id}: ${callsText(calls)}, ${costText(costUsd)}`,
    ),
  ];
  for (const { name: panel, models } of manifest.settings.panels ?? [])
    lines.push(`  Panel ${panel}: ${models.join(', ')}`);
  const unnamed = configurations.filter((one) => one.models.length > 1 && one.panel === undefined);
  for (const { method, models } of unnamed.slice(0, 1))
    lines.push(
      `  Methods that seat several models, such as ${method}, get all ${models.length} as one panel.`,
    );
  if (configurations.some(({ equalCallsOf }) => equalCallsOf !== null))
    lines.push('  Each vote gets as many calls as its debate took on the same case.');
  const steady = new Set(configurations.flatMap((one) => one.models.filter(takesNoTemperature)));
  if (steady.size > 0 && (manifest.settings.temperatures ?? []).length > 1)
    lines.push(
      `  No temperature is sent to ${andList([...steady])}: configurations that differ in it alone differ by chance.`,
    );
  lines.push(...methodNotes(manifest).map((note) => `  ${note}`));
  if (estimate.unpriced.length > 0) lines.push(`  The price of ${estimate.unpriced.join(', ')} is unknown.`);
  if (estimate.costUsd.max !== 0 && estimate.unpriced.length === 0)
    lines.push(
      `  Costs are estimated from the prompts of ${counted(estimate.sampled, 'case')} and usual lengths of answers; reasoning tokens come on top.`,
    );
  if (kept > 0) lines.push(`  ${counted(kept, 'trial')} already there, not repeated.`);
  return lines.join('\n');
}

const scoreText = (measure: Measure): string => (measure.defined ? measure.value.toFixed(3) : '–');

const summaryCost = ({ costUsd, unknownCosts, trials }: ConfigurationSummary): string => {
  if (unknownCosts === trials && trials > 0) return 'unknown';
  return `${usd(costUsd)}${unknownCosts > 0 ? '+' : ''}`;
};

const perTrial = ({ latencyMs, trials }: ConfigurationSummary): string =>
  trials === 0 ? '–' : `${(latencyMs / trials / 1000).toFixed(2)} s`;

const columns: readonly Column<ConfigurationSummary>[] = [
  ['configuration', ({ id }) => id],
  ['trials', ({ trials }) => String(trials)],
  ['pass', ({ decisions }) => String(decisions.pass)],
  ['fail', ({ decisions }) => String(decisions.fail)],
  ['scored', ({ decisions }) => String(decisions.scored)],
  ['undecided', ({ decisions }) => String(decisions.undecided)],
  ['no quorum', ({ decisions }) => String(decisions['no-quorum'])],
  ['unanswered', ({ decisions }) => String(decisions.unanswered)],
  ['accuracy', ({ confusion }) => scoreText(classify(confusion, 'wrong').accuracy)],
  ['F1', ({ confusion }) => scoreText(classify(confusion, 'wrong').f1)],
  ['calls', ({ calls }) => String(calls)],
  ['saved calls', ({ savedCalls }) => String(savedCalls)],
  ['cost', summaryCost],
  ['time/trial', perTrial],
];

/** What a column says where it has nothing to say; columns that say it of every configuration are left out. */
const EMPTY: Readonly<Record<string, string>> = {
  scored: '0',
  'no quorum': '0',
  unanswered: '0',
  'saved calls': '0',
  accuracy: '–',
  F1: '–',
};

/** What a run came to, on one screen: counts of each configuration, accuracy and F1 where cases have labels. */
export function summaryText(
  screen: Screen,
  name: string,
  planned: number,
  totals: RunTotals,
  summaries: readonly ConfigurationSummary[],
): string {
  const shown = columns.filter(([title, cell]) => !summaries.every((one) => cell(one) === EMPTY[title]));
  const cost = `${usd(totals.spentUsd)} spent${totals.unknownCosts > 0 ? `, the cost of ${counted(totals.unknownCosts, 'trial')} is unknown or only partly known` : ''}`;
  return [
    `${name}: ${grouped(totals.trials)} of ${counted(planned, 'trial')}, ${counted(totals.calls, 'call')}, ${cost}`,
    '',
    ...tableOf(screen, summaries, shown),
    '',
    '  A configuration is a method, its models, the temperature (t0 is 0) and the repeat (#1 is the first).',
    ...(shown.some(([title]) => title === 'accuracy')
      ? ['  Accuracy and F1 (positive class: pass) count a trial without a decision as wrong.']
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
  configurations: summaries.map((summary) => ({
    ...summary,
    classification: classify(summary.confusion, 'wrong'),
    decided: classify(summary.confusion),
  })),
});

/** What to do next after a run that has not come to its end. */
export function nextStep(end: RunEnd, failed: number, budgetUsd: number | null): string | null {
  switch (end.kind) {
    case 'stopped':
      return 'Stopped. What was judged is kept; the same command resumes.';
    case 'refused':
      return `Stopped: ${end.why}. What was judged is kept; the same command resumes.`;
    case 'budget':
      return `Stopped: ${end.why}. What was judged is kept; the same command ${budgetUsd === null ? 'resumes when there is budget again' : `with a --budget above ${usd(budgetUsd)} resumes`}.`;
    case 'complete':
      return failed > 0
        ? `${counted(failed, 'trial')} ${failed === 1 ? 'has' : 'have'} no verdict because judges did not answer; the same command with --retry-failed judges again.`
        : null;
  }
}
