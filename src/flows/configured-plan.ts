import type { EvalCase } from '../core/case.ts';
import { voteOfEqualCalls } from '../core/equal-calls.ts';
import { overrideMethod } from '../core/override-method.ts';
import type { Question } from '../core/ports.ts';
import type { Configuration, RunSettings } from '../core/run.ts';
import { entry, type Library } from '../prompting/library.ts';
import { type CasePlan, type JudgeOptions, planCase } from './judge-case.ts';

/** Repeats are given seeds so far apart that their samples never share one. */
const SEEDS_BETWEEN_REPEATS = 1000;

/** How a configuration judges, as `jury judge` would be told. */
export function judgeOptionsOf(
  { method, models, temperature, repeat }: Configuration,
  { rubric, panel, seed }: RunSettings,
): JudgeOptions {
  return {
    method,
    models,
    ...(rubric === null ? {} : { rubric }),
    ...(panel === null ? {} : { panel }),
    ...(temperature === null ? {} : { temperature }),
    ...(seed === null ? {} : { seed: seed + (repeat - 1) * SEEDS_BETWEEN_REPEATS }),
  };
}

/** The method of a configuration with its temperature. @throws JuryError `usage` where it makes no sense with it */
export const methodOf = (library: Library, { method, temperature }: Configuration) =>
  overrideMethod(entry('method', library.methods, method), temperature === null ? {} : { temperature });

/**
 * A case as a configuration judges it.
 *
 * @param calls how many calls the debate took whose vote this is; passed over where it is none
 * @throws JuryError as `planCase` does
 */
export function planConfigured(
  library: Library,
  evalCase: EvalCase,
  configuration: Configuration,
  settings: RunSettings,
  calls: number,
): CasePlan {
  const plan = planCase(library, evalCase, judgeOptionsOf(configuration, settings));
  return configuration.equalCallsOf === null
    ? plan
    : { ...plan, ...voteOfEqualCalls(plan.method, plan.panel, calls) };
}

/** What each judge of a plan is asked first. */
export function openingQuestions(
  plan: Pick<CasePlan, 'rubric' | 'criteria' | 'method' | 'evalCase' | 'panel' | 'seed'>,
): Question[] {
  const { rubric, criteria, method, evalCase, panel, seed } = plan;
  return panel.seats.map(({ judge, persona }) => ({
    judge,
    persona,
    cast: panel.cast,
    rubric,
    criteria,
    method,
    evalCase,
    round: 0,
    seen: [],
    temperature: method.temperature,
    seed,
    deadlineAt: Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
  }));
}
