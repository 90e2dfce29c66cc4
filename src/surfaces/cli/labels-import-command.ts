import {
  type ReadLabel,
  readLabelRows,
  readTable,
  type TableFormat,
} from '../../benchmark/datasets/read-table.ts';
import { decodeInput } from '../../case/paste/json.ts';
import { JuryError } from '../../common/errors.ts';
import { importLabels, type LabelRow } from '../../labels/import-labels.ts';
import type { Parts } from '../parts.ts';
import { type ExitCode, exitCode, type Terminal } from './console.ts';
import { formatOf } from './dataset-import-command.ts';
import { counted } from './plain-text.ts';
import { bytesOf } from './read-cases.ts';

export interface LabelsImportOptions {
  /** The role in which rows that name none are ruled. */
  as?: string;
  format?: TableFormat;
}

const NO_ROLE = 'nothing says in which role it was ruled: add --as "safety lead", or a column "role"';

const nameOf = (file: string): string => (file === '-' ? 'standard input' : file);

type Problem = { where: string; problem: string };

/** A row as a ruling, or what it lacks; nothing where it holds no label. */
function rowOf(read: ReadLabel, as: string | undefined): LabelRow | Problem | null {
  const { where, verdictId, user, response, rubric, label, errorType, note } = read;
  const role = read.role ?? as;
  if (label === null) return null;
  if (role === undefined) return { where, problem: NO_ROLE };
  const ruling = {
    right: label,
    role,
    ...(errorType === null ? {} : { errorType }),
    ...(note === null ? {} : { comment: note }),
  };
  const exchange = user !== null && response !== null ? { user, response } : null;
  return { where, verdictId, exchange, rubric, ruling };
}

/**
 * `jury labels import`: labels made elsewhere become rulings. Rows that fit nothing are said with their reason and left out;
 * ends with 1 where there are any, and with 64 where nothing is left.
 */
export async function labelsImportCommand(
  parts: Parts,
  terminal: Terminal,
  file: string,
  { as, format }: LabelsImportOptions,
  stop: AbortSignal,
): Promise<ExitCode> {
  const { err, out } = terminal;
  const decoded = decodeInput(await bytesOf(terminal, file, stop));
  if ('problem' in decoded) throw new JuryError('bad-input', `${nameOf(file)}: ${decoded.problem}`);
  const table = readTable(decoded.text, format ?? formatOf(file, decoded.text));
  const read = readLabelRows(table);
  if (as === undefined && read.labels.every(({ role }) => role === null))
    throw new JuryError('usage', `${nameOf(file)}: ${NO_ROLE}. Nothing was changed.`);
  const made = read.labels.map((one) => rowOf(one, as));
  const rows = made.flatMap((row) => (row !== null && 'ruling' in row ? [row] : []));
  const early = made.flatMap((row) => (row !== null && 'problem' in row ? [row] : []));
  const empty = made.filter((row) => row === null).length;
  const store = await parts.store();
  const imported = await importLabels({ store, library: parts.library, now: parts.now() }, rows);
  const problems = [...read.problems, ...early, ...imported.problems];
  // A row about several verdicts can have the same problem with each.
  const told = new Set(problems.map(({ where, problem }) => `${where}: ${problem}.`));
  for (const line of told) err(line);
  if (empty > 0) err(`${counted(empty, 'row')} without a label left out.`);
  if (told.size > 0) {
    const left = counted(new Set(problems.map(({ where }) => where)).size, 'row');
    err(`${left} left out, wholly or for some of the verdicts on the same words.`);
  }
  const { kept, replaced, unchanged } = imported.counts;
  if (kept + replaced + unchanged === 0)
    throw new JuryError('bad-input', `No row of ${nameOf(file)} became a ruling; nothing was changed.`);
  out(
    `${counted(kept + replaced + unchanged, 'verdict')} ruled on: ${kept} new, ${replaced} in place of an earlier ruling, ${unchanged} as it stood.`,
  );
  return problems.length > 0 ? exitCode.failed : exitCode.ok;
}
