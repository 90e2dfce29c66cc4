import { pairBuilds, underRubrics } from '../../benchmark/collect/index.ts';
import {
  casesAt,
  casesLeft,
  estimateRun,
  findTakeOver,
  finishedRuns,
  methodNotes,
  noTotals,
  openKeys,
  plannedTrials,
  planRun,
  type Range,
  type RunEnd,
  type RunEstimate,
  type RunManifest,
  RunName,
  type RunSettings,
  type RunTotals,
  requireBudgetable,
  rubricTexts,
  runBenchmark,
  runDifferences,
  type Subject,
  seriesOf,
  type TakeOver,
  type TrialStore,
  type TrialWriter,
  takeOver,
} from '../../benchmark/index.ts';
import type { EvalCase } from '../../case/index.ts';
import { JuryError, onAbort } from '../../common/index.ts';
import { andList, counted, grouped, usd } from '../../common/text/index.ts';
import { readDataset } from '../../datasets/index.ts';
import type { Env } from '../../env.ts';
import { createTurns, findModel, modelParts } from '../../judges/llm/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import { caseIdOf } from '../../judging/index.ts';
import { defaultMethod, entry, type Rubric, readSettings } from '../../judging/standards/index.ts';
import { requireRun } from '../../reports/facts/index.ts';
import { makeReport } from '../../reports/index.ts';
import { loadTrialQueue } from '../../stores/lazy.ts';
import { caseOptions, type Parts, readSide } from '../index.ts';
import { type CommandContext, codeOfEnd, type ExitCode, exitCode } from '../terminal/index.ts';
import { printSummary } from './bench.ts';
import { baselineOf, type CasePlaces, type Gate, type GateFlags, readGate, readWishes } from './gate.ts';
import { createRunProgress } from './progress.ts';

interface RunFlags extends GateFlags {
  methods?: string[];
  models?: string[];
  modelsOf?: { name: string; models: string[] }[];
  panelModels?: { name: string; models: string[] }[];
  temperatures?: number[];
  repeat: number;
  rubric?: string;
  panel?: string[];
  seed?: number;
  set?: string[];
  concurrency: number;
  budget?: number;
  /** Requests per second, by provider; 0 lifts the limit. */
  rate?: [string, number][];
  name?: string;
  /** What the run belongs to over time. */
  series?: string;
  subject?: Subject;
  compareBuilds: boolean;
  equalCalls: boolean;
  earlyStop: boolean;
  stop?: 'decided';
  retryFailed: boolean;
  /** Takes over what the baseline has judged already. */
  changedOnly: boolean;
  plan: boolean;
  cache: boolean;
  json: boolean;
}

/** The models of all panels. Methods with one model run with each of these if no models are named. */
const panelModels = (flags: RunFlags): string[] | undefined =>
  flags.panelModels?.flatMap(({ models }) => models);

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

const sourcesOf = ({ configurations }: RunManifest, id: string): readonly string[] =>
  configurations.find((one) => one.id === id)?.pooledFrom ?? [];

/**
 * What a run is about to do.
 *
 * @param kept how many trials are already there
 * @param again how many of those are judged again
 * @param unchanged what is taken over; null: nothing was asked for
 */
function planText(
  manifest: RunManifest,
  estimate: RunEstimate,
  kept: number,
  again: number,
  unchanged: TakeOver | null,
): string {
  const { configurations, dataset, name } = manifest;
  const lines = [
    `Run ${name}: ${counted(dataset.cases, 'case')} (${grouped(dataset.labeled)} with labels) × ${counted(configurations.length, 'configuration')} = ${counted(plannedTrials(manifest), 'trial')}`,
    `  Rubric: ${rubricTexts(manifest).join(', ')}`,
    `  ${callsText(estimate.calls)}, ${costText(estimate.costUsd)}${estimate.pooledCalls > 0 ? `; ${counted(estimate.pooledCalls, 'call')} saved, since some configurations ask the same: each question is asked once` : ''}`,
    ...estimate.configurations.map(
      ({ id, calls, pooledCalls, costUsd }) =>
        `  - ${id}: ${callsText(calls)}, ${costText(costUsd)}${pooledCalls > 0 ? `; ${counted(pooledCalls, 'answer')} pooled from ${andList(sourcesOf(manifest, id))}` : ''}`,
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
  if (unchanged !== null) {
    const taken = [...unchanged.keys.values()].flat().length;
    lines.push(
      `  ${counted(taken, 'trial')} taken over from ${unchanged.from.name}, ${grouped(plannedTrials(manifest) - taken)} to judge.`,
    );
  }
  if (kept > again) lines.push(`  ${counted(kept - again, 'trial')} already there, not repeated.`);
  if (again > 0) lines.push(`  ${counted(again, 'trial')} without an answer, judged again.`);
  return lines.join('\n');
}

/** What to do next if a run ended early or has trials without a verdict; null if there is nothing to do. */
function nextStep(end: RunEnd, { failed, spentUsd }: RunTotals, budgetUsd: number | null): string | null {
  switch (end.kind) {
    case 'stopped':
      return 'Stopped. What was judged is kept; the same command resumes.';
    case 'refused':
      return `Stopped: ${end.why}. What was judged is kept; the same command resumes.`;
    case 'budget':
      return `Stopped: ${end.why}. What was judged is kept; the same command ${budgetUsd === null ? 'resumes when there is budget again' : `with a --budget above ${usd(Math.max(budgetUsd, spentUsd))} resumes`}.`;
    case 'complete':
      return failed > 0
        ? `${counted(failed, 'trial')} ${failed === 1 ? 'has' : 'have'} no verdict because judges did not answer; the same command with --retry-failed judges again.`
        : null;
  }
}

const rubricIds = ({ rubric }: Pick<RunFlags, 'rubric'>): string[] =>
  (rubric ?? '').split(',').filter((id) => id.trim() !== '');

/** The rubrics that every case is judged by, if several are named. @throws JuryError `usage` for one that does not exist */
function severalRubrics(flags: RunFlags, { library }: Pick<Parts, 'library'>): Rubric[] {
  const ids = [...new Set(rubricIds(flags).map((id) => id.trim()))];
  if (ids.length < 2) return [];
  if (flags.compareBuilds)
    throw new JuryError('usage', `--rubric ${flags.rubric}: To compare builds, name one rubric.`);
  return ids.map((id) => entry('rubric', library.rubrics, id));
}

/** The settings of the run. Without methods, the method of the cases' rubric is used. */
const settingsOf = (flags: RunFlags, { settings }: Env): RunSettings => ({
  methods: [...new Set(flags.methods ?? [])],
  models: [...new Set(flags.models ?? panelModels(flags) ?? [settings.JURY_MODEL])],
  ...(flags.modelsOf === undefined
    ? {}
    : {
        modelsOf: Object.fromEntries(flags.modelsOf.map(({ name, models }) => [name, [...new Set(models)]])),
      }),
  ...(flags.panelModels === undefined ? {} : { panels: flags.panelModels }),
  temperatures: flags.temperatures ?? null,
  repeats: flags.repeat,
  // Several rubrics are named by the cases.
  rubric: rubricIds(flags).length === 1 ? (flags.rubric ?? null) : null,
  panel: flags.panel ?? null,
  seed: flags.seed ?? null,
  values: { ...settings.JURY_SETTINGS, ...readSettings(flags.set ?? []) },
  equalCalls: flags.equalCalls,
  ...(flags.earlyStop ? {} : { earlyStop: false }),
  ...(flags.stop === undefined ? {} : { stop: flags.stop }),
  cache: flags.cache,
});

/** @throws JuryError `usage` for a name that runs cannot have */
function requireName(what: 'run' | 'series', text: string): string {
  const name = RunName.safeParse(text);
  if (name.success) return name.data;
  throw new JuryError('usage', `The name of a ${what} ${name.error.issues[0]?.message ?? 'is wrong'}.`);
}

/** The existing run of that name, if any. @throws JuryError `usage` if its settings differ */
async function keptRun(store: TrialStore, manifest: RunManifest): Promise<RunManifest | null> {
  const kept = await store.readRun(manifest.name);
  if (kept === null) return null;
  const [before, after] = [seriesOf(kept), seriesOf(manifest)];
  const differences = [
    ...(before === after ? [] : [`series: ${before} → ${after}`]),
    ...runDifferences(kept, manifest),
  ];
  if (differences.length > 0)
    throw new JuryError(
      'usage',
      `The run "${manifest.name}" already exists and differs:\n${differences.map((one) => `  ${one}`).join('\n')}\nNothing was judged. Choose another --name, or repeat the command with the same settings.`,
    );
  return kept;
}

/**
 * What a run takes over: from the run that it must not be worse than, or else from the newest finished run of its series. Null if nothing is
 * asked for, or there is no such run.
 */
async function unchangedSince(
  { err }: Pick<CommandContext, 'err'>,
  store: TrialStore,
  { library }: Pick<Parts, 'library'>,
  manifest: RunManifest,
  cases: readonly EvalCase[],
  flags: RunFlags,
): Promise<TakeOver | null> {
  if (!flags.changedOnly) return null;
  const named = baselineOf(flags);
  const series = seriesOf(manifest);
  const finished = named === null ? await finishedRuns(store, series) : [];
  const newest = finished
    .map((one) => one.manifest)
    .findLast(({ name, imported }) => name !== manifest.name && imported === undefined);
  const from = named === null ? newest : await requireRun(store, readSide(named).run);
  if (from !== undefined && from.name !== manifest.name)
    return findTakeOver(store, library, manifest, cases, from);
  err(
    `There is no ${finished.length === 0 ? '' : 'other '}finished run of ${series} yet: every case is judged.`,
  );
  return null;
}

/** What it takes to judge the cases that are not taken over. */
function estimateLeft(
  manifest: RunManifest,
  cases: readonly EvalCase[],
  parts: Parts,
  unchanged: TakeOver | null,
): RunEstimate {
  if (unchanged === null) return estimateRun(manifest, cases, parts);
  const left = casesLeft(manifest, unchanged).flatMap((index) => cases[index] ?? []);
  return estimateRun({ ...manifest, dataset: { ...manifest.dataset, cases: left.length } }, left, parts);
}

interface RunParts {
  context: CommandContext;
  parts: Parts;
  manifest: RunManifest;
  cases: readonly EvalCase[];
  store: TrialStore;
  writer: TrialWriter;
  options: RunFlags;
}

/** Judges in this process. */
async function runHere(run: RunParts): Promise<RunEnd> {
  const { context, parts, manifest, cases, store, writer, options } = run;
  const before = await writer.totals();
  const progress = createRunProgress(context, plannedTrials(manifest), before.trials);
  progress.show(before);
  const forget = onAbort(context.stop, () =>
    progress.stopping('trials that are under way are finished and kept'),
  );
  try {
    return await runBenchmark(
      {
        ...parts,
        manifest,
        caseAt: casesAt(cases),
        readVerdicts: (keys) => store.readVerdicts(manifest.name, keys),
        writer,
        stop: context.stop,
        onTrial: () => void writer.totals().then(progress.show),
      },
      options.concurrency,
    );
  } finally {
    forget();
    progress.close();
  }
}

/** Hands the trials to workers and follows their progress. */
async function runOnWorkers(redisUrl: string, run: RunParts): Promise<RunEnd> {
  const { manifest, writer, options } = run;
  const { err, stop } = run.context;
  const { openTrialQueue, followRun } = await loadTrialQueue();
  const queue = await openTrialQueue(redisUrl, { warn: err });
  const planned = plannedTrials(manifest);
  const progress = createRunProgress(run.context, planned, (await writer.totals()).trials);
  try {
    for (const [provider, perSecond] of new Map(options.rate)) await queue.setRate(provider, perSecond);
    for (const [provider, perSecond] of await queue.rates())
      err(`  All workers together send ${provider} at most ${counted(perSecond, 'request')} a second.`);
    await queue.start(manifest.name, [...openKeys(manifest, (await writer.kept()).all)]);
    return await followRun({
      queue,
      writer,
      run: manifest.name,
      planned,
      stop,
      onTotals: progress.show,
      onIdle: () => err('No worker is running: start "jury worker" with the same REDIS_URL.'),
    });
  } finally {
    progress.close();
    await queue.close();
  }
}

/**
 * `jury bench run`: judges all cases of a dataset with every configuration. Trials that are already kept under the run's name
 * are not judged again.
 */
export async function run(
  context: CommandContext,
  files: readonly string[],
  options: RunFlags,
): Promise<ExitCode> {
  const limits = new Map([...new Map(options.rate)].filter(([, perSecond]) => perSecond > 0));
  const pace = createTurns(limits, () => performance.now());
  const parts = await context.parts({ cache: true, ...(limits.size === 0 ? {} : { pace }) });
  const store = await context.runs();
  const name = options.name === undefined ? null : requireName('run', options.name);
  const series = options.series === undefined ? undefined : requireName('series', options.series);
  const gate = await readGate(context, options);
  const dataset = await readDataset(context, files, caseOptions(parts), context.stop);
  const rubrics = severalRubrics(options, parts);
  const asWritten = dataset.flatMap((source) =>
    rubrics.length === 0
      ? [{ source, evalCase: source.evalCase }]
      : underRubrics(source.name, source.evalCase, rubrics).map((evalCase) => ({ source, evalCase })),
  );
  const read = asWritten.map(({ evalCase }) => evalCase);
  const cases = options.compareBuilds ? pairBuilds(read) : read;
  const source = files.length === 0 ? 'standard input' : files.join(', ');
  const wanted = settingsOf(options, parts.env);
  const { methods, rubric } = wanted;
  const settings = {
    ...wanted,
    methods: methods.length > 0 ? methods : [defaultMethod(parts.library, cases, rubric)],
  };
  const now = parts.now();
  const request = { name, series, settings, cases, source, subject: options.subject, now };
  const asking = new Set([
    ...settings.models,
    ...Object.values(settings.modelsOf ?? {}).flat(),
    ...(panelModels(options) ?? []),
  ]);
  const requireModel = options.plan ? modelParts : parts.requireModel;
  for (const model of [...asking].filter((id) => id !== RULES)) requireModel(model);
  const asked = planRun(parts, request);
  const kept = await keptRun(store, asked);
  const manifest = kept ?? asked;
  const unchanged = await unchangedSince(context, store, parts, manifest, cases, options);
  const estimate = estimateLeft(manifest, cases, parts, unchanged);
  const budgetUsd = options.budget ?? null;
  requireBudgetable(budgetUsd, estimate);
  const there = kept === null ? noTotals : await store.totals(manifest.name);
  context.err(planText(manifest, estimate, there.trials, options.retryFailed ? there.failed : 0, unchanged));
  if (options.plan) return exitCode.ok;
  if (kept === null) await store.create(manifest, cases);
  const writer = await store.write(manifest.name);
  let end: RunEnd;
  let totals: RunTotals;
  try {
    if (options.retryFailed) await writer.forget((await writer.kept()).failed);
    await writer.setBudget(budgetUsd);
    if (unchanged !== null) await takeOver(store, writer, manifest, cases, unchanged);
    const run = { context, parts, manifest, cases, store, writer, options };
    const redisUrl = parts.env.settings.REDIS_URL;
    end = redisUrl === undefined ? await runHere(run) : await runOnWorkers(redisUrl, run);
    totals = await writer.totals();
  } finally {
    await writer.close();
  }
  const places = new Map(asWritten.map(({ source: one, evalCase }) => [caseIdOf(evalCase), one]));
  const placeOf: CasePlaces = (caseId) => places.get(caseId)?.place ?? null;
  return report(context, store, { ...gate, placeOf }, manifest, { end, totals }, options);
}

async function report(
  context: CommandContext,
  store: TrialStore,
  gate: Gate & { placeOf: CasePlaces },
  manifest: RunManifest,
  { end, totals }: { end: RunEnd; totals: RunTotals },
  options: RunFlags,
): Promise<ExitCode> {
  await printSummary(context, manifest, totals, options.json);
  const hint = nextStep(end, totals, options.budget ?? null);
  if (hint !== null) context.err(hint);
  const isGated = options.failUnder !== undefined || baselineOf(options) !== null;
  if (isGated && end.kind === 'complete') {
    const { setups } = await makeReport(store, manifest.name, readWishes(options));
    const side = { run: manifest.name, setup: null };
    const { createdAt } = manifest;
    const passes = await gate.passes({ side, createdAt, setups, placeOf: gate.placeOf });
    return passes ? exitCode.ok : exitCode.failed;
  }
  const far = totals.trials === 0 ? 'Nothing was judged' : 'The run is not finished';
  const why = `${far}, so its thresholds are not met.`;
  if (isGated) {
    context.err(why);
    await gate.unfinished(manifest, hint === null ? why : `${why} ${hint}`);
  }
  return codeOfEnd(end.kind, totals.failed > 0 ? exitCode.undecided : exitCode.ok);
}
