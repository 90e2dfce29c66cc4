import * as z from 'zod';
import type { EvalCase } from '../case/case.ts';
import { Verdict } from '../judging/verdict.ts';
import { chainOf, openingKeys, type RunManifest } from './run.ts';
import type { BudgetAnswer, RunOutcomes, RunTotals } from './run-outcomes.ts';
import type { Trial } from './trial.ts';

/** A verdict as it is kept beside its trial. */
export const TrialVerdict = z.strictObject({ key: z.string(), verdict: Verdict });
export type TrialVerdict = z.infer<typeof TrialVerdict>;

/**
 * Where runs are kept. Two adapters, one suite of tests for both (`test/contracts/trial-store.ts`). What reads streams:
 * memory does not grow with the number of trials. A run that does not exist reads as null or as nothing.
 *
 * Rejects with a `JuryError`: `store-unavailable` where the place cannot be reached, `bad-file` or `internal` where what
 * is kept is damaged.
 */
export interface TrialStore {
  names(): Promise<string[]>;
  readRun(name: string): Promise<RunManifest | null>;
  /** Keeps a new run with its cases. @throws JuryError `usage` where there is one of that name */
  create(manifest: RunManifest, cases: readonly EvalCase[]): Promise<void>;
  /** The cases in their order. */
  readCases(name: string): AsyncIterable<EvalCase>;
  /** The case at a place. @throws JuryError `internal` where there is none */
  caseAt(name: string, index: number): Promise<EvalCase>;
  /** Every trial once, or those with these keys, which costs less than reading all. In any order. */
  readTrials(name: string, keys?: ReadonlySet<string>): AsyncIterable<Trial>;
  /**
   * What became of each trial of a run. Costs little, however much was said in them, unless a writer is at work or was killed, or
   * an older version wrote the run: then as much as reading all.
   */
  outcomes(manifest: RunManifest): Promise<RunOutcomes>;
  /**
   * What the judges said in each trial, or in those with these keys, which costs less than reading all. After a power cut
   * the last few may be missing.
   */
  readVerdicts(name: string, keys?: ReadonlySet<string>): AsyncIterable<TrialVerdict>;
  totals(name: string): Promise<RunTotals>;
  /** @throws JuryError `usage` where another process writes to the run and the place allows only one */
  write(name: string): Promise<TrialWriter>;
  close(): Promise<void>;
}

/** Adds to one run. */
export interface TrialWriter {
  /** How many answers the panel of a kept trial gave; null where it is not kept. */
  answersOf(key: string): Promise<number | null>;
  /** Keys of all that is kept, with those that failed. */
  kept(): Promise<{ all: ReadonlySet<string>; failed: string[] }>;
  totals(): Promise<RunTotals>;
  /** The most that the run may spend, over all its resumptions; null: no limit. */
  setBudget(usd: number | null): Promise<void>;
  /** Announces a trial and asks whether it may begin. What began is then saved or released. */
  begin(key: string): Promise<BudgetAnswer>;
  /** Takes the announcement back: the trial came to nothing. */
  release(key: string): Promise<void>;
  /** Keeps a trial, with all counts, in one step. The same key again changes nothing and answers `known`. */
  save(trial: Trial, verdict: Verdict): Promise<'saved' | 'known'>;
  /** Drops trials so that they are judged again; what they cost stays spent. */
  forget(keys: readonly string[]): Promise<void>;
  /** Answers of trials that are not finished, for a process that takes them over; null where none does. */
  replies: ReplyShelf | null;
  close(): Promise<void>;
}

/** What single judges said in trials that are under way. Goes with `save`. */
export interface ReplyShelf {
  read(key: string, question: string): Promise<string | null>;
  write(key: string, question: string, judgement: string): Promise<void>;
}

/** Opening trials of which something is left to judge, in their order. */
export async function openKeys(manifest: RunManifest, writer: TrialWriter): Promise<string[]> {
  const { all } = await writer.kept();
  return [...openingKeys(manifest)].filter((key) => chainOf(manifest, key).some((one) => !all.has(one)));
}
