import { fixed, NONE, percent, rangeText } from '../../benchmark/reports/format.ts';
import { counted, plainText } from '../../common/text.ts';
import type { Measure } from '../../statistics/measure.ts';
import type { LabelReport, RatingReport, StudyReport } from '../../studies/study-report.ts';
import { titledTable } from './table.ts';
import type { Screen } from './terminal.ts';

/** A coefficient, or why there is none. */
const orWhy = (measure: Measure): string =>
  measure.defined ? `${fixed(measure, 2)} of ${counted(measure.n, 'case')}` : `not defined: ${measure.why}`;

const shareOf = (measure: Measure): string =>
  measure.defined ? `${percent(measure)} of ${measure.n}` : `not defined: ${measure.why}`;

/** Mean with one decimal and deviation with two, as the paper prints them. */
function ratingTable(screen: Screen, { user, system }: StudyReport): string[] {
  const rated: [string, RatingReport][] = [
    ...(user === null ? [] : [['user part', user] satisfies [string, RatingReport]]),
    ...(system === null ? [] : [['system part', system] satisfies [string, RatingReport]]),
  ];
  const rows = rated.map(([name, { mean, deviation, deviationOfCases, alpha, counts }]) => [
    name,
    fixed(mean, 1),
    fixed(deviation, 2),
    fixed(deviationOfCases, 2),
    String(mean.n),
    counts.join(' '),
    fixed(alpha, 2),
  ]);
  const columns = ['rated', 'mean', 'SD', 'SD of cases', 'ratings', '1 2 3 4 5', 'alpha, ordinal'];
  const undefined_ = rated.flatMap(([name, { alpha }]) =>
    alpha.defined ? [] : [`  Alpha of the ${name} is not defined: ${alpha.why}.`],
  );
  return [...titledTable(screen, 'Validity, 1 to 5', columns, rows), ...undefined_];
}

function labelLines({ right: pooled, annotators, majority }: LabelReport): string[] {
  const values = annotators.flatMap((one) => (one.right.defined ? [one.right.value] : []));
  const span =
    values.length < 2
      ? ''
      : `, by annotator ${(100 * Math.min(...values)).toFixed(1)} to ${(100 * Math.max(...values)).toFixed(1)} %`;
  const ties = majority.ties === 0 ? '' : `, ${counted(majority.ties, 'tie')}`;
  return [
    `  people agree with the label        ${shareOf(pooled)}${span}`,
    `  the majority agrees with the label ${shareOf(majority.right)}${majority.right.defined ? ` (95 % ${rangeText(majority.interval, 2)})` : ''}${ties}`,
  ];
}

function correctLines(screen: Screen, { correct, labelAlpha, labels }: StudyReport): string[] {
  if (correct === null) return [];
  return [
    '',
    screen.colors.bold('Correct or not'),
    `  said to be correct                 ${shareOf(correct.said)}`,
    `  alpha, nominal: correct or not     ${orWhy(correct.alpha)}`,
    ...(labelAlpha === null ? [] : [`  alpha, nominal: and which error    ${orWhy(labelAlpha)}`]),
    ...(labels === null ? ['  The cases have no labels to compare with.'] : labelLines(labels)),
  ];
}

function categoryTable(screen: Screen, { categories, labels }: StudyReport): string[] {
  if (labels === null) return [];
  const rows = categories.map((one) => [
    plainText(one.category),
    String(one.cases),
    String(one.annotations),
    percent(one.saidCorrect),
    percent(one.right),
    percent(one.namedIt),
  ]);
  const columns = ['label', 'cases', 'annotations', 'said correct', 'right', 'error named'];
  return titledTable(screen, 'By label', columns, rows);
}

/** A study's report as a terminal shows it. */
export function studyReportText(screen: Screen, report: StudyReport): string {
  const { id, name, rubric, closed, cases, annotators, given, missing, progress } = report;
  const unfinished = progress.filter(({ done, total }) => done < total);
  return [
    screen.colors.bold(plainText(`${id}: ${name}`)),
    `  ${counted(cases, 'case')}, ${counted(annotators, 'annotator')}, rubric ${rubric}${closed ? ', closed' : ''}`,
    `  ${given} of ${counted(given + missing, 'annotation')}${missing === 0 ? '' : `, ${missing} missing`}`,
    ...unfinished.map(({ person, done, total }) => plainText(`    ${person} ${done} of ${total}`)),
    ...ratingTable(screen, report),
    ...correctLines(screen, report),
    ...categoryTable(screen, report),
    '',
    `${NONE} is not defined. Alpha is Krippendorff's; only cases with two annotations enter. SD of cases: of their means.`,
  ].join('\n');
}
