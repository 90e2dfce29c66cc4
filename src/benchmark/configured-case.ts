import { type EvalCase, isPair, swapped } from '../case/index.ts';
import {
  type CasePlan,
  callsToDecide,
  type JudgeOptions,
  planCase,
  type Question,
} from '../judging/index.ts';
import { type Method, overallRubric, type Panel, ratingMethod } from '../judging/standards/index.ts';
import type { Library } from '../prompting/index.ts';
import { voteOfEqualCalls } from './equal-calls-vote.ts';
import type { Configuration, RunSettings } from './run-manifest.ts';

/** The minimum and maximum number of calls a verdict can take. */
export function callsOf({ rounds, stop }: Method, seats: number): { min: number; max: number } {
  const max = rounds * seats;
  switch (stop) {
    case 'never':
      return { min: max, max };
    case 'unanimous':
      return { min: seats, max };
    case 'decided':
      return { min: callsToDecide([], seats), max };
  }
}

/** Far enough apart that samples of different repeats never share a seed. */
const SEEDS_BETWEEN_REPEATS = 1000;

/** A configuration as `jury judge` options. */
export function judgeOptionsOf(
  { method, models, temperature, repeat }: Configuration,
  { rubric, panel, seed, values, earlyStop, stop }: RunSettings,
): JudgeOptions {
  return {
    method,
    models,
    settings: values,
    ...(earlyStop === undefined ? {} : { earlyStop }),
    ...(stop === undefined ? {} : { stop }),
    ...(rubric === null ? {} : { rubric }),
    ...(panel === null ? {} : { panel }),
    ...(temperature === null ? {} : { temperature }),
    ...(seed === null ? {} : { seed: seed + (repeat - 1) * SEEDS_BETWEEN_REPEATS }),
  };
}

/**
 * Plans a case for a configuration.
 * @param answers number of answers in the debate that a vote is compared with; ignored for other configurations
 * @throws JuryError as `planCase` does
 */
export function planConfigured(
  library: Library,
  evalCase: EvalCase,
  configuration: Configuration,
  settings: RunSettings,
  answers: number,
): CasePlan {
  const plan = planCase(library, evalCase, judgeOptionsOf(configuration, settings));
  return configuration.equalCallsOf === null
    ? plan
    : { ...plan, ...voteOfEqualCalls(plan.method, plan.panel, answers, configuration.temperature) };
}

/** Hash and length (in characters) of a judge's prompt, or of the data that exact checks use (length 0). */
export type WordingOf = (question: Question) => { hash: string; chars: number };

type Seated = Pick<CasePlan, 'rubric' | 'criteria' | 'method' | 'panel' | 'raters' | 'evalCase'> &
  Partial<Pick<CasePlan, 'seed'>>;

/** What is asked before anybody has answered, one question a judge: of the raters, if any, and of the panel in its first round. */
export function openingQuestions({
  rubric,
  criteria,
  method,
  panel,
  raters,
  evalCase,
  seed = null,
}: Seated): {
  rating: Question[];
  panel: Question[];
} {
  const questionsTo = (
    { seats, cast }: Panel,
    asked: Pick<Question, 'rubric' | 'criteria' | 'method' | 'ratings'>,
  ): Question[] =>
    seats.map(({ judge, persona }) => ({
      ...asked,
      judge,
      persona,
      cast,
      evalCase,
      round: 0,
      seen: [],
      temperature: asked.method.temperature,
      seed,
      deadlineAt: Number.POSITIVE_INFINITY,
      signal: new AbortController().signal,
    }));
  const [rating, overall] = [ratingMethod(method), overallRubric(rubric)];
  if (rating === null || overall === null || raters === null)
    return { rating: [], panel: questionsTo(panel, { rubric, criteria, method }) };
  const ratings = { rubric, judgements: [] };
  return {
    rating: questionsTo(raters, { rubric, criteria, method: rating }),
    panel: questionsTo(panel, { rubric: overall, criteria: overall.criteria, method, ratings }),
  };
}

/** What a judge is sent for one question: a request for each criterion that is asked on its own, and for both orders of two answers. */
export function requestsOf(question: Question): Question[] {
  const { criteria, evalCase, method } = question;
  const oneByOne = method.criteria === 'one-by-one' && criteria.length > 1;
  const parts = oneByOne ? criteria.map((criterion) => [criterion]) : [criteria];
  const orders = isPair(evalCase) ? [evalCase, swapped(evalCase)] : [evalCase];
  return orders.flatMap((shown) => parts.map((part) => ({ ...question, criteria: part, evalCase: shown })));
}
