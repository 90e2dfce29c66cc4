import * as z from 'zod';
import type { BenchmarkHistory } from '../benchmark/benchmark-history.ts';
import type { BenchmarkOutcome } from '../benchmark/run-defined-benchmark.ts';
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
