import { type Command, Option } from 'commander';
import { readTable, type TableFormat } from '../../benchmark/datasets/read-table.ts';
import { decodeInput } from '../../case/paste/json.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, jsonLine } from '../../common/text.ts';
import { type CsvValue, csvText } from '../../common/write-csv.ts';
import { type Pseudonym, readPerson } from '../../labels/person.ts';
import type { Answers } from '../../studies/annotation.ts';
import { annotateCase, findStudy } from '../../studies/manage-studies.ts';
import { categoryOf, type Study } from '../../studies/study.ts';
import type { Parts } from '../parts.ts';
import type { CommandContext } from './command-context.ts';
import { STUDY_ID, tableFormatOption } from './options.ts';
import { bytesOf, formatOf } from './read-cases.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

/** What stands in each row, in the order of columns; the import reads the same names. */
const annotationColumns = [
  'study',
  'annotator',
  'case',
  'label',
  'user_validity',
  'system_validity',
  'correct',
  'error_types',
  'comment',
  'at',
] as const;

function rowOf(
  study: Study,
  { annotator, case: index, answers, at }: Awaited<ReturnType<typeof read>>[number],
) {
  const shown = study.cases[index];
  return {
    study: study.id,
    annotator,
    case: shown?.id ?? '',
    label: categoryOf(shown?.evalCase ?? {}),
    user_validity: answers.user ?? null,
    system_validity: answers.system ?? null,
    correct: answers.correct ?? null,
    error_types: answers.errors ?? [],
    comment: answers.comment ?? null,
    at: new Date(at).toISOString(),
  };
}

const cellsOf = (row: ReturnType<typeof rowOf>): CsvValue[] =>
  annotationColumns.map((column) => {
    const value = row[column];
    if (Array.isArray(value)) return value.join(';');
    return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
  });

const read = async (parts: Parts, id: string) => (await parts.store()).annotations(id);

/** `jury study export`: one annotation a row. */
async function exportAnnotations(
  parts: Parts,
  { out }: Terminal,
  id: string,
  format: 'csv' | 'jsonl',
): Promise<ExitCode> {
  const study = await findStudy(await parts.store(), id);
  const rows = (await read(parts, id)).map((annotation) => rowOf(study, annotation));
  if (format === 'jsonl') for (const row of rows) out(jsonLine(row));
  else out(csvText([annotationColumns, ...rows.map(cellsOf)]).trimEnd());
  return exitCode.ok;
}

type Cells = ReadonlyMap<string, unknown>;

const TRUE = new Set(['yes', 'y', 'true', '1', 'correct', 'pass']);
const FALSE = new Set(['no', 'n', 'false', '0', 'incorrect', 'fail']);

/** The apostrophe before what a spreadsheet would take for a formula, as the export puts it. */
const NEUTRALIZED = /^'(?=\s*[=+\-@＝＋－＠])/u;

const plain = (cell: unknown): string => String(cell).replace(NEUTRALIZED, '').trim();

function textIn(cells: Cells, column: (typeof annotationColumns)[number]): string {
  const cell = cells.get(column);
  return cell === undefined || cell === null ? '' : plain(cell);
}

function numberIn(cells: Cells, column: 'user_validity' | 'system_validity'): number | undefined {
  const text = textIn(cells, column);
  if (text === '') return undefined;
  if (/^[1-5](\.0+)?$/.test(text)) return Number(text);
  throw new JuryError('bad-input', `${column} is "${text.slice(0, 40)}": must be a number from 1 to 5`);
}

function correctIn(cells: Cells): boolean | undefined {
  const word = textIn(cells, 'correct').toLowerCase();
  if (word === '') return undefined;
  if (TRUE.has(word) || FALSE.has(word)) return TRUE.has(word);
  throw new JuryError('bad-input', `correct is "${word.slice(0, 40)}": must be yes or no`);
}

/** Ids of errors: as they are, else by how they are written; what is none stays, to be told. */
function errorsIn(cells: Cells, { errorTypes }: Study): string[] {
  const cell = cells.get('error_types');
  const words = Array.isArray(cell) ? cell.map(plain) : textIn(cells, 'error_types').split(/\s*[;,|+]\s*/);
  const bare = (word: string) => word.toLowerCase().replace(/[ _-]+error$/, '');
  return words
    .filter((word) => word !== '')
    .map((word) => {
      const exact = errorTypes.find(({ id }) => id === word);
      const alike = errorTypes.find(({ id, title }) => [id, title].some((one) => bare(one) === bare(word)));
      return (exact ?? alike)?.id ?? word;
    });
}

/** @throws JuryError `bad-input` that says what cannot be read */
function answersIn(cells: Cells, study: Study): Answers {
  const user = numberIn(cells, 'user_validity');
  const system = numberIn(cells, 'system_validity');
  const correct = correctIn(cells);
  const comment = textIn(cells, 'comment');
  const errors = errorsIn(cells, study);
  return {
    ...(user === undefined ? {} : { user }),
    ...(system === undefined ? {} : { system }),
    ...(correct === undefined ? {} : { correct }),
    ...(errors.length === 0 ? {} : { errors }),
    ...(comment === '' ? {} : { comment }),
  };
}

/** The pseudonym itself, as exported, or who it is. */
function annotatorIn(cells: Cells, study: Study, pseudonym: Pseudonym): string {
  const text = textIn(cells, 'annotator');
  const isAsked = (id: string) => study.annotators.some((annotator) => annotator.id === id);
  if (isAsked(text)) return text;
  const ids = [text, `name:${text}`].flatMap((one) => {
    try {
      return [pseudonym(readPerson(one))];
    } catch {
      return [];
    }
  });
  const found = ids.find(isAsked);
  if (found !== undefined) return found;
  throw new JuryError(
    'bad-input',
    `annotator "${text.slice(0, 60)}" is not an annotator of study ${study.id}`,
  );
}

function caseIn(cells: Cells, study: Study): number {
  const id = textIn(cells, 'case');
  const index = study.cases.findIndex((one) => one.id === id);
  if (index >= 0) return index;
  throw new JuryError('bad-input', `case "${id.slice(0, 60)}" is not part of study ${study.id}`);
}

function timeIn(cells: Cells, now: number): number {
  const text = textIn(cells, 'at');
  if (text === '') return now;
  const at = Date.parse(text);
  if (Number.isFinite(at)) return at;
  throw new JuryError(
    'bad-input',
    `at is "${text.slice(0, 40)}": must be a time such as 2026-11-21T09:00:00Z`,
  );
}

type Taken = 'kept' | 'unchanged' | 'outdated';

/** Rows whose wait for the disk is shared. */
const AT_ONCE = 100;

/** `jury study import`: rows that are no annotation are told and left out. */
async function importAnnotations(
  parts: Parts,
  terminal: Terminal,
  id: string,
  file: string,
  format: TableFormat | undefined,
  stop: AbortSignal,
): Promise<ExitCode> {
  const { err } = terminal;
  const store = await parts.store();
  const study = await findStudy(store, id);
  if (study.closed)
    throw new JuryError('usage', `Study ${id} is closed: "jury study reopen ${id}" reopens it.`);
  const pseudonym = await parts.pseudonym();
  const decoded = decodeInput(await bytesOf(terminal, file, stop));
  if ('problem' in decoded) throw new JuryError('bad-input', `${file}: ${decoded.problem}`);
  const { columns, rows } = readTable(decoded.text, format ?? formatOf(file, decoded.text));
  const known: readonly string[] = annotationColumns;
  const others = columns.filter((column) => !known.includes(column));
  if (others.length > 0) err(`Ignored columns: ${others.join(', ')}. Known columns: ${known.join(', ')}.`);
  const now = parts.now();

  async function take(cells: Cells): Promise<Taken> {
    const said = await annotateCase(store, {
      study,
      annotator: annotatorIn(cells, study, pseudonym),
      index: caseIn(cells, study),
      answers: answersIn(cells, study),
      at: timeIn(cells, now),
    });
    if (!said.ok)
      throw new JuryError(
        'bad-input',
        said.problems.map(({ item, problem }) => `${item}: ${problem}`).join(' '),
      );
    const { outcome } = said;
    if (outcome === 'kept' || outcome === 'unchanged' || outcome === 'outdated') return outcome;
    throw new JuryError('usage', `Study ${id} takes no more annotations (${outcome}).`);
  }

  /** What became of a row, or what is wrong with it. */
  async function tryRow(row: (typeof rows)[number]): Promise<Taken | JuryError> {
    try {
      if ('problem' in row) throw new JuryError('bad-input', row.problem);
      return await take(row.cells);
    } catch (thrown) {
      if (!(thrown instanceof JuryError) || thrown.code !== 'bad-input') throw thrown;
      return thrown;
    }
  }

  const counts = { kept: 0, unchanged: 0, outdated: 0 };
  let problems = 0;
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    if (stop.aborted) return exitCode.interrupted;
    const batch = rows.slice(from, from + AT_ONCE);
    const outcomes = await Promise.all(batch.map(tryRow));
    for (const [index, outcome] of outcomes.entries()) {
      if (typeof outcome === 'string') counts[outcome] += 1;
      else {
        problems += 1;
        err(`${batch[index]?.where ?? ''}: ${outcome.message}`);
      }
    }
  }
  const taken = counts.kept + counts.unchanged + counts.outdated;
  err(
    `${counts.kept} of ${counted(rows.length, 'row')} kept, ${counts.unchanged} already there, ${counts.outdated} older than what is kept, ${problems} left out.`,
  );
  if (taken === 0)
    throw new JuryError('bad-input', 'No row is an annotation of this study. Nothing was kept.');
  return problems > 0 ? exitCode.failed : exitCode.ok;
}

/** `jury study import` and `jury study export`. */
export function addStudyData(study: Command, { stop, terminal, withParts }: CommandContext): void {
  study
    .command('import')
    .summary('import annotations made elsewhere')
    .description(
      'Imports annotations made elsewhere: columns annotator, case (the id in the dataset), user_validity, system_validity, correct, error_types, comment, and at (a date and time) where it is known. Importing the same file again changes nothing. Rows that are not annotations are reported with the reason and left out.',
    )
    .argument('<study>', STUDY_ID)
    .argument('<file>', 'CSV or JSONL; - for standard input')
    .addOption(tableFormatOption())
    .addHelpText(
      'after',
      '\nExit codes: 0 every row was imported, 1 some were not, 64 bad usage, unreadable input or no row was.',
    )
    .action((id: string, file: string, { format }: { format?: TableFormat }) =>
      withParts({ cache: false }, (parts) => importAnnotations(parts, terminal, id, file, format, stop)),
    );
  study
    .command('export')
    .summary('print the annotations of a study')
    .description(
      'Prints the annotations of a study, one a row, with the label of each case. Annotators are named by their pseudonym.',
    )
    .argument('<study>', STUDY_ID)
    .addOption(new Option('--format <name>', 'the format to print').choices(['csv', 'jsonl']).default('csv'))
    .action((id: string, { format }: { format: TableFormat }) =>
      withParts({ cache: false }, (parts) => exportAnnotations(parts, terminal, id, format)),
    );
}
