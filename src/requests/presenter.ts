import type { EvalCase } from '../case/case.ts';
import type { Parsed } from '../case/paste/parse-input.ts';
import type { Understood } from '../case/paste/problems.ts';
import type { SpentLimit } from '../judges/llm/spending-limits.ts';
import type { DeliberationEvent } from '../judging/deliberate.ts';
import type { CasePlan } from '../judging/judge-case.ts';
import type { Readings } from '../judging/unsure.ts';
import type { VerdictRecord } from '../labels/verdict-record.ts';
import type { Shown } from './shown.ts';
import type { SpotCheck } from './spot-check.ts';
import type { ThreadQuestion } from './thread.ts';

/** Why there is no verdict; every message says what to do. */
export type CheckProblem =
  | { kind: 'unclear'; problem: string; missing: readonly string[]; understood: Understood }
  /** There was no paste at all: an occasion to say what the app does. */
  | { kind: 'nothing' }
  /** There is a text, and no conversation in it. */
  | { kind: 'unreadable' }
  /** A thread in which it is not sure what belongs together: nothing is judged before a person has said so. */
  | ({ kind: 'unsure' } & ThreadQuestion)
  /** Lines below the answer may or may not belong to it, and exact checks come to another outcome with them: a person chooses. */
  | { kind: 'unsure-lines'; message: string; text: string; readings: Readings }
  /** Understood, but it cannot be judged in the way that was asked for; `missing`: paths that the named rubric needs. */
  | { kind: 'refused'; message: string; evalCase?: EvalCase; missing?: readonly string[] }
  | { kind: 'failed'; message: string }
  /** `spent`: limits of those who asked; empty where it is the budget of all. */
  | { kind: 'budget'; spent: readonly SpentLimit[] }
  /** Stopped before anything was judged. */
  | { kind: 'stopped' };

/**
 * What a question in a judged thread gets. `answer`: from the kept judgements, by a model. `details`: what the judges said, because no
 * model can answer; `failed` says what went wrong where one was asked. `hidden`: people vote first. `which`: the thread has several
 * verdicts. `gone`: the verdict is not kept any more.
 */
export type Answer =
  | { kind: 'answer'; record: VerdictRecord; by: string | null; model: string; text: string; words: string[] }
  | { kind: 'details'; record: VerdictRecord; by: string | null; failed: string | null }
  | { kind: 'hidden'; record: VerdictRecord }
  | { kind: 'which'; cases: { number: number; record: VerdictRecord }[] }
  | { kind: 'gone' };

/** How one of several cases stands. */
export type CaseState =
  | { kind: 'pending' }
  | { kind: 'judged'; record: VerdictRecord }
  | { kind: 'problem'; title: string; problem: string };

/** An observer of one case being judged. */
export interface Watcher {
  saw: (event: DeliberationEvent) => void;
  stopping: () => void;
  /** Nothing is shown after it has resolved. */
  end: () => Promise<void>;
}

/**
 * How a surface shows a check. Every method can be called again for the same thing, by this process or by another one after
 * a crash, and then shows it once. A `JuryError` `usage` says that nothing can ever be shown there; `undelivered` says that this could
 * not be shown, retryable where it may be later.
 */
export interface Presenter {
  /** Shows at once that the request was received. Resolves to the message that becomes the card. */
  placeholder: (check: SpotCheck, isRetry: boolean) => Promise<string>;
  watch: (check: SpotCheck, message: string, plan: CasePlan) => Watcher;
  permalink: (check: SpotCheck, message: string) => string | undefined;
  card: (check: SpotCheck, message: string, record: VerdictRecord) => Promise<void>;
  /** All of several cases in one message. `final` false: may be left out where another one follows soon. */
  summary: (check: SpotCheck, message: string, cases: readonly CaseState[], final: boolean) => Promise<void>;
  problem: (check: SpotCheck, message: string, problem: CheckProblem) => Promise<void>;
  answer: (check: SpotCheck, message: string, answer: Answer) => Promise<void>;
  /**
   * Tells who asked, and no one else as far as the surface can, which of their daily limits are spent.
   *
   * @param isJudged whether there is a verdict all the same
   */
  limits: (check: SpotCheck, spent: readonly SpentLimit[], isJudged: boolean) => Promise<void>;
  /** Shows that thanks were read, without a message; nothing where the surface cannot. */
  thank: (check: SpotCheck) => Promise<void>;
  /** Takes away what stands as the answer to a request that was deleted. */
  withdraw: (shown: Pick<Shown, 'channel' | 'messages'>) => Promise<void>;
  /**
   * Tells who asked, elsewhere, that it cannot be shown there; with the verdict, where there is one.
   *
   * @param refusal what the chat said of the card; null where there is no place for one any more
   */
  unshowable: (check: SpotCheck, record: VerdictRecord | null, refusal: string | null) => Promise<void>;
}

/** What was found where a person asked. */
export type Reading =
  | { kind: 'items'; items: readonly Parsed[] }
  /** About the verdict above. */
  | { kind: 'question'; asked: string }
  /** It is not sure which messages of the thread are meant. */
  | ({ kind: 'unsure' } & ThreadQuestion)
  | { kind: 'nothing' | 'unreadable' };

/** A surface as the flow of a check knows it. */
export interface CheckSurface {
  presenter: Presenter;
  /** Whether who asks is a program. */
  isProgram?: (user: string) => boolean;
  /**
   * Reads a message of the platform, its files, or what stands above it.
   *
   * @param isJudged whether a verdict stands in its thread
   */
  read: (check: SpotCheck, signal: AbortSignal, isJudged: boolean) => Promise<Reading>;
}
