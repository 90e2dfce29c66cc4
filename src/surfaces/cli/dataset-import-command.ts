import { extname } from 'node:path';
import { importTable } from '../../benchmark/datasets/import-table.ts';
import type { ColumnMapping } from '../../benchmark/datasets/map-columns.ts';
import { readTable, type TableFormat } from '../../benchmark/datasets/read-table.ts';
import { decodeInput } from '../../case/paste/json.ts';
import { JuryError } from '../../common/errors.ts';
import { entry } from '../../judging/library.ts';
import type { Parts } from '../parts.ts';
import { type ExitCode, exitCode, type Terminal } from './console.ts';
import { putCases } from './dataset-command.ts';
import { counted } from './plain-text.ts';
import { bytesOf } from './read-cases.ts';

export interface ImportCommandOptions {
  /** `column=path`, repeatable; `column=-` leaves a column out. */
  map: readonly string[];
  format?: TableFormat;
  rubric?: string;
  out?: string;
}

const FORMATS: Readonly<Record<string, TableFormat>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'jsonl',
};

/** The format of a table, by the name of its file, else by how it begins. */
export const formatOf = (file: string, text: string): TableFormat =>
  FORMATS[extname(file).toLowerCase()] ?? (text.trimStart().startsWith('{') ? 'jsonl' : 'csv');

/** @throws JuryError `usage` for what is no `column=path` */
const mapOf = (pairs: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at < 1 || at === pair.length - 1)
        throw new JuryError(
          'usage',
          `--map "${pair}": write column=path, such as --map question=conversation.`,
        );
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

const mappingText = ({ column, path, why }: ColumnMapping): string =>
  path === null ? `  ${column} → left out: ${why}` : `  ${column} → ${path} (${why})`;

/**
 * `jury dataset import`: rows of a CSV or JSONL file as cases. Rows that make none are said with their reason and left
 * out; ends with 1 where there are any, and with 64 where nothing is left.
 */
export async function importCommand(
  parts: Parts,
  terminal: Terminal,
  file: string,
  options: ImportCommandOptions,
  stop: AbortSignal,
): Promise<ExitCode> {
  const { library, env } = parts;
  const { rubric, out } = options;
  if (rubric !== undefined) entry('rubric', library.rubrics, rubric);
  const decoded = decodeInput(await bytesOf(terminal, file, stop));
  if ('problem' in decoded) throw new JuryError('bad-input', `${file}: ${decoded.problem}`);
  const table = readTable(decoded.text, options.format ?? formatOf(file, decoded.text));
  const { cases, mapping, problems, assumed } = importTable(table, {
    map: mapOf(options.map),
    format: library.caseFormat,
    maxCaseChars: env.settings.JURY_MAX_CASE_CHARS,
    ...(rubric === undefined ? {} : { rubric }),
  });
  terminal.err(`Columns:\n${mapping.map(mappingText).join('\n')}`);
  for (const { note, rows } of assumed) terminal.err(`Assumed: ${note} (${counted(rows, 'row')})`);
  for (const { where, reason } of problems) terminal.err(`${where}: ${reason}`);
  if (cases.length === 0)
    throw new JuryError(
      'bad-input',
      'No row became a case; nothing was written. Name the columns with --map, such as --map question=conversation --map reply=response.',
    );
  await putCases(terminal, cases, out);
  const left = problems.length > 0 ? `, ${problems.length} left out` : '';
  terminal.err(`${cases.length} of ${counted(table.rows.length, 'row')} became cases${left}.`);
  return problems.length > 0 ? exitCode.failed : exitCode.ok;
}
