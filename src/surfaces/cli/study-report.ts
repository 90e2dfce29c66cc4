import { counted, grouped, jsonLine, plainText } from '../../common/text/index.ts';
import type { Alpha } from '../../labels/index.ts';
import { alphaText, fixed, NONE, percent, percentRange } from '../../reports/estimates/index.ts';
import type { Measure } from '../../statistics/index.ts';
import {
  type CriterionReport,
  findStudy,
  type LabelReport,
  type RatingReport,
  type StudyReport,
  studyReport,
} from '../../studies/index.ts';
import {
  type Column,
  type CommandContext,
  type JsonFlag,
  type Screen,
  titledTable,
  wrap,
} from '../terminal/index.ts';

/** Alpha with its interval, or why there is none. */
const orWhy = (alpha: Alpha): string =>
  alpha.defined ? `${alphaText(alpha)} of ${counted(alpha.n, 'case')}` : `not defined: ${alpha.why}`;

const shareOf = (measure: Measure): string =>
  measure.defined ? `${percent(measure)} of ${measure.n}` : `not defined: ${measure.why}`;

/** Means with one decimal and deviations with two, as the paper prints them. */
function ratingTable(screen: Screen, { user, system }: StudyReport): string[] {
  const rated: [string, RatingReport][] = [
    ...(user === null ? [] : [['user part', user] satisfies [string, RatingReport]]),
    ...(system === null ? [] : [['system part', system] satisfies [string, RatingReport]]),
  ];
  const columns: Column<[string, RatingReport]>[] = [
    ['rated', ([name]) => name],
    ['mean', ([, { mean }]) => fixed(mean, 1)],
    ['SD', ([, { deviation }]) => fixed(deviation, 2)],
    ['SD of cases', ([, { deviationOfCases }]) => fixed(deviationOfCases, 2)],
    ['ratings', ([, { mean }]) => String(mean.n)],
    ['1 2 3 4 5', ([, { counts }]) => counts.join(' ')],
    ['alpha, ordinal (95 %)', ([, { alpha }]) => alphaText(alpha)],
  ];
  const undefined_ = rated.flatMap(([name, { alpha }]) =>
    alpha.defined ? [] : [`  Alpha of the ${name} is not defined: ${alpha.why}.`],
  );
  return [...titledTable(screen, 'Validity, 1 to 5', rated, columns), ...undefined_];
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
    `  the majority agrees with the label ${shareOf(majority.right)}${majority.right.defined ? ` (95 % ${percentRange(majority.interval)})` : ''}${ties}`,
  ];
}

function correctLines(screen: Screen, { correct, labelAlpha, labels }: StudyReport): string[] {
  if (correct === null) return [];
  return [
    '',
    screen.colors.bold('Correct or not'),
    `  said to be correct                 ${shareOf(correct.said)}${correct.unsure > 0 ? `; ${correct.unsure} unsure` : ''}`,
    `  alpha, nominal: correct or not     ${orWhy(correct.alpha)}`,
    ...(labelAlpha === null ? [] : [`  alpha, nominal: and which error    ${orWhy(labelAlpha)}`]),
    ...(labels === null ? ['  The cases have no labels to compare with.'] : labelLines(labels)),
  ];
}

function categoryTable(screen: Screen, { categories, labels }: StudyReport): string[] {
  if (labels === null) return [];
  return titledTable(screen, 'By label', categories, [
    ['label', ({ category }) => category],
    ['cases', ({ cases }) => String(cases)],
    ['annotations', ({ annotations }) => String(annotations)],
    ['said correct', ({ saidCorrect }) => percent(saidCorrect)],
    ['right', ({ right }) => percent(right)],
    ['error named', ({ namedIt }) => percent(namedIt)],
  ]);
}

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([said, count]) => `${said} ${count}`)
    .join(', ');

function criteriaTable(screen: Screen, { criteria }: StudyReport): string[] {
  const isScored = criteria.some(({ mean }) => mean !== null);
  return titledTable(screen, 'By criterion', criteria, [
    [
      'criterion',
      ({ id, rubric, pair }) => `${rubric === null ? '' : `${rubric}: `}${id}${pair ? ' (two answers)' : ''}`,
    ],
    ['cases', ({ cases }) => String(cases)],
    ['said', ({ counts }) => countsText(counts), 'left'],
    ...(isScored
      ? ([
          ['mean', ({ mean }) => (mean === null ? NONE : fixed(mean, 2))],
          ['SD', ({ deviation }) => (deviation === null ? NONE : fixed(deviation, 2))],
        ] satisfies Column<CriterionReport>[])
      : []),
    ['alpha (95 %)', ({ alpha }) => alphaText(alpha)],
    ['scale', ({ alpha }) => alpha.scale, 'left'],
  ]);
}

function betterLines(screen: Screen, { better }: StudyReport): string[] {
  if (better === null) return [];
  const { A, B, same, unsure, alpha } = better;
  return [
    '',
    screen.colors.bold('Which of two answers is better'),
    `  ${countsText({ A, B, same, unsure })}`,
    `  alpha, nominal                     ${orWhy(alpha)}`,
  ];
}

/** A study's report as a terminal shows it. */
function studyReportText(screen: Screen, report: StudyReport): string {
  const { id, name, rubric, closed, cases, annotators, given, missing, progress } = report;
  const unfinished = progress.filter(({ done, total }) => done < total);
  return [
    screen.colors.bold(plainText(`${id}: ${name}`)),
    `  ${counted(cases, 'case')}, ${counted(annotators, 'annotator')}, rubric ${rubric}${closed ? ', closed' : ''}`,
    `  ${given} of ${counted(given + missing, 'annotation')}${missing === 0 ? '' : `, ${missing} missing`}`,
    ...unfinished.map(({ person, done, total }) =>
      plainText(`    ${person} ${grouped(done)} of ${grouped(total)}`),
    ),
    ...ratingTable(screen, report),
    ...correctLines(screen, report),
    ...categoryTable(screen, report),
    ...betterLines(screen, report),
    ...criteriaTable(screen, report),
    '',
    wrap(
      `${NONE} is not defined. Alpha is Krippendorff's, with a 95 % interval by case; only cases with two annotations enter. "Unsure" is an answer of its own where answers are nominal. SD of cases: of their means.`,
      screen.width,
    ),
  ].join('\n');
}

/** `jury study report`. */
export async function report(
  { out, store: open, screen }: CommandContext,
  id: string,
  { json }: JsonFlag,
): Promise<void> {
  const store = await open();
  const study = await findStudy(store, id);
  const report = studyReport(study, await store.annotations(id));
  out(json ? jsonLine(report) : studyReportText(screen, report));
}
