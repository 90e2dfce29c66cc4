import * as z from 'zod';
import { groupedBy, JuryError } from '../common/index.ts';
import { grouped } from '../common/text/index.ts';
import {
  Criterion,
  entry,
  fittedToAny,
  OVERALL,
  type Rubric,
  rubricFor,
} from '../judging/standards/index.ts';
import { Person, type Pseudonym, personText } from '../labels/access/index.ts';
import { createRandom } from '../statistics/index.ts';
import { dealShares, type ShareWishes } from './shares.ts';
import { byCategory, categoryOf, StudyCase } from './study-case.ts';

/**
 * What annotators can be asked about a case: how valid the user's and the system's parts are (1 to 5), whether the
 * response is correct, which errors it has, and a comment. Habicht et al., Benchmarking Contextual Understanding, 6.4
 * and B.30.
 */
export const studyItems = ['user', 'system', 'correct', 'errors', 'comment'] as const;
export type StudyItem = (typeof studyItems)[number];

/** Value of `ask` for every criterion of the rubric. */
const ALL = 'criteria';

/** An annotator. Answers are stored under the pseudonym alone; the person is stored only here, for invitations. */
export const Annotator = z.strictObject({
  id: z.string().min(1),
  /** From 0, in the order of the request. Together with the seed it determines the order of the annotator's cases. */
  place: z.int().min(0),
  person: Person,
});
export type Annotator = z.infer<typeof Annotator>;

/** An error type that annotators can name. */
const ErrorType = z.strictObject({ id: z.string().min(1).max(150), title: z.string().min(1) });

/** For errors that are not among those offered. */
const OTHER_ERROR = 'other';

/** A criterion that annotators are asked about, on its scale: of a case, only if its rubric has it for that case. */
export const AskedCriterion = Criterion.pick({
  id: true,
  title: true,
  rule: true,
  scale: true,
  mayNotApply: true,
  onlyWith: true,
  notWith: true,
});
export type AskedCriterion = z.infer<typeof AskedCriterion>;

/** A snapshot of a rubric's wording when the study was created, so that all annotators read the same. */
const Standard = z.strictObject({
  rubric: z.string(),
  task: z.string(),
  criteria: z.array(z.strictObject({ title: z.string(), rule: z.string() })),
  /** The rubric's `seenBy`: fields that are shown beside the questions about some criteria alone. */
  seenBy: z.record(z.string(), z.array(z.string())).optional(),
});

/** The guide for annotators of a case, with the errors and criteria they can choose from. */
const WholeStandard = Standard.extend({
  errorTypes: z.array(ErrorType),
  questions: z.array(AskedCriterion).optional(),
});
export type StudyStandard = z.infer<typeof WholeStandard>;

/** A set of cases that annotators judge independently of each other. Only `annotators` and `closed` ever change. */
export const Study = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  /** ms since the epoch. */
  at: z.number(),
  seed: z.int(),
  items: z.array(z.enum(studyItems)),
  standard: Standard,
  errorTypes: z.array(ErrorType),
  /** Absent if the study asks about no criterion. */
  questions: z.array(AskedCriterion).optional(),
  /** The standards for cases of other rubrics. */
  others: z.array(WholeStandard).optional(),
  cases: z.array(StudyCase).min(1),
  /**
   * The cases that each annotator is asked about, as places among the cases, by the annotator's place; all shares have the
   * same size. Those who join later take over shares in turn. Absent: everybody is asked about all cases.
   */
  shares: z
    .array(z.array(z.int().min(0)).min(1))
    .min(1)
    .optional(),
  annotators: z.array(Annotator),
  /** Whether the study no longer accepts annotations. */
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
  /** How many cases each annotator is asked about. */
  cases: z.int().min(1),
});
export type StudyEntry = z.infer<typeof StudyEntry>;

/** How many cases each annotator is asked about. */
export const casesEach = ({ cases, shares }: Pick<Study, 'cases' | 'shares'>): number =>
  shares?.[0]?.length ?? cases.length;

/** The cases that an annotator is asked about, as places among the study's cases. */
export const shareOf = (
  { cases, shares }: Pick<Study, 'cases' | 'shares'>,
  { place }: Pick<Annotator, 'place'>,
): number[] => shares?.[place % shares.length] ?? [...cases.keys()];

/** All standards of a study. */
export const standardsOf = ({
  standard,
  errorTypes,
  questions,
  others = [],
}: Pick<Study, 'standard' | 'errorTypes' | 'questions' | 'others'>): StudyStandard[] => [
  { ...standard, errorTypes, questions },
  ...others,
];

/** The standard that a case is annotated by. */
export function standardOf(
  study: Parameters<typeof standardsOf>[0],
  shown: StudyCase | undefined,
): StudyStandard {
  const [first, ...others] = standardsOf(study);
  return (
    others.find(({ rubric }) => rubric === shown?.rubric) ?? first ?? { ...study.standard, errorTypes: [] }
  );
}

const conversationKey = ({ evalCase }: StudyCase): string => JSON.stringify(evalCase.conversation);

/**
 * Draws a sample with equally many correct cases and cases of each error (give or take one), as far as the dataset has
 * them. A conversation repeats only if its category has no others left. Keeps the dataset's order; the same seed draws
 * the same cases.
 *
 * @param count at least 1; if there are fewer cases, all are taken
 */
export function sampleCases(cases: readonly StudyCase[], count: number, seed: number): StudyCase[] {
  const random = createRandom(seed, 'study cases');
  let left = random.shuffled(
    byCategory(cases, ({ evalCase }) => categoryOf(evalCase)).map((group) => random.shuffled(group)),
  );
  const chosen = new Set<StudyCase>();
  const conversations = new Set<string>();
  while (chosen.size < count && left.length > 0) {
    for (const group of left) {
      if (chosen.size === count) break;
      const fresh = group.findIndex((one) => !conversations.has(conversationKey(one)));
      const [drawn] = group.splice(Math.max(fresh, 0), 1);
      if (drawn === undefined) continue;
      chosen.add(drawn);
      conversations.add(conversationKey(drawn));
    }
    left = left.filter((group) => group.length > 0);
  }
  return cases.filter((one) => chosen.has(one));
}

/** The rubrics of cases, in order of appearance: the requested one, or each case's own. */
export function rubricsOfCases(
  rubrics: ReadonlyMap<string, Rubric>,
  cases: readonly StudyCase[],
  wish?: string,
): { rubrics: Rubric[]; cases: StudyCase[] } {
  if (wish !== undefined) {
    const asked = cases.map(({ evalCase }) => evalCase);
    return { rubrics: [fittedToAny(entry('rubric', rubrics, wish), asked)], cases: [...cases] };
  }
  const named = cases.map((one) => ({ ...one, rubric: rubricFor(rubrics, one.evalCase).id }));
  const used = [...groupedBy(named, ({ rubric }) => rubric)].map(([id, group]) =>
    fittedToAny(
      entry('rubric', rubrics, id),
      group.map(({ evalCase }) => evalCase),
    ),
  );
  return { rubrics: used, cases: used.length === 1 ? [...cases] : named };
}

const MAX_CASES = 1_000;
const MAX_ANNOTATORS = 200;
const MAX_NAME = 100;

type StudyRubric = Pick<Rubric, 'id' | 'task' | 'criteria' | 'errorTypes' | 'overall' | 'seenBy'>;

export interface StudyRequest {
  id: string;
  name: string;
  /** ms since the epoch. */
  at: number;
  seed: number;
  /** The cases to sample from, each with its rubric if there are several. */
  cases: readonly StudyCase[];
  /** Size of the sample. Default: all cases. */
  count?: number | undefined;
  /** Default: everybody is asked about the whole sample. */
  shares?: ShareWishes | undefined;
  /** Study items, criterion ids, or `criteria` for all of them. */
  ask: readonly string[];
  people: readonly Person[];
  /** The rubrics that cases are annotated by; at least one. */
  rubrics: readonly StudyRubric[];
}

/**
 * The errors annotators can name: the rubric's criteria and error types, other error types in the labels, and "other".
 */
function errorTypesOf(rubric: StudyRubric, cases: readonly StudyCase[]): Study['errorTypes'] {
  const labels = [...new Set(cases.flatMap(({ evalCase }) => evalCase.label?.errorType ?? []))].sort();
  const all = [
    ...rubric.criteria.map(({ id, title }) => ({ id, title })),
    ...rubric.errorTypes.map(({ id, title }) => ({ id, title })),
    ...labels.map((id) => ({ id, title: id })),
    { id: OTHER_ERROR, title: 'Other' },
  ];
  return all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);
}

const itemNamed = (text: string): StudyItem | undefined => studyItems.find((item) => item === text);

/** What people can be asked about a rubric: its criteria, and its overall question. */
const criteriaOf = ({ criteria, overall }: StudyRubric): AskedCriterion[] => {
  const whole =
    overall === undefined ? [] : [{ ...overall, id: OVERALL, rule: overall.forPeople ?? overall.rule }];
  return [...criteria, ...whole].map((one) => AskedCriterion.strip().parse(one));
};

/** @throws JuryError `usage` if something is neither a study item nor a criterion of any rubric */
function requireAsked(ask: readonly string[], rubrics: readonly StudyRubric[]): void {
  const ids = [...new Set(rubrics.flatMap(criteriaOf).map(({ id }) => id))];
  const unknown = ask.find((text) => itemNamed(text) === undefined && text !== ALL && !ids.includes(text));
  if (ask.length === 0) throw new JuryError('usage', 'A study needs at least one question.');
  if (unknown !== undefined)
    throw new JuryError(
      'usage',
      `--ask ${unknown}: Must be ${[...studyItems, ALL].join(', ')}, or a criterion (${ids.join(', ')}).`,
    );
}

function standardFor(rubric: StudyRubric, { ask, cases, rubrics }: StudyRequest): StudyStandard {
  const rubricCases = cases.filter((one) => rubrics.length === 1 || one.rubric === rubric.id);
  const questions = criteriaOf(rubric).filter(
    ({ id }) => (ask.includes(ALL) && id !== OVERALL) || (ask.includes(id) && itemNamed(id) === undefined),
  );
  return {
    rubric: rubric.id,
    task: rubric.task,
    // The guide: every criterion, and the overall question if it is asked.
    criteria: [...rubric.criteria, ...questions.filter(({ id }) => id === OVERALL)].map(
      ({ title, rule }) => ({
        title,
        rule,
      }),
    ),
    ...(rubric.seenBy === undefined ? {} : { seenBy: rubric.seenBy }),
    errorTypes: errorTypesOf(rubric, rubricCases),
    ...(questions.length === 0 ? {} : { questions }),
  };
}

/**
 * @param already number of other annotators the study has
 * @throws JuryError `usage` if there are no people or too many, or if a person is listed twice
 */
function requirePeople(people: readonly Person[], ids: readonly string[], already = 0): void {
  if (people.length === 0) throw new JuryError('usage', 'A study needs at least one annotator.');
  if (people.length + already > MAX_ANNOTATORS)
    throw new JuryError('usage', `A study can have at most ${MAX_ANNOTATORS} annotators.`);
  const twice = people.find((_, place) => ids.indexOf(ids[place] ?? '') !== place);
  if (twice !== undefined) throw new JuryError('usage', `${personText(twice)} is listed twice.`);
}

/**
 * The people who are not yet annotators of a study, in the form `addAnnotators` takes.
 *
 * @throws JuryError `usage` if a person is listed twice, or there are too many
 */
export function newAnnotators(
  { annotators }: Pick<Study, 'annotators'>,
  people: readonly Person[],
  pseudonym: Pseudonym,
): Omit<Annotator, 'place'>[] {
  const ids = people.map(pseudonym);
  const annotatorIds = new Set(annotators.map(({ id }) => id));
  requirePeople(people, ids, annotators.filter(({ id }) => !ids.includes(id)).length);
  return people.flatMap((person, at) => {
    const id = ids[at] ?? '';
    return annotatorIds.has(id) ? [] : [{ id, person }];
  });
}

/**
 * Creates a study with a sample of the cases.
 *
 * @throws JuryError `usage` if the request is invalid
 */
export function newStudy(request: StudyRequest, pseudonym: Pseudonym): Study {
  const { id, name, at, seed, cases, count = cases.length, ask, people, rubrics } = request;
  const ids = people.map(pseudonym);
  requirePeople(people, ids);
  requireAsked(ask, rubrics);
  const title = name.trim();
  if (title === '' || title.length > MAX_NAME)
    throw new JuryError('usage', `A study's name must be 1 to ${MAX_NAME} characters long.`);
  const long = cases.find(({ evalCase }) => (evalCase.label?.errorType?.length ?? 0) > 150);
  if (long !== undefined)
    throw new JuryError('usage', `The error type of case ${long.id} is longer than 150 characters.`);
  const sample = count >= cases.length ? [...cases] : sampleCases(cases, count, seed);
  if (sample.length > MAX_CASES)
    throw new JuryError(
      'usage',
      `A study can have at most ${grouped(MAX_CASES)} cases, and the dataset has ${grouped(cases.length)}: say how many to sample (--cases 100).`,
    );
  const shares =
    request.shares === undefined ? undefined : dealShares(sample, people.length, request.shares, seed);
  const [first, ...others] = rubrics.map((rubric) => standardFor(rubric, request));
  if (first === undefined) throw new JuryError('usage', 'A study needs a rubric.');
  const { errorTypes, questions, ...standard } = first;
  return {
    id,
    name: title,
    at,
    seed,
    items: studyItems.filter((item) => ask.includes(item)),
    standard,
    errorTypes,
    ...(questions === undefined ? {} : { questions }),
    ...(others.length === 0 ? {} : { others }),
    cases: sample,
    ...(shares === undefined ? {} : { shares }),
    annotators: people.map((person, place) => ({ id: ids[place] ?? '', place, person })),
    closed: false,
  };
}
