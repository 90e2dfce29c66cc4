import * as z from 'zod';
import { isRecord } from '../../case/case.ts';
import { isTooDeep, MAX_DEPTH, parseJson } from '../../case/paste/json.ts';
import { delimiterOf, readCsv } from '../../common/csv.ts';
import { JuryError } from '../../common/errors.ts';
import { counted } from '../../common/text.ts';
import columnNames from './column-names.json' with { type: 'json' };

export type TableFormat = 'csv' | 'jsonl';

/** One row: its cells by column, or why it could not be read. */
type TableRow = { where: string } & ({ cells: ReadonlyMap<string, unknown> } | { problem: string });

/** The rows of a CSV or JSONL file. */
export interface Table {
  columns: readonly string[];
  rows: readonly TableRow[];
}

/** Makes names of columns unique: a column without a name, or with the name of an earlier one, gets its number. */
const uniqueNames = (header: readonly string[]): string[] =>
  header.map((name, index) => {
    const plain = name.trim();
    const isFirst = header.findIndex((other) => other.trim() === plain) === index;
    return plain !== '' && isFirst ? plain : `${plain || 'column'} ${index + 1}`;
  });

function csvTable(text: string): Table {
  const [header, ...rows] = readCsv(text, delimiterOf(text));
  if (header === undefined) throw new JuryError('bad-input', 'The file is empty: there is no header.');
  if ('problem' in header)
    throw new JuryError('bad-input', `The header (line ${header.line}) cannot be read: ${header.problem}.`);
  const columns = uniqueNames(header.cells);
  return {
    columns,
    rows: rows.map((row): TableRow => {
      const where = row.line === row.row ? `Row ${row.row}` : `Row ${row.row} (line ${row.line})`;
      if ('problem' in row) return { where, problem: row.problem };
      const { cells } = row;
      return cells.length === columns.length
        ? { where, cells: new Map(columns.map((column, index) => [column, cells[index]])) }
        : { where, problem: `has ${counted(cells.length, 'cell')}, the header has ${columns.length}` };
    }),
  };
}

/** An object's values by dotted path; lists stay whole. */
const flattened = (value: object, prefix = ''): [string, unknown][] =>
  Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, unknown][] =>
    isRecord(inner) ? flattened(inner, `${prefix}${key}.`) : [[`${prefix}${key}`, inner]],
  );

function jsonRow(text: string): { cells: ReadonlyMap<string, unknown> } | { problem: string } {
  if (isTooDeep(text)) return { problem: `is nested more than ${MAX_DEPTH} deep` };
  const parsed = parseJson(text);
  if ('error' in parsed) return { problem: `is not valid JSON (${parsed.error})` };
  const { value } = parsed;
  return isRecord(value) ? { cells: new Map(flattened(value)) } : { problem: 'is not a JSON object' };
}

function jsonTable(text: string): Table {
  const rows = text
    .split(/\r?\n/)
    .map((line, index) => ({ where: `Line ${index + 1}`, text: line.trim() }))
    .filter((line) => line.text !== '')
    .map((line): TableRow => ({ where: line.where, ...jsonRow(line.text) }));
  const columns = new Set(rows.flatMap((row) => ('cells' in row ? [...row.cells.keys()] : [])));
  return { columns: [...columns], rows };
}

/** @throws JuryError `bad-input` if there is no header */
export const readTable = (text: string, format: TableFormat): Table =>
  format === 'csv' ? csvTable(text) : jsonTable(text);

type RulingField = keyof typeof columnNames.rulings;

/** A row with a label: texts as they are, null where there is none. */
export type ReadLabel = { where: string } & Record<RulingField, string | null>;

const wordOf = (column: string): string => column.toLowerCase().replaceAll(/[^a-z]/g, '');

const Turns = z.array(z.looseObject({ role: z.string(), text: z.string() }));

/** A cell as text: of a conversation the last turn of the user. */
function textOf(cell: unknown): string | null {
  const turns = Turns.safeParse(cell).data;
  const text =
    turns === undefined
      ? typeof cell === 'number' || typeof cell === 'boolean'
        ? String(cell)
        : cell
      : turns.findLast(({ role }) => role === 'user')?.text;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}

/** @throws JuryError `bad-input` if no column can hold labels, none says what they are about, or the rows are single votes */
function requireLabelColumns(columns: readonly string[], has: (field: RulingField) => boolean): void {
  const all = columns.join(', ') || 'none';
  if (!has('label'))
    throw new JuryError(
      'bad-input',
      `No column holds labels: name one "label" (pass, fail or a score). Columns: ${all}.`,
    );
  if (!has('verdictId') && !(has('user') && has('response')))
    throw new JuryError(
      'bad-input',
      `Nothing says what the labels are about: name a column "verdict_id" or "task", or two "user" and "response". Columns: ${all}.`,
    );
  // A single person's vote must not become a ruling above the votes of all.
  const voter = columns.find((column) => columnNames.voters.includes(wordOf(column)));
  if (voter !== undefined)
    throw new JuryError(
      'bad-input',
      `A column "${voter}" says who voted, so each row is one vote and not yet what is right: aggregate the votes first, or leave the column out.`,
    );
}

/**
 * Reads labels from a table: one a row, about a verdict or about a request and its response. Rows that cannot be read are problems.
 *
 * @throws JuryError `bad-input` if the columns do not suffice
 */
export function readLabelRows({ columns, rows }: Table): {
  labels: ReadLabel[];
  problems: { where: string; problem: string }[];
} {
  const { rulings } = columnNames;
  const columnsFor = (field: RulingField): string[] =>
    rulings[field].flatMap((name) => columns.filter((column) => wordOf(column) === name));
  requireLabelColumns(columns, (field) => columnsFor(field).length > 0);
  const labels: ReadLabel[] = [];
  const problems: { where: string; problem: string }[] = [];
  for (const row of rows) {
    if ('problem' in row) {
      problems.push({ where: row.where, problem: row.problem });
      continue;
    }
    const { where, cells } = row;
    const first = (field: RulingField): string | null =>
      columnsFor(field).reduce<string | null>((text, column) => text ?? textOf(cells.get(column)), null);
    labels.push({
      where,
      verdictId: first('verdictId'),
      user: first('user'),
      response: first('response'),
      rubric: first('rubric'),
      label: first('label'),
      errorType: first('errorType'),
      note: first('note'),
      role: first('role'),
    });
  }
  return { labels, problems };
}
