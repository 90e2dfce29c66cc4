import type { AssistantReport } from '../../benchmark/assistant/assistant-report.ts';
import { changeSections, closingLines, groupRows } from '../../benchmark/assistant/assistant-words.ts';
import { readBaseline, setBaseline } from '../../benchmark/benchmark-definition.ts';
import type { Range, RunEstimate } from '../../benchmark/estimate-run.ts';
import { requireRun } from '../../benchmark/make-report.ts';
import { methodNotes, plannedTrials, type RunManifest, rubricTexts } from '../../benchmark/run.ts';
import type { RunEnd } from '../../benchmark/run-benchmark.ts';
import { type ConfigurationSummary, summarizeRun } from '../../benchmark/trial.ts';
import type { RunTotals } from '../../benchmark/trial-store.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import { andList, counted, grouped, jsonLine, minuteText, plainLine, usd } from '../../common/text.ts';
import { findModel } from '../../judges/llm/models.ts';
import { RULES } from '../../judges/rules/rules-judge.ts';
import { classify } from '../../statistics/classification.ts';
import type { Measure } from '../../statistics/measure.ts';
import type { CommandContext, JsonFlag, Screen } from './command.ts';
import { type Column, hang, list, tableOf } from './layout.ts';

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

const about = ({ configurations, createdAt, dataset }: RunManifest, trials: number): string[] => [
  `${grouped(trials)} of ${counted(configurations.length * dataset.cases, 'trial')}: ${counted(dataset.cases, 'case')} of ${dataset.source} × ${counted(configurations.length, 'configuration')}`,
  `started ${minuteText(createdAt)}`,
];

/** `jury bench list`: the runs that are kept, newest first. */
export async function listRuns(context: CommandContext, { json }: JsonFlag): Promise<void> {
  const { err, out } = context;
  const store = await context.runs();
  const names = await store.names();
  const found = await Promise.all(
    names.map(async (name) => {
      try {
        const manifest = await store.readRun(name);
        return manifest === null ? [] : [{ manifest, totals: await store.totals(name) }];
      } catch (thrown) {
        // One that cannot be read does not hide the others.
        err(messageOf(thrown));
        return [];
      }
    }),
  );
  const runs = found.flat().sort((a, b) => (a.manifest.createdAt < b.manifest.createdAt ? 1 : -1));
  if (json)
    for (const { manifest, totals } of runs)
      out(jsonLine({ ...manifest, planned: plannedTrials(manifest), totals }));
  else if (names.length === 0) err('There are no runs yet. "jury bench run DATASET" makes one.');
  else if (runs.length > 0)
    list(
      context,
      runs.map(({ manifest, totals }) => ({
        id: manifest.name,
        lines: about(manifest, totals.trials),
        source: '',
      })),
    );
}

/**
 * `jury bench show NAME`: what a run came to, or each of its trials as JSON.
 * @throws JuryError `usage` where there is no such run
 */
export async function showRun(
  context: CommandContext,
  name: string,
  show: { json: boolean; trials: boolean },
): Promise<void> {
  const { out, screen } = context;
  const store = await context.runs();
  const manifest = await requireRun(store, name);
  if (show.trials) {
    for await (const trial of store.readTrials(name)) out(jsonLine(trial));
    return;
  }
  const summaries = await summarizeRun(manifest, store.readTrials(name));
  const shown = [name, plannedTrials(manifest), await store.totals(name), summaries] as const;
  out(show.json ? jsonLine(summaryJson(...shown)) : summaryText(screen, ...shown));
}

/** What a report says of the assistant: each change with what broke, then how sure that is. */
export function assistantLines({ colors, width }: Screen, report: AssistantReport): string[] {
  const wrapped = (text: string, margin = '') => hang(margin, plainLine(text), width);
  return [
    ...changeSections(report).flatMap(({ headline, basis, turned }) => [
      '',
      ...wrapped(headline).map((line) => colors.bold(line)),
      ...(basis === '' ? [] : wrapped(basis).map((line) => colors.dim(line))),
      ...turned.flatMap(({ title, groups }) => [
        title,
        ...groupRows(groups).flatMap(({ label, value }) => wrapped(`${label}: ${value}`, '  ')),
      ]),
    ]),
    ...closingLines(report).flatMap((line) => wrapped(line).map((part) => colors.dim(part))),
  ];
}

/** `jury bench baseline BENCHMARK [RUN]`. @throws JuryError `usage` if there is no such run */
export async function baseline(
  context: CommandContext,
  benchmark: string,
  run: string | undefined,
  { name, remove = false, json }: { name?: string; remove?: boolean; json: boolean },
): Promise<void> {
  if (run !== undefined && remove)
    throw new JuryError('usage', 'Name a run to set the baseline, or --remove it. Nothing was changed.');
  const parts = await context.parts();
  const store = await parts.store();
  if (run !== undefined) {
    const manifest = await requireRun(await context.runs(), run);
    await setBaseline(store, benchmark, { name: name ?? manifest.name, run: manifest.name }, parts.now());
  } else if (remove) await setBaseline(store, benchmark, null, parts.now());
  const set = await readBaseline(store, benchmark, parts.now());
  if (json) context.out(jsonLine(set));
  else if (set === null) context.out(`${plainLine(benchmark)} has no baseline.`);
  else {
    const called = set.name === set.run ? '' : `, called ${plainLine(set.name)}`;
    context.out(`The baseline of ${plainLine(benchmark)} is ${set.run}${called}.`);
  }
}
