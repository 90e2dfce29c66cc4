import * as z from 'zod';
import { KeptCase } from '../case/case.ts';
import { groupedBy } from '../common/collections.ts';
import { JuryError } from '../common/errors.ts';
import type { Rubric } from '../judging/rubric.ts';
import { categoryOfLabel } from '../labels/label.ts';
import { Person, type Pseudonym, personText } from '../labels/person.ts';
import { createRandom } from '../statistics/random.ts';

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

const OTHER_ERROR = 'other';

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

/** Cases grouped by category, sorted by category. */
export function byCategory<T>(cases: readonly T[], category: (one: T) => string): T[][] {
  return [...groupedBy(cases, category)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

const requestOf = ({ evalCase }: StudyCase): string => JSON.stringify(evalCase.conversation);

/**
 * A sample with equally many correct cases and cases of each error (give or take one), as far as the dataset has them. A request
 * repeats only if its category has no others. In the order of the dataset; the same seed draws the same cases.
 *
 * @param count at least 1; if there are fewer cases, all are taken
 */
export function sampleCases(cases: readonly StudyCase[], count: number, seed: number): StudyCase[] {
  const random = createRandom(seed, 'study cases');
  let left = random.shuffled(
    byCategory(cases, ({ evalCase }) => categoryOf(evalCase)).map((group) => random.shuffled(group)),
  );
  const chosen = new Set<StudyCase>();
  const requests = new Set<string>();
  while (chosen.size < count && left.length > 0) {
    for (const group of left) {
      if (chosen.size === count) break;
      const fresh = group.findIndex((one) => !requests.has(requestOf(one)));
      const [one] = group.splice(Math.max(fresh, 0), 1);
      if (one === undefined) continue;
      chosen.add(one);
      requests.add(requestOf(one));
    }
    left = left.filter((group) => group.length > 0);
  }
  return cases.filter((one) => chosen.has(one));
}

const MAX_ANNOTATORS = 200;
const MAX_NAME = 100;

export interface StudyRequest {
  id: string;
  name: string;
  /** ms since the epoch. */
  at: number;
  seed: number;
  /** The cases to sample from. */
  cases: readonly StudyCase[];
  /** Size of the sample. */
  count: number;
  items: readonly StudyItem[];
  people: readonly Person[];
  rubric: Pick<Rubric, 'id' | 'task' | 'criteria' | 'errorTypes'>;
}

/** What annotators can name: the rubric's criteria and error types, other error types of the labels, and "other". */
function errorTypesOf({ rubric, cases }: Pick<StudyRequest, 'rubric' | 'cases'>): Study['errorTypes'] {
  const labels = [...new Set(cases.flatMap(({ evalCase }) => evalCase.label?.errorType ?? []))].sort();
  const all = [
    ...rubric.criteria.map(({ id, title }) => ({ id, title })),
    ...rubric.errorTypes.map(({ id, title }) => ({ id, title })),
    ...labels.map((id) => ({ id, title: id })),
    { id: OTHER_ERROR, title: 'Other' },
  ];
  return all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);
}

function requirePeople(people: readonly Person[], ids: readonly string[]): void {
  if (people.length === 0) throw new JuryError('usage', 'A study needs at least one annotator.');
  if (people.length > MAX_ANNOTATORS)
    throw new JuryError('usage', `A study can have at most ${MAX_ANNOTATORS} annotators.`);
  const twice = people.find((_, place) => ids.indexOf(ids[place] ?? '') !== place);
  if (twice !== undefined) throw new JuryError('usage', `${personText(twice)} is listed twice.`);
}

/** @throws JuryError `usage` if the request is invalid */
export function newStudy(request: StudyRequest, pseudonym: Pseudonym): Study {
  const { id, name, at, seed, cases, count, items, people, rubric } = request;
  const ids = people.map(pseudonym);
  requirePeople(people, ids);
  const title = name.trim();
  if (title === '' || title.length > MAX_NAME)
    throw new JuryError('usage', `A study's name must be 1 to ${MAX_NAME} characters long.`);
  const long = cases.find(({ evalCase }) => (evalCase.label?.errorType?.length ?? 0) > 150);
  if (long !== undefined)
    throw new JuryError('usage', `The error type of case ${long.id} is longer than 150 characters.`);
  return {
    id,
    name: title,
    at,
    seed,
    items: [...items],
    standard: {
      rubric: rubric.id,
      task: rubric.task,
      criteria: rubric.criteria.map((criterion) => ({ title: criterion.title, rule: criterion.rule })),
    },
    errorTypes: errorTypesOf(request),
    cases: sampleCases(cases, count, seed),
    annotators: people.map((person, place) => ({ id: ids[place] ?? '', place, person })),
    closed: false,
  };
}
