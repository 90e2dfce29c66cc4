import type { EvalCase } from '../case/case.ts';
import { JuryError } from '../common/errors.ts';
import type { CasePlan } from '../judging/judge-case.ts';
import type { Question } from '../judging/ports.ts';
import type { Library } from '../prompting/library.ts';
import { callsOf } from './equal-calls.ts';
import { openingQuestions, planConfigured } from './plan-run.ts';
import type { RunManifest } from './run.ts';

/** A cost is null if a price is unknown. */
export interface Range<T> {
  min: T;
  max: T;
}

interface ConfigurationEstimate {
  id: string;
  trials: number;
  calls: Range<number>;
  costUsd: Range<number | null>;
}

export interface RunEstimate {
  trials: number;
  calls: Range<number>;
  costUsd: Range<number | null>;
  configurations: ConfigurationEstimate[];
  /** Models without a known price. */
  unpriced: string[];
  /** Number of cases whose prompts were rendered. */
  sampled: number;
}

export interface EstimateParts {
  library: Library;
  /** Length of a judge's prompt in characters; 0 without a model. */
  promptChars: (question: Question) => number;
  /** Price of tokens in US dollars; null if unknown. */
  priceOf: (model: string, tokens: { prompt: number; completion: number }) => number | null;
}

/** Rendering more prompts would take longer and hardly change the mean. */
const MAX_SAMPLE = 50;
/** For prompts of mostly English text and JSON. */
const CHARS_PER_TOKEN = 4;
/** Tokens that judges write for each criterion and for the answer as a whole. */
const REPLY_TOKENS = { brief: { criterion: 35, whole: 40 }, stepwise: { criterion: 60, whole: 120 } };

function sampleOf<T>(items: readonly T[]): T[] {
  const step = Math.max(1, items.length / MAX_SAMPLE);
  return Array.from(
    { length: Math.min(MAX_SAMPLE, items.length) },
    (_, n) => items[Math.floor(n * step)],
  ).filter((item) => item !== undefined);
}

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);
const times = (a: number | null, factor: number): number | null => (a === null ? null : a * factor);

/** The cost of asking each question once, US dollars. @param heard further tokens that each judge reads */
function costOf(questions: readonly Question[], heard: number, parts: EstimateParts): number | null {
  let cost: number | null = 0;
  for (const question of questions) {
    const chars = parts.promptChars(question);
    if (chars === 0) continue;
    const prompt = Math.ceil(chars / CHARS_PER_TOKEN) + heard;
    cost = plus(cost, parts.priceOf(question.judge.model, { prompt, completion: replyTokens(question) }));
  }
  return cost;
}

function replyTokens({ criteria, method }: Question): number {
  const words = REPLY_TOKENS[method.reasoning];
  return words.whole + criteria.filter(({ judgedBy }) => judgedBy === 'panel').length * words.criterion;
}

const totalReply = (questions: readonly Question[]): number =>
  questions.reduce((sum, question) => sum + replyTokens(question), 0);

function estimateOne(plan: CasePlan, parts: EstimateParts): CaseEstimate {
  if (plan.criteria.length === 0) return { calls: { min: 0, max: 0 }, costUsd: { min: 0, max: 0 } };
  const { rating, panel } = openingQuestions(plan);
  const seats = plan.panel.seats.length;
  const answers = callsOf(plan.method, seats);
  const questionsEach = panel.length / seats;
  // The panel reads the ratings, and in later rounds also all of its own answers.
  const rated = totalReply(rating);
  const before = costOf(rating, 0, parts);
  const first = costOf(panel, rated, parts);
  const later = costOf(panel, rated + totalReply(panel), parts);
  const max = plus(first, times(later, plan.method.rounds - 1));
  const min = answers.min <= seats ? times(first, answers.min / seats) : max;
  return {
    calls: {
      min: rating.length + answers.min * questionsEach,
      max: rating.length + answers.max * questionsEach,
    },
    costUsd: { min: plus(before, min), max: plus(before, max) },
  };
}

interface CaseEstimate {
  calls: Range<number>;
  costUsd: Range<number | null>;
}

/** Scales the estimate of a sample to all trials. */
function scaled(id: string, sample: readonly CaseEstimate[], trials: number): ConfigurationEstimate {
  const scale = sample.length === 0 ? 0 : trials / sample.length;
  const calls = (end: keyof Range<number>) =>
    Math.round(scale * sample.reduce((sum, one) => sum + one.calls[end], 0));
  const costUsd = (end: keyof Range<number>) =>
    times(
      sample.reduce<number | null>((sum, one) => plus(sum, one.costUsd[end]), 0),
      scale,
    );
  return {
    id,
    trials,
    calls: { min: calls('min'), max: calls('max') },
    costUsd: { min: costUsd('min'), max: costUsd('max') },
  };
}

/**
 * Estimates a run from the rendered prompts of up to 50 cases, known prices and typical lengths of answers. Reasoning tokens are not
 * included.
 */
export function estimateRun(
  { configurations, settings }: RunManifest,
  cases: readonly EvalCase[],
  parts: EstimateParts,
): RunEstimate {
  const sample = sampleOf(cases);
  const unpriced = new Set<string>();
  const priceOf: EstimateParts['priceOf'] = (model, tokens) => {
    const price = parts.priceOf(model, tokens);
    if (price === null) unpriced.add(model);
    return price;
  };
  const estimates = new Map<string, ConfigurationEstimate>();
  for (const configuration of configurations) {
    const { id, equalCallsOf } = configuration;
    // A vote takes as many calls as its debate.
    const debate = estimates.get(equalCallsOf ?? '');
    const plans = sample.map((evalCase) =>
      planConfigured(parts.library, evalCase, configuration, settings, 1),
    );
    estimates.set(
      id,
      debate === undefined
        ? scaled(
            id,
            plans.map((plan) => estimateOne(plan, { ...parts, priceOf })),
            cases.length,
          )
        : { ...debate, id },
    );
  }
  const all = [...estimates.values()];
  const total = (read: (one: ConfigurationEstimate) => number | null) =>
    all.reduce<number | null>((sum, one) => plus(sum, read(one)), 0);
  return {
    trials: all.reduce((sum, { trials }) => sum + trials, 0),
    calls: {
      min: all.reduce((sum, { calls }) => sum + calls.min, 0),
      max: all.reduce((sum, { calls }) => sum + calls.max, 0),
    },
    costUsd: { min: total(({ costUsd }) => costUsd.min), max: total(({ costUsd }) => costUsd.max) },
    configurations: all,
    unpriced: [...unpriced].sort(),
    sampled: sample.length,
  };
}

/** @throws JuryError `usage` if there is a budget but a price is unknown */
export function requireBudgetable(budgetUsd: number | null, { unpriced }: RunEstimate): void {
  if (budgetUsd !== null && unpriced.length > 0)
    throw new JuryError(
      'usage',
      `Cannot enforce a budget: the price of ${unpriced.join(', ')} is unknown. Leave out --budget, or use models that "jury models" lists.`,
    );
}
