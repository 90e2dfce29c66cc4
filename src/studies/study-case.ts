import * as z from 'zod';
import { KeptCase } from '../case/index.ts';
import { groupedBy } from '../common/index.ts';
import { categoryOfLabel } from '../labels/index.ts';

export const StudyCase = z.strictObject({
  /** From the dataset. It may reveal the label. */
  id: z.string().min(1),
  evalCase: KeptCase,
  /** The rubric it is annotated by; absent if the study has only one. */
  rubric: z.string().optional(),
});
export type StudyCase = z.infer<typeof StudyCase>;

/** Category of cases whose label has no decision. */
export const UNLABELED = 'unlabeled';

/** The error named by a case's label, `NO_ERROR`, or `UNLABELED`. */
export const categoryOf = ({ label }: Pick<StudyCase['evalCase'], 'label'>): string =>
  categoryOfLabel(label) ?? UNLABELED;

/** Cases grouped by category, sorted by category. */
export function byCategory<T>(cases: readonly T[], category: (one: T) => string): T[][] {
  return [...groupedBy(cases, category)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}
