import type { EvalCase } from '../case/case.ts';
import { JuryError } from '../common/errors.ts';
import type { CasePlan } from '../judging/judge-case.ts';
import type { Question } from '../judging/ports.ts';
import type { Library } from '../prompting/library.ts';
import { callsOf } from './equal-calls.ts';
import { openingQuestions, planConfigured } from './plan-run.ts';
import type { RunManifest } from './run.ts';

/** From the least to the most; a cost is null where a price is not known. */
export interface Range<T> {
  min: T;
  max: T;
}

/** What one configuration is expected to take. */
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
  /** Models whose price is not known. */
  unpriced: string[];
  /** Cases whose prompts were rendered for it. */
  sampled: number;
}

export interface EstimateParts {
  library: Library;
  /** Length of what a judge is sent, in characters; 0 where it asks no model. */
  promptChars: (question: Question) => number;
  /** US dollars for tokens of a model; null where its price is not known. */
  priceOf: (model: string, tokens: { prompt: number; completion: number }) => number | null;
}

/** Cases whose prompts are rendered: more would take longer and change the mean little. */
const SAMPLE = 50;
/** Characters that make a token, for prompts of mostly English text and JSON. */
const CHARS_A_TOKEN = 4;
/** Tokens that judges write for each criterion and for the answer as a whole. */
const REPLY_TOKENS = { brief: { criterion: 35, whole: 40 }, stepwise: { criterion: 60, whole: 120 } };

function sampleOf<T>(items: readonly T[]): T[] {
  const step = Math.max(1, items.length / SAMPLE);
  return Array.from({ length: Math.min(SAMPLE, items.length) }, (_, n) => items[Math.floor(n * step)]).filter(
    (item) => item !== undefined,
  );
}

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);
const times = (a: number | null, factor: number): number | null => (a === null ? null : a * factor);

/** What questions cost when each is asked once, US dollars. @param heard tokens that each judge reads beside its own */
function costOf(questions: readonly Question[], heard: number, parts: EstimateParts): number | null {
  let cost: number | null = 0;
  for (const question of questions) {
    const chars = parts.promptChars(question);
    if (chars === 0) continue;
    const prompt = Math.ceil(chars / CHARS_A_TOKEN) + heard;
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
  // The panel reads what was rated before; in later rounds also what all of it wrote.
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

/** What a sample of cases takes, for as many as there are. */
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
 * What a run is expected to take, before anybody is asked: from the prompts as they are really rendered (of up to 50
 * cases), the registry's prices and usual lengths of answers. What models think before they answer is not in it.
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
    // A vote is given the calls of its debate.
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

/** @throws JuryError `usage` where a budget is given and what something costs is not known */
export function requireBudgetable(budgetUsd: number | null, { unpriced }: RunEstimate): void {
  if (budgetUsd !== null && unpriced.length > 0)
    throw new JuryError(
      'usage',
      `A budget cannot be kept: the price of ${unpriced.join(', ')} is not known. Leave --budget out, or name models that "jury models" lists.`,
    );
}
