import * as z from 'zod';
import { KeptCase } from '../case/case.ts';
import { categoryOfLabel } from '../labels/label.ts';
import { Person } from '../labels/person.ts';

/**
 * What annotators can be asked about a case: how valid the user's part is and how valid the system's, 1 to 5; whether the
 * response is correct; which errors it has; a comment. Habicht et al., Benchmarking Contextual Understanding, 6.4 and B.30.
 */
export const studyItems = ['user', 'system', 'correct', 'errors', 'comment'] as const;
export type StudyItem = (typeof studyItems)[number];

/** An annotator. Answers are stored under the pseudonym alone; the person is stored only here, to reach them. */
export const Annotator = z.strictObject({
  id: z.string().min(1),
  /** From 0, in the order of the request. With the seed it determines the order of the annotator's cases. */
  place: z.int().min(0),
  person: Person,
});
export type Annotator = z.infer<typeof Annotator>;

export const StudyCase = z.strictObject({
  /** From the dataset; it may give away the label. */
  id: z.string().min(1),
  evalCase: KeptCase,
});
export type StudyCase = z.infer<typeof StudyCase>;

/** An error type that annotators can name. */
const ErrorType = z.strictObject({ id: z.string().min(1).max(150), title: z.string().min(1) });

/** For errors that are none of the offered ones. */

export const OTHER_ERROR = 'other';

/** A set of cases that annotators judge independently. Only `annotators` and `closed` ever change. */
export const Study = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  /** ms since the epoch. */
  at: z.number(),
  seed: z.int(),
  items: z.array(z.enum(studyItems)).min(1),
  /** The rubric's wording when the study was created, so that all annotators read the same. */
  standard: z.strictObject({
    rubric: z.string(),
    task: z.string(),
    criteria: z.array(z.strictObject({ title: z.string(), rule: z.string() })),
  }),
  errorTypes: z.array(ErrorType),
  cases: z.array(StudyCase).min(1),
  annotators: z.array(Annotator),
  /** Accepts no more annotations. */
  closed: z.boolean(),
});
export type Study = z.infer<typeof Study>;

/** A study without its cases. */
export const StudyEntry = Study.pick({
  id: true,
  name: true,
  at: true,
  annotators: true,
  closed: true,
}).extend({
  cases: z.int().min(1),
});
export type StudyEntry = z.infer<typeof StudyEntry>;

/** The category of cases without a decision in their label. */
export const UNLABELED = 'unlabeled';

/** The error that a case's label names, `NO_ERROR`, or `UNLABELED`. */
export const categoryOf = ({ label }: Pick<StudyCase['evalCase'], 'label'>): string =>
  categoryOfLabel(label) ?? UNLABELED;
