import { type CsvValue, csvText } from '../../common/write-csv.ts';
import { findStudy } from '../../studies/manage-studies.ts';
import { categoryOf, type Study } from '../../studies/study.ts';
import type { Parts } from '../parts.ts';
import { type ExitCode, exitCode, type Terminal } from './console.ts';
import { jsonLine } from './plain-text.ts';

/** What stands in each row, in the order of columns; the import reads the same names. */
export const annotationColumns = [
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
export async function exportStudyCommand(
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
