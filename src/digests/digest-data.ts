import * as z from 'zod';
import type { CountRow } from '../labels/vote-counts.ts';
import { LabelTotals } from './label-totals.ts';

/** What is kept with a digest, so that the next one knows exactly what came since. */
export const Snapshot = z.strictObject({
  /** When it was put together, ms since the epoch. */
  at: z.number(),
  labels: LabelTotals,
  /** Name of a benchmark to the run that was told of. */
  runs: z.record(z.string(), z.string()),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** One run of a benchmark in numbers. */
export interface BenchmarkRun {
  name: string;
  /** When it ended, ms since the epoch. */
  at: number;
  /**
   * Right decisions, of all on cases with a label. What the judges left undecided counts as wrong; where they did not answer it
   * enters neither, for that says nothing about how well they judge.
   */
  correct: number;
  n: number;
  /** The cases that these decisions are on: fewer where a run judges each more than once. */
  cases: number;
  /** Null where prices are not known. */
  costUsd: number | null;
}

/** A case that was right in the run before and is wrong now. */
export interface Regression {
  caseId: string;
  /** Kind of error by its label. */
  category: string;
  why: string;
}

/** The newest run beside an earlier one, on the cases that both judged. */
export interface RunComparison {
  /** Name of the earlier run. */
  against: string;
  gained: number;
  lost: number;
  n: number;
  /** The cases that these decisions are on. */
  cases: number;
  /** As many as `lost`, or the first of them. */
  regressions: readonly Regression[];
}

/** What is known of a benchmark. */
export interface BenchmarkHistory {
  name: string;
  /** Oldest first, at least one. */
  runs: readonly BenchmarkRun[];
  /** Against the run that the last digest told of, where there is one that is not the newest itself. */
  compared: RunComparison | null;
}

/** What became of a benchmark that was to be run for a digest. */
export type BenchmarkOutcome =
  /** `unanswered`: trials without a verdict because judges did not answer. */
  | { kind: 'complete'; name: string; run: string; trials: number; unanswered: number }
  | {
      kind: 'incomplete';
      name: string;
      run: string;
      trials: number;
      planned: number;
      /** Null where a price is not known. */
      costUsd: number | null;
      why: string;
    }
  | { kind: 'not-run'; name: string; why: string };

/** A verdict on which voters are of different minds. */
interface Disputed {
  title: string;
  agree: number;
  disagree: number;
  link: string | null;
}

/** Verdicts since the last digest, or of all time where there was none, that were looked at one by one. */
export interface RecentChecks {
  /** Whether people of the channel vote before they see verdicts and votes: then the digest tells neither of single verdicts. */
  blind: boolean;
  /** Fresh verdicts that are hidden from whoever has not voted: they are in no number yet but the cost. */
  hidden: number;
  disputed: readonly Disputed[];
  /** How many were looked at, hidden ones too, and whether there are no others: of many only the newest are. */
  read: number;
  isAll: boolean;
  /** What they cost; verdicts without a known price are left out, and counted. */
  costUsd: number;
  unpriced: number;
}

/** All that a digest is made of. */
export interface DigestData {
  /** When it was due, and when it is put together, ms since the epoch. */
  slot: number;
  now: number;
  timezone: string;
  late: boolean;
  counts: readonly CountRow[];
  last: Snapshot | null;
  benchmarks: readonly BenchmarkHistory[];
  /** Where lost cases can be read, by case id: those that were judged in a conversation. Others have no address. */
  links: ReadonlyMap<string, string>;
  /** Of those that this digest had run. */
  outcomes: readonly BenchmarkOutcome[];
  recent: RecentChecks;
}
