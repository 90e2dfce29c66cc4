import type { EvalCase } from '../case/case.ts';
import { JuryError } from '../common/errors.ts';
import { plainKey } from '../common/text.ts';
import type { Rubric } from '../judging/rubric.ts';
import { rightOfLabel } from './gold.ts';
import { type LabelStore, type LabelWish, type VoterModel, walkLabels } from './labels.ts';
import type { Right } from './vote.ts';

/** A case whose label is known, kept away from the examples that it is to measure. */
export interface HeldOutCase {
  /** The verdict that it is from, or its place in a file. */
  name: string;
  evalCase: EvalCase;
  right: Right;
}

/** What measures, newest last, and what was left out. */
export interface HeldOut {
  cases: HeldOutCase[];
  /** Cases that share what was asked or what was answered with a worked example. */
  shown: number;
  /** Cases of which a newer one is the same. */
  repeated: number;
  /** Cases beyond the most that were wanted. */
  beyond: number;
}

/** Words by which a case would give itself away: what was asked, and what was answered. */
const requestKey = ({ conversation }: EvalCase): string =>
  conversation.map(({ role, text }) => `${role} ${plainKey(text)}`).join('\n');
const responseKey = ({ response }: EvalCase): string => plainKey(response);

function contentKey(evalCase: EvalCase): string {
  const { id: _id, rubric: _rubric, label: _label, ...content } = evalCase;
  return JSON.stringify(content);
}

/**
 * The newest cases that can tell whether examples help: none of them shares its request or its response with an example,
 * none counts twice.
 *
 * @param candidates oldest first
 * @param examples the cases of all examples that will be shown, before and after
 * @param most how many are wanted; the newest are taken
 */
export async function heldOutOf(
  candidates: AsyncIterable<HeldOutCase> | Iterable<HeldOutCase>,
  examples: readonly EvalCase[],
  most: number,
): Promise<HeldOut> {
  const requests = new Set(examples.map(requestKey));
  const responses = new Set(examples.map(responseKey));
  // A map keeps its order, and a newer one goes to the end.
  const chosen = new Map<string, HeldOutCase>();
  let [shown, repeated, beyond] = [0, 0, 0];
  for await (const candidate of candidates) {
    const { evalCase } = candidate;
    if (requests.has(requestKey(evalCase)) || responses.has(responseKey(evalCase))) {
      shown += 1;
      continue;
    }
    const key = contentKey(evalCase);
    if (chosen.delete(key)) repeated += 1;
    chosen.set(key, candidate);
    const [oldest] = chosen.keys();
    if (chosen.size > most && oldest !== undefined) {
      chosen.delete(oldest);
      beyond += 1;
    }
  }
  return { cases: [...chosen.values()], shown, repeated, beyond };
}

/** Cases of the store whose label is settled, but for the verdict that becomes an example. */
export async function* settledCases(
  store: LabelStore,
  wish: LabelWish,
  model: Pick<VoterModel, 'passProbability'> | null,
  promoted: string,
): AsyncGenerator<HeldOutCase> {
  for await (const { voted, label } of walkLabels(store, wish, model)) {
    const { id, evalCase } = voted.record;
    if (label.label.settled && id !== promoted) yield { name: id, evalCase, right: label.label.right };
  }
}

/** Cases of a dataset that state what a rubric can answer. */
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

/** Held-out cases, at least: with fewer, one case that falls out otherwise by chance would decide. */
const FEWEST = 20;

/** What does not measure, and why; empty where everything does. */
export const leftOutText = ({ shown, repeated, beyond }: HeldOut): string =>
  [
    ...(shown > 0 ? [`${shown} share words with an example`] : []),
    ...(repeated > 0 ? [`${repeated} are there twice`] : []),
    ...(beyond > 0 ? [`${beyond} are older than the number of --held-out`] : []),
  ].join(', ');

/** @throws JuryError `usage` where there are too few to measure with */
export function requireEnough(heldOut: HeldOut, rubric: string): void {
  const { length } = heldOut.cases;
  if (length >= FEWEST) return;
  const why = leftOutText(heldOut);
  throw new JuryError(
    'usage',
    `There are ${length} labeled cases of the rubric "${rubric}" to measure with${why === '' ? '' : ` (${why})`}; at least ${FEWEST} are needed. Collect more labels, or name a dataset with --held-out FILE. Nothing was written.`,
  );
}
