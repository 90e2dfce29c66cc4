import { contentOf, type EvalCase } from '../case/case.ts';
import { JuryError } from '../common/errors.ts';
import { plainKey } from '../common/text.ts';
import type { Rubric } from '../judging/rubric.ts';
import { rightOfLabel } from './gold.ts';
import { type LabelQuery, type LabelStore, type VoterModel, walkLabels } from './labels.ts';
import type { Right } from './vote.ts';

/** A labeled case that is kept apart from the examples whose effect it measures. */
export interface HeldOutCase {
  /** The id of its verdict, or its place in a file. */
  name: string;
  evalCase: EvalCase;
  right: Right;
}

/** The held-out cases, newest last, and how many were left out. */
export interface HeldOut {
  cases: HeldOutCase[];
  /** Cases that share their request or response with a worked example. */
  shown: number;
  /** Cases with a newer duplicate. */
  repeated: number;
  /** Cases beyond the limit. */
  beyond: number;
}

const requestKey = ({ conversation }: EvalCase): string =>
  conversation.map(({ role, text }) => `${role} ${plainKey(text)}`).join('\n');
const responseKey = ({ response }: EvalCase): string => plainKey(response);

/**
 * The newest cases that can measure whether examples help: distinct, and without a request or response that an example has too.
 *
 * @param candidates oldest first
 * @param examples the cases of all examples, before and after the change
 */
export async function heldOutOf(
  candidates: AsyncIterable<HeldOutCase> | Iterable<HeldOutCase>,
  examples: readonly EvalCase[],
  limit: number,
): Promise<HeldOut> {
  const requests = new Set(examples.map(requestKey));
  const responses = new Set(examples.map(responseKey));
  // In order of insertion, so the oldest comes first.
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
  return { cases: [...chosen.values()], shown, repeated, beyond };
}

/** Stored cases with a settled label, without the verdict that becomes an example. */
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

/** Cases of a dataset whose label is of the rubric's kind. */
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
    `Measuring takes at least ${MIN_HELD_OUT} labeled cases of the rubric "${rubric}"; there ${length === 1 ? 'is' : 'are'} ${length}${why === '' ? '' : ` (left out: ${why})`}. Collect more labels, or name a dataset with --held-out FILE. Nothing was written.`,
  );
}
