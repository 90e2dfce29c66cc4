import type { EvalCase } from '../../case/case.ts';
import { JuryError } from '../../common/errors.ts';
import { type AnswersReport, type Gathered, gather, labeledCases } from './import-answers.ts';
import { readValueMap, requirePolarity } from './label-values.ts';
import { type ColumnMapping, mapColumns } from './map-columns.ts';
import {
  ANNOTATOR,
  answersIn,
  caseOf,
  type ImportOptions,
  isAnswer,
  isScored,
  type Reader,
} from './read-row.ts';
import { type Table, type TableRow, withInner } from './read-table.ts';

export interface Imported {
  cases: EvalCase[];
  mapping: ColumnMapping[];
  /** Rows that could not become a case, and why. */
  problems: { where: string; reason: string }[];
  /** Assumptions made when cells were read, with the number of rows. */
  assumed: { note: string; rows: number }[];
  /** What people say about the cases, if rows are answers of single people. */
  answers: AnswersReport | null;
}

const noAnswers = (mapping: readonly ColumnMapping[]): JuryError => {
  const free = mapping.filter(({ path }) => path === null).map(({ column }) => column);
  return new JuryError(
    'usage',
    `Each row is one person's answer, and no column is known to hold answers: add --map ${free[0] ?? 'COLUMN'}=label.decision, or =label.score or =label.criteria.ID. Columns without a place: ${free.join(', ') || 'none'}.`,
  );
};

/**
 * Turns rows into cases, with columns mapped as requested or by name. A row that is not a valid case becomes a problem. Where rows are
 * answers of single people, what they agree on becomes the label.
 *
 * @throws JuryError `usage` if the mapping has unknown columns or paths, or a label does not say which of its values is right
 */
export function importTable(given: Table, options: ImportOptions): Imported {
  const table = withInner(given, [...options.map.keys()]);
  const mapping = mapColumns(table.columns, options.map, options.format);
  const used = mapping.flatMap(({ column, path }) => (path === null ? [] : [{ column, path }]));
  const labels = used.filter(({ path }) => isAnswer(path));
  const values = readValueMap(options.values ?? [], table.columns, {
    columns: labels.map(({ column }) => column),
    path: 'label.decision',
  });
  const reader: Reader = { options, mapping: used, values };
  requirePolarity(
    table,
    labels.map((one) => ({ column: one.column, scored: isScored(one) })),
    values,
  );
  const annotated = table.annotated || used.some(({ path }) => path === ANNOTATOR);
  if (annotated && labels.length === 0) throw noAnswers(mapping);
  const problems: Imported['problems'] = [];
  const assumed = new Map<string, number>();
  const cases: EvalCase[] = [];
  const gathered: Gathered = { cases: new Map(), answers: new Map(), errors: [] };
  /** Takes a row. Returns what is wrong with it, or null. */
  function take(row: TableRow, place: number, note: (text: string) => void): string | null {
    if ('problem' in row) return row.problem;
    if (annotated) return gather(row.cells, reader, gathered, place, note);
    const said = answersIn(row.cells, reader);
    if (typeof said === 'string') return said;
    const read = caseOf(row.cells, reader, said, note);
    if ('reason' in read) return read.reason;
    cases.push(read.case);
    return null;
  }
  for (const [place, row] of table.rows.entries()) {
    const notes = new Set<string>();
    const reason = take(row, place, (text) => notes.add(text));
    if (reason !== null) problems.push({ where: row.where, reason });
    for (const text of notes) assumed.set(text, (assumed.get(text) ?? 0) + 1);
  }
  const settled = annotated ? labeledCases(gathered, reader) : null;
  return {
    cases: settled?.made ?? cases,
    mapping,
    problems,
    assumed: [...assumed].map(([note, count]) => ({ note, rows: count })),
    answers: settled?.report ?? null,
  };
}
