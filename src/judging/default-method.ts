import type { EvalCase } from '../case/case.ts';
import { JuryError } from '../common/errors.ts';
import { entry, type JudgingLibrary } from './library.ts';
import { selectRubric } from './select-rubric.ts';

/**
 * The method of the rubric that all these cases are judged by.
 *
 * @param rubric the rubric of all, or null where each case has its own
 * @throws JuryError `usage` where their rubrics have several, `bad-input` where no rubric fits a case
 */
export function defaultMethod(
  library: JudgingLibrary,
  cases: readonly EvalCase[],
  rubric: string | null,
): string {
  const rubrics = cases.map((evalCase) => {
    const wanted = rubric ?? evalCase.rubric;
    return wanted === undefined
      ? selectRubric(library.rubrics, evalCase)
      : entry('rubric', library.rubrics, wanted);
  });
  const methods = [...new Set(rubrics.map(({ method }) => method))];
  const [only, ...more] = methods;
  if (only === undefined) throw new JuryError('bad-input', 'There is no case to judge.');
  if (more.length > 0)
    throw new JuryError(
      'usage',
      `The cases have rubrics with several methods (${methods.join(', ')}): name those to compare with --methods.`,
    );
  return only;
}
