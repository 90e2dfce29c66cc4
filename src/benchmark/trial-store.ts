import * as z from 'zod';
import type { EvalCase } from '../case/index.ts';
import type { Redactor } from '../case/redact/index.ts';
import { messageOf } from '../common/index.ts';
import { type AnswerShelf, caseIdOf } from '../judging/index.ts';
import { hasFailed, Verdict } from '../judging/verdict/index.ts';
import type { RunManifest } from './run-manifest.ts';
import { ownEffort, type Trial } from './trial.ts';

/** A trial's verdict, stored separately. */
export const TrialVerdict = z.strictObject({ key: z.string(), verdict: Verdict });
export type TrialVerdict = z.infer<typeof TrialVerdict>;

/**
 * Stores runs with their cases, trials and verdicts.
 * One test suite covers both adapters (`test/contracts/trial-store.ts`). Reads are streamed, so memory does not grow with the number of
 * trials. A run that does not exist reads as null or empty.
 * Rejects with a `JuryError`: `store-unavailable` if the store cannot be reached, `bad-file` or `internal` if data is damaged.
 */
export interface TrialStore {
  names(): Promise<string[]>;
  readRun(name: string): Promise<RunManifest | null>;
  /**
   * Saves a new run with its cases.
   * @throws JuryError `usage` if the name is taken
   */
  create(manifest: RunManifest, cases: readonly EvalCase[]): Promise<void>;
  /** The cases, in order. */
  readCases(name: string): AsyncIterable<EvalCase>;
  /** @throws JuryError `internal` if there is no such case */
  caseAt(name: string, index: number): Promise<EvalCase>;
  /** Keys of all trials, without reading the trials. */
  trialKeys(name: string): Promise<Set<string>>;
  /** Each trial once, or only those with the given keys, in any order. */
  readTrials(name: string, keys?: ReadonlySet<string>): AsyncIterable<Trial>;
  /** The verdicts of all trials, or (cheaper) of those with the given keys. After a power cut the last few may be missing. */
  readVerdicts(name: string, keys?: ReadonlySet<string>): AsyncIterable<TrialVerdict>;
  totals(name: string): Promise<RunTotals>;
  /** Differs after every change of a run's cases or trials, so that what was made of them can be kept. Cheap. */
  revision(name: string): Promise<string>;
  /**
   * Erases the texts of cases and what judges wrote about them. The cases keep their places, and their outcomes still count. Resolves to the
   * number of cases erased.
   * @throws JuryError `usage` if another process is writing the run and the store allows only one writer
   */
  eraseCases(name: string, isErased: (evalCase: EvalCase) => boolean): Promise<number>;
  /**
   * Opens a run for writing.
   * @throws JuryError `usage` if another process is writing the run and the store allows only one writer
   */
  write(name: string): Promise<TrialWriter>;
  close(): Promise<void>;
}

/**
 * A view of runs with redacted cases, for pages, reports and digests. Judging uses the store itself, because exact checks need the original
 * cases.
 */
export const redactedRuns = (store: TrialStore, redactor: Redactor): TrialStore => ({
  ...store,
  readCases: async function* (name) {
    for await (const evalCase of store.readCases(name)) yield redactor.case(evalCase);
  },
  caseAt: async (name, index) => redactor.case(await store.caseAt(name, index)),
});

/** A view of runs that hides the texts of some cases, as if they had been erased. */
export const runsWithout = (
  store: TrialStore,
  hiddenOf: (name: string) => Promise<ReadonlySet<string>>,
): TrialStore => {
  const shown = (hidden: ReadonlySet<string>, evalCase: EvalCase) =>
    hidden.has(caseIdOf(evalCase)) ? erasedCase(evalCase) : evalCase;
  return {
    ...store,
    readCases: async function* (name) {
      const hidden = await hiddenOf(name);
      for await (const evalCase of store.readCases(name)) yield shown(hidden, evalCase);
    },
    caseAt: async (name, index) => shown(await hiddenOf(name), await store.caseAt(name, index)),
    readTrials: async function* (name, keys) {
      const hidden = await hiddenOf(name);
      for await (const trial of store.readTrials(name, keys))
        yield hidden.has(trial.caseId) ? erasedTrial(trial) : trial;
    },
    readVerdicts: async function* (name, keys) {
      const hidden = await hiddenOf(name);
      for await (const one of store.readVerdicts(name, keys)) if (!hidden.has(one.verdict.caseId)) yield one;
    },
  };
};

const ERASED = '(erased)';

export const isCaseErased = ({ response }: EvalCase): boolean => response === ERASED;

export const erasedCase = ({ id, rubric, label, tags }: EvalCase): EvalCase => ({
  ...(id === undefined ? {} : { id }),
  ...(rubric === undefined ? {} : { rubric }),
  conversation: [{ role: 'user', text: ERASED }],
  response: ERASED,
  ...(label === undefined ? {} : { label }),
  ...(tags === undefined ? {} : { tags }),
});

/** What remains of a trial when its case is erased. Its verdict, which contains the judges' words, is deleted. */
export const erasedTrial = (trial: Trial): Trial => ({ ...trial, why: ERASED });

/** Erases cases in every run. Resolves to the number of cases, and to the runs where erasing failed, with the reasons. */
export async function eraseInRuns(
  store: TrialStore,
  isErased: (evalCase: EvalCase, manifest: RunManifest) => boolean,
): Promise<{ cases: number; failed: { run: string; reason: string }[] }> {
  let cases = 0;
  const failed: { run: string; reason: string }[] = [];
  for (const run of await store.names())
    try {
      const manifest = await store.readRun(run);
      if (manifest !== null) cases += await store.eraseCases(run, (evalCase) => isErased(evalCase, manifest));
    } catch (thrown) {
      failed.push({ run, reason: messageOf(thrown) });
    }
  return { cases, failed };
}

export interface TrialWriter {
  /** Number of answers from a saved trial's panel; null if it is not saved. */
  answersOf(key: string): Promise<number | null>;
  /** Keys of all saved trials, and of those that failed. */
  kept(): Promise<{ all: ReadonlySet<string>; failed: string[] }>;
  totals(): Promise<RunTotals>;
  /** Spending limit of the run across all resumptions; null: none. */
  setBudget(usd: number | null): Promise<void>;
  /** Registers a trial if it may begin. Afterwards, save or release it. */
  begin(key: string): Promise<BudgetAnswer>;
  /** Unregisters a trial without a result. */
  release(key: string): Promise<void>;
  /** Saves a trial and updates all totals in one step. Saving the same key again changes nothing and resolves to `known`. */
  save(trial: Trial, verdict: Verdict): Promise<'saved' | 'known'>;
  /** Drops trials so that they are judged again; their cost still counts. */
  forget(keys: readonly string[]): Promise<void>;
  /** Answers of a trial in progress, for a process that takes it over; deleted by `save`. */
  replies: (key: string) => AnswerShelf;
  close(): Promise<void>;
}

/** The progress of a run. */
export const RunTotals = z.strictObject({
  /** Saved trials. */
  trials: z.int(),
  /** Saved trials that failed; see `hasFailed`. */
  failed: z.int(),
  calls: z.int(),
  /** Known cost in US dollars, including trials dropped to be judged again. */
  spentUsd: z.number(),
  /** Trials whose cost is not fully known. */
  unknownCosts: z.int(),
});
export type RunTotals = z.infer<typeof RunTotals>;

export const noTotals: RunTotals = { trials: 0, failed: 0, calls: 0, spentUsd: 0, unknownCosts: 0 };

/** A trial's share of the totals. */
export const shareOf = (trial: Trial): RunTotals => {
  const { calls, costUsd } = ownEffort(trial);
  return {
    trials: 1,
    failed: hasFailed(trial) ? 1 : 0,
    calls,
    spentUsd: costUsd ?? 0,
    unknownCosts: costUsd === null ? 1 : 0,
  };
};

/** Rounded to a billionth of a dollar, because floating-point sums drift. */
const exact = (usd: number): number => Math.round(usd * 1e9) / 1e9;

/** @param sign −1 subtracts a share, except for its cost */
export const plusShare = (totals: RunTotals, share: RunTotals, sign: 1 | -1 = 1): RunTotals => ({
  trials: totals.trials + sign * share.trials,
  failed: totals.failed + sign * share.failed,
  calls: totals.calls + sign * share.calls,
  spentUsd: exact(totals.spentUsd + (sign > 0 ? share.spentUsd : 0)),
  unknownCosts: totals.unknownCosts + sign * share.unknownCosts,
});

/** Whether another trial may begin. `wait`: trials in progress may use up the rest of the budget. */
export type BudgetAnswer = 'go' | 'wait' | 'stop';

/**
 * Decides whether the budget allows another trial. Trials in progress are expected to cost the average, so a budget is exceeded by about one
 * trial at most, whatever the concurrency.
 * @param underWay number of trials in progress, excluding the new one
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
