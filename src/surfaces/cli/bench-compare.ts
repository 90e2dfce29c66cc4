import { compareRuns } from '../../benchmark/compare-runs.ts';
import type { Comparison, Flip, Move } from '../../benchmark/reports/comparison.ts';
import { fixed, pTexts, signed, signedRange } from '../../benchmark/reports/format.ts';
import type { Difference, Gaps, PairReport } from '../../benchmark/reports/measures.ts';
import { scores as scoreList, scoreNames } from '../../benchmark/reports/metrics.ts';
import { gapsText } from '../../benchmark/reports/tables.ts';
import { counted, grouped, jsonLine, plainLine, plainText } from '../../common/text.ts';
import { gapsIn } from '../../statistics/classification.ts';
import { assistantLines } from './bench-assistant.ts';
import type { CommandContext } from './command-context.ts';
import { type GateFlags, readGate, readSide, readWishes } from './gate.ts';
import { type Column, tableOf } from './table.ts';
import { type ExitCode, exitCode, type Screen } from './terminal.ts';
import { wrap } from './wrap.ts';

const NOTE =
  'Intervals: 95 %, of the same cases. One that includes 0 means that there may be no change. A trial without a decision counts as wrong; beside it is the difference on the cases that both decided. A case that was judged several times counts by its most frequent decision, and as undecided if that is a tie.';

/** Flips of one kind that a terminal shows. */
const MOST = 10;

const kinds: Record<Flip['kind'], string> = {
  fixed: 'now right',
  broken: 'now wrong',
  other: 'wrong in another way',
  unlabeled: 'different, without a label',
};

/** The first of some lines, and how many more there are. */
const firstLines = <T>(items: readonly T[], lineOf: (item: T) => string): string[] => [
  ...items.slice(0, MOST).map((item) => `    ${lineOf(item)}`),
  ...(items.length > MOST ? [`    and ${items.length - MOST} more (--json lists all)`] : []),
];

function flipLines({ colors }: Screen, flips: readonly Flip[], kind: Flip['kind']): string[] {
  const own = flips.filter((flip) => flip.kind === kind);
  if (own.length === 0) return [];
  return [
    `  ${colors.bold(`${grouped(own.length)} ${kinds[kind]}`)}`,
    ...firstLines(
      own,
      ({ caseId, truth, category, first, second }) =>
        `${plainLine(caseId)}: ${first} → ${second}${truth === null ? '' : `, is ${truth}`}${truth === 'fail' && category !== null ? ` (${plainText(category)})` : ''}`,
    ),
  ];
}

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
function rowsOf({ scores, decided, decisions, points, cases }: PairReport): string[][] {
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

/** @param shared how many cases are in both runs */
function moveLines({ points }: PairReport, moves: readonly Move[], shared: number): string[] {
  if (points === null) return [];
  const number = (value: number) => String(Math.round(value * 100) / 100);
  return [
    ...(points.cases < shared
      ? [`  scores compare the ${grouped(points.cases)} of ${counted(shared, 'case')} that both scored`]
      : []),
    `  score higher in ${grouped(points.up)}, lower in ${grouped(points.down)}, the same in ${grouped(points.same)}`,
    ...firstLines(
      moves,
      ({ caseId, first, second, labelScore }) =>
        `${plainLine(caseId)}: ${number(first)} → ${number(second)}${labelScore === null ? '' : `, is ${number(labelScore)}`}`,
    ),
  ];
}

function pairLines(
  screen: Screen,
  { pair, flips, moves }: Comparison['pairs'][number],
  shared: number,
): string[] {
  const rows = rowsOf(pair);
  const cases = Math.max(pair.cases, pair.decisions.cases, pair.points?.cases ?? 0);
  const labeled = pair.cases > 0;
  const gaps = ({ n, ...counts }: Gaps) => `${gapsText(counts).join(', ') || 'none'} of ${grouped(n)}`;
  const head = plainText(pair.first === pair.second ? pair.first : `${pair.first} → ${pair.second}`);
  const decided = labeled ? pair.decided.cases : pair.decisions.decided.cases;
  const titles = ['score', 'before', 'after', 'difference', '95 %'];
  if (hasGaps(pair)) titles.push(`both decided (n = ${grouped(decided)})`);
  const columns = titles.map((title, at): Column<string[]> => [title, (row) => row[at] ?? '']);
  return [
    screen.colors.bold(`${head} (${counted(cases, 'case')})`),
    ...(cases === 0 ? ['  No case has been judged by both.'] : tableOf(screen, rows, columns)),
    ...(labeled
      ? [
          `  no decision before: ${gaps(pair.gaps.first)}, after: ${gaps(pair.gaps.second)}`,
          `  right only before: ${grouped(pair.onlyFirst)}, only after: ${grouped(pair.onlySecond)}; McNemar's exact ${pTexts(pair)}`,
        ]
      : []),
    ...(['broken', 'fixed', 'other', 'unlabeled'] as const).flatMap((kind) => flipLines(screen, flips, kind)),
    ...moveLines(pair, moves, shared),
    '',
  ];
}

function judgesLines(screen: Screen, comparison: Comparison): string[] {
  const { first, second, changes, notes, cases, pairs, unmatched } = comparison;
  const leftOut = [
    ...(cases.changed.length > 0 && comparison.assistant === null
      ? [
          `${counted(cases.changed.length, 'case')} with different content or label: ${cases.changed.slice(0, MOST).join(', ')}${cases.changed.length > MOST ? ' …' : ''}`,
        ]
      : []),
    ...(cases.onlyFirst > 0 ? [`${counted(cases.onlyFirst, 'case')} only in ${first}`] : []),
    ...(cases.onlySecond > 0 ? [`${counted(cases.onlySecond, 'case')} only in ${second}`] : []),
    ...unmatched.first.map((id) => `${id}, only in ${first}`),
    ...unmatched.second.map((id) => `${id}, only in ${second}`),
  ];
  return [
    `${screen.colors.bold(`${first} → ${second}`)}: ${counted(cases.shared, 'case')} in both`,
    ...changes.map((change) => `  changed: ${plainText(change)}`),
    ...notes.map((note) => screen.colors.dim(wrap(note, screen.width))),
    ...leftOut.map((one) => `  left out: ${plainText(one)}`),
    '',
    ...pairs.flatMap((pair) => pairLines(screen, pair, cases.shared)),
    screen.colors.dim(wrap(NOTE, screen.width)),
  ];
}

/** How the assistant changed, then how the judges differ on what is the same in both. */
const comparisonText = (screen: Screen, comparison: Comparison): string =>
  [
    ...(comparison.assistant === null ? [] : [...assistantLines(screen, comparison.assistant).slice(1), '']),
    ...(comparison.pairs.length === 0 ? [] : judgesLines(screen, comparison)),
  ].join('\n');

/** `jury bench compare A B`: what changed, with intervals, and which cases came out otherwise. */
export async function compare(
  context: CommandContext,
  first: string,
  second: string,
  options: GateFlags & { json: boolean },
): Promise<ExitCode> {
  const passes = await readGate(context, options);
  const side = readSide(second);
  const store = await context.runs();
  const { comparison, setups, createdAt } = await compareRuns(
    store,
    readSide(first),
    side,
    readWishes(options),
  );
  context.out(options.json ? jsonLine(comparison) : comparisonText(context.screen, comparison));
  const met = await passes({ side, createdAt, setups });
  return met ? exitCode.ok : exitCode.failed;
}
