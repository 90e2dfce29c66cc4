import type { EvalCase } from '../case/index.ts';
import { JuryError } from '../common/index.ts';
import { type CompletionClient, costOf, tokensOf } from '../judges/llm/index.ts';
import type { CasePlan, Question } from '../judging/index.ts';
import { sum } from '../statistics/index.ts';
import { callsOf, openingQuestions, planConfigured, requestsOf } from './configured-case.ts';
import type { PlanParts } from './plan-run.ts';
import { createAskedQuestions } from './pooled-answers.ts';
import type { Configuration, RunManifest } from './run-manifest.ts';

/** A cost is null if any price is unknown. */
export interface Range<T> {
  min: T;
  max: T;
}

const bothEnds = <T>(of: (end: keyof Range<T>) => T): Range<T> => ({ min: of('min'), max: of('max') });

/** Sum of costs; null if any is unknown. */
const total = (costs: readonly (number | null)[]): number | null =>
  costs.includes(null) ? null : sum(costs.map((cost) => cost ?? 0));

interface ConfigurationEstimate {
  id: string;
  trials: number;
  /** Calls made for this configuration alone. */
  calls: Range<number>;
  /** Further calls that it would take without the answers of other configurations. */
  pooledCalls: number;
  costUsd: Range<number | null>;
}

export interface RunEstimate {
  trials: number;
  calls: Range<number>;
  pooledCalls: number;
  costUsd: Range<number | null>;
  configurations: ConfigurationEstimate[];
  /** Models without a known price. */
  unpriced: string[];
  /** Number of cases whose prompts were rendered. */
  sampled: number;
}

export interface EstimateParts extends PlanParts {
  client: Pick<CompletionClient, 'priceOf'>;
}

/** Sampling more prompts would take longer and hardly change the mean. */
const MAX_SAMPLE = 50;
/** Tokens that judges write per criterion, and for the answer as a whole. */
const REPLY_TOKENS = {
  none: { criterion: 10, whole: 10 },
  brief: { criterion: 35, whole: 40 },
  stepwise: { criterion: 60, whole: 120 },
};

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

/** What is not asked is free, whatever its price. */
const times = (cost: number | null, by: number): number | null =>
  by === 0 ? 0 : cost === null ? null : cost * by;

type CaseEstimate = Pick<ConfigurationEstimate, 'calls' | 'pooledCalls' | 'costUsd'>;

const noCalls: CaseEstimate = {
  calls: bothEnds(() => 0),
  pooledCalls: 0,
  costUsd: bothEnds(() => 0),
};

/**
 * Estimates the calls of a verdict and their cost.
 * @param isKnown whether another configuration asks this question
 * @param unpriced collects models without a known price
 */
function estimateCase(
  plan: CasePlan,
  { wordingOf, client }: EstimateParts,
  isKnown: (question: Question) => boolean,
  unpriced: Set<string>,
): CaseEstimate {
  if (plan.criteria.length === 0) return noCalls;
  // Cost of asking each question once, with `heard` extra tokens for each judge to read.
  const costOnce = (questions: readonly Question[], heard: number): number | null =>
    total(
      questions.map((question) => {
        const { chars } = wordingOf(question);
        if (chars === 0) return 0;
        const { model } = question.judge;
        const price = client.priceOf(model);
        if (price === null) unpriced.add(model);
        const prompt = tokensOf(chars) + heard;
        return costOf(price, { prompt, cached: 0, completion: replyTokens(question) });
      }),
    );
  const opening = openingQuestions(plan);
  const requestsTo = (questions: readonly Question[]) => questions.flatMap(requestsOf);
  const own = (questions: readonly Question[]) => requestsTo(questions.filter((one) => !isKnown(one)));
  const [rating, panel] = [requestsTo(opening.rating), requestsTo(opening.panel)];
  const [ownRating, ownPanel] = [own(opening.rating), own(opening.panel)];
  const seats = plan.panel.seats.length;
  const knownSeats = opening.panel.filter(isKnown).length;
  const asked = callsOf(plan.method, seats);
  const askedBy = (end: keyof Range<number>) => Math.max(0, asked[end] - knownSeats);
  const opened = seats - knownSeats;
  // The panel reads the ratings and, in later rounds, all of its own answers.
  const rated = totalReply(rating);
  const [before, first, later] = [
    costOnce(ownRating, 0),
    costOnce(ownPanel, rated),
    askedBy('max') > opened ? costOnce(panel, rated + totalReply(panel)) : 0,
  ];
  const upTo = (calls: number): number | null =>
    calls <= opened
      ? total([before, times(first, calls / Math.max(1, opened))])
      : total([before, first, times(later, plan.method.rounds - 1)]);
  return {
    calls: bothEnds((end) => ownRating.length + (askedBy(end) * panel.length) / seats),
    pooledCalls: rating.length - ownRating.length + (knownSeats * panel.length) / seats,
    costUsd: bothEnds((end) => upTo(askedBy(end))),
  };
}

/** The number of answers in a debate. A vote that it is compared with asks for as many. */
const answersOf = ({ method, panel }: CasePlan): Range<number> => callsOf(method, panel.seats.length);

/** Estimates a run from the rendered prompts of up to 50 cases, known prices and typical answer lengths. Excludes reasoning tokens. */
export function estimateRun(
  { configurations, settings }: RunManifest,
  cases: readonly EvalCase[],
  parts: EstimateParts,
): RunEstimate {
  const sample = sampleOf(cases);
  const scale = cases.length / Math.max(1, sample.length);
  const unpriced = new Set<string>();
  const estimates = new Map<string, ConfigurationEstimate>();
  const askedOn = sample.map(() => createAskedQuestions(parts.wordingOf));
  for (const configuration of configurations) {
    const { id, equalCallsOf } = configuration;
    const debate = configurations.find((one) => one.id === equalCallsOf);
    const caseEstimates = sample.map((evalCase, index): CaseEstimate => {
      const asked = askedOn[index];
      const isKnown = (question: Question) => asked?.has(configuration, question) === true;
      const planned = (one: Configuration, answers: number) =>
        planConfigured(parts.library, evalCase, one, settings, answers);
      const estimate = (plan: CasePlan) => estimateCase(plan, parts, isKnown, unpriced);
      const answers = debate === undefined ? null : answersOf(planned(debate, 1));
      const shortest = planned(configuration, answers?.min ?? 1);
      const least = estimate(shortest);
      const most = answers === null ? least : estimate(planned(configuration, answers.max));
      asked?.add(configuration, openingQuestions(shortest));
      return {
        calls: { min: least.calls.min, max: most.calls.max },
        pooledCalls: most.pooledCalls,
        costUsd: { min: least.costUsd.min, max: most.costUsd.max },
      };
    });
    estimates.set(id, {
      id,
      trials: cases.length,
      calls: bothEnds((end) => Math.round(sum(caseEstimates.map(({ calls }) => calls[end])) * scale)),
      pooledCalls: Math.round(sum(caseEstimates.map(({ pooledCalls }) => pooledCalls)) * scale),
      costUsd: bothEnds((end) => total(caseEstimates.map(({ costUsd }) => times(costUsd[end], scale)))),
    });
  }
  const all = [...estimates.values()];
  return {
    trials: sum(all.map(({ trials }) => trials)),
    calls: bothEnds((end) => sum(all.map(({ calls }) => calls[end]))),
    pooledCalls: sum(all.map(({ pooledCalls }) => pooledCalls)),
    costUsd: bothEnds((end) => total(all.map(({ costUsd }) => costUsd[end]))),
    configurations: all,
    unpriced: [...unpriced].sort(),
    sampled: sample.length,
  };
}

/** @throws JuryError `usage` if there is a budget but some price is unknown */
export function requireBudgetable(budgetUsd: number | null, { unpriced }: RunEstimate): void {
  if (budgetUsd !== null && unpriced.length > 0)
    throw new JuryError(
      'usage',
      `Cannot enforce a budget: the price of ${unpriced.join(', ')} is unknown. Leave out --budget, add it to the file in JURY_PRICES, or use models that "jury models" lists.`,
    );
}
