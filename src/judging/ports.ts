import * as z from 'zod';
import type { EvalCase } from '../case/case.ts';
import type { Judge, Judgement } from './judgement.ts';
import type { Method } from './method.ts';
import type { Persona } from './persona.ts';
import type { Criterion, Rubric } from './rubric.ts';

/** What was found on a rubric's criteria before the panel speaks. */
export interface Ratings {
  rubric: Rubric;
  /** One judgement for each judge that rated, findings in the rubric's order. */
  judgements: readonly Judgement[];
}

/** All that one judge is given in one round. */
export interface Question {
  judge: Judge;
  /** The judge's own point of view, or null for a neutral judge. */
  persona: Persona | null;
  /** The personas to play in turn, where the method says so; else empty. */
  cast: readonly Persona[];
  rubric: Rubric;
  /** The criteria to judge by: the rubric's, less those that this case cannot be judged by. */
  criteria: readonly Criterion[];
  method: Method;
  evalCase: EvalCase;
  round: number;
  /** What was found on the criteria before, where the method has them rated first. */
  ratings?: Ratings;
  /** The earlier rounds that the method lets a judge see, oldest first, each in seat order; its own answers included. */
  seen: readonly (readonly Judgement[])[];
  temperature: number;
  /** Seed for endpoints that take one. */
  seed: number | null;
  /** When to have answered, on the clock of `performance.now()` (ms). */
  deadlineAt: number;
  signal: AbortSignal;
}

/** The one door behind which every kind of judge stands. Never rejects for what a judge did: that is an unscored
 * judgement. Settles soon after the question's signal aborts. */
export type Ask = (question: Question) => Promise<Judgement>;

/** How to judge, as a request says it or a channel has set it; what is left out comes from the case and its rubric. */
export const JudgeRequest = z.strictObject({
  rubric: z.string().optional(),
  method: z.string().optional(),
  models: z.array(z.string()).optional(),
  panel: z.array(z.string()).optional(),
});
export type JudgeRequest = z.infer<typeof JudgeRequest>;
