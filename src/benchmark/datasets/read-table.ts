import { fieldOf, isRecord } from '../../case/case.ts';
import { isTooDeep, MAX_DEPTH, parseJson } from '../../case/paste/json.ts';
import { groupedBy } from '../../common/collections.ts';
import { delimiterOf, readCsv } from '../../common/csv.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, grouped } from '../../common/text.ts';
import { itemsOf, unfolded } from './unfold.ts';

export type TableFormat = 'csv' | 'jsonl';

/** One row: its cells by column, or why it could not be read. */
export type TableRow = { where: string } & ({ cells: ReadonlyMap<string, unknown> } | { problem: string });

/** The rows of a CSV or JSON file. */
export interface Table {
  columns: readonly string[];
  rows: readonly TableRow[];
  /** Whether it is the export of an annotation tool: rows are answers of single people, several of which are about one case. */
  annotated: boolean;
}

/** A table that anyone reads has fewer; reading and mapping more would take very long. */
const MAX_COLUMNS = 2_000;

function requireColumns(count: number): void {
  if (count > MAX_COLUMNS)
    throw new JuryError(
      'bad-input',
      `The file has ${grouped(count)} columns; the limit is ${grouped(MAX_COLUMNS)}. Leave out those that are not needed.`,
    );
}

/** Makes names of columns unique: a column without a name, or with the name of an earlier one, gets its number. */
function uniqueNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((name, index) => {
    const plain = name.trim();
    const isFirst = plain !== '' && !taken.has(plain);
    taken.add(plain);
    return isFirst ? plain : `${plain || 'column'} ${index + 1}`;
  });
}

function csvTable(text: string): Table {
  const delimiter = delimiterOf(text);
  const [header] = readCsv(text, delimiter, 1);
  if (header === undefined) throw new JuryError('bad-input', 'The file is empty.');
  if ('problem' in header)
    throw new JuryError('bad-input', `The header (line ${header.line}) cannot be read: ${header.problem}.`);
  requireColumns(header.cells.length);
  const columns = uniqueNames(header.cells);
  const rows = readCsv(text, delimiter).slice(1);
  return {
    columns,
    annotated: false,
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

/** The objects in a JSON text, with their places: of one value the objects in it, otherwise one a line. */
function jsonItems(text: string): ({ where: string } & ({ value: unknown } | { problem: string }))[] {
  const whole = /^\s*[[{]/.test(text) && !isTooDeep(text) ? parseJson(text) : { error: '' };
  if ('value' in whole)
    return itemsOf(whole.value).map((value, index) => ({ where: `Item ${index + 1}`, value }));
  const lines = text.split(/\r?\n/).map((line, index) => ({ where: `Line ${index + 1}`, line: line.trim() }));
  return lines
    .filter(({ line }) => line !== '')
    .map(({ where, line }) => {
      if (isTooDeep(line)) return { where, problem: `is nested more than ${MAX_DEPTH} deep` };
      const parsed = parseJson(line);
      return 'error' in parsed
        ? { where, problem: `is not valid JSON (${parsed.error})` }
        : { where, value: parsed.value };
    });
}

function jsonTable(text: string): Table {
  let annotated = false;
  const columns = new Set<string>();
  const rows = jsonItems(text).flatMap((item): TableRow[] => {
    if ('problem' in item) return [item];
    const { where, value } = item;
    if (!isRecord(value)) return [{ where, problem: 'is not a JSON object' }];
    requireColumns(Object.keys(value).length);
    const answers = unfolded(value);
    annotated ||= answers !== null;
    return (answers ?? [value]).map((row) => {
      const cells = new Map(flattened(row));
      for (const column of cells.keys()) columns.add(column);
      requireColumns(columns.size);
      return { where, cells };
    });
  });
  return { columns: [...columns], rows, annotated };
}

/** @throws JuryError `bad-input` if the file is empty, or the table has too many columns */
export const readTable = (text: string, format: TableFormat): Table =>
  format === 'csv' ? csvTable(text) : jsonTable(text);

/** A table with columns of its own for what is asked for by a path within a list: `turns.0.text`. */
export function withInner(table: Table, wanted: readonly string[]): Table {
  const { columns } = table;
  const inner = wanted.flatMap((path) => {
    const column = columns.includes(path) ? undefined : columns.find((one) => path.startsWith(`${one}.`));
    return column === undefined ? [] : [{ path, column, rest: path.slice(column.length + 1) }];
  });
  if (inner.length === 0) return table;
  const more = (cells: ReadonlyMap<string, unknown>) =>
    inner.map(({ path, column, rest }) => [path, fieldOf(cells.get(column), rest)] as const);
  return {
    ...table,
    columns: [...columns, ...inner.map(({ path }) => path)],
    rows: table.rows.map((row) =>
      'problem' in row ? row : { ...row, cells: new Map([...row.cells, ...more(row.cells)]) },
    ),
  };
}

/** How many rows, and how many reasons, are named; the rest are counted. */
const NAMED = { rows: 3, reasons: 20 };

/** Rows that were left out, as lines: each reason once, with the first rows that it is about. */
export function refusalLines(problems: readonly { where: string; reason: string }[]): string[] {
  const byReason = [...groupedBy(problems, ({ reason }) => reason)];
  const lines = byReason.slice(0, NAMED.reasons).map(([reason, same]) => {
    const places = [...new Set(same.map(({ where }) => where))];
    const named = places.slice(0, NAMED.rows).join(', ');
    const more = places.length - NAMED.rows;
    return `${named}${more > 0 ? ` and ${grouped(more)} more` : ''}: ${reason}`;
  });
  const others = byReason.slice(NAMED.reasons).flatMap(([, same]) => same);
  return others.length === 0
    ? lines
    : [
        ...lines,
        `and ${counted(others.length, 'row')} for ${counted(byReason.length - NAMED.reasons, 'other reason')}`,
      ];
}
