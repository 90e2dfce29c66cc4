import { JuryError } from '../common/errors.ts';
import { type CasePlan, judgeCase, planCase } from '../judging/judge-case.ts';
import type { Exemplar } from '../judging/library.ts';
import type { Ask } from '../judging/ports.ts';
import { type Rubric, rangeOf } from '../judging/rubric.ts';
import { hasFailed, type Verdict } from '../judging/verdict.ts';
import type { Library } from '../prompting/library.ts';
import { sum } from '../statistics/descriptive.ts';
import type { Measure } from '../statistics/measure.ts';
import { mcnemar } from '../statistics/paired-tests.ts';
import type { HeldOutCase } from './held-out.ts';
import type { Right } from './vote.ts';

/** Agreement of a held-out case with its label, 0 to 1, before and after a change of the examples. */
export interface PairedAgreement {
  name: string;
  before: number;
  after: number;
}

/** The width of a rubric's scale: the mean of its criteria's, as its score is the mean of theirs. */
function widthOf({ criteria }: Rubric): number {
  const ranges = criteria.map(({ scale }) => rangeOf(scale)).filter((range) => range !== null);
  return sum(ranges.map(({ min, max }) => max - min)) / Math.max(1, ranges.length);
}

/** 1 if the verdict has the label's decision, otherwise 0; for scores, 1 minus their distance as a share of the scale. */
export function agreementOf(
  { decision, score }: Pick<Verdict, 'decision' | 'score'>,
  right: Right,
  rubric: Rubric,
): number {
  if (right.kind === 'decision') return decision === right.decision ? 1 : 0;
  if (score === null) return 0;
  return Math.max(0, 1 - Math.abs(score - right.score) / widthOf(rubric));
}

/** The effect of a change of the examples on the agreement with held-out labels. */
export interface AgreementChange {
  cases: number;
  /** Mean agreement, 0 to 1. */
  before: number;
  after: number;
  /** Cases that improved, and that got worse. */
  better: string[];
  worse: string[];
  /** Exact McNemar test. */
  p: Measure;
  /** Whether the agreement is no lower than before. */
  holds: boolean;
}

/** Smaller differences are rounding errors. */
const TOLERANCE = 1e-9;

/** @param pairs at least one */
export function agreementChange(pairs: readonly PairedAgreement[]): AgreementChange {
  const mean = (values: number[]) => sum(values) / Math.max(1, values.length);
  const before = mean(pairs.map((pair) => pair.before));
  const after = mean(pairs.map((pair) => pair.after));
  const names = (list: readonly PairedAgreement[]) => list.map(({ name }) => name);
  const better = names(pairs.filter((pair) => pair.after > pair.before + TOLERANCE));
  const worse = names(pairs.filter((pair) => pair.after < pair.before - TOLERANCE));
  return {
    cases: pairs.length,
    before,
    after,
    better,
    worse,
    p: mcnemar(worse.length, better.length).exact,
    holds: after >= before - TOLERANCE,
  };
}

export interface PromotionParts {
  library: Library;
  /** Asks judges with the prompts of a library. */
  askWith: (library: Library) => Ask;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Longest time for one verdict, ms. */
  timeoutMs: number;
  stop: AbortSignal;
}

export interface Promotion {
  rubric: Rubric;
  method: string;
  model: string;
  /** The rubric's examples without and with the new one. */
  before: readonly Exemplar[];
  after: readonly Exemplar[];
  heldOut: readonly HeldOutCase[];
  /** Cases judged at once. */
  concurrency: number;
}

export type PromotionOutcome =
  | { kind: 'measured'; change: AgreementChange }
  /** Judges failed to answer, so there is no measurement. */
  | { kind: 'unanswered'; cases: string[]; why: string }
  | { kind: 'stopped' };

/**
 * The examples with a new one first, so that every method that shows examples shows it. Replaces an example with the same id.
 */
export const withExample = (exemplars: readonly Exemplar[], added: Exemplar): Exemplar[] => [
  added,
  ...exemplars.filter(({ id }) => id !== added.id),
];

const withExamples = (library: Library, rubricId: string, exemplars: readonly Exemplar[]): Library => ({
  ...library,
  exemplars: (id) => (id === rubricId ? exemplars : library.exemplars(id)),
});

/**
 * How many worked examples a method shows.
 * @throws JuryError `usage` if it shows none
 */
export function requireExamples(library: Library, method: string, model: string): number {
  if (model === 'rules')
    throw new JuryError(
      'usage',
      '"rules" makes exact checks and reads no worked examples: name a model with --model, such as openai/gpt-4o-mini.',
    );
  const found = library.methods.get(method);
  const reading = [...library.methods.values()].filter(
    (one) => (one.ratedFirst?.examples ?? one.examples) > 0,
  );
  const ids = reading.map(({ id }) => id).sort();
  if (found === undefined || !ids.includes(method))
    throw new JuryError(
      'usage',
      `${found === undefined ? `There is no method "${method}"` : `Method "${method}" shows no worked examples`}. Methods that do: ${ids.join(', ')}.`,
    );
  return found.ratedFirst?.examples ?? found.examples;
}

interface Arm {
  library: Library;
  ask: Ask;
}

const planOf = (
  library: Library,
  { rubric, method, model }: Promotion,
  { evalCase }: HeldOutCase,
): CasePlan => planCase(library, evalCase, { rubric: rubric.id, method, models: [model] });

interface Judged {
  agreement: number;
  /** Why judges failed to answer; null if they did not. */
  failure: string | null;
}

async function judged(
  { now, timeoutMs, stop }: PromotionParts,
  promotion: Promotion,
  { library, ask }: Arm,
  one: HeldOutCase,
): Promise<Judged> {
  const plan = planOf(library, promotion, one);
  const verdict = await judgeCase(plan, { ask, now, timeoutMs, signal: stop });
  const failed = hasFailed(verdict);
  return {
    agreement: agreementOf(verdict, one.right, promotion.rubric),
    failure: failed ? verdict.why : null,
  };
}

/**
 * Judges the held-out cases with both lists of examples, under the same conditions.
 *
 * @throws JuryError `bad-input` for cases that the rubric cannot judge
 */
export async function measurePromotion(
  parts: PromotionParts,
  promotion: Promotion,
  onJudged: (done: number) => void = () => {},
): Promise<PromotionOutcome> {
  const { rubric, heldOut, concurrency } = promotion;
  const arm = (exemplars: readonly Exemplar[]): Arm => {
    const library = withExamples(parts.library, rubric.id, exemplars);
    return { library, ask: parts.askWith(library) };
  };
  const arms = { before: arm(promotion.before), after: arm(promotion.after) };
  // Before any model call is paid for: this throws if a case cannot be judged.
  for (const one of heldOut) planOf(parts.library, promotion, one);
  const pairs = new Map<number, PairedAgreement>();
  const unanswered = new Map<string, string>();
  const left = heldOut.entries();
  async function lane(): Promise<void> {
    for (const [index, one] of left) {
      if (parts.stop.aborted) return;
      const [before, after] = await Promise.all([
        judged(parts, promotion, arms.before, one),
        judged(parts, promotion, arms.after, one),
      ]);
      const failure = before.failure ?? after.failure;
      if (failure !== null) unanswered.set(one.name, failure);
      pairs.set(index, { name: one.name, before: before.agreement, after: after.agreement });
      onJudged(pairs.size);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane));
  if (parts.stop.aborted) return { kind: 'stopped' };
  const [why] = unanswered.values();
  if (why !== undefined) return { kind: 'unanswered', cases: [...unanswered.keys()], why };
  const inOrder = [...pairs].sort(([a], [b]) => a - b).map(([, pair]) => pair);
  return { kind: 'measured', change: agreementChange(inOrder) };
}
