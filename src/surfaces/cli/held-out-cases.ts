import { JuryError } from '../../common/errors.ts';
import type { Exemplar } from '../../judging/library.ts';
import type { Rubric } from '../../judging/rubric.ts';
import { rightOfLabel } from '../../labels/add-gold.ts';
import { type HeldOut, type HeldOutCase, heldOutOf, LEAST_HELD_OUT } from '../../labels/held-out.ts';
import type { LabelRule } from '../../labels/label.ts';
import { type LabelStore, type LabelWish, walkLabels } from '../../labels/labels.ts';
import type { VoterModel } from '../../labels/model-voters.ts';
import type { Parts } from '../parts.ts';
import { readDataset } from './dataset-check-command.ts';
import type { StandardInput } from './read-cases.ts';

/** Where held-out cases come from: the newest labels of the store, or a dataset. */
export type HeldOutSource = { kind: 'store'; most: number } | { kind: 'file'; file: string };

/** `200`, or the name of a file. */
export const readHeldOutSource = (text: string): HeldOutSource =>
  /^\d+$/.test(text) ? { kind: 'store', most: Number(text) } : { kind: 'file', file: text };

async function* fromFile(
  parts: Parts,
  standard: StandardInput,
  file: string,
  rubric: Rubric,
  stop: AbortSignal,
): AsyncGenerator<HeldOutCase> {
  const options = { maxCaseChars: parts.env.settings.JURY_MAX_CASE_CHARS, format: parts.library.caseFormat };
  for (const { name, evalCase } of await readDataset(standard, [file], options, stop)) {
    const right = rightOfLabel(evalCase);
    const fits = (right?.kind === 'decision') === (rubric.decide === 'all');
    if (right !== null && fits && (evalCase.rubric ?? rubric.id) === rubric.id)
      yield { name, evalCase, right };
  }
}

async function* fromStore(
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

export interface HeldOutWish {
  source: HeldOutSource;
  rubric: Rubric;
  /** The verdict that becomes an example; it measures nothing. */
  promoted: string;
  /** All examples that are shown, before or after. */
  examples: readonly Exemplar[];
  by: NonNullable<LabelWish['by']>;
  rule: LabelRule;
  model: Pick<VoterModel, 'passProbability'> | null;
}

/**
 * The labeled cases that tell whether an example helps.
 * @throws JuryError `usage` where there are too few
 */
export async function heldOutCases(
  parts: Parts,
  standard: StandardInput,
  wish: HeldOutWish,
  stop: AbortSignal,
): Promise<HeldOut> {
  const { source, rubric, promoted, examples, by, rule, model } = wish;
  const found = await heldOutOf(
    source.kind === 'file'
      ? fromFile(parts, standard, source.file, rubric, stop)
      : fromStore(await parts.store(), { rubric: rubric.id, by, rule }, model, promoted),
    examples.map((exemplar) => exemplar.case),
    source.kind === 'file' ? Number.POSITIVE_INFINITY : source.most,
  );
  if (found.cases.length >= LEAST_HELD_OUT) return found;
  const why = [
    ...(found.shown > 0 ? [`${found.shown} share words with an example`] : []),
    ...(found.repeated > 0 ? [`${found.repeated} are there twice`] : []),
    ...(found.beyond > 0 ? [`${found.beyond} are beyond --held-out`] : []),
  ];
  throw new JuryError(
    'usage',
    `There are ${found.cases.length} labeled cases of the rubric "${rubric.id}" to measure with${why.length > 0 ? ` (${why.join(', ')})` : ''}; it takes ${LEAST_HELD_OUT}. Collect more labels, or name a dataset with --held-out FILE. Nothing was written.`,
  );
}
