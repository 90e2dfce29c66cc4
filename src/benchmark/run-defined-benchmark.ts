import { randomUUID } from 'node:crypto';
import type { EvalCase } from '../case/index.ts';
import { JuryError, type KeyValue, messageOf, sleep } from '../common/index.ts';
import { plainLine, shortened } from '../common/text/index.ts';
import { defaultMethod, type SettingValues } from '../judging/standards/index.ts';
import { type BenchmarkDefinition, runNameFor } from './benchmark-definition.ts';
import { type EstimateParts, estimateRun, requireBudgetable } from './estimate-run.ts';
import { changedWordings, planRun } from './plan-run.ts';
import { type ChainParts, casesAt, runBenchmark } from './run-benchmark.ts';
import { plannedTrials, type RunManifest } from './run-manifest.ts';
import type { TrialStore } from './trial-store.ts';

/** How long after the last heartbeat another process may take over. Clocks of different machines must differ by less. */
const LEASE_MS = 60_000;
const POLL_MS = 1_000;

export interface RunLease {
  /** Aborts when another process may have taken over. */
  lost: AbortSignal;
  release: () => Promise<void>;
}

/**
 * Waits for the lease on a run, so that only one of several processes pays for it. Running twice would only double the cost, because each
 * trial is saved once.
 * @returns null if the run is finished
 * @throws the reason of `stop`
 */
export async function leaseRun(
  store: KeyValue,
  run: string,
  { now, isDone, stop }: { now: () => number; isDone: () => Promise<boolean>; stop: AbortSignal },
): Promise<RunLease | null> {
  const holder = randomUUID();
  const key = `benchmark-run:${run}`;
  for (;;) {
    stop.throwIfAborted();
    const mark = await store.setIfAbsent(key, holder, now(), LEASE_MS);
    // An earlier attempt may have set the key even though the call rejected.
    if (mark.set || mark.value === holder) break;
    await sleep(POLL_MS, stop);
  }
  // Only this process's own key, since another may have taken over while this one was suspended. It is backdated by a full lease, so that it
  // has expired even by slow clocks.
  const release = async () => {
    await store.compareAndSet(key, holder, holder, now(), -LEASE_MS);
  };
  // Checked only while holding the lease, because it reads the whole run.
  let done = true;
  try {
    done = await isDone();
  } finally {
    if (done) await release();
  }
  if (done) return null;
  const lost = new AbortController();
  const renew = async () => {
    if (!(await store.compareAndSet(key, holder, holder, now(), LEASE_MS))) lost.abort();
  };
  const timer = setInterval(() => renew().catch(() => lost.abort()), LEASE_MS / 3);
  timer.unref();
  return {
    lost: lost.signal,
    release: async () => {
      clearInterval(timer);
      if (!lost.signal.aborted) await release();
    },
  };
}

/** The outcome of a benchmark for a digest. */
export type BenchmarkOutcome =
  /** `unanswered`: number of trials without a verdict because judges did not answer. */
  | { kind: 'complete'; name: string; run: string; trials: number; unanswered: number }
  | {
      kind: 'incomplete';
      name: string;
      run: string;
      trials: number;
      planned: number;
      /** Null if any price is unknown. */
      costUsd: number | null;
      why: string;
    }
  | { kind: 'not-run'; name: string; why: string };

export interface BenchmarkRunner extends EstimateParts {
  runs: Pick<TrialStore, 'readRun' | 'create' | 'readCases' | 'readVerdicts' | 'totals' | 'write'>;
  store: KeyValue;
  askFor: ChainParts['askFor'];
  /** @throws JuryError `config` if the model is not available */
  requireModel: (model: string) => void;
  defaultModel: string;
  settings: SettingValues;
  /** @throws JuryError that describes the problem with the dataset */
  casesOf: (definition: BenchmarkDefinition, run: string, stop: AbortSignal) => Promise<EvalCase[]>;
  now: () => number;
  /** Time limit of a verdict, ms. */
  timeoutMs: number;
}

async function begin(
  runner: BenchmarkRunner,
  definition: BenchmarkDefinition,
  name: string,
  stop: AbortSignal,
): Promise<RunManifest> {
  const { library, now } = runner;
  const { dataset, system, methods, rubric, panel, repeats, temperatures = null } = definition;
  const panels = Object.entries(definition.panels ?? {}).map(([id, seated]) => ({
    name: id,
    models: seated,
  }));
  const sitting = panels.flatMap((one) => one.models);
  const named = [definition.models, sitting, [runner.defaultModel]].find((list) => list.length > 0) ?? [];
  const models = [...new Set(named)];
  for (const model of new Set([...models, ...sitting])) runner.requireModel(model);
  const cases = await runner.casesOf(definition, name, stop);
  const manifest = planRun(runner, {
    name,
    series: definition.id,
    cases,
    source:
      'files' in dataset
        ? dataset.files.join(', ')
        : 'set' in dataset
          ? `set ${dataset.set}`
          : `generated ${dataset.generate}`,
    collected: system !== undefined,
    settings: {
      methods: methods.length > 0 ? methods : [defaultMethod(library, cases, rubric)],
      models,
      ...(panels.length === 0 ? {} : { panels }),
      temperatures,
      repeats,
      rubric,
      panel,
      seed: null,
      values: { ...runner.settings },
      equalCalls: false,
      ...(definition.earlyStop ? {} : { earlyStop: false }),
      ...(definition.stop === undefined ? {} : { stop: definition.stop }),
      // Cached answers from an earlier run would measure nothing.
      cache: false,
    },
    subject: definition.subject ?? ('generate' in dataset && system === undefined ? 'judges' : undefined),
    now: now(),
  });
  requireBudgetable(budgetOf(definition), estimateRun(manifest, cases, runner));
  await runner.runs.create(manifest, cases);
  return manifest;
}

const budgetOf = ({ budget }: BenchmarkDefinition): number | null => (budget === 'none' ? null : budget);

/** @throws JuryError `config` if the run was started with different prompts */
function requireSameWording(runner: BenchmarkRunner, manifest: RunManifest): void {
  const changed = changedWordings(manifest, runner);
  if (changed.length > 0)
    throw new JuryError('config', `it was started with another wording of ${changed.join('; ')}`);
}

async function judge(
  runner: BenchmarkRunner,
  definition: BenchmarkDefinition,
  manifest: RunManifest,
  stop: AbortSignal,
): Promise<string | null> {
  const { runs, library, wordingOf, askFor, now, timeoutMs } = runner;
  const cases: EvalCase[] = [];
  for await (const evalCase of runs.readCases(manifest.name)) cases.push(evalCase);
  const writer = await runs.write(manifest.name);
  const late = AbortSignal.timeout(definition.minutes * 60_000);
  try {
    await writer.setBudget(budgetOf(definition));
    const until = AbortSignal.any([stop, late]);
    const caseAt = casesAt(cases);
    const parts = {
      ...{ manifest, library, wordingOf, askFor, caseAt, writer, now, timeoutMs, stop: until },
      readVerdicts: (keys: ReadonlySet<string>) => runs.readVerdicts(manifest.name, keys),
    };
    const end = await runBenchmark(parts, definition.concurrency);
    stop.throwIfAborted();
    if (end.kind === 'budget' || end.kind === 'refused') return end.why;
    return end.kind === 'stopped' ? `it took longer than ${definition.minutes} minutes` : null;
  } finally {
    await writer.close();
  }
}

/** A digest has room for a line or two; `jury bench run` and `jury parse` list all problems of a dataset. */
const MAX_REASON = 300;

/** Whether a retry may help, in which case the digest waits rather than being posted without the benchmark. */
const isTransient = (thrown: unknown): boolean =>
  thrown instanceof JuryError && (thrown.retryable || thrown.code === 'store-unavailable');

/**
 * Starts or resumes a benchmark's run for a slot, no matter which process began it. For a finished run it only returns the outcome. Problems
 * with the benchmark itself are outcomes, not errors.
 * @param slot ms since the epoch
 * @throws the reason of `stop`; JuryError `store-unavailable`
 */
export async function runDefinedBenchmark(
  runner: BenchmarkRunner,
  definition: BenchmarkDefinition,
  slot: number,
  stop: AbortSignal,
): Promise<BenchmarkOutcome> {
  const { runs, store, now } = runner;
  const name = definition.id;
  const run = runNameFor(name, slot);
  const isDone = async () => {
    const manifest = await runs.readRun(run);
    return manifest !== null && (await runs.totals(run)).trials >= plannedTrials(manifest);
  };
  let why: string | null = null;
  let leaseLost = false;
  try {
    const lease = await leaseRun(store, run, { now, isDone, stop });
    if (lease !== null)
      try {
        const both = AbortSignal.any([stop, lease.lost]);
        const kept = await runs.readRun(run);
        if (kept !== null) requireSameWording(runner, kept);
        why = await judge(runner, definition, kept ?? (await begin(runner, definition, run, both)), both);
      } finally {
        leaseLost = lease.lost.aborted;
        await lease.release();
      }
  } catch (thrown) {
    stop.throwIfAborted();
    if (leaseLost || isTransient(thrown)) throw thrown;
    why = shortened(plainLine(messageOf(thrown)), MAX_REASON);
  }
  const manifest = await runs.readRun(run);
  if (manifest === null) return { kind: 'not-run', name, why: why ?? 'it was not started' };

  const { trials, failed, spentUsd, unknownCosts } = await runs.totals(run);
  const planned = plannedTrials(manifest);
  if (trials >= planned) return { kind: 'complete', name, run, trials, unanswered: failed };
  const costUsd = unknownCosts > 0 ? null : spentUsd;
  return { kind: 'incomplete', name, run, trials, planned, costUsd, why: why ?? 'it was stopped' };
}
