import * as z from 'zod';
import { type Decision, hasFailed } from '../judging/verdict.ts';
import { noConfusion } from '../statistics/classification.ts';
import { placesOf, plannedTrials, type RunManifest, trialKey } from './run.ts';
import { outcomeOf, type Trial } from './trial.ts';

/** `+`: the decision matches the label; `-`: it does not, or is undecided; `?`: there is no label, or judges did not answer. */
export type OutcomeMark = '+' | '-' | '?';

/**
 * The outcome of each trial of a run, one character each at its `slotOf`; `.`: the trial is missing. A string, because that of a
 * hundred thousand trials is read, validated and compared as fast as a map of a thousand.
 */
export interface RunOutcomes {
  /** Number of slots per case. */
  configurations: number;
  marks: string;
}

type Shape = Pick<RunManifest, 'configurations' | 'dataset'>;

/** The position of a trial in its run, case by case; null if the run has no such trial. */
export function slotOf({ configurations, dataset }: Shape, key: string): number | null {
  const places = placesOf(key);
  if (places === null) return null;
  const { configuration, index } = places;
  if (configuration >= configurations.length || index >= dataset.cases) return null;
  return index * configurations.length + configuration;
}

export function markOf(trial: Pick<Trial, 'label' | 'decision' | 'judgements' | 'ratings'>): OutcomeMark {
  const { label, decision } = trial;
  if (label?.decision === undefined || hasFailed(trial)) return '?';
  return label.decision === decision ? '+' : '-';
}

/** @param marks outcomes by trial key; unknown keys are ignored */
export function outcomesFrom(
  manifest: RunManifest,
  marks: Iterable<readonly [string, OutcomeMark]>,
): RunOutcomes {
  const all = new Array<string>(plannedTrials(manifest)).fill('.');
  for (const [key, mark] of marks) {
    const slot = slotOf(manifest, key);
    if (slot !== null) all[slot] = mark;
  }
  return { configurations: manifest.configurations.length, marks: all.join('') };
}

/** Reads every trial: for runs without recorded outcomes. */
export async function gatherOutcomes(
  manifest: RunManifest,
  trials: AsyncIterable<Trial>,
): Promise<RunOutcomes> {
  const marks = new Map<string, OutcomeMark>();
  for await (const trial of trials) marks.set(trial.key, markOf(trial));
  return outcomesFrom(manifest, marks);
}

/** Number of saved trials. */
export const keptOf = ({ marks }: RunOutcomes): number => marks.replaceAll('.', '').length;

/** The keys of the saved trials. */
export function* keptKeys({ configurations, marks }: RunOutcomes): Generator<string> {
  for (let slot = 0; slot < marks.length; slot += 1)
    if (marks[slot] !== '.') yield trialKey(slot % configurations, Math.floor(slot / configurations));
}

/** The trials that count in all of some runs of the same shape: each one's slot and the place of its case, in order. */
function* counting(
  configurations: number,
  ...runs: readonly RunOutcomes[]
): Generator<{ slot: number; place: number }> {
  const length = Math.min(...runs.map(({ marks }) => marks.length));
  for (let slot = 0; slot < length; slot += 1)
    if (runs.every(({ marks }) => marks[slot] === '+' || marks[slot] === '-'))
      yield { slot, place: Math.floor(slot / configurations) };
}

export function countRight(run: RunOutcomes): { correct: number; n: number; cases: number } {
  let [correct, n] = [0, 0];
  const cases = new Set<number>();
  for (const { slot, place } of counting(run.configurations, run)) {
    n += 1;
    if (run.marks[slot] === '+') correct += 1;
    cases.add(place);
  }
  return { correct, n, cases: cases.size };
}

/** Two runs compared on the trials that count in both. */
interface OutcomeComparison {
  /** Trials that became right. */
  gained: number;
  /** Keys of the trials that were right and are wrong, case by case. */
  lost: string[];
  n: number;
  /** Number of cases of these trials. */
  cases: number;
}

/** @param before a run of the same cases and configurations, so that slots match */
export function compareOutcomes(before: RunOutcomes, after: RunOutcomes): OutcomeComparison {
  const { configurations, marks } = after;
  let [gained, n] = [0, 0];
  const lost: string[] = [];
  const cases = new Set<number>();
  for (const { slot, place } of counting(configurations, before, after)) {
    n += 1;
    cases.add(place);
    if (before.marks[slot] === marks[slot]) continue;
    if (marks[slot] === '+') gained += 1;
    else lost.push(trialKey(slot % configurations, place));
  }
  return { gained, lost, n, cases: cases.size };
}

export interface ConfigurationSummary {
  id: string;
  trials: number;
  decisions: Record<Decision, number>;
  failed: number;
  calls: number;
  cached: number;
  /** Known cost in US dollars, and the number of trials without a known cost. */
  costUsd: number;
  unknownCosts: number;
  /** Sum over all trials, ms. */
  latencyMs: number;
  /** Trials of cases labeled pass or fail, by label and outcome: what `classify` takes. */
  confusion: ReturnType<typeof noConfusion>;
}

const nothing = (id: string): ConfigurationSummary => ({
  id,
  trials: 0,
  decisions: { pass: 0, fail: 0, scored: 0, undecided: 0 },
  failed: 0,
  calls: 0,
  cached: 0,
  costUsd: 0,
  unknownCosts: 0,
  latencyMs: 0,
  confusion: noConfusion(),
});

function add(summary: ConfigurationSummary, trial: Trial): void {
  summary.trials += 1;
  summary.decisions[trial.decision] += 1;
  if (hasFailed(trial)) summary.failed += 1;
  summary.calls += trial.calls;
  summary.cached += trial.cached;
  summary.costUsd += trial.usage.costUsd ?? 0;
  if (trial.usage.costUsd === null) summary.unknownCosts += 1;
  summary.latencyMs += trial.latencyMs;
  const truth = trial.label?.decision;
  if (truth !== undefined && trial.decision !== 'scored') summary.confusion[truth][outcomeOf(trial)] += 1;
}

/** Counts a run's trials as they are read, in the order of its configurations. */
export async function summarizeRun(
  { configurations }: Pick<RunManifest, 'configurations'>,
  trials: AsyncIterable<Trial>,
): Promise<ConfigurationSummary[]> {
  const summaries = new Map(configurations.map(({ id }) => [id, nothing(id)]));
  for await (const trial of trials) {
    const summary = summaries.get(trial.configuration);
    if (summary !== undefined) add(summary, trial);
  }
  return [...summaries.values()];
}

/** The progress of a run. */
export const RunTotals = z.strictObject({
  /** Saved trials. */
  trials: z.int(),
  /** Saved trials that failed: `hasFailed`. */
  failed: z.int(),
  calls: z.int(),
  /** Known cost in US dollars, including trials that were dropped to be judged again. */
  spentUsd: z.number(),
  /** Trials without a completely known cost. */
  unknownCosts: z.int(),
});
export type RunTotals = z.infer<typeof RunTotals>;

export const noTotals: RunTotals = { trials: 0, failed: 0, calls: 0, spentUsd: 0, unknownCosts: 0 };

/** A trial's share of the totals. */
export const shareOf = (trial: Trial): RunTotals => ({
  trials: 1,
  failed: hasFailed(trial) ? 1 : 0,
  calls: trial.calls,
  spentUsd: trial.usage.costUsd ?? 0,
  unknownCosts: trial.usage.costUsd === null ? 1 : 0,
});

/** Rounded to billionths, because floating-point sums drift. */
const exact = (usd: number): number => Math.round(usd * 1e9) / 1e9;

/** @param sign -1 subtracts a share, except its cost */
export const plusShare = (totals: RunTotals, share: RunTotals, sign: 1 | -1 = 1): RunTotals => ({
  trials: totals.trials + sign * share.trials,
  failed: totals.failed + sign * share.failed,
  calls: totals.calls + sign * share.calls,
  spentUsd: exact(totals.spentUsd + (sign > 0 ? share.spentUsd : 0)),
  unknownCosts: totals.unknownCosts + sign * share.unknownCosts,
});

/** Whether another trial may begin; `wait`: trials in progress may use up the rest of the budget. */
export type BudgetAnswer = 'go' | 'wait' | 'stop';

/**
 * Decides whether the budget allows another trial. Trials in progress are expected to cost the average, so that a budget is exceeded
 * by about one trial at most, whatever the concurrency.
 *
 * @param underWay trials in progress, without the one that asks
 */
export function askBudget(
  budgetUsd: number | null,
  { spentUsd, trials }: Pick<RunTotals, 'spentUsd' | 'trials'>,
  underWay: number,
): BudgetAnswer {
  if (budgetUsd === null) return 'go';
  if (spentUsd >= budgetUsd) return 'stop';
  if (underWay === 0) return 'go';
  // Until the first trial has ended, its cost is unknown, so it runs alone.
  const expected = trials === 0 ? budgetUsd : spentUsd / trials;
  return spentUsd + underWay * expected < budgetUsd ? 'go' : 'wait';
}
