import type { DigestSchedule } from '../digests/digest-schedule.ts';
import type { Adjudication } from '../labels/adjudication.ts';
import type { ChannelSettings } from '../labels/channel-settings.ts';
import type { VerdictRecord } from '../labels/verdict-record.ts';
import type { Ballot, Vote, VoteTally } from '../labels/vote.ts';
import type { CountRow } from '../labels/vote-counts.ts';
import type { SpotCheck } from '../requests/spot-check.ts';
import type { Annotation } from '../studies/annotation.ts';
import type { Study, StudyEntry } from '../studies/study.ts';

/**
 * Where everything lives that must outlast the process. Two adapters, one suite of tests for both
 * (`test/contracts/store.ts`). Every method is atomic (forgetting and pruning verdict by verdict: cut short, the next call goes
 * on), safe against other processes, and rejects with a `JuryError` `store-unavailable` where the store cannot be reached for
 * two seconds: what resolved is kept; what rejected may have been done all the same, and can be asked for again.
 *
 * Times are ms since the epoch and arrive as arguments: a store has no clock of its own.
 */
export interface Store {
  readonly kind: 'sqlite' | 'redis';

  /** Keeps a verdict. The same id again changes nothing and answers `known`. */
  saveVerdict(record: VerdictRecord): Promise<'saved' | 'known'>;
  verdict(id: string): Promise<VerdictRecord | null>;
  /** Newest first. `channel` null: of all channels. */
  recentVerdicts(query: { channel: string | null; limit: number; before?: number }): Promise<VerdictRecord[]>;

  /**
   * Casts, changes or takes back a vote, with all counts, in one atomic step. Idempotent; the newest `at` wins; the
   * same `at` again changes nothing.
   */
  castVote(ballot: Ballot): Promise<CastOutcome>;
  tally(verdictId: string): Promise<VoteTally>;
  votes(verdictId: string): Promise<Vote[]>;
  /** Every standing vote with the verdict it is about, oldest verdict first; verdicts without one are left out. Read in pages. */
  allVotes(): AsyncIterable<{ record: VerdictRecord; votes: Vote[] }>;
  /**
   * Erases all that somebody said: votes everywhere, counts, comments and taken-back votes included, and annotations, with their
   * place in studies. Votes on verdicts that were pruned are gone already; what they added to the counts names nobody, and stays.
   */
  forgetVoter(voter: string): Promise<Erased>;
  /**
   * Rules on a verdict. The newest `at` wins; the same again changes nothing. Goes with its verdict; moves no counts, since those
   * are of votes.
   */
  adjudicate(ruling: Adjudication): Promise<'kept' | 'unchanged' | 'outdated' | 'unknown-verdict'>;
  /** Every standing ruling, oldest first. */
  adjudications(): Promise<Adjudication[]>;
  /** The counts of verdicts whose day (UTC) lies between two days, both included, `2026-11-21`. */
  counts(range: { from: string; to: string }): Promise<CountRow[]>;

  /** Records a request to judge before it is acknowledged. `known` where one of that id was recorded before, finished or not. */
  addSpotCheck(check: SpotCheck): Promise<'added' | 'known'>;
  /** Takes a pending check for `owner` until `now + leaseMs`; null where it is finished or somebody else holds it. */
  claimSpotCheck(id: string, owner: string, now: number, leaseMs: number): Promise<SpotCheck | null>;
  /** Pending checks that nobody holds, oldest first: what a crash left behind. Those that this version cannot read are only counted. */
  abandonedSpotChecks(now: number, limit: number): Promise<{ readable: SpotCheck[]; unreadable: number }>;
  /** Keeps how far a check is (what was read, where its placeholder stands); lengthens the lease. `false` where `owner` lost it. */
  noteSpotCheck(check: SpotCheck, owner: string, now: number, leaseMs: number): Promise<boolean>;
  /** Done, whatever came of it. Its id is still known for `keepMs`. */
  finishSpotCheck(id: string, now: number, keepMs: number): Promise<void>;
  pendingSpotChecks(): Promise<number>;

  /**
   * Sets a mark unless it stands already; the way to do something once among replicas. Expires at `now + ttlMs`. A value
   * of the caller's own tells, after a rejection, whether the mark that stands is its own.
   */
  setMark(
    key: string,
    value: string,
    now: number,
    ttlMs: number,
  ): Promise<{ set: true } | { set: false; value: string }>;
  mark(key: string, now: number): Promise<string | null>;
  /** Replaces the value of a mark that holds `expected` (compare and set); lengthens it. */
  replaceMark(key: string, expected: string, value: string, now: number, ttlMs: number): Promise<boolean>;
  clearMark(key: string): Promise<void>;

  channelSettings(channel: string): Promise<ChannelSettings>;
  saveChannelSettings(channel: string, settings: ChannelSettings): Promise<void>;

  /** Keeps a schedule, or what was changed of it; its progress stays. */
  saveSchedule(schedule: DigestSchedule): Promise<void>;
  /** All, by id. */
  schedules(): Promise<DigestSchedule[]>;
  /** Deletes a schedule with its progress. `false` where there is none of that id. */
  removeSchedule(id: string): Promise<boolean>;
  /** How far the digests of a schedule are, as its caller wrote it; empty at first. Null: no schedule of that id. */
  digestProgress(id: string): Promise<DigestProgressText | null>;
  /**
   * Writes how far the digests of a schedule are, unless somebody wrote since `version` was read: `false` then, and where the
   * schedule is gone. This is the lock: whoever reads the next version holds none of the earlier ones.
   */
  replaceDigestProgress(id: string, version: number, text: string): Promise<boolean>;

  /** Keeps a new study. `known` where one of that id is there: nothing is changed then. */
  addStudy(study: Study): Promise<'added' | 'known'>;
  study(id: string): Promise<Study | null>;
  /** All, oldest first. */
  studies(): Promise<StudyEntry[]>;
  /** Closes a study, or opens it again. `false` where there is none of that id. */
  closeStudy(id: string, closed: boolean): Promise<boolean>;
  /** Deletes a study with its annotations. `false` where there is none of that id. */
  removeStudy(id: string): Promise<boolean>;
  /** Keeps what an annotator says of a case. Idempotent; the newest `at` of a case wins; the same answers again change nothing. */
  annotate(annotation: Annotation): Promise<AnnotateOutcome>;
  /** By annotator and case; of one annotator where one is named. Those of different annotators may be of different moments. */
  annotations(studyId: string, annotator?: string): Promise<Annotation[]>;

  /** Deletes verdicts (with their votes) older than `before`; counts stay. Resolves to how many verdicts went. */
  prune(before: number, now: number): Promise<number>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
  /** Where it is (without a password), and what of its setup endangers data, each with what to do. */
  inspect(): Promise<{ where: string; warnings: string[] }>;
  close(): Promise<void>;
}

/** A text and how often it was written. */
interface DigestProgressText {
  version: number;
  text: string;
}

/**
 * What became of a ballot. `outdated`: a newer one of the same person stands. `unchanged`: it stood already.
 * `unknown-verdict`: the verdict is not (or no longer) kept; nothing was counted.
 */
export type CastOutcome =
  | { status: 'counted' | 'unchanged' | 'outdated'; tally: VoteTally; standing: Vote | null }
  | { status: 'unknown-verdict' };

/** How many votes that stood, and how many annotations, were erased. */
interface Erased {
  votes: number;
  annotations: number;
}

/**
 * What became of an annotation. `outdated`: a newer one stands. `not-asked`: the annotator has no place in the study (any more).
 * `closed`, `unknown-study`: nothing is kept.
 */
export type AnnotateOutcome = 'kept' | 'unchanged' | 'outdated' | 'not-asked' | 'closed' | 'unknown-study';
