import { requireCases } from '../../benchmark/datasets/read-cases.ts';
import { estimateRun, requireBudgetable } from '../../benchmark/estimate-run.ts';
import { makeReport } from '../../benchmark/make-report.ts';
import { planRun } from '../../benchmark/plan-run.ts';
import {
  plannedTrials,
  type RunManifest,
  RunName,
  type RunSettings,
  runDifferences,
} from '../../benchmark/run.ts';
import { type RunEnd, runBenchmark } from '../../benchmark/run-benchmark.ts';
import { type RunTotals, summarizeRun } from '../../benchmark/run-outcomes.ts';
import type { TrialStore, TrialWriter } from '../../benchmark/trial-store.ts';
import type { EvalCase } from '../../case/case.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, jsonLine } from '../../common/text.ts';
import type { Env } from '../../env.ts';
import { costOf, findModel } from '../../judges/llm/models.ts';
import { createPace, createTurns } from '../../judges/llm/rate-limits.ts';
import { readSettings } from '../../judging/persona.ts';
import { defaultMethod } from '../../judging/select-rubric.ts';
import { caseOptions, type Parts } from '../parts.ts';
import type { Register } from './command-context.ts';
import { type GateFlags, passesGate, requireGate, withGate } from './gate.ts';
import { collect, ids, money, rate, temperatures, wholeNumber } from './options.ts';
import { createRunProgress } from './progress.ts';
import { nextStep, planText, summaryJson, summaryText } from './run-text.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

interface RunFlags extends GateFlags {
  methods?: string[];
  models?: string[];
  temperatures?: number[];
  repeat: number;
  rubric?: string;
  panel?: string[];
  seed?: number;
  set?: string[];
  concurrency: number;
  budget?: number;
  /** Requests a second, by provider; 0 lifts a limit. */
  rate?: [string, number][];
  name?: string;
  equalCalls: boolean;
  retryFailed: boolean;
  plan: boolean;
  cache: boolean;
  json: boolean;
}

/** What is compared. No methods: the one of the cases' rubric. */
const settingsOf = (flags: RunFlags, { settings }: Env): RunSettings => ({
  methods: [...new Set(flags.methods ?? [])],
  models: [...new Set(flags.models ?? [settings.JURY_MODEL])],
  temperatures: flags.temperatures ?? null,
  repeats: flags.repeat,
  rubric: flags.rubric ?? null,
  panel: flags.panel ?? null,
  seed: flags.seed ?? null,
  values: { ...settings.JURY_SETTINGS, ...readSettings(flags.set ?? []) },
  equalCalls: flags.equalCalls,
  cache: flags.cache,
});

/** The run that is kept under a name. @throws JuryError `usage` where it is another one */
async function keptRun(store: TrialStore, manifest: RunManifest): Promise<RunManifest | null> {
  const kept = await store.readRun(manifest.name);
  if (kept === null) return null;
  const differences = runDifferences(kept, manifest);
  if (differences.length > 0)
    throw new JuryError(
      'usage',
      `The run "${manifest.name}" already exists and differs:\n${differences.map((one) => `  ${one}`).join('\n')}\nNothing was judged. Choose another --name, or repeat the command with the same settings.`,
    );
  return kept;
}

interface RunParts {
  parts: Parts;
  terminal: Terminal;
  manifest: RunManifest;
  cases: readonly EvalCase[];
  writer: TrialWriter;
  options: RunFlags;
  stop: AbortSignal;
}

/** Judges in this process. */
async function runHere(run: RunParts): Promise<RunEnd> {
  const { parts, terminal, manifest, cases, writer, options, stop } = run;
  const before = await writer.totals();
  const progress = createRunProgress(terminal, plannedTrials(manifest), before.trials);
  try {
    return await runBenchmark(
      {
        manifest,
        library: parts.library,
        askFor: parts.askFor,
        caseAt: async (index) => {
          const evalCase = cases[index];
          if (evalCase === undefined) throw new JuryError('internal', `There is no case ${index}.`);
          return evalCase;
        },
        writer,
        now: parts.now,
        timeoutMs: parts.env.settings.JURY_VERDICT_TIMEOUT_S * 1000,
        stop,
        onTrial: () => void writer.totals().then(progress.show),
      },
      options.concurrency,
    );
  } finally {
    progress.close();
  }
}

/** Hands the trials out to workers and watches. */
async function runOnWorkers(redisUrl: string, run: RunParts): Promise<RunEnd> {
  const { terminal, manifest, writer, options, stop } = run;
  const [{ openTrialQueue, followRun }, { openKeys }] = await Promise.all([
    import('../../stores/redis/trial-queue.ts'),
    import('../../benchmark/trial-store.ts'),
  ]);
  const queue = await openTrialQueue(redisUrl, { warn: terminal.err });
  const planned = plannedTrials(manifest);
  const progress = createRunProgress(terminal, planned, (await writer.totals()).trials);
  try {
    for (const [provider, perSecond] of new Map(options.rate)) await queue.setRate(provider, perSecond);
    for (const [provider, perSecond] of await queue.rates())
      terminal.err(
        `  All workers together send ${provider} at most ${counted(perSecond, 'request')} a second.`,
      );
    await queue.start(manifest.name, await openKeys(manifest, writer));
    return await followRun({
      queue,
      writer,
      run: manifest.name,
      planned,
      stop,
      onTotals: progress.show,
      onIdle: () => terminal.err('No worker is running: start "jury worker" with the same REDIS_URL.'),
    });
  } finally {
    progress.close();
    await queue.close();
  }
}

function codeOf(end: RunEnd, failed: number): ExitCode {
  switch (end.kind) {
    case 'stopped':
      return exitCode.interrupted;
    case 'budget':
      return exitCode.tryAgain;
    case 'refused':
      return exitCode.refused;
    case 'complete':
      return failed > 0 ? exitCode.undecided : exitCode.ok;
  }
}

/**
 * `jury bench run`: judges all cases of a dataset by every configuration. What is there already under the run's name is
 * not judged again.
 */
async function run(
  parts: Parts,
  store: TrialStore,
  terminal: Terminal,
  files: readonly string[],
  options: RunFlags,
  stop: AbortSignal,
): Promise<ExitCode> {
  const name = RunName.nullable().safeParse(options.name ?? null);
  if (!name.success)
    throw new JuryError('usage', `The name of a run ${name.error.issues[0]?.message ?? 'is wrong'}.`);
  requireGate(options);
  const cases = await requireCases(terminal, files, caseOptions(parts), stop);
  const { library, wordingOf } = parts;
  const source = files.length === 0 ? 'standard input' : files.join(', ');
  const wanted = settingsOf(options, parts.env);
  const { methods, rubric } = wanted;
  const settings = {
    ...wanted,
    methods: methods.length > 0 ? methods : [defaultMethod(library, cases, rubric)],
  };
  const request = { name: name.data, settings, cases, source, now: parts.now() };
  for (const model of settings.models) parts.requireModel(model);
  const asked = planRun({ library, wordingOf: (question) => wordingOf(question).hash }, request);
  const kept = await keptRun(store, asked);
  const manifest = kept ?? asked;
  const estimate = estimateRun(manifest, cases, {
    library,
    promptChars: (question) => wordingOf(question).chars,
    priceOf: (model, { prompt, completion }) => costOf(findModel(model), { prompt, cached: 0, completion }),
  });
  const budgetUsd = options.budget ?? null;
  requireBudgetable(budgetUsd, estimate);
  const there = kept === null ? 0 : (await store.totals(manifest.name)).trials;
  terminal.err(planText(manifest, estimate, there));
  if (options.plan) return exitCode.ok;
  if (kept === null) await store.create(manifest, cases);
  const writer = await store.write(manifest.name);
  let end: RunEnd;
  let totals: RunTotals;
  try {
    if (options.retryFailed) await writer.forget((await writer.kept()).failed);
    await writer.setBudget(budgetUsd);
    const run = { parts, terminal, manifest, cases, writer, options, stop };
    const redisUrl = parts.env.settings.REDIS_URL;
    end = redisUrl === undefined ? await runHere(run) : await runOnWorkers(redisUrl, run);
    totals = await writer.totals();
  } finally {
    await writer.close();
  }
  return report(store, terminal, manifest, { end, totals }, options);
}

async function report(
  store: TrialStore,
  terminal: Terminal,
  manifest: RunManifest,
  { end, totals }: { end: RunEnd; totals: RunTotals },
  options: RunFlags,
): Promise<ExitCode> {
  const summaries = await summarizeRun(manifest, store.readTrials(manifest.name));
  const shown = [manifest.name, plannedTrials(manifest), totals, summaries] as const;
  terminal.out(options.json ? jsonLine(summaryJson(...shown)) : summaryText(terminal.screen, ...shown));
  const hint = nextStep(end, totals.failed, options.budget ?? null);
  if (hint !== null) terminal.err(hint);
  if (end.kind === 'complete' && options.failUnder !== undefined) {
    const { setups } = await makeReport(store, manifest.name);
    if (!(await passesGate(terminal, { ...manifest, setups }, options))) return exitCode.failed;
  }
  return codeOf(end, totals.failed);
}

const HELP = `
The same command resumes a run that was stopped for whatever reason; nothing is judged twice. Under one --name the
dataset, the prompts and the settings stay what they were; budget, concurrency and rates may change.
Exit codes: 0 every trial has a verdict or is rightly undecided, 1 a threshold of --fail-under is not met, 2 some have none
because judges did not answer, 64 bad usage or unreadable input (nothing judged), 69 an endpoint refuses the key or the
model, 70 internal error, 75 stopped at the budget, 130 stopped with Ctrl-C.`;

export const register: Register = (command, { stop, terminal, withParts, withRuns }) => {
  withGate(command)
    .description(
      'Judges every case of a dataset by every configuration: the product of methods, models, temperatures and repeats.\nMethods that seat several models get all models as one panel. With REDIS_URL the trials are judged by "jury worker".',
    )
    .argument('<dataset...>', 'cases with labels: JSONL, JSON or pastes; - for standard input')
    .option('--methods <ids>', "ways of judging, separated by commas (default: the rubric's)", ids)
    .option(
      '--models <ids>',
      'provider/model or rules, separated by commas (default: JURY_MODEL, else rules)',
      ids,
    )
    .option('--rubric <id>', 'the standard to judge by (default: found from each case)')
    .option('--temperatures <list>', "in place of the methods' own, separated by commas", temperatures)
    .option('--repeat <n>', 'judge everything this many times', wholeNumber(1, 100), 1)
    .option('--panel <ids>', "personas, separated by commas (default: the rubric's)", ids)
    .option('--set <name=value>', 'a setting of the personas, such as brand=Aurora; repeatable', collect)
    .option('--seed <n>', 'seed for endpoints that take one', wholeNumber(0, 2 ** 31 - 1))
    .option('--equal-calls', 'after each debate, a plain vote with as many calls on each case', false)
    .option('--concurrency <n>', 'trials judged at once in this process', wholeNumber(1, 1000), 20)
    .option('--budget <usd>', 'the most that the run may spend in all', money)
    .option('--rate <provider=n/s>', 'maximum requests a second; repeatable', rate)
    .option('--name <name>', "the run's name (default: the dataset's, with a hash of what is compared)")
    .option('--retry-failed', 'judge trials again that have no verdict because judges did not answer', false)
    .option('--plan', 'only show how many trials and calls it takes and what it costs', false)
    .option('--json', 'the summary as JSON', false)
    .option('--no-cache', 'ask again even where an answer is known')
    .addHelpText('after', HELP)
    .action(async (files: string[], options: RunFlags) => {
      const limits = new Map([...new Map(options.rate)].filter(([, perSecond]) => perSecond > 0));
      const pace = createPace(createTurns(limits, () => performance.now()));
      await withParts({ cache: true, ...(limits.size === 0 ? {} : { pace }) }, (parts) =>
        withRuns((store) => run(parts, store, terminal, files, options, stop)),
      );
    });
};
