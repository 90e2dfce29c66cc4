import type { EvalCase } from '../case/case.ts';
import { type Rubric, rangeOf } from '../judging/rubric.ts';

type Own = NonNullable<NonNullable<EvalCase['label']>['criteria']>[string];

/** What is wrong with the label of one criterion, as the end of a sentence; null where nothing is. */
function problemOf(id: string, own: Own, { id: rubric, criteria }: Rubric): string | null {
  const criterion = criteria.find((one) => one.id === id);
  if (criterion === undefined)
    return `names "${id}", which is no criterion of the rubric "${rubric}" (${criteria.map((one) => one.id).join(', ')})`;
  const range = rangeOf(criterion.scale);
  if (range === null)
    return typeof own === 'number'
      ? `says ${own} of "${id}", which passes or fails: write "pass" or "fail"`
      : null;
  const { min, max } = range;
  return typeof own === 'number' && own >= min && own <= max
    ? null
    : `says ${own} of "${id}", which is given a number from ${min} to ${max}`;
}

/** What is wrong with the labels of single criteria, each as the end of a sentence that begins with the case. */
export function criterionLabelProblems({ label }: Pick<EvalCase, 'label'>, rubric: Rubric): string[] {
  const labels = Object.entries(label?.criteria ?? {});
  const failed = labels.find(([, own]) => own === 'fail')?.[0];
  return [
    ...labels.flatMap(([id, own]) => {
      const problem = problemOf(id, own, rubric);
      return problem === null ? [] : [`label.criteria ${problem}`];
    }),
    ...(label?.decision === 'pass' && failed !== undefined
      ? [`the label contradicts itself: "pass", but "${failed}" fails`]
      : []),
  ];
}
