import type { EvalCase } from '../case/case.ts';

/** The category of cases that hold no error. */
export const NO_ERROR = 'no error';

/** The category of incorrect cases whose label does not say what is wrong. */
const ANY_ERROR = 'error of no stated type';

/** What a case's label says is wrong, in one word or so; null where it does not say whether anything is. */
export function categoryOfLabel(label: EvalCase['label'] | null): string | null {
  if (label?.decision === undefined) return null;
  return label.decision === 'pass' ? NO_ERROR : (label.errorType ?? ANY_ERROR);
}
