import { counted, grouped } from '../../common/text.ts';
import { gapsIn } from '../../statistics/classification.ts';
import type { Comparison } from './comparison.ts';
import { fixed, pTexts, signed, signedRange } from './format.ts';
import type { Difference, Gaps, PairReport } from './measures.ts';
import { scores as scoreList, scoreNames } from './metrics.ts';
import { gapsText } from './tables.ts';

/** How to read a comparison. */
export const COMPARISON_NOTE =
  'Intervals: 95 %, of the same cases. One that includes 0 means that there may be no change. A trial without a decision counts as wrong; beside it is the difference on the cases that both decided. A case that was judged several times counts by its most frequent decision, and as undecided if that is a tie. In names, t0 is temperature 0.';

const differenceRow = (
  title: string,
  { first, second, difference, interval }: Difference,
  digits = 3,
  decided?: Difference,
): string[] => [
  title,
  fixed(first, digits),
  fixed(second, digits),
  signed(difference, digits),
  signedRange(interval, digits),
  ...(decided === undefined
    ? []
    : [`${signed(decided.difference, digits)} (${signedRange(decided.interval, digits)})`]),
];

/** The rows of what both sides have: F1 and the like need labels; without them, the pass rate. */
export function differenceRows({ scores, decided, decisions, points, cases }: PairReport): string[][] {
  const against = points?.against ?? null;
  return [
    ...(cases > 0
      ? scoreNames.map((name) => differenceRow(scoreList[name].title, scores[name], 3, decided.scores[name]))
      : []),
    ...(cases === 0 && points === null
      ? [differenceRow('Pass rate', decisions.passRate, 3, decisions.decided.passRate)]
      : []),
    ...(points === null ? [] : [differenceRow('Mean score', points.mean, 2)]),
    ...(against === null
      ? []
      : [
          differenceRow('Mean error', against.meanAbsoluteError, 2),
          differenceRow('Spearman', against.spearman),
        ]),
  ];
}

/** Whether some trial has no decision. Without any, what both decided is all. */
const hasGaps = ({ gaps, cases, decisions }: PairReport): boolean =>
  cases > 0 ? gapsIn(gaps.first) + gapsIn(gaps.second) > 0 : decisions.decided.cases < decisions.cases;

/** The titles of {@link differenceRows}: the last one is left out where both decided all. */
export function differenceTitles(pair: PairReport): string[] {
  const decided = pair.cases > 0 ? pair.decided.cases : pair.decisions.decided.cases;
  const titles = ['score', 'before', 'after', 'difference', '95 %'];
  return hasGaps(pair) ? [...titles, `both decided (n = ${grouped(decided)})`] : titles;
}

/** Number of cases that a pair is compared on. */
export const casesOf = ({ cases, decisions, points }: PairReport): number =>
  Math.max(cases, decisions.cases, points?.cases ?? 0);

const gapText = ({ n, ...counts }: Gaps): string =>
  `${gapsText(counts).join(', ') || 'none'} of ${grouped(n)}`;

/** What beside its numbers is known of a pair with labels. */
export const labeledTexts = (pair: PairReport): string[] =>
  pair.cases === 0
    ? []
    : [
        `no decision before: ${gapText(pair.gaps.first)}, after: ${gapText(pair.gaps.second)}`,
        `right only before: ${grouped(pair.onlyFirst)}, only after: ${grouped(pair.onlySecond)}; McNemar's exact ${pTexts(pair)}`,
      ];

/** What is known of scores. @param shared how many cases are in both runs */
export function pointTexts({ points }: PairReport, shared: number): string[] {
  if (points === null) return [];
  return [
    ...(points.cases < shared
      ? [`scores compare the ${grouped(points.cases)} of ${counted(shared, 'case')} that both scored`]
      : []),
    `score higher in ${grouped(points.up)}, lower in ${grouped(points.down)}, the same in ${grouped(points.same)}`,
  ];
}

/** What is not compared, and why. @param most ids of cases that are named */
export function leftOutTexts(comparison: Comparison, most: number): string[] {
  const { first, second, cases, unmatched, assistant } = comparison;
  return [
    ...(cases.changed.length > 0 && assistant === null
      ? [
          `${counted(cases.changed.length, 'case')} with different content or label: ${cases.changed.slice(0, most).join(', ')}${cases.changed.length > most ? ' …' : ''}`,
        ]
      : []),
    ...(cases.onlyFirst > 0 ? [`${counted(cases.onlyFirst, 'case')} only in ${first}`] : []),
    ...(cases.onlySecond > 0 ? [`${counted(cases.onlySecond, 'case')} only in ${second}`] : []),
    ...unmatched.first.map((id) => `${id}, only in ${first}`),
    ...unmatched.second.map((id) => `${id}, only in ${second}`),
  ];
}
