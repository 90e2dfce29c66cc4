import { NO_ERROR } from '../labels/label.ts';
import { standardDeviation, sum } from '../statistics/descriptive.ts';
import { krippendorffAlpha } from '../statistics/krippendorff-alpha.ts';
import { type Interval, type Measure, ratio, unmeasured } from '../statistics/measure.ts';
import { wilsonInterval } from '../statistics/proportions.ts';
import { tallyHistogram } from '../statistics/tallies.ts';
import { type Annotation, progressOfAll } from './annotation.ts';
import { byCategory } from './new-study.ts';
import { categoryOf, type Study, type StudyItem, UNLABELED } from './study.ts';

const LEVELS = [1, 2, 3, 4, 5] as const;
const NO_RATING = 'there are no ratings';

/** Ratings from 1 to 5. Habicht et al., Benchmarking Contextual Understanding, 6.4 and 7.1. */
export interface RatingReport {
  /** How often each level was chosen, from 1 to 5. */
  counts: number[];
  mean: Measure;
  /** Standard deviation of single ratings. */
  deviation: Measure;
  /** Standard deviation of the cases' means; the paper does not say which of the two it reports. */
  deviationOfCases: Measure;
  /** Krippendorff, ordinal: how far the annotators agree. */
  alpha: Measure;
}

/** @param units the ratings of each case */
function ratingReport(units: readonly (readonly number[])[]): RatingReport {
  const all = units.flat();
  const means = units.flatMap((unit) => (unit.length === 0 ? [] : [sum(unit) / unit.length]));
  return {
    counts: LEVELS.map((level) => all.filter((rating) => rating === level).length),
    mean: ratio(sum(all), all.length, all.length, NO_RATING),
    deviation: standardDeviation(all),
    deviationOfCases: standardDeviation(means),
    alpha: krippendorffAlpha(tallyHistogram(units, LEVELS), { scale: 'ordinal' }),
  };
}

/** The annotations of the cases in one category. */
interface CategoryReport {
  /** See `categoryOf`. */
  category: string;
  cases: number;
  annotations: number;
  /** Share of annotations that call the response correct. */
  saidCorrect: Measure;
  /** Share that agrees with the label; not defined without one. */
  right: Measure;
  /** Share that names the label's error; not defined if it names none. */
  namedIt: Measure;
}

/** How far people agree with the labels. */
export interface LabelReport {
  /** Share of annotations of labeled cases that agree with the label. */
  right: Measure;
  /** The same for each annotator, by pseudonym. */
  annotators: { annotator: string; right: Measure }[];
  /** The majority of each case compared with its label. Friedl et al., 3.6: the expert judge is the mode of the votes. */
  majority: { right: Measure; interval: Interval; ties: number };
}

/** The results of a study. What was not asked is null; what is not defined says why. */
export interface StudyReport {
  id: string;
  name: string;
  rubric: string;
  closed: boolean;
  cases: number;
  annotators: number;
  /** Number of annotations made, and missing. */
  given: number;
  missing: number;
  progress: { person: string; done: number; total: number }[];
  user: RatingReport | null;
  system: RatingReport | null;
  correct: {
    said: Measure;
    /** Krippendorff, nominal: correct or not. */
    alpha: Measure;
  } | null;
  /** Krippendorff, nominal: correct, or which errors it has, as one word. */
  labelAlpha: Measure | null;
  labels: LabelReport | null;
  categories: CategoryReport[];
}

const NO_ANSWER = 'none of these cases has been annotated';

const share = (annotations: readonly Annotation[], is: (one: Annotation) => boolean): Measure =>
  ratio(annotations.filter(is).length, annotations.length, annotations.length, NO_ANSWER);

/** Whether the case's label says it is correct; null without a label. */
const isCorrect = (study: Study, index: number): boolean | null => {
  const category = categoryOf(study.cases[index]?.evalCase ?? {});
  return category === UNLABELED ? null : category === NO_ERROR;
};

const agrees = (study: Study) => (one: Annotation) => one.answers.correct === isCorrect(study, one.case);

function labelReport(study: Study, byCase: readonly (readonly Annotation[])[]): LabelReport | null {
  const labeled = byCase.filter((_, index) => isCorrect(study, index) !== null);
  if (labeled.length === 0) return null;
  const about = labeled.flat();
  const judged = labeled.filter((own) => own.length > 0);
  const leads = judged.map((own) => {
    const right = own.filter(agrees(study)).length;
    return 2 * right - own.length;
  });
  const decided = leads.filter((lead) => lead !== 0);
  const right = decided.filter((lead) => lead > 0).length;
  return {
    right: share(about, agrees(study)),
    annotators: study.annotators.map(({ id }) => ({
      annotator: id,
      right: share(
        about.filter(({ annotator }) => annotator === id),
        agrees(study),
      ),
    })),
    majority: {
      right: ratio(right, decided.length, decided.length, 'no labeled case has a majority'),
      interval: wilsonInterval(right, decided.length),
      ties: leads.length - decided.length,
    },
  };
}

function categoryReports(study: Study, byCase: readonly (readonly Annotation[])[]): CategoryReport[] {
  const nameOf = (index: number) => categoryOf(study.cases[index]?.evalCase ?? {});
  return byCategory([...study.cases.keys()], nameOf).map((indexes) => {
    const own = indexes.flatMap((index) => byCase[index] ?? []);
    const category = nameOf(indexes[0] ?? 0);
    const namesOne = study.items.includes('errors') && study.errorTypes.some(({ id }) => id === category);
    return {
      category,
      cases: indexes.length,
      annotations: own.length,
      saidCorrect: share(own, ({ answers }) => answers.correct === true),
      right: category === UNLABELED ? unmeasured('the cases have no label', 0) : share(own, agrees(study)),
      namedIt: namesOne
        ? share(own, ({ answers }) => answers.errors?.includes(category) === true)
        : unmeasured('the label names no error, or the study does not ask for errors', 0),
    };
  });
}

/** An annotation as one category: `correct`, or the named errors. */
const wordOf = ({ answers: { correct, errors = [] } }: Annotation): string =>
  correct === true ? 'correct' : errors.join('+');

/** Annotators who are no longer part of the study are left out. */
export function studyReport(study: Study, given: readonly Annotation[]): StudyReport {
  const known = new Set(study.annotators.map(({ id }) => id));
  const annotations = given.filter((one) => known.has(one.annotator) && one.case < study.cases.length);
  const asks = (item: StudyItem) => study.items.includes(item);
  const byCase = study.cases.map((): Annotation[] => []);
  for (const one of annotations) byCase[one.case]?.push(one);
  const unitsOf = <T>(answerIn: (one: Annotation) => T | undefined): T[][] =>
    byCase.map((own) => own.map(answerIn).filter((value) => value !== undefined));
  const judgedByCase = byCase.map((own) => own.filter(({ answers }) => answers.correct !== undefined));
  const judged = judgedByCase.flat();
  const words = judgedByCase.map((own) => own.map(wordOf));
  const expected = study.cases.length * study.annotators.length;
  const nominal = (units: string[][], all: readonly string[]) =>
    krippendorffAlpha(tallyHistogram(units, all), { scale: 'nominal' });
  return {
    id: study.id,
    name: study.name,
    rubric: study.standard.rubric,
    closed: study.closed,
    cases: study.cases.length,
    annotators: study.annotators.length,
    given: annotations.length,
    missing: expected - annotations.length,
    progress: progressOfAll(study, annotations),
    user: asks('user') ? ratingReport(unitsOf(({ answers }) => answers.user)) : null,
    system: asks('system') ? ratingReport(unitsOf(({ answers }) => answers.system)) : null,
    correct: asks('correct')
      ? {
          said: share(judged, ({ answers }) => answers.correct === true),
          alpha: nominal(
            unitsOf(({ answers: { correct } }) =>
              correct === undefined ? undefined : correct ? 'yes' : 'no',
            ),
            ['yes', 'no'],
          ),
        }
      : null,
    labelAlpha: asks('correct') && asks('errors') ? nominal(words, [...new Set(words.flat())]) : null,
    labels: asks('correct') ? labelReport(study, judgedByCase) : null,
    categories: asks('correct') ? categoryReports(study, judgedByCase) : [],
  };
}
