import { compareRuns } from '../../benchmark/compare-runs.ts';
import type { Comparison, Flip, Move } from '../../benchmark/reports/comparison.ts';
import {
  COMPARISON_NOTE,
  casesOf,
  differenceRows,
  differenceTitles,
  labeledTexts,
  leftOutTexts,
  pointTexts,
} from '../../benchmark/reports/comparison-words.ts';
import type { PairReport } from '../../benchmark/reports/measures.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, grouped, jsonLine, plainLine, plainText } from '../../common/text.ts';
import { cardTexts } from '../../judging/card.ts';
import { readSide } from '../run-reports.ts';
import { comparisonFile } from '../web/report/report-files.tsx';
import { assistantLines } from './bench-assistant.ts';
import type { CommandContext } from './command-context.ts';
import { type GateFlags, readGate, readWishes } from './gate.ts';
import { writeOutput } from './output.ts';
import { type Column, tableOf } from './table.ts';
import { type ExitCode, exitCode, type Screen } from './terminal.ts';
import { wrap } from './wrap.ts';

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

/** @param shared how many cases are in both runs */
function moveLines(pair: PairReport, moves: readonly Move[], shared: number): string[] {
  const number = (value: number) => String(Math.round(value * 100) / 100);
  return [
    ...pointTexts(pair, shared).map((text) => `  ${text}`),
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
  const cases = casesOf(pair);
  const head = plainText(pair.first === pair.second ? pair.first : `${pair.first} → ${pair.second}`);
  const columns = differenceTitles(pair).map(
    (title, at): Column<string[]> => [title, (row) => row[at] ?? ''],
  );
  return [
    screen.colors.bold(`${head} (${counted(cases, 'case')})`),
    ...(cases === 0
      ? ['  No case has been judged by both.']
      : tableOf(screen, differenceRows(pair), columns)),
    ...labeledTexts(pair).map((text) => `  ${text}`),
    ...(['broken', 'fixed', 'other', 'unlabeled'] as const).flatMap((kind) => flipLines(screen, flips, kind)),
    ...moveLines(pair, moves, shared),
    '',
  ];
}

function judgesLines(screen: Screen, comparison: Comparison): string[] {
  const { first, second, changes, notes, cases, pairs } = comparison;
  return [
    `${screen.colors.bold(`${first} → ${second}`)}: ${counted(cases.shared, 'case')} in both`,
    ...changes.map((change) => `  changed: ${plainText(change)}`),
    ...notes.map((note) => screen.colors.dim(wrap(note, screen.width))),
    ...leftOutTexts(comparison, MOST).map((one) => `  left out: ${plainText(one)}`),
    '',
    ...pairs.flatMap((pair) => pairLines(screen, pair, cases.shared)),
    screen.colors.dim(wrap(COMPARISON_NOTE, screen.width)),
  ];
}

/** How the assistant changed, then how the judges differ on what is the same in both. */
const comparisonText = (screen: Screen, comparison: Comparison): string =>
  [
    ...(comparison.assistant === null ? [] : [...assistantLines(screen, comparison.assistant).slice(1), '']),
    ...(comparison.pairs.length === 0 ? [] : judgesLines(screen, comparison)),
  ].join('\n');

/** `jury bench compare A B`: what changed, with intervals, and which cases came out otherwise; `--out` writes it as a page. */
export async function compare(
  context: CommandContext,
  first: string,
  second: string,
  options: GateFlags & { json: boolean; out?: string },
): Promise<ExitCode> {
  const { out } = options;
  if (out !== undefined && !/\.html?$/i.test(out))
    throw new JuryError('usage', `--out ${out}: name a file that ends in .html.`);
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
  if (out !== undefined) {
    const { env, library } = await context.parts();
    await writeOutput(out, await comparisonFile(store, comparison, env.browserFolder, cardTexts(library)));
    context.err(`Written to ${out}.`);
  }
  const met = await passes({ side, createdAt, setups });
  return met ? exitCode.ok : exitCode.failed;
}
