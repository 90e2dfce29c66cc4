import type { EvalCase } from '../case/case.ts';
import { voteOfEqualCalls } from '../judging/equal-calls.ts';
import { type CasePlan, type JudgeOptions, planCase } from '../judging/judge-case.ts';
import { type Method, ratingMethod } from '../judging/method.ts';
import type { Panel } from '../judging/panel.ts';
import type { Question, Ratings } from '../judging/ports.ts';
import { type Criterion, overallRubric, type Rubric } from '../judging/rubric.ts';
import type { Library } from '../prompting/library.ts';
import type { Configuration, RunSettings } from './run.ts';

/** Repeats are given seeds so far apart that their samples never share one. */
const SEEDS_BETWEEN_REPEATS = 1000;

/** How a configuration judges, as `jury judge` would be told. */
export function judgeOptionsOf(
  { method, models, temperature, repeat }: Configuration,
  { rubric, panel, seed, values }: RunSettings,
): JudgeOptions {
  return {
    method,
    models,
    settings: values,
    ...(rubric === null ? {} : { rubric }),
    ...(panel === null ? {} : { panel }),
    ...(temperature === null ? {} : { temperature }),
    ...(seed === null ? {} : { seed: seed + (repeat - 1) * SEEDS_BETWEEN_REPEATS }),
  };
}

/**
 * A case as a configuration judges it.
 *
 * @param answers how many answers the debate's panel gave whose vote this is; passed over where it is none
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
    : { ...plan, ...voteOfEqualCalls(plan.method, plan.panel, answers) };
}

/** Who is asked by what, in one go. */
interface Stage {
  method: Method;
  panel: Panel;
  rubric: Rubric;
  criteria: readonly Criterion[];
  ratings: Ratings | null;
}

type Seated = Pick<CasePlan, 'rubric' | 'criteria' | 'method' | 'panel' | 'raters'>;

/** The stages of a plan: its panel, or before it those who rate the criteria, where the method says so. */
function stagesOf({ rubric, criteria, method, panel, raters }: Seated): {
  rating: Stage | null;
  panel: Stage;
} {
  const [rating, overall] = [ratingMethod(method), overallRubric(rubric)];
  if (rating === null || overall === null || raters === null)
    return { rating: null, panel: { rubric, criteria, method, panel, ratings: null } };
  return {
    rating: { rubric, criteria, method: rating, panel: raters, ratings: null },
    panel: {
      rubric: overall,
      criteria: overall.criteria,
      method,
      panel,
      ratings: { rubric, judgements: [] },
    },
  };
}

function questionsOf(stage: Stage, evalCase: EvalCase): Question[] {
  const { rubric, criteria, method, panel, ratings } = stage;
  const oneByOne = method.criteria === 'one-by-one' && criteria.length > 1;
  return panel.seats.flatMap(({ judge, persona }) =>
    (oneByOne ? criteria.map((criterion) => [criterion]) : [criteria]).map((asked) => ({
      judge,
      persona,
      cast: panel.cast,
      rubric,
      criteria: asked,
      method,
      evalCase,
      round: 0,
      seen: [],
      ...(ratings === null ? {} : { ratings }),
      temperature: method.temperature,
      seed: null,
      deadlineAt: Number.POSITIVE_INFINITY,
      signal: new AbortController().signal,
    })),
  );
}

/** What is asked first: of those who rate beforehand, where somebody does, and of the panel in its first round. */
export function openingQuestions(plan: Seated & Pick<CasePlan, 'evalCase'>): {
  rating: Question[];
  panel: Question[];
} {
  const { rating, panel } = stagesOf(plan);
  return {
    rating: rating === null ? [] : questionsOf(rating, plan.evalCase),
    panel: questionsOf(panel, plan.evalCase),
  };
}
