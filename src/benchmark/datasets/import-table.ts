import { type EvalCase, Turn } from '../../case/case.ts';
import type { CaseFormat } from '../../case/case-format.ts';
import { explainIssues } from '../../case/paste/explain-issues.ts';
import { readCell } from './cell-values.ts';
import { type ColumnMapping, mapColumns } from './map-columns.ts';
import { nested } from './nested.ts';
import type { Table } from './read-rows.ts';

export interface Imported {
  cases: EvalCase[];
  mapping: ColumnMapping[];
  /** Rows that became no case: where they stand and why. */
  problems: { where: string; reason: string }[];
  /** What was assumed when cells were read, and in how many rows. */
  assumed: { note: string; rows: number }[];
}

export interface ImportOptions {
  /** Paths by column, `-` for none; other columns go where their names say. */
  map: ReadonlyMap<string, string>;
  /** The rubric of cases that name none. */
  rubric?: string;
  /** Longer cases are problems: nothing would judge them. */
  maxCaseChars: number;
  /** What a case may look like. */
  format: CaseFormat;
}

const isEmpty = (cell: unknown): boolean =>
  cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');

/** A last system turn is the response where no column holds one. */
function withResponse(fields: Record<string, unknown>): Record<string, unknown> {
  const turns = fields.conversation;
  if (fields.response !== undefined || !Array.isArray(turns)) return fields;
  const last: unknown = turns.at(-1);
  const spoken = Turn.safeParse(last);
  if (!spoken.success || spoken.data.role !== 'system') return fields;
  return { ...fields, conversation: turns.slice(0, -1), response: spoken.data.text };
}

function caseOf(
  cells: ReadonlyMap<string, unknown>,
  mapping: readonly ColumnMapping[],
  options: ImportOptions,
  note: (note: string) => void,
): { case: EvalCase } | { reason: string } {
  const fields: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const { column, path } of mapping) {
    const cell = cells.get(column);
    if (path === null || isEmpty(cell)) continue;
    const read = readCell(path, cell, options.format, (assumption) => note(`${column}: ${assumption}`));
    if ('problem' in read) problems.push(`column "${column}" ${read.problem}`);
    else if (read.value !== undefined) fields[path] = read.value;
  }
  if (problems.length > 0) return { reason: problems.join('; ') };
  const rubric = options.rubric === undefined ? {} : { rubric: options.rubric };
  const value = { ...rubric, ...nested(withResponse(fields)) };
  const parsed = options.format.schema.safeParse(value);
  if (!parsed.success) {
    const told = explainIssues(parsed.error.issues, value, 'no case', options.format);
    return { reason: 'problem' in told ? told.problem.replace(/ Add ".*$/, '') : 'no case' };
  }
  const { decision, errorType } = parsed.data.label ?? {};
  if (decision === 'pass' && errorType !== undefined)
    return { reason: `the label contradicts itself: "pass", but with the error "${errorType}"` };
  const length = JSON.stringify(parsed.data).length;
  return length > options.maxCaseChars
    ? {
        reason: `has ${length} characters, the limit for one case is ${options.maxCaseChars} (JURY_MAX_CASE_CHARS)`,
      }
    : { case: parsed.data };
}

/**
 * Rows as cases: each column goes where it was told to, else where its name says. A row that makes no case is a problem
 * with its reason; the others stay.
 *
 * @throws JuryError `usage` for a mapping of columns or to paths that do not exist
 */
export function importTable({ columns, rows }: Table, options: ImportOptions): Imported {
  const mapping = mapColumns(columns, options.map, options.format);
  const cases: EvalCase[] = [];
  const problems: Imported['problems'] = [];
  const assumed = new Map<string, number>();
  for (const row of rows) {
    if ('problem' in row) {
      problems.push({ where: row.where, reason: row.problem });
      continue;
    }
    const notes = new Set<string>();
    const read = caseOf(row.cells, mapping, options, (note) => notes.add(note));
    if ('reason' in read) problems.push({ where: row.where, reason: read.reason });
    else cases.push(read.case);
    for (const note of notes) assumed.set(note, (assumed.get(note) ?? 0) + 1);
  }
  return { cases, mapping, problems, assumed: [...assumed].map(([note, count]) => ({ note, rows: count })) };
}
