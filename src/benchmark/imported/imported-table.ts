import { JuryError } from '../../common/index.ts';
import { andList, noSuch } from '../../common/text/index.ts';
import { inputName, refusalLines, type Table, withInner } from '../../datasets/index.ts';

/** A row or a part of it that cannot be imported. */
export interface RowProblem {
  /** `Row 3`, or `Row 3 (line 5)`. */
  where: string;
  /** Begins with the column. */
  reason: string;
}

/** A row of an imported table. */
export interface ImportedRow<Key extends string> {
  where: string;
  /** The name that the file gives to a column, and its text, empty if there is none. */
  columnOf: (key: Key) => string;
  textOf: (key: Key) => string;
}

/** A name without case and punctuation: `prompt_tokens` and `promptTokens` are the same. */
const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** A cell as text; null if it is a list or an object. */
function textIn(cell: unknown): string | null {
  if (cell === undefined || cell === null) return '';
  if (typeof cell === 'string') return cell.trim();
  return typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : null;
}

/** The columns of a table by key. @throws JuryError `usage` for a wrong --map, `bad-input` for missing columns */
function columnsByKey<Key extends string>(
  file: string,
  columns: readonly string[],
  {
    keys,
    required,
    map,
  }: { keys: readonly Key[]; required: readonly Key[]; map: ReadonlyMap<string, string> },
): Map<Key, string> {
  const found = new Map<Key, string>();
  for (const [column, key] of map) {
    const wanted = keys.find((one) => one === key);
    // The other file of the same command may have it.
    if (wanted !== undefined && columns.includes(column)) found.set(wanted, column);
  }
  for (const key of keys) {
    const column = columns.find((one) => !map.has(one) && plainName(one) === plainName(key));
    if (column !== undefined && !found.has(key)) found.set(key, column);
  }
  const missing = required.filter((key) => !found.has(key));
  if (missing.length > 0 || !keys.some((key) => (key === 'decision' || key === 'score') && found.has(key)))
    throw new JuryError(
      'bad-input',
      `${inputName(file)} needs the columns ${andList([...required, 'decision or score'])}; it has ${columns.length === 0 ? 'none' : columns.join(', ')}. Say which is which with --map, such as --map item=case. Nothing was imported.`,
    );
  return found;
}

/** @throws JuryError `usage` if a column goes nowhere */
export function requireMapped(
  map: ReadonlyMap<string, string>,
  keys: readonly string[],
  columns: readonly string[],
): void {
  for (const [column, key] of map) {
    if (!columns.includes(column)) throw noSuch('column', column, columns);
    if (!keys.includes(key)) throw noSuch('key', key, keys);
  }
}

/** The rows of a table, the columns that were not read, and the rows that could not be. */
export function readRows<Key extends string>(
  file: string,
  whole: Table,
  wanted: { keys: readonly Key[]; required: readonly Key[]; map: ReadonlyMap<string, string> },
): { rows: ImportedRow<Key>[]; unread: string[]; columns: readonly string[]; problems: RowProblem[] } {
  const table = withInner(whole, [...wanted.map.keys()]);
  const byKey = columnsByKey(file, table.columns, wanted);
  const problems: RowProblem[] = [];
  const rows = table.rows.flatMap((row): ImportedRow<Key>[] => {
    const { where } = row;
    if ('problem' in row) {
      problems.push({ where, reason: row.problem });
      return [];
    }
    const texts = new Map<Key, string>();
    let isWhole = true;
    for (const [key, column] of byKey) {
      const text = textIn(row.cells.get(column));
      if (text === null) {
        problems.push({ where, reason: `column "${column}" must hold one value, not several` });
        isWhole = false;
      } else texts.set(key, text);
    }
    if (!isWhole) return [];
    return [{ where, columnOf: (key) => byKey.get(key) ?? key, textOf: (key) => texts.get(key) ?? '' }];
  });
  const read = new Set(byKey.values());
  return { rows, problems, columns: table.columns, unread: table.columns.filter((one) => !read.has(one)) };
}

/** @throws JuryError `bad-input` that names rows and columns, if there is any problem */
export function requireNone(file: string, problems: readonly RowProblem[]): void {
  if (problems.length === 0) return;
  throw new JuryError(
    'bad-input',
    [...refusalLines(problems).map((line) => `${inputName(file)}, ${line}`), 'Nothing was imported.'].join(
      '\n',
    ),
  );
}

/** A number in a cell, also with a decimal comma; null if it is none, or if a comma may set off thousands: 1,234. */
export function numberIn(text: string): number | null {
  if (/^-?[1-9]\d{0,2},\d{3}$/.test(text)) return null;
  const number = Number(text.replace(/^(-?\d+),(\d+)$/, '$1.$2'));
  return text !== '' && Number.isFinite(number) ? number : null;
}
