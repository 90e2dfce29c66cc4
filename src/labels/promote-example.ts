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

/** How far a held-out case came out as its label says, 0 to 1; before and after a change of the examples. */
export interface PairedAgreement {
  name: string;
  before: number;
  after: number;
}

/** How wide a rubric's score is: the mean of its criteria's scales, as its score is the mean of theirs. */
function widthOf({ criteria }: Rubric): number {
  const ranges = criteria.map(({ scale }) => rangeOf(scale)).filter((range) => range !== null);
  return sum(ranges.map(({ min, max }) => max - min)) / Math.max(1, ranges.length);
}

/** 1 where a verdict decides as the label says, else 0; of scores 1 less their distance, as a share of the scale. */
export function agreementOf(
  { decision, score }: Pick<Verdict, 'decision' | 'score'>,
  right: Right,
  rubric: Rubric,
): number {
  if (right.kind === 'decision') return decision === right.decision ? 1 : 0;
  if (score === null) return 0;
  return Math.max(0, 1 - Math.abs(score - right.score) / widthOf(rubric));
}

/** What a change of the examples does to the agreement with labels that it was kept away from. */
export interface AgreementChange {
  cases: number;
  /** Mean agreement, 0 to 1. */
  before: number;
  after: number;
  /** Cases that came out better, and worse. */
  better: string[];
  worse: string[];
  /** How likely so uneven a change would be by chance (exact McNemar test). */
  p: Measure;
  /** Whether the agreement is no lower than it was. */
  holds: boolean;
}

/** Below this a difference is one of rounding. */
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
  /** The judges, as they are asked with the prompts of a library. */
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
  /** A rubric's examples as they are, and as they would be. */
  before: readonly Exemplar[];
  after: readonly Exemplar[];
  heldOut: readonly HeldOutCase[];
  /** Cases judged at once. */
  concurrency: number;
}

/** What judging the held-out cases with both lists of examples came to. */
export type PromotionOutcome =
  | { kind: 'measured'; change: AgreementChange }
  /** Judges failed to answer, so that nothing can be said. */
  | { kind: 'unanswered'; cases: string[]; why: string }
  | { kind: 'stopped' };

/**
 * The examples with a new one. It comes first, so that every method that reads examples reads it; an earlier one of the same
 * id gives way.
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
 * @throws JuryError `usage` where that is none
 */
export function requireExamples(library: Library, method: string, model: string): number {
  if (model === 'rules')
    throw new JuryError(
      'usage',
      '"rules" checks exactly and reads no worked examples: name the model that is to read them with --model, such as openai/gpt-4o-mini.',
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
  /** Why there is no decision, where judges failed to answer. */
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
 * Judges held-out cases with the examples as they are and as they would be, both under the same conditions.
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
  // Nothing is judged, or paid for, where one of them cannot be.
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
