import { type Command, Option } from 'commander';
import { readTableFile } from '../../benchmark/datasets/read-cases.ts';
import type { TableFormat } from '../../benchmark/datasets/read-table.ts';
import { csvText } from '../../common/csv.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, jsonLine } from '../../common/text.ts';
import {
  annotationCells,
  annotationColumns,
  annotationRow,
  readAnnotation,
} from '../../studies/annotation-rows.ts';
import { annotateCase, findStudy } from '../../studies/manage-studies.ts';
import { readPerson } from '../addresses.ts';
import type { Parts } from '../parts.ts';
import type { CommandContext } from './command-context.ts';
import { STUDY_ID, tableFormatOption } from './options.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

/** `jury study export`: one annotation a row. */
async function exportAnnotations(
  parts: Parts,
  { out }: Terminal,
  id: string,
  format: 'csv' | 'jsonl',
): Promise<void> {
  const store = await parts.store();
  const study = await findStudy(store, id);
  const rows = (await store.annotations(id)).map((annotation) => annotationRow(study, annotation));
  if (format === 'jsonl') for (const row of rows) out(jsonLine(row));
  else out(csvText([annotationColumns, ...rows.map(annotationCells)]).trimEnd());
}

type Taken = 'kept' | 'unchanged' | 'outdated';

/** Rows whose wait for the disk is shared. */
const AT_ONCE = 100;

/** `jury study import`: rows that are not annotations are reported and left out. */
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
  const idOf = (text: string) => pseudonym(readPerson(text, parts.surfaces));
  const { columns, rows } = await readTableFile(terminal, file, format, stop);
  const known: readonly string[] = annotationColumns;
  const others = columns.filter((column) => !known.includes(column));
  if (others.length > 0) err(`Ignored columns: ${others.join(', ')}. Known columns: ${known.join(', ')}.`);
  const now = parts.now();

  async function take(cells: ReadonlyMap<string, unknown>): Promise<Taken> {
    const said = await annotateCase(store, { study, ...readAnnotation(cells, study, idOf, now) });
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
