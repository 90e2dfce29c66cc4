import type { KeyValue } from '../common/index.ts';
import type { SpendingLimits, SpentLimit } from '../judges/llm/index.ts';
import type { Ask, Explain } from '../judging/index.ts';
import type { SettingValues } from '../judging/standards/index.ts';
import type { ChannelSettingsStore, Pseudonym } from '../labels/access/index.ts';
import type { ReadTrust } from '../labels/agreement/index.ts';
import type { VerdictRecord, VerdictStore } from '../labels/record/index.ts';
import type { Library } from '../prompting/index.ts';
import type { ModelReader } from '../reading/index.ts';
import type { FairQueue } from './fair-queue.ts';
import type { CheckProblem, CheckSurface, Watcher } from './presenter.ts';
import type { RequestStore, SpotCheck } from './spot-check.ts';

/**
 * The outcome of a check. `done`: its verdicts are shown (of several cases, some may have problems instead).
 * `answered`: a question was answered. `left`: left to another process. Otherwise the problem that was reported.
 */
export type CheckOutcome = 'done' | 'answered' | CheckProblem['kind'] | 'left';

/** Events for logs and metrics; they never contain pasted text. */
export interface CheckObserver {
  judged: (record: VerdictRecord) => void;
  ended: (check: SpotCheck, outcome: CheckOutcome, ms: number) => void;
  failed: (where: 'store' | 'trust' | 'chat' | 'elsewhere', check: SpotCheck, thrown: unknown) => void;
}

export interface SpotCheckParts {
  store: RequestStore & VerdictStore & ChannelSettingsStore & KeyValue;
  library: Library;
  ask: Ask;
  explain: Explain;
  /** Reads pastes that plain reading refuses; null if no model may. */
  reader: ModelReader | null;
  queue: FairQueue;
  pseudonym: Pseudonym;
  /** The limits that leave the requester no more calls today. */
  spentBy: SpendingLimits['spentBy'];
  readTrust: ReadTrust;
  /** By surface name. */
  surfaces: ReadonlyMap<string, CheckSurface>;
  defaultModel: string;
  /** Values for persona settings, by name, for all checks. */
  settings: SettingValues;
  requireModel: (id: string) => void;
  /** Time limit per verdict, ms. */
  timeoutMs: number;
  now: () => number;
  observer: CheckObserver;
  /** Identifies this process in leases. */
  owner: string;
}

/** `lost`: another process has taken over. `shutdown`: left to the next process that starts. */
type StoppedBy = 'user' | 'lost' | 'shutdown';

/** A check in progress in this process. */
export interface CheckRun {
  check: SpotCheck;
  surface: CheckSurface;
  /** Whether it may have been started before. */
  isRetry: boolean;
  signal: AbortSignal;
  stoppedBy: StoppedBy | null;
  /** The person who stopped it, if known. */
  stopper: string | null;
  watcher: Watcher | null;
  /** Whether the answer is shown: what fails afterwards does not replace it. */
  isShown: boolean;
  /** The limits that left judges unasked, as reported to the requester; null if none have been reported. */
  spent: readonly SpentLimit[] | null;
  stop: (by: StoppedBy, who?: string) => void;
  /**
   * Saves its progress.
   *
   * @throws JuryError `store-unavailable`
   */
  note: (
    parts: Partial<Pick<SpotCheck, 'input' | 'progress' | 'blind' | 'wish' | 'again' | 'replaces'>>,
  ) => Promise<void>;
}

/** Whether this process must not touch the check any more. */
export const isLeft = ({ stoppedBy }: CheckRun): boolean => stoppedBy === 'lost' || stoppedBy === 'shutdown';
