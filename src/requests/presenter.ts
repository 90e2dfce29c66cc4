import type { EvalCase } from '../case/index.ts';
import type { Parsed, Understood } from '../case/paste/index.ts';
import type { SpentLimit } from '../judges/llm/index.ts';
import type { CasePlan, DeliberationEvent, JudgeRequest, Readings } from '../judging/index.ts';
import type { EndpointTrouble, Reader, UnscoredReason } from '../judging/verdict/index.ts';
import type { VerdictRecord } from '../labels/record/index.ts';
import type { NoReading } from '../reading/index.ts';
import type { ThreadQuestion } from './join-thread.ts';
import type { Shown } from './shown-messages.ts';
import type { AskedCase, SpotCheck } from './spot-check.ts';

/** Why there is no verdict; every message says what to do about it. */
export type CheckProblem =
  /** `none`: why a model that was asked to read it has no reading. */
  | {
      kind: 'unclear';
      problem: string;
      missing: readonly string[];
      understood: Understood;
      none?: NoReading | undefined;
    }
  /** There was no paste at all: time to introduce the app. */
  | { kind: 'nothing' }
  /** There is text, but no conversation in it. `isShort`: a remark of one line rather than a failed paste. */
  | { kind: 'unreadable'; isShort: boolean; none?: NoReading }
  /** It is uncertain which messages of a thread belong together: nothing is judged until a person decides. */
  | ({ kind: 'unsure' } & ThreadQuestion)
  /**
   * Lines below the answer may or may not belong to it, and exact checks differ depending on that: a person decides.
   */
  | { kind: 'unsure-lines'; message: string; text: string; readings: Readings }
  /** No label says who speaks, and a model read it: a person decides whether that is right. */
  | { kind: 'read-by-model'; read: ReadByModel }
  /** Understood, but it cannot be judged as requested; `missing`: paths that the named rubric needs. */
  | { kind: 'refused'; message: string; evalCase?: EvalCase; missing?: readonly string[] }
  /** `isWaiting`: it is tried again without anyone asking. `trouble`: with the endpoint of the model, if that is why. */
  | { kind: 'failed'; message: string; isWaiting?: true; trouble?: EndpointTrouble }
  /** `spent`: the requester's own limits; empty if the shared budget is used up. */
  | { kind: 'budget'; spent: readonly SpentLimit[] }
  /** Stopped before anything was judged. */
  | { kind: 'stopped' };

/** A case as a model read it. */
type ReadByModel = Pick<AskedCase, 'evalCase' | 'assumed' | 'received'> & { reader: Reader };

/**
 * The response to a question in a judged thread. `answer`: by a model, from the stored judgements. `details`: what the
 * judges said, because no model can answer; `failed` says why if one was asked. `not-seated`: about a judge that did not
 * judge this case. `hidden`: people must vote first. `which`: the thread has several verdicts. `gone`: the verdict is no
 * longer stored.
 */
export type Answer =
  | { kind: 'answer'; record: VerdictRecord; by: string | null; model: string; text: string; words: string[] }
  | { kind: 'details'; record: VerdictRecord; by: string | null; failed: AnswerFailure | null }
  | { kind: 'not-seated'; record: VerdictRecord; named: string; seated: string[] }
  | { kind: 'hidden'; record: VerdictRecord }
  | { kind: 'which'; cases: { number: number; record: VerdictRecord }[] }
  | { kind: 'gone' };

/** Why a question got no answer: what became of the model's, or a question that is too long. */
export type AnswerFailure = { reason: UnscoredReason } | { reason: 'too-long'; most: number };

/** The state of one of several cases. */
export type CaseState =
  | { kind: 'pending' }
  | { kind: 'judged'; record: VerdictRecord }
  | { kind: 'problem'; title: string; problem: string; canTryAgain: boolean };

/** What a mark on the message that asked says. */
export type Mark = 'pass' | 'fail' | 'undecided';

/** Observes one case being judged. */
export interface Watcher {
  saw: (event: DeliberationEvent) => void;
  stopping: () => void;
  /** After it resolves, nothing more is shown. */
  end: () => Promise<void>;
}

/**
 * How a surface shows a check. Every method can be repeated, by this process or by another one after a crash, and still
 * shows its result only once. A `JuryError` `usage` means that nothing can ever be shown there; `undelivered` means
 * that this could not be shown, and is retryable if it may succeed later.
 */
export interface Presenter {
  /** Acknowledges the request at once. Resolves to the message that becomes the card. */
  placeholder: (check: SpotCheck, isRetry: boolean) => Promise<string>;
  watch: (check: SpotCheck, message: string, plan: CasePlan) => Watcher;
  /** The address of a message; undefined where there is none. @throws JuryError `store-unavailable` */
  permalink: (check: SpotCheck, message: string) => Promise<string | undefined>;
  card: (check: SpotCheck, message: string, record: VerdictRecord) => Promise<void>;
  /** Shows several cases in one message. If `final` is false, it may be skipped when another update follows soon. */
  summary: (check: SpotCheck, message: string, cases: readonly CaseState[], final: boolean) => Promise<void>;
  problem: (check: SpotCheck, message: string, problem: CheckProblem) => Promise<void>;
  answer: (check: SpotCheck, message: string, answer: Answer) => Promise<void>;
  /**
   * Informs the requester, and no one else if the surface can help it, which of their daily limits are spent.
   *
   * @param isJudged whether there is a verdict anyway
   */
  limits: (check: SpotCheck, spent: readonly SpentLimit[], isJudged: boolean) => Promise<void>;
  /** Acknowledges thanks without a message; does nothing if the surface cannot. */
  thank: (check: SpotCheck) => Promise<void>;
  /**
   * Turns the message of an answer that was replaced into one line; absent if a surface leaves such answers as they are.
   *
   * @param check the request whose answer replaces it
   * @param link to the newer answer; null if the surface has no links
   */
  fold?: (check: SpotCheck, message: string, link: string | null) => Promise<void>;
  /** Replaces the mark on a message that asked; null removes it. Absent if a surface cannot mark messages. */
  mark?: (place: Pick<SpotCheck, 'channel'>, message: string, mark: Mark | null) => Promise<void>;
  /** Removes the answer to a deleted request. */
  withdraw: (shown: Pick<Shown, 'channel' | 'messages'>) => Promise<void>;
  /**
   * Informs the requester elsewhere that it cannot be shown there, with the verdict if there is one.
   *
   * @param refusal the chat's reason
   */
  unshowable: (check: SpotCheck, record: VerdictRecord | null, refusal: string) => Promise<void>;
}

/** A case or a problem. `reader`: the model that read it; `none`: why a model that was asked could not. */
export type ReadItem = Parsed & { reader?: Reader | undefined; none?: NoReading | undefined };

/** What was found where a request was made. */
export type Reading =
  /** `wish`: how to judge, as the message says. `again`: it was judged before, and the answer above is replaced. */
  | { kind: 'items'; items: readonly ReadItem[]; wish?: JudgeRequest; again?: boolean }
  /** About the verdict above. */
  | { kind: 'question'; asked: string }
  /** It is uncertain which messages of the thread are meant. */
  | ({ kind: 'unsure'; again?: boolean } & ThreadQuestion)
  /** What was judged above is to be judged again, but it cannot be read there. `wish`: how to judge it now. */
  | { kind: 'again'; wish?: JudgeRequest }
  | { kind: 'nothing' }
  /** `unread`: the text, if a model may be able to read it; `none`: why it could not. */
  | { kind: 'unreadable'; isShort: boolean; unread?: string; none?: NoReading };

/** A surface, as needed for the flow of a check. */
export interface CheckSurface {
  presenter: Presenter;
  /** Whether the requester is a program. */
  isProgram?: (user: string) => boolean;
  /**
   * Reads a platform message, its files, or what is above it.
   *
   * @param isJudged whether its thread has a verdict
   */
  read: (check: SpotCheck, signal: AbortSignal, isJudged: boolean) => Promise<Reading>;
  /**
   * How to answer a message that asks for no verdict, such as a command; null for any other. Like a presenter's methods, the
   * answer can be repeated.
   */
  reply?: (check: SpotCheck) => (() => Promise<void>) | null;
}
