import stringWidth from 'string-width';
import { type DatasetStats, datasetStats, type Spread } from '../../benchmark/datasets/dataset-stats.ts';
import type { Parts } from '../parts.ts';
import { type ExitCode, exitCode, type Terminal } from './console.ts';
import { readDataset } from './dataset-check-command.ts';
import { jsonLine, plainText } from './plain-text.ts';

type Row = [name: string, value: string];

/** Entries of a list told at most; the rest are counted. */
const MOST = 8;

const listed = (items: readonly string[], joint = ', '): string =>
  items.length <= MOST
    ? items.join(joint)
    : `${items.slice(0, MOST).join(joint)} and ${items.length - MOST} more (--json lists all)`;

const countsText = (counts: Record<string, number>): string =>
  listed(Object.entries(counts).map(([name, count]) => `${name} ${count}`));

const spreadText = (spread: Spread | null): string =>
  spread === null
    ? 'none'
    : spread.min === spread.max
      ? String(spread.min)
      : `${spread.min} to ${spread.max}, median ${spread.median}, mean ${spread.mean.toFixed(1)}`;

const groupsText = (groups: readonly string[][]): string =>
  groups.length === 0 ? 'none' : listed(groups.map((group) => listed(group, ' = ')));

function rowsOf(stats: DatasetStats): Row[] {
  const { duplicates, missing } = stats;
  const errors = Object.keys(stats.errorTypes).length;
  return [
    ['cases', `${stats.cases}, with ${stats.distinctRequests} different requests`],
    ['labels', countsText(stats.labels)],
    ...(errors > 0 ? [['error types', countsText(stats.errorTypes)] satisfies Row] : []),
    ['rubrics', countsText(stats.rubrics)],
    ['languages', countsText(stats.languages)],
    ['turns', spreadText(stats.turns)],
    ['words of the user', spreadText(stats.userWords)],
    ['words of the response', spreadText(stats.responseWords)],
    [
      'missing fields',
      missing.length === 0 ? 'none' : listed(missing.map(({ path, cases }) => `${path} in ${cases}`)),
    ],
    ['ids used twice', duplicates.ids.length === 0 ? 'none' : listed(duplicates.ids)],
    ['same cases', groupsText(duplicates.contents)],
    ...(duplicates.contradictions.length > 0
      ? [['same, other label', groupsText(duplicates.contradictions)] satisfies Row]
      : []),
  ];
}

/** `jury dataset stats`: what a dataset holds, as a table or as JSON. */
export async function statsCommand(
  parts: Parts,
  terminal: Terminal,
  files: readonly string[],
  options: { json: boolean },
  stop: AbortSignal,
): Promise<ExitCode> {
  const cases = await readDataset(
    terminal,
    files,
    { maxCaseChars: parts.env.settings.JURY_MAX_CASE_CHARS, format: parts.library.caseFormat },
    stop,
  );
  const stats = datasetStats(
    cases.map(({ evalCase }) => evalCase),
    parts.library.caseFormat.paths,
  );
  if (options.json) {
    terminal.out(jsonLine(stats));
    return exitCode.ok;
  }
  const rows = rowsOf(stats);
  const width = Math.max(...rows.map(([name]) => stringWidth(name)));
  const { colors } = terminal.screen;
  for (const [name, value] of rows) terminal.out(`${colors.dim(name.padEnd(width))}  ${plainText(value)}`);
  return exitCode.ok;
}
