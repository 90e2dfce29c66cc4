import * as z from 'zod';
import { KeptCase } from '../case/case.ts';
import { categoryOfLabel } from '../labels/label.ts';
import { Person } from '../labels/person.ts';
import { studyItems } from './study-items.ts';

/** Whoever is asked. What they say is kept under the pseudonym alone; who they are stands here only, to reach them. */
export const Annotator = z.strictObject({
  id: z.string().min(1),
  /** From 0, in the order in which they were named: with the seed it fixes the order of their cases. */
  place: z.int().min(0),
  person: Person,
});
export type Annotator = z.infer<typeof Annotator>;

export const StudyCase = z.strictObject({
  /** Of the dataset; it may give the label away. */
  id: z.string().min(1),
  evalCase: KeptCase,
});
export type StudyCase = z.infer<typeof StudyCase>;

/** A kind of error that annotators can name. */
const ErrorType = z.strictObject({ id: z.string().min(1).max(150), title: z.string().min(1) });

/** The error that is none of those that are offered. */
export const OTHER_ERROR = 'other';

/** Cases that people are asked about, each person by themselves. All but `annotators` and `closed` never changes. */
export const Study = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  /** ms since the epoch. */
  at: z.number(),
  seed: z.int(),
  items: z.array(z.enum(studyItems)).min(1),
  /** What annotators go by: the wording of the rubric when the study was made, so that all read the same. */
  standard: z.strictObject({
    rubric: z.string(),
    task: z.string(),
    criteria: z.array(z.strictObject({ title: z.string(), rule: z.string() })),
  }),
  errorTypes: z.array(ErrorType),
  cases: z.array(StudyCase).min(1),
  annotators: z.array(Annotator),
  /** Takes no more annotations. */
  closed: z.boolean(),
});
export type Study = z.infer<typeof Study>;

/** A study as it is listed, without its cases. */
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

/** The category of cases whose label does not say whether they are correct. */
export const UNLABELED = 'unlabeled';

/** What the label of a case says is wrong with it, or that nothing is, or that there is none. */
export const categoryOf = ({ label }: Pick<StudyCase['evalCase'], 'label'>): string =>
  categoryOfLabel(label) ?? UNLABELED;
