import { type EvalCase, missingFields } from '../../case/index.ts';
import { JuryError } from '../../common/index.ts';
import { currentOf, entry, type JudgingLibrary } from './library.ts';
import { fittedTo, type Rubric } from './rubric.ts';

/** The fields by which a case selects a rubric; null if one is missing. */
export function selectingFields({ selectedBy }: Rubric, evalCase: EvalCase): string[] | null {
  const carried = selectedBy.map((paths) => {
    const any = [paths].flat();
    return any.find((path) => missingFields(evalCase, [path]).length === 0);
  });
  const paths = carried.filter((path) => path !== undefined);
  return paths.length === 0 || paths.length < carried.length ? null : paths;
}

/**
 * The rubric for a case that names none: the one with the lowest rank whose selecting fields the case has.
 *
 * @throws JuryError `bad-input` if none fits, or several with the same rank do
 */
export function selectRubric(rubrics: ReadonlyMap<string, Rubric>, evalCase: EvalCase): Rubric {
  const fitting = currentOf(rubrics)
    .filter((rubric) => selectingFields(rubric, evalCase) !== null)
    .sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
  const [best, next] = fitting;
  if (best === undefined) {
    const offers = currentOf(rubrics).map(
      ({ id, needs }) => `${id} (needs ${needs.join(', ') || 'nothing more'})`,
    );
    throw new JuryError(
      'bad-input',
      `No rubric fits the fields of this case. Name a rubric, or add the fields that it needs: ${offers.join('; ')}.`,
    );
  }
  if (next !== undefined && next.rank === best.rank) {
    const equals = fitting.filter(({ rank }) => rank === best.rank);
    throw new JuryError(
      'bad-input',
      `Several rubrics fit this case equally well: ${equals.map(({ id }) => id).join(', ')}. Name one with "rubric: ID" in the case or --rubric, or give one of your own a lower rank.`,
    );
  }
  return best;
}

/**
 * The rubric of a case: the one that is wanted, else the one that fits; with the criteria that it has for the case.
 *
 * @throws JuryError `usage` if there is none of that name, or as {@link selectRubric}
 */
export const rubricFor = (
  rubrics: ReadonlyMap<string, Rubric>,
  evalCase: EvalCase,
  wanted: string | undefined = evalCase.rubric,
): Rubric =>
  fittedTo(
    wanted === undefined ? selectRubric(rubrics, evalCase) : entry('rubric', rubrics, wanted),
    evalCase,
  );

/**
 * The default method of the rubrics of some cases.
 *
 * @param rubric the rubric of all cases; null: each case's own
 * @throws JuryError `usage` if their rubrics have different methods, `bad-input` if no rubric fits a case
 */
export function defaultMethod(
  library: JudgingLibrary,
  cases: readonly EvalCase[],
  rubric: string | null,
): string {
  const rubrics = cases.map((evalCase) => rubricFor(library.rubrics, evalCase, rubric ?? undefined));
  const methods = [...new Set(rubrics.map(({ method }) => method))];
  const [only, ...more] = methods;
  if (only === undefined) throw new JuryError('bad-input', 'There is nothing to judge.');
  if (more.length > 0)
    throw new JuryError(
      'usage',
      `The cases' rubrics have different methods (${methods.join(', ')}): choose with --methods.`,
    );
  return only;
}
