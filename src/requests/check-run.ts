import type { KeyValue } from '../common/key-value.ts';
import type { SpendingLimits, SpentLimit } from '../judges/llm/spending-limits.ts';
import type { Ask, Explain } from '../judging/ask.ts';
import type { SettingValues } from '../judging/persona.ts';
import type { ChannelSettingsStore } from '../labels/channel-settings.ts';
import type { Pseudonym } from '../labels/permissions.ts';
import type { ReadTrust } from '../labels/trust.ts';
import type { VerdictRecord, VerdictStore } from '../labels/verdict-record.ts';
import type { Library } from '../prompting/library.ts';
import type { CheckProblem, CheckSurface, Watcher } from './presenter.ts';
import type { RequestStore, SpotCheck } from './spot-check.ts';

/**
 * What became of a check: its verdicts stand, a question was answered, a problem was reported, several cases had both, or it was left
 * to another process.
 */
export type CheckOutcome = 'done' | 'answered' | CheckProblem['kind'] | 'left';

/** What happens, for logs and metrics; never with pasted text. */
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
  queue: FairQueue;
  pseudonym: Pseudonym;
  /** The limits that allow those who ask no more calls today. */
  spentBy: SpendingLimits['spentBy'];
  readTrust: ReadTrust;
  /** By the surface's name. */
  surfaces: ReadonlyMap<string, CheckSurface>;
  defaultModel: string;
  /** Values for settings of personas, by name, for all checks. */
  settings: SettingValues;
  requireModel: (id: string) => void;
  /** Longest time for one verdict, ms. */
  timeoutMs: number;
  now: () => number;
  observer: CheckObserver;
  /** Tells processes apart in leases. */
  owner: string;
}

/** `lost`: another process has it. `shutdown`: left to the next process that starts. */
type StoppedBy = 'user' | 'lost' | 'shutdown';

/** A check under way in this process. */
export interface CheckRun {
  check: SpotCheck;
  surface: CheckSurface;
  /** Whether it may have been begun before. */
  isRetry: boolean;
  signal: AbortSignal;
  stoppedBy: StoppedBy | null;
  /** Who stopped it, if a person did and is known. */
  stopper: string | null;
  watcher: Watcher | null;
  /** The limits that left judges unasked, which who asked has been told of; null while none has. */
  spent: readonly SpentLimit[] | null;
  stop: (by: StoppedBy, who?: string) => void;
  /** Keeps how far it is. @throws JuryError `store-unavailable` */
  note: (parts: Partial<Pick<SpotCheck, 'input' | 'progress' | 'blind'>>) => Promise<void>;
}

/** Whether this process must leave the check alone from now on. */
export const isLeft = ({ stoppedBy }: CheckRun): boolean => stoppedBy === 'lost' || stoppedBy === 'shutdown';

/**
 * Runs tasks, so many at a time, and lets their owners take turns: who asks for much does not hold up who asks for little.
 * @param limit most tasks at the same time
 */
export function createFairQueue(limit: number) {
  /** Tasks that wait, by owner; the owner whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;

  function next(): void {
    if (running >= limit) return;
    const [turn] = waiting;
    if (turn === undefined) return;
    const [owner, tasks] = turn;
    const begin = tasks.shift();
    waiting.delete(owner);
    if (tasks.length > 0) waiting.set(owner, tasks);
    if (begin === undefined) return;
    running += 1;
    begin();
  }

  return {
    /** @param owner whose turn it takes */
    run: <T>(owner: string, task: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        const begin = () => {
          task()
            .then(resolve, reject)
            .finally(() => {
              running -= 1;
              next();
            });
        };
        waiting.set(owner, [...(waiting.get(owner) ?? []), begin]);
        next();
      }),
    /** Tasks that wait for their turn, and that run. */
    depth: () => ({
      waiting: [...waiting.values()].reduce((sum, tasks) => sum + tasks.length, 0),
      running,
    }),
  };
}

type FairQueue = ReturnType<typeof createFairQueue>;
