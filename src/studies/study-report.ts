import { isPair } from '../case/index.ts';
import { groupedBy } from '../common/index.ts';
import { rangeOf } from '../judging/standards/index.ts';
import { alphaOf, NO_ERROR, type Said, UNSURE } from '../labels/index.ts';
import {
  type Measure,
  ratio,
  standardDeviation,
  sum,
  unmeasured,
  wilsonInterval,
} from '../statistics/index.ts';
import { type Annotation, progressOfAll } from './annotation.ts';
import {
  type AskedCriterion,
  casesEach,
  type Study,
  type StudyItem,
  standardOf,
  standardsOf,
} from './study.ts';
import { byCategory, categoryOf, UNLABELED } from './study-case.ts';

const LEVELS = [1, 2, 3, 4, 5] as const;

export type RatingReport = ReturnType<typeof ratingReport>;

/**
 * Statistics of ratings from 1 to 5. Habicht et al., Benchmarking Contextual Understanding, 6.4 and 7.1.
 *
 * @param units the ratings of each case
 */
function ratingReport(units: readonly (readonly number[])[]) {
  const all = units.flat();
  const means = units.flatMap((unit) => (unit.length === 0 ? [] : [sum(unit) / unit.length]));
  return {
    /** How often each level from 1 to 5 was chosen. */
    counts: LEVELS.map((level) => all.filter((rating) => rating === level).length),
    mean: ratio(sum(all), all.length, all.length, 'there are no ratings'),
    /** Standard deviation of single ratings. */
    deviation: standardDeviation(all),
    /** Standard deviation of the cases' means. The paper does not say which of the two it reports. */
    deviationOfCases: standardDeviation(means),
    /** Krippendorff's alpha, ordinal: how far the annotators agree. */
    alpha: alphaOf(units, { min: LEVELS[0], max: LEVELS[4] }),
  };
}

const share = (annotations: readonly Annotation[], is: (one: Annotation) => boolean): Measure => {
  const n = annotations.length;
  return ratio(annotations.filter(is).length, n, n, 'none of these cases has been annotated');
};

const categoryAt = ({ cases }: Study, index: number): string => categoryOf(cases[index]?.evalCase ?? {});

const isDecided = ({ answers: { correct } }: Annotation): boolean => typeof correct === 'boolean';

const agrees = (study: Study) => (one: Annotation) =>
  one.answers.correct === (categoryAt(study, one.case) === NO_ERROR);

export type LabelReport = NonNullable<ReturnType<typeof labelReport>>;

/** How far people agree with the labels; null if there are none. */
function labelReport(study: Study, byCase: readonly (readonly Annotation[])[]) {
  const labeled = byCase.filter((_, index) => categoryAt(study, index) !== UNLABELED);
  if (labeled.length === 0) return null;
  // Unsure annotators take no side.
  const about = labeled.flat().filter(isDecided);
  const leads = labeled
    .map((caseAnnotations) => caseAnnotations.filter(isDecided))
    .filter((caseAnnotations) => caseAnnotations.length > 0)
    .map((caseAnnotations) => 2 * caseAnnotations.filter(agrees(study)).length - caseAnnotations.length);
  const decided = leads.filter((lead) => lead !== 0);
  const right = decided.filter((lead) => lead > 0).length;
  return {
    /** Share of annotations of labeled cases that agree with the label, leaving out unsure ones. */
    right: share(about, agrees(study)),
    /** The same for each annotator, by pseudonym. */
    annotators: study.annotators.map(({ id }) => {
      const annotatorsRatings = about.filter(({ annotator }) => annotator === id);
      return { annotator: id, right: share(annotatorsRatings, agrees(study)) };
    }),
    /** Each case's majority compared with its label. Friedl et al., 3.6: the expert judge is the mode of the votes. */
    majority: {
      right: ratio(right, decided.length, decided.length, 'no labeled case has a majority'),
      interval: wilsonInterval(right, decided.length),
      ties: leads.length - decided.length,
    },
  };
}

function categoryReports(study: Study, byCase: readonly (readonly Annotation[])[]) {
  const nameOf = (index: number) => categoryAt(study, index);
  return byCategory([...study.cases.keys()], nameOf).map((indexes) => {
    const categoryAnnotations = indexes.flatMap((index) => byCase[index] ?? []);
    const category = nameOf(indexes[0] ?? 0);
    const namesOne =
      study.items.includes('errors') &&
      standardsOf(study).some(({ errorTypes }) => errorTypes.some(({ id }) => id === category));
    return {
      /** See `categoryOf`. */
      category,
      cases: indexes.length,
      annotations: categoryAnnotations.length,
      /** Share of annotations that call the response correct, leaving out unsure ones. */
      saidCorrect: share(categoryAnnotations.filter(isDecided), ({ answers }) => answers.correct === true),
      /** Share that agrees with the label, leaving out unsure ones; undefined without a label. */
      right:
        category === UNLABELED
          ? unmeasured('the cases have no label', 0)
          : share(categoryAnnotations.filter(isDecided), agrees(study)),
      /** Share that names the label's error; undefined if the label names none. */
      namedIt: namesOne
        ? share(categoryAnnotations, ({ answers }) => answers.errors?.includes(category) === true)
        : unmeasured('the label names no error, or the study does not ask for errors', 0),
    };
  });
}

/** An annotation as one category: `correct`, `unsure`, or the named errors. */
const wordOf = ({ answers: { correct, errors = [] } }: Annotation): string =>
  correct === true ? 'correct' : correct === UNSURE ? UNSURE : errors.join('+');

export type CriterionReport = ReturnType<typeof criterionReport>;

/**
 * Answers about one criterion; for pairs, which answer meets it better.
 *
 * @param rubric null if the study has only one
 */
function criterionReport(
  { id, title, scale }: AskedCriterion,
  { rubric, pair }: { rubric: string | null; pair: boolean },
  units: readonly (readonly Said[])[],
) {
  const range = pair ? null : rangeOf(scale);
  const ratings = units.flat();
  const counts = [...groupedBy(ratings, String)].map(([one, { length }]): [string, number] => [one, length]);
  const scores = ratings.filter((one): one is number => typeof one === 'number');
  return {
    id,
    title,
    rubric,
    /** Whether the question was which of two answers meets it better. */
    pair,
    cases: units.filter((unit) => unit.length > 0).length,
    annotations: ratings.length,
    /** How often each answer was given. */
    counts: Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1))),
    /** Mean of the scores. */
    mean: range === null ? null : ratio(sum(scores), scores.length, scores.length, 'there are no scores'),
    deviation: range === null ? null : standardDeviation(scores),
    alpha: alphaOf(units, range),
  };
}

function criterionReports(study: Study, byCase: readonly (readonly Annotation[])[]): CriterionReport[] {
  const standards = standardsOf(study);
  return [false, true].flatMap((pair) =>
    standards.flatMap((standard) => {
      const standardAnnotations = byCase.filter((_, index) => {
        const shown = study.cases[index];
        const isOwn = standardOf(study, shown).rubric === standard.rubric;
        return shown !== undefined && isOwn && isPair(shown.evalCase) === pair;
      });
      if (standardAnnotations.length === 0) return [];
      const rubric = standards.length > 1 ? standard.rubric : null;
      return (standard.questions ?? []).map((criterion) => {
        const units = standardAnnotations.map((all) =>
          all.flatMap(({ answers }) => answers.criteria?.[criterion.id] ?? []),
        );
        return criterionReport(criterion, { rubric, pair }, units);
      });
    }),
  );
}

/** Which of two answers is better. */
function betterReport(units: readonly (readonly string[])[]) {
  const answers = units.flat();
  if (answers.length === 0) return null;
  const count = (wanted: string) => answers.filter((one) => one === wanted).length;
  return {
    A: count('A'),
    B: count('B'),
    same: count('same'),
    unsure: count(UNSURE),
    alpha: alphaOf(units),
  };
}

export type StudyReport = ReturnType<typeof studyReport>;

/**
 * The results of a study. What was not asked is null; an undefined measure says why. Former annotators are left out.
 */
export function studyReport(study: Study, given: readonly Annotation[]) {
  const annotatorIds = new Set(study.annotators.map(({ id }) => id));
  const annotations = given.filter((one) => annotatorIds.has(one.annotator) && one.case < study.cases.length);
  const asks = (item: StudyItem) => study.items.includes(item);
  const byCase = study.cases.map((): Annotation[] => []);
  for (const annotation of annotations) byCase[annotation.case]?.push(annotation);
  const ratings = (item: 'user' | 'system') =>
    asks(item) ? ratingReport(byCase.map((own) => own.flatMap(({ answers }) => answers[item] ?? []))) : null;
  const judged = byCase.map((own) => own.filter(({ answers }) => answers.correct !== undefined));
  const decided = judged.flat().filter(isDecided);
  return {
    id: study.id,
    name: study.name,
    rubric: standardsOf(study)
      .map(({ rubric }) => rubric)
      .join(', '),
    closed: study.closed,
    cases: study.cases.length,
    annotators: study.annotators.length,
    /** Number of annotations made, and number missing. */
    given: annotations.length,
    missing: casesEach(study) * study.annotators.length - annotations.length,
    progress: progressOfAll(study, annotations),
    user: ratings('user'),
    system: ratings('system'),
    correct: asks('correct')
      ? {
          /** Share that says correct, leaving out unsure ones. */
          said: share(decided, ({ answers }) => answers.correct === true),
          unsure: judged.flat().length - decided.length,
          /** Krippendorff's alpha, nominal: correct, incorrect or unsure. */
          alpha: alphaOf(judged.map((own) => own.map(({ answers }) => String(answers.correct)))),
        }
      : null,
    /** Krippendorff's alpha, nominal: correct, unsure, or the named errors taken together as one category. */
    labelAlpha: asks('correct') && asks('errors') ? alphaOf(judged.map((own) => own.map(wordOf))) : null,
    labels: asks('correct') ? labelReport(study, judged) : null,
    better: betterReport(byCase.map((own) => own.flatMap(({ answers }) => answers.better ?? []))),
    criteria: criterionReports(study, byCase),
    categories: asks('correct') ? categoryReports(study, judged) : [],
  };
}
