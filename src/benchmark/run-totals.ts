import * as z from 'zod';
import { hasFailed } from '../judging/verdict.ts';
import type { Trial } from './trial.ts';

/** Where a run stands. */
export const RunTotals = z.strictObject({
  /** Trials that are kept. */
  trials: z.int(),
  /** Of these, those that failed: `hasFailed`. */
  failed: z.int(),
  calls: z.int(),
  /** US dollars as far as known, trials that were dropped to be judged again included. */
  spentUsd: z.number(),
  /** Trials whose cost is not, or not wholly, known. */
  unknownCosts: z.int(),
});
export type RunTotals = z.infer<typeof RunTotals>;

export const noTotals: RunTotals = { trials: 0, failed: 0, calls: 0, spentUsd: 0, unknownCosts: 0 };

/** What one trial adds. */
export const shareOf = (trial: Trial): RunTotals => ({
  trials: 1,
  failed: hasFailed(trial) ? 1 : 0,
  calls: trial.calls,
  spentUsd: trial.usage.costUsd ?? 0,
  unknownCosts: trial.usage.costUsd === null ? 1 : 0,
});

/** Rounded to billionths: sums of decimal fractions drift. */
const exact = (usd: number): number => Math.round(usd * 1e9) / 1e9;

/** @param sign -1 takes a share off; its money stays spent */
export const plusShare = (totals: RunTotals, share: RunTotals, sign: 1 | -1 = 1): RunTotals => ({
  trials: totals.trials + sign * share.trials,
  failed: totals.failed + sign * share.failed,
  calls: totals.calls + sign * share.calls,
  spentUsd: exact(totals.spentUsd + (sign > 0 ? share.spentUsd : 0)),
  unknownCosts: totals.unknownCosts + sign * share.unknownCosts,
});

/** Whether another trial may begin; `wait`: what is under way may use up the rest of the budget. */
export type BudgetAnswer = 'go' | 'wait' | 'stop';

/**
 * What a budget says to another trial. Those under way are expected to cost what the others did on average, so that a
 * budget is passed by about one trial at most, whatever the concurrency.
 *
 * @param underWay trials that have begun and are not kept yet, the asking one left out
 */
export function askBudget(
  budgetUsd: number | null,
  { spentUsd, trials }: Pick<RunTotals, 'spentUsd' | 'trials'>,
  underWay: number,
): BudgetAnswer {
  if (budgetUsd === null) return 'go';
  if (spentUsd >= budgetUsd) return 'stop';
  if (underWay === 0) return 'go';
  // Before the first one has ended nothing is known: it goes alone.
  const expected = trials === 0 ? budgetUsd : spentUsd / trials;
  return spentUsd + underWay * expected < budgetUsd ? 'go' : 'wait';
}
