import { caseHash, type EvalCase } from '../../case/index.ts';
import { caseIdOf } from '../../judging/index.ts';

/** Identifies a case and its content across runs. */
export interface CaseMark {
  id: string;
  /** Content hash, including the label. */
  hash: string;
  labeled: boolean;
}

export const markOf = (evalCase: EvalCase): CaseMark => ({
  id: caseIdOf(evalCase),
  hash: caseHash(evalCase),
  labeled: evalCase.label !== undefined,
});
