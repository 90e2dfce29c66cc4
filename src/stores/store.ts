import type { KeyValue } from '../common/key-value.ts';
import type { ScheduleStore } from '../digests/digest-schedule.ts';
import type { AdjudicationStore } from '../labels/adjudication.ts';
import type { AuditStore } from '../labels/audit.ts';
import type { VoteStore } from '../labels/cast-vote.ts';
import type { ChannelSettingsStore } from '../labels/channel-settings.ts';
import type { CountStore, VerdictSearchStore, VerdictStore } from '../labels/verdict-record.ts';
import type { RequestStore } from '../requests/spot-check.ts';
import type { StudyStore } from '../studies/annotation.ts';

/**
 * Everything that must survive the process except benchmark runs: the ports of the rooms combined. One test suite covers both adapters
 * (`test/contracts/store.ts`). Every method is atomic (forgetting and pruning per verdict: if interrupted, the next call continues),
 * safe against other processes, and rejects with a `JuryError` `store-unavailable` if the store is unreachable for two seconds. A
 * rejected call may have taken effect and can be repeated.
 *
 * Times are ms since the epoch and are passed in: a store has no clock of its own.
 */
export interface Store
  extends VerdictStore,
    VerdictSearchStore,
    VoteStore,
    CountStore,
    AdjudicationStore,
    AuditStore,
    ChannelSettingsStore,
    RequestStore,
    ScheduleStore,
    StudyStore,
    KeyValue {
  /** Name in logs and readiness: `sqlite`. */
  readonly kind: string;
  /**
   * Erases a person: their votes with counts and comments, withdrawn votes, and their annotations and places in studies. Votes on
   * pruned verdicts are gone already; their contribution to the counts is anonymous and stays. Resolves to the number of deleted votes
   * and annotations.
   */
  forgetVoter(voter: string): Promise<{ votes: number; annotations: number }>;
  /** Reads. */
  ping(): Promise<void>;
  /** Writes as much as a request takes: on a full disk, and where nothing may be written, it rejects although `ping` does not. */
  proveWrite(now: number): Promise<void>;
  /** Its address (without a password), and warnings about settings that endanger data, each with what to do. */
  inspect(): Promise<{ where: string; warnings: string[] }>;
  close(): Promise<void>;
}
