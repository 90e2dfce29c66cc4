import { isRecord } from '../../case/is-record.ts';
import { isTooDeep, MAX_DEPTH } from '../../case/paste/json.ts';
import { JuryError } from '../../common/errors.ts';
import { delimiterOf, readCsv } from '../../common/read-csv.ts';

export type TableFormat = 'csv' | 'jsonl';

/** One row: its cells by column, or why it could not be read. */
type TableRow = { where: string } & ({ cells: ReadonlyMap<string, unknown> } | { problem: string });

/** Rows of a file under their columns, whatever its format. */
export interface Table {
  columns: readonly string[];
  rows: readonly TableRow[];
}

/** Columns need names that differ; one without a name, or with another's, is given its number. */
const named = (header: readonly string[]): string[] =>
  header.map((name, index) => {
    const plain = name.trim();
    const isOwn = plain !== '' && header.findIndex((other) => other.trim() === plain) === index;
    return isOwn ? plain : `${plain === '' ? 'column' : plain} ${index + 1}`;
  });

function csvTable(text: string): Table {
  const [header, ...rows] = readCsv(text, delimiterOf(text));
  if (header === undefined) throw new JuryError('bad-input', 'The file is empty: there is no header.');
  if ('problem' in header)
    throw new JuryError('bad-input', `The header (line ${header.line}) cannot be read: ${header.problem}.`);
  const columns = named(header.cells);
  return {
    columns,
    rows: rows.map((row): TableRow => {
      const where = row.line === row.row ? `Row ${row.row}` : `Row ${row.row} (line ${row.line})`;
      if ('problem' in row) return { where, problem: row.problem };
      const { cells } = row;
      if (cells.length !== columns.length)
        return {
          where,
          problem: `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, the header has ${columns.length}`,
        };
      return { where, cells: new Map(columns.map((column, index) => [column, cells[index]])) };
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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return { problem: `is not valid JSON (${thrown instanceof Error ? thrown.message.slice(0, 100) : ''})` };
  }
  return isRecord(value) ? { cells: new Map(flattened(value)) } : { problem: 'is no JSON object' };
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

/** @throws JuryError `bad-input` where there is no header to go by */
export const readTable = (text: string, format: TableFormat): Table =>
  format === 'csv' ? csvTable(text) : jsonTable(text);
