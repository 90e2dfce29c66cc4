import pLimit from 'p-limit';
import { contentOf, type EvalCase } from '../../case/index.ts';
import { JuryError } from '../../common/index.ts';
import { plainKey } from '../../common/text/index.ts';
import { type Ask, judgeCase, planCase } from '../../judging/index.ts';
import { type Exemplar, examplesOf, type Rubric, rangeOf } from '../../judging/standards/index.ts';
import { hasFailed, type Verdict } from '../../judging/verdict/index.ts';
import type { Library } from '../../prompting/index.ts';
import { signTest, sum } from '../../statistics/index.ts';
import { type LabelQuery, type LabelStore, type VoterModel, walkLabels } from '../index.ts';
import type { Right } from '../record/index.ts';
import { rightOfLabel } from '../voting/index.ts';

/** Agreement of a held-out case with its label, 0 to 1, before and after the examples change. */
type PairedAgreement = Record<'before' | 'after', number> & { name: string };

/** Width of a rubric's scale: the mean over its scored criteria, since its score is a mean over them too. */
function widthOf({ criteria }: Rubric): number {
  const ranges = criteria.map(({ scale }) => rangeOf(scale)).filter((range) => range !== null);
  return sum(ranges.map(({ min, max }) => max - min)) / Math.max(1, ranges.length);
}

/**
 * Pass or fail: 1 if the verdict matches the label, otherwise 0. Scores: 1 minus their distance as a share of the
 * scale.
 */
export function agreementOf(
  { decision, score }: Pick<Verdict, 'decision' | 'score'>,
  right: Right,
  rubric: Rubric,
): number {
  if (right.kind === 'decision') return decision === right.decision ? 1 : 0;
  if (score === null) return 0;
  return Math.max(0, 1 - Math.abs(score - right.score) / widthOf(rubric));
}

export type AgreementChange = ReturnType<typeof agreementChange>;

/** Smaller differences are rounding errors. */
const TOLERANCE = 1e-9;

/**
 * How changing the examples affects agreement with held-out labels.
 *
 * @param pairs at least one
 */
export function agreementChange(pairs: readonly PairedAgreement[]) {
  const mean = (arm: 'before' | 'after') => sum(pairs.map((pair) => pair[arm])) / Math.max(1, pairs.length);
  const [before, after] = [mean('before'), mean('after')];
  const moved = (sign: 1 | -1) =>
    pairs.filter((pair) => (pair.after - pair.before) * sign > TOLERANCE).map(({ name }) => name);
  const [better, worse] = [moved(1), moved(-1)];
  return {
    cases: pairs.length,
    /** Mean agreement, 0 to 1. */
    before,
    after,
    /** Cases that improved and cases that got worse. */
    better,
    worse,
    /** Exact McNemar test. */
    p: signTest(worse.length, better.length),
    /** Whether agreement is no lower than before. */
    holds: after >= before - TOLERANCE,
  };
}

export interface PromotionParts {
  library: Library;
  /** Returns an `Ask` that uses a library's prompts. */
  askWith: (library: Library) => Ask;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Time limit per verdict, ms. */
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
  /** Some judges gave no answer, so there is no measurement. */
  | { kind: 'unanswered'; cases: string[]; why: string }
  | { kind: 'stopped' };

/**
 * Adds an example, replacing one with the same id. It comes first, so that every method that shows examples shows it.
 */
export const withExample = (exemplars: readonly Exemplar[], added: Exemplar): Exemplar[] => [
  added,
  ...exemplars.filter(({ id }) => id !== added.id),
];

/**
 * How many worked examples a method shows.
 *
 * @throws JuryError `usage` if it shows none
 */
export function requireExamples({ methods }: Library, method: string, model: string): number {
  if (model === 'rules')
    throw new JuryError(
      'usage',
      '"rules" makes exact checks and reads no worked examples: name a model with --model, such as openai/gpt-4o-mini.',
    );
  const chosen = methods.get(method);
  if (chosen !== undefined && examplesOf(chosen) > 0) return examplesOf(chosen);
  const showing = [...methods.values()].filter((one) => examplesOf(one) > 0).map(({ id }) => id);
  throw new JuryError(
    'usage',
    `${chosen === undefined ? `There is no method "${method}"` : `Method "${method}" shows no worked examples`}. Methods that do: ${showing.sort().join(', ')}.`,
  );
}

/**
 * Judges the held-out cases with both lists of examples under the same conditions.
 *
 * @throws JuryError `bad-input` if the rubric cannot judge a case
 */
export async function measurePromotion(
  { library, askWith, now, timeoutMs, stop }: PromotionParts,
  { rubric, method, model, before, after, heldOut, concurrency }: Promotion,
): Promise<PromotionOutcome> {
  const arm = (exemplars: readonly Exemplar[]) => {
    const changed = {
      ...library,
      exemplars: (id: string) => (id === rubric.id ? exemplars : library.exemplars(id)),
    };
    const ask = askWith(changed);
    const planOf = ({ evalCase }: HeldOutCase) =>
      planCase(changed, evalCase, { rubric: rubric.id, method, models: [model] });
    const judge = async (one: HeldOutCase) => {
      const verdict = await judgeCase(planOf(one), { ask, now, timeoutMs, signal: stop });
      const failure = hasFailed(verdict) ? verdict.why : null;
      return { agreement: agreementOf(verdict, one.right, rubric), failure };
    };
    return { planOf, judge };
  };
  const [without, having] = [arm(before), arm(after)];
  // Fail before paying for any model call: this throws if a case cannot be judged.
  for (const one of heldOut) without.planOf(one);
  const limit = pLimit(concurrency);
  const judged = await Promise.all(
    heldOut.map((one) =>
      limit(async () => {
        if (stop.aborted) return null;
        const [first, second] = await Promise.all([without.judge(one), having.judge(one)]);
        const failure = first.failure ?? second.failure;
        return { name: one.name, before: first.agreement, after: second.agreement, failure };
      }),
    ),
  );
  if (stop.aborted) return { kind: 'stopped' };
  const pairs = judged.filter((pair) => pair !== null);
  const unanswered = pairs.filter(({ failure }) => failure !== null);
  const why = unanswered[0]?.failure ?? null;
  return why === null
    ? { kind: 'measured', change: agreementChange(pairs) }
    : { kind: 'unanswered', cases: unanswered.map(({ name }) => name), why };
}

/** A labeled case kept apart from the examples whose effect it measures. */
export interface HeldOutCase {
  /** The verdict's id, or the case's position in a file. */
  name: string;
  evalCase: EvalCase;
  right: Right;
}

export type HeldOut = Awaited<ReturnType<typeof heldOutOf>>;

const requestKey = ({ conversation }: EvalCase): string =>
  conversation.map(({ role, text }) => `${role} ${plainKey(text)}`).join('\n');
const responseKey = ({ response }: EvalCase): string => plainKey(response);

/**
 * Picks the newest cases that can measure whether examples help: no duplicates, and none that shares its request or
 * response with an example.
 *
 * @param candidates oldest first
 * @param examples the cases of all examples, before and after the change
 */
export async function heldOutOf(
  candidates: AsyncIterable<HeldOutCase> | Iterable<HeldOutCase>,
  examples: readonly EvalCase[],
  limit: number,
) {
  const requests = new Set(examples.map(requestKey));
  const responses = new Set(examples.map(responseKey));
  // A Map keeps insertion order, so the oldest comes first.
  const chosen = new Map<string, HeldOutCase>();
  let [shown, repeated, beyond] = [0, 0, 0];
  for await (const candidate of candidates) {
    const { evalCase } = candidate;
    if (requests.has(requestKey(evalCase)) || responses.has(responseKey(evalCase))) {
      shown += 1;
      continue;
    }
    const key = JSON.stringify(contentOf(evalCase));
    if (chosen.delete(key)) repeated += 1;
    chosen.set(key, candidate);
    const [oldest] = chosen.keys();
    if (chosen.size > limit && oldest !== undefined) {
      chosen.delete(oldest);
      beyond += 1;
    }
  }
  return {
    /** Newest last. */
    cases: [...chosen.values()],
    /** Number that share their request or response with a worked example. */
    shown,
    /** Number that have a newer duplicate. */
    repeated,
    /** Number beyond the limit. */
    beyond,
  };
}

/** Stored cases with a settled label, except the verdict being promoted to an example. */
export async function* settledCases(
  store: LabelStore,
  query: LabelQuery,
  model: Pick<VoterModel, 'passProbability'> | null,
  promoted: string,
): AsyncGenerator<HeldOutCase> {
  for await (const { voted, label } of walkLabels(store, query, model)) {
    const { id, evalCase } = voted.record;
    if (label.label.settled && id !== promoted) yield { name: id, evalCase, right: label.label.right };
  }
}

/** Cases of a dataset whose label fits the rubric: a decision or a score. */
export function* labeledCases(
  cases: Iterable<Pick<HeldOutCase, 'name' | 'evalCase'>>,
  rubric: Rubric,
): Generator<HeldOutCase> {
  for (const { name, evalCase } of cases) {
    const right = rightOfLabel(evalCase);
    const fits = (right?.kind === 'decision') === (rubric.decide === 'all');
    if (right !== null && fits && (evalCase.rubric ?? rubric.id) === rubric.id)
      yield { name, evalCase, right };
  }
}

/** With fewer cases, a single chance difference would decide. */
const MIN_HELD_OUT = 20;

/** What was left out and why; empty if nothing was. */
export const leftOutText = ({ shown, repeated, beyond }: HeldOut): string =>
  [
    ...(shown > 0 ? [`${shown} with the request or response of an example`] : []),
    ...(repeated > 0 ? [`${repeated} duplicates`] : []),
    ...(beyond > 0 ? [`${beyond} beyond the limit of --held-out`] : []),
  ].join(', ');

/** @throws JuryError `usage` if there are too few cases */
export function requireEnough(heldOut: HeldOut, rubric: string): void {
  const { length } = heldOut.cases;
  if (length >= MIN_HELD_OUT) return;
  const why = leftOutText(heldOut);
  throw new JuryError(
    'usage',
    `Measuring needs at least ${MIN_HELD_OUT} labeled cases of the rubric "${rubric}"; there ${length === 1 ? 'is' : 'are'} ${length}${why === '' ? '' : ` (left out: ${why})`}. Collect more labels, or name a dataset with --held-out FILE. Nothing was written.`,
  );
}
