import { NO_ERROR } from '../labels/label.ts';
import { krippendorffAlpha } from '../statistics/agreement.ts';
import { type Measure, ratio, standardDeviation, sum, unmeasured } from '../statistics/measure.ts';
import { wilsonInterval } from '../statistics/proportions.ts';
import { tallyHistogram } from '../statistics/tallies.ts';
import { type Annotation, progressOfAll } from './annotation.ts';
import { byCategory, categoryOf, type Study, type StudyItem, UNLABELED } from './study.ts';

const LEVELS = [1, 2, 3, 4, 5] as const;

export type RatingReport = ReturnType<typeof ratingReport>;

/**
 * Ratings from 1 to 5. Habicht et al., Benchmarking Contextual Understanding, 6.4 and 7.1.
 *
 * @param units the ratings of each case
 */
function ratingReport(units: readonly (readonly number[])[]) {
  const all = units.flat();
  const means = units.flatMap((unit) => (unit.length === 0 ? [] : [sum(unit) / unit.length]));
  return {
    /** How often each level was chosen, from 1 to 5. */
    counts: LEVELS.map((level) => all.filter((rating) => rating === level).length),
    mean: ratio(sum(all), all.length, all.length, 'there are no ratings'),
    /** Standard deviation of single ratings. */
    deviation: standardDeviation(all),
    /** Standard deviation of the cases' means; the paper does not say which of the two it reports. */
    deviationOfCases: standardDeviation(means),
    /** Krippendorff, ordinal: how far the annotators agree. */
    alpha: krippendorffAlpha(tallyHistogram(units, LEVELS), { scale: 'ordinal' }),
  };
}

const share = (annotations: readonly Annotation[], is: (one: Annotation) => boolean): Measure => {
  const n = annotations.length;
  return ratio(annotations.filter(is).length, n, n, 'none of these cases has been annotated');
};

const categoryAt = ({ cases }: Study, index: number): string => categoryOf(cases[index]?.evalCase ?? {});

const agrees = (study: Study) => (one: Annotation) =>
  one.answers.correct === (categoryAt(study, one.case) === NO_ERROR);

export type LabelReport = NonNullable<ReturnType<typeof labelReport>>;

/** How far people agree with the labels; null without labels. */
function labelReport(study: Study, byCase: readonly (readonly Annotation[])[]) {
  const labeled = byCase.filter((_, index) => categoryAt(study, index) !== UNLABELED);
  if (labeled.length === 0) return null;
  const about = labeled.flat();
  const leads = labeled
    .filter((own) => own.length > 0)
    .map((own) => 2 * own.filter(agrees(study)).length - own.length);
  const decided = leads.filter((lead) => lead !== 0);
  const right = decided.filter((lead) => lead > 0).length;
  return {
    /** Share of annotations of labeled cases that agree with the label. */
    right: share(about, agrees(study)),
    /** The same for each annotator, by pseudonym. */
    annotators: study.annotators.map(({ id }) => {
      const own = about.filter(({ annotator }) => annotator === id);
      return { annotator: id, right: share(own, agrees(study)) };
    }),
    /** The majority of each case compared with its label. Friedl et al., 3.6: the expert judge is the mode of the votes. */
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
    const own = indexes.flatMap((index) => byCase[index] ?? []);
    const category = nameOf(indexes[0] ?? 0);
    const namesOne = study.items.includes('errors') && study.errorTypes.some(({ id }) => id === category);
    return {
      /** See `categoryOf`. */
      category,
      cases: indexes.length,
      annotations: own.length,
      /** Share of annotations that call the response correct. */
      saidCorrect: share(own, ({ answers }) => answers.correct === true),
      /** Share that agrees with the label; not defined without one. */
      right: category === UNLABELED ? unmeasured('the cases have no label', 0) : share(own, agrees(study)),
      /** Share that names the label's error; not defined if it names none. */
      namedIt: namesOne
        ? share(own, ({ answers }) => answers.errors?.includes(category) === true)
        : unmeasured('the label names no error, or the study does not ask for errors', 0),
    };
  });
}

/** An annotation as one category: `correct`, or the named errors. */
const wordOf = ({ answers: { correct, errors = [] } }: Annotation): string =>
  correct === true ? 'correct' : errors.join('+');

const nominal = (units: readonly string[][]): Measure =>
  krippendorffAlpha(tallyHistogram(units, [...new Set(units.flat())]), { scale: 'nominal' });

export type StudyReport = ReturnType<typeof studyReport>;

/**
 * The results of a study. What was not asked is null; what is not defined says why. Annotators who are no longer part of the study are
 * left out.
 */
export function studyReport(study: Study, given: readonly Annotation[]) {
  const known = new Set(study.annotators.map(({ id }) => id));
  const annotations = given.filter((one) => known.has(one.annotator) && one.case < study.cases.length);
  const asks = (item: StudyItem) => study.items.includes(item);
  const byCase = study.cases.map((): Annotation[] => []);
  for (const one of annotations) byCase[one.case]?.push(one);
  const ratings = (item: 'user' | 'system') =>
    asks(item) ? ratingReport(byCase.map((own) => own.flatMap(({ answers }) => answers[item] ?? []))) : null;
  const judged = byCase.map((own) => own.filter(({ answers }) => answers.correct !== undefined));
  return {
    id: study.id,
    name: study.name,
    rubric: study.standard.rubric,
    closed: study.closed,
    cases: study.cases.length,
    annotators: study.annotators.length,
    /** Number of annotations made, and missing. */
    given: annotations.length,
    missing: study.cases.length * study.annotators.length - annotations.length,
    progress: progressOfAll(study, annotations),
    user: ratings('user'),
    system: ratings('system'),
    correct: asks('correct')
      ? {
          said: share(judged.flat(), ({ answers }) => answers.correct === true),
          /** Krippendorff, nominal: correct or not. */
          alpha: nominal(judged.map((own) => own.map(({ answers }) => String(answers.correct)))),
        }
      : null,
    /** Krippendorff, nominal: correct, or which errors it has, as one word. */
    labelAlpha: asks('correct') && asks('errors') ? nominal(judged.map((own) => own.map(wordOf))) : null,
    labels: asks('correct') ? labelReport(study, judged) : null,
    categories: asks('correct') ? categoryReports(study, judged) : [],
  };
}
