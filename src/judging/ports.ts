import * as z from 'zod';
import type { EvalCase } from '../case/case.ts';
import type { Judge, Judgement } from './judgement.ts';
import type { Method } from './method.ts';
import type { Persona } from './persona.ts';
import type { Criterion, Rubric } from './rubric.ts';
import type { Verdict } from './verdict.ts';

/** The ratings of a rubric's criteria, made before the panel answers. */
export interface Ratings {
  rubric: Rubric;
  /** One judgement per rater, with findings in the rubric's order. */
  judgements: readonly Judgement[];
}

/** What a judge is asked in one round. */
export interface Question {
  judge: Judge;
  /** Null for a neutral judge. */
  persona: Persona | null;
  /** The personas to play in turn; usually empty. */
  cast: readonly Persona[];
  rubric: Rubric;
  /** The rubric's criteria that apply to this case. */
  criteria: readonly Criterion[];
  method: Method;
  evalCase: EvalCase;
  round: number;
  /** Present if the method rates criteria first. */
  ratings?: Ratings;
  /** The earlier rounds that the judge may see, oldest first, in seat order; including its own answers. */
  seen: readonly (readonly Judgement[])[];
  temperature: number;
  /** Seed for endpoints that take one. */
  seed: number | null;
  /** On the clock of `performance.now()` (ms). */
  deadlineAt: number;
  signal: AbortSignal;
}

/**
 * Asks any kind of judge. Does not reject for a judge's failure: that is an unscored judgement. Rejects with a JuryError
 * `endpoint-refused` if this and every later question would fail until a setting is changed. Settles soon after the question's signal
 * aborts.
 */
export type Ask = (question: Question) => Promise<Judgement>;

/** A question about a verdict that stands: to the judge that it names, or to the panel. */
export interface VerdictQuestion {
  evalCase: EvalCase;
  verdict: Verdict;
  /** Id of the persona that is asked; null: the panel. */
  judge: string | null;
  /** The model that answers. */
  model: string;
  /** What the person wrote. */
  asked: string;
  signal: AbortSignal;
  /** On the clock of `performance.now()` (ms). */
  deadlineAt: number;
}

/** An answer to a question about a verdict, with the words of the case that it rests on; or why there is none. */
type Explanation =
  | { status: 'answered'; text: string; words: string[] }
  | { status: 'unanswered'; message: string };

/** Answers a question about a verdict. Does not reject for a model's failure. */
export type Explain = (question: VerdictQuestion) => Promise<Explanation>;

/** How to judge, as set by a request or a channel; defaults come from the case and its rubric. */
export const JudgeRequest = z.strictObject({
  rubric: z.string().exactOptional(),
  method: z.string().exactOptional(),
  models: z.array(z.string()).exactOptional(),
  panel: z.array(z.string()).exactOptional(),
});
export type JudgeRequest = z.infer<typeof JudgeRequest>;
