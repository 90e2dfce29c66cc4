import type { KeyValue } from '../common/key-value.ts';
import type { ScheduleStore } from '../digests/digest-schedule.ts';
import type { AdjudicationStore } from '../labels/adjudication.ts';
import type { VoteStore } from '../labels/cast-vote.ts';
import type { ChannelSettingsStore } from '../labels/channel-settings.ts';
import type { CountStore, VerdictStore } from '../labels/verdict-record.ts';
import type { RequestStore } from '../requests/spot-check.ts';
import type { StudyStore } from '../studies/annotation.ts';

/**
 * Everything that must outlast the process but the runs of benchmarks: the ports of the rooms together. Two adapters, one suite of
 * tests for both (`test/contracts/store.ts`). Every method is atomic (forgetting and pruning verdict by verdict: cut short, the next
 * call continues), safe against other processes, and rejects with a `JuryError` `store-unavailable` where the store cannot be reached
 * for two seconds: what resolved is kept; what rejected may have been done all the same, and can be asked for again.
 *
 * Times are ms since the epoch and arrive as arguments: a store has no clock of its own.
 */
export interface Store
  extends VerdictStore,
    VoteStore,
    CountStore,
    AdjudicationStore,
    ChannelSettingsStore,
    RequestStore,
    ScheduleStore,
    StudyStore,
    KeyValue {
  /** What it is called in logs and readiness: `sqlite`. */
  readonly kind: string;
  /**
   * Erases all that a person said: votes everywhere, counts, comments and taken-back votes included, and annotations, with their
   * place in studies. Votes on verdicts that were pruned are gone already; what they added to the counts names no person, and stays.
   * Resolves to how many standing votes and how many annotations went.
   */
  forgetVoter(voter: string): Promise<{ votes: number; annotations: number }>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
  /** Where it is (without a password), and what of its setup endangers data, each with what to do. */
  inspect(): Promise<{ where: string; warnings: string[] }>;
  close(): Promise<void>;
}
