import type { EvalCase } from '../case/case.ts';
import { JuryError } from '../common/errors.ts';
import type { CasePlan } from '../judging/judge-case.ts';
import type { Question } from '../judging/ports.ts';
import { sum } from '../statistics/measure.ts';
import { callsOf } from './equal-calls.ts';
import { openingQuestions, type PlanParts, planConfigured } from './plan-run.ts';
import type { RunManifest } from './run.ts';

/** A cost is null if a price is unknown. */
export interface Range<T> {
  min: T;
  max: T;
}

const UNKNOWN: Range<null> = { min: null, max: null };

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

export interface EstimateParts extends PlanParts {
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

function replyTokens({ criteria, method }: Question): number {
  const words = REPLY_TOKENS[method.reasoning];
  return words.whole + criteria.filter(({ judgedBy }) => judgedBy === 'panel').length * words.criterion;
}

const totalReply = (questions: readonly Question[]): number => sum(questions.map(replyTokens));

interface CaseEstimate {
  calls: Range<number>;
  /** Without what has no known price. */
  costUsd: Range<number>;
}

/** @param priceOf 0 for an unknown price */
function estimateCase(
  plan: CasePlan,
  wordingOf: PlanParts['wordingOf'],
  priceOf: (...of: Parameters<EstimateParts['priceOf']>) => number,
): CaseEstimate {
  if (plan.criteria.length === 0) return { calls: { min: 0, max: 0 }, costUsd: { min: 0, max: 0 } };
  // The cost of asking each question once, with further tokens that each judge reads.
  const costOf = (questions: readonly Question[], heard: number): number =>
    sum(
      questions.map((question) => {
        const { chars } = wordingOf(question);
        const prompt = Math.ceil(chars / CHARS_PER_TOKEN) + heard;
        return chars === 0 ? 0 : priceOf(question.judge.model, { prompt, completion: replyTokens(question) });
      }),
    );
  const { rating, panel } = openingQuestions(plan);
  const seats = plan.panel.seats.length;
  const { min, max } = callsOf(plan.method, seats);
  const questionsEach = panel.length / seats;
  // The panel reads the ratings, and in later rounds also all of its own answers.
  const rated = totalReply(rating);
  const before = costOf(rating, 0);
  const first = costOf(panel, rated);
  const all = first + costOf(panel, rated + totalReply(panel)) * (plan.method.rounds - 1);
  return {
    calls: { min: rating.length + min * questionsEach, max: rating.length + max * questionsEach },
    costUsd: { min: before + (min <= seats ? (first * min) / seats : all), max: before + all },
  };
}

/**
 * Estimates a run from the rendered prompts of up to 50 cases, known prices and typical lengths of answers. Reasoning tokens are not
 * included.
 */
export function estimateRun(
  { configurations, settings }: RunManifest,
  cases: readonly EvalCase[],
  { library, wordingOf, priceOf }: EstimateParts,
): RunEstimate {
  const sample = sampleOf(cases);
  const unpriced = new Set<string>();
  const estimates = new Map<string, ConfigurationEstimate>();
  for (const configuration of configurations) {
    const { id, equalCallsOf } = configuration;
    // A vote takes as many calls as its debate.
    const debate = estimates.get(equalCallsOf ?? '');
    if (debate !== undefined) {
      estimates.set(id, { ...debate, id });
      continue;
    }
    let isPriced = true;
    const found = sample.map((evalCase) =>
      estimateCase(
        planConfigured(library, evalCase, configuration, settings, 1),
        wordingOf,
        (model, tokens) => {
          const price = priceOf(model, tokens);
          if (price !== null) return price;
          isPriced = false;
          unpriced.add(model);
          return 0;
        },
      ),
    );
    const total = (read: (one: CaseEstimate) => number): number =>
      (sum(found.map(read)) * cases.length) / Math.max(1, sample.length);
    estimates.set(id, {
      id,
      trials: cases.length,
      calls: {
        min: Math.round(total(({ calls }) => calls.min)),
        max: Math.round(total(({ calls }) => calls.max)),
      },
      costUsd: isPriced
        ? { min: total(({ costUsd }) => costUsd.min), max: total(({ costUsd }) => costUsd.max) }
        : UNKNOWN,
    });
  }
  const all = [...estimates.values()];
  const costs = all.flatMap(({ costUsd: { min, max } }) =>
    min === null || max === null ? [] : [{ min, max }],
  );
  return {
    trials: sum(all.map(({ trials }) => trials)),
    calls: { min: sum(all.map(({ calls }) => calls.min)), max: sum(all.map(({ calls }) => calls.max)) },
    costUsd:
      unpriced.size === 0
        ? { min: sum(costs.map(({ min }) => min)), max: sum(costs.map(({ max }) => max)) }
        : UNKNOWN,
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
