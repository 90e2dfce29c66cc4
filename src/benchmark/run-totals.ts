import * as z from 'zod';
import { type Decision, hasFailed, outcomeOfVerdict } from '../judging/verdict.ts';
import { type Gap, noConfusion } from '../statistics/classification.ts';
import type { RunManifest } from './run.ts';
import { outcomeOf, type Trial } from './trial.ts';

export interface ConfigurationSummary {
  id: string;
  trials: number;
  /** Trials without a decision by what was missing. */
  decisions: Record<Decision | Gap, number>;
  failed: number;
  calls: number;
  /** Calls that were not needed, because the majority was settled. */
  savedCalls: number;
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
  decisions: { pass: 0, fail: 0, scored: 0, undecided: 0, 'no-quorum': 0, unanswered: 0 },
  failed: 0,
  calls: 0,
  savedCalls: 0,
  cached: 0,
  costUsd: 0,
  unknownCosts: 0,
  latencyMs: 0,
  confusion: noConfusion(),
});

function add(summary: ConfigurationSummary, trial: Trial): void {
  summary.trials += 1;
  summary.decisions[outcomeOfVerdict(trial)] += 1;
  if (hasFailed(trial)) summary.failed += 1;
  summary.calls += trial.calls;
  summary.savedCalls += trial.savedCalls ?? 0;
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
