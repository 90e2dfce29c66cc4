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
import type { CommandContext } from './command-context.ts';
import { type ExitCode, exitCode } from './terminal.ts';

/** `jury study export`: one annotation a row. */
export async function exportAnnotations(
  { out, parts: open }: CommandContext,
  id: string,
  { format }: { format: TableFormat },
): Promise<void> {
  const parts = await open();
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
export async function importAnnotations(
  context: CommandContext,
  id: string,
  file: string,
  { format }: { format?: TableFormat },
): Promise<ExitCode> {
  const { err, stop } = context;
  const parts = await context.parts();
  const store = await parts.store();
  const study = await findStudy(store, id);
  if (study.closed)
    throw new JuryError('usage', `Study ${id} is closed: "jury study reopen ${id}" reopens it.`);
  const pseudonym = await parts.pseudonym();
  const idOf = (text: string) => pseudonym(readPerson(text, parts.surfaces));
  const { columns, rows } = await readTableFile(context, file, format, stop);
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
