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

type Seated = Pick<CasePlan, 'rubric' | 'criteria' | 'method' | 'panel' | 'raters' | 'evalCase'>;

/** Questions for the raters, if any, and for the panel in its first round. */
export function openingQuestions({ rubric, criteria, method, panel, raters, evalCase }: Seated): {
  rating: Question[];
  panel: Question[];
} {
  const questionsTo = (
    { seats, cast }: Panel,
    asked: Pick<Question, 'rubric' | 'criteria' | 'method' | 'ratings'>,
  ): Question[] => {
    const oneByOne = asked.method.criteria === 'one-by-one' && asked.criteria.length > 1;
    const parts = oneByOne ? asked.criteria.map((criterion) => [criterion]) : [asked.criteria];
    const orders = isPair(evalCase) ? [evalCase, swapped(evalCase)] : [evalCase];
    const each = orders.flatMap((shown) => parts.map((part) => ({ shown, part })));
    return seats.flatMap(({ judge, persona }) =>
      each.map(({ shown, part }) => ({
        ...asked,
        judge,
        persona,
        cast,
        criteria: part,
        evalCase: shown,
        round: 0,
        seen: [],
        temperature: asked.method.temperature,
        seed: null,
        deadlineAt: Number.POSITIVE_INFINITY,
        signal: new AbortController().signal,
      })),
    );
  };
  const [rating, overall] = [ratingMethod(method), overallRubric(rubric)];
  if (rating === null || overall === null || raters === null)
    return { rating: [], panel: questionsTo(panel, { rubric, criteria, method }) };
  const ratings = { rubric, judgements: [] };
  return {
    rating: questionsTo(raters, { rubric, criteria, method: rating }),
    panel: questionsTo(panel, { rubric: overall, criteria: overall.criteria, method, ratings }),
  };
}
