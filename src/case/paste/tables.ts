import { delimiterOf, readCsv } from '../../common/csv.ts';
import { capital, counted } from '../../common/text.ts';
import type { CaseFormat } from '../case-format.ts';
import { answerKeys, meaningOf, wordOf } from './labels.ts';
import { readForeign } from './objects.ts';
import {
  BOTH_SIDES,
  MAX_ITEMS,
  numbered,
  type Parsed,
  type Paste,
  refused,
  tooLong,
  tooMany,
} from './problems.ts';
import { squeezeLines } from './text.ts';

/** A table among lines: its rows without dividers, and how many lines it takes. */
export interface Table {
  rows: string[][];
  length: number;
}

const isDivider = (line: string): boolean =>
  line.length < 2000 && line.includes('-') && /[|+]/.test(line) && /^[-:|+= \t]+$/.test(line);
const isRow = (line: string): boolean => line.trimStart().startsWith('|') && line.trim().length > 2;

const cellsOf = (line: string): string[] =>
  line
    .trim()
    // The header of a table in Jira
    .replace(/^\|\|.*\|\|$/, (row) => row.replaceAll('||', '|'))
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    // A bar that is part of a cell is escaped in Markdown.
    .split(/(?<!\\)\|/)
    .map((cell) =>
      cell
        .replaceAll('\\|', '|')
        .trim()
        .replace(/^[*_`]{1,3}|[*_`]{1,3}$/g, ''),
    );

/** The table that begins at a line: lines that begin with `|`, or a line with a divider below it. */
export function tableAt(lines: readonly string[], at: number): Table | null {
  const first = lines[at] ?? '';
  const isBare = !isRow(first) && !isDivider(first) && first.includes('|') && isDivider(lines[at + 1] ?? '');
  if (!isBare && !isRow(first) && !(isDivider(first) && isRow(lines[at + 1] ?? ''))) return null;
  const rows: string[][] = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? '';
    if (isDivider(line)) continue;
    if (!(isRow(line) || (isBare && line.includes('|')))) break;
    rows.push(cellsOf(line));
  }
  return rows.length === 0 ? null : { rows, length: end - at };
}

/** Labels of what can be said of a venue. */
const OF_VENUE = new Set(['venue', 'venue-or-name', 'place']);

/**
 * A table as lines: one of two columns with labels in the first, and one of a venue, with labels in its header. Of several venues it
 * the one that is recommended is not known.
 */
export function tableLines({ rows }: Table, format: CaseFormat): string[] | 'several' | null {
  const [head = [], ...below] = rows;
  const kindOf = (label = '') => meaningOf(label, format)?.meaning.kind;
  const pairs = kindOf(head[0]) === undefined ? below : rows;
  if (rows.every((row) => row.length === 2) && rows.filter(([label]) => kindOf(label)).length >= 2)
    return pairs.map(([label, value]) => `${label}: ${value}`);
  const [row = [], ...more] = below;
  if (head.filter((label) => OF_VENUE.has(kindOf(label) ?? '')).length < 2 || below.length === 0) return null;
  if (more.length > 0) return 'several';
  return head.flatMap((label, at) => (/^[-–—]?$/.test(row[at] ?? '') ? [] : [`${label}: ${row[at]}`]));
}

interface Row {
  cells: readonly string[];
  problem?: string;
}

/** A header names what the user said and what the system answered, in different columns. */
function isHeader(cells: readonly string[], format: CaseFormat): boolean {
  const roles = cells.map((cell) => {
    const meaning = cell.trim().length > 1 ? meaningOf(cell, format)?.meaning : undefined;
    return meaning?.kind === 'role' ? meaning.role : null;
  });
  const answers = roles.includes('system') || answerKeys(cells, format) !== null;
  return cells.every((cell) => cell.length <= 60) && roles.includes('user') && answers;
}

/** The columns of who speaks and of what is said, where each row is a turn; -1 where there is none. */
const turnColumns = (cells: readonly string[], { words }: CaseFormat): [number, number] => [
  cells.findIndex((cell) => words.keys.speaker.includes(wordOf(cell, words))),
  cells.findIndex((cell) => words.keys.text.includes(wordOf(cell, words))),
];

/** The rows of a table, be it in Markdown, with tabs, or as CSV; null where its first line is no header. */
function rowsOf(text: string, format: CaseFormat): Row[] | null {
  const [first = ''] = text.slice(0, 2000).split('\n', 1);
  const isRead = (cells: readonly string[]) =>
    isHeader(cells, format) || Math.min(...turnColumns(cells, format)) >= 0;
  if (first.trimStart().startsWith('|')) {
    const table = tableAt(text.split('\n'), 0);
    const [head = []] = table?.rows ?? [];
    return table && isRead(head) ? table.rows.map((cells) => ({ cells })) : null;
  }
  if (!/[,;\t|]/.test(first)) return null;
  const delimiter = delimiterOf(`${first}\n`);
  const [head] = readCsv(`${first}\n`, delimiter, 1);
  if (head === undefined || !('cells' in head) || !isRead(head.cells)) return null;
  return readCsv(text, delimiter).map((row) => ('cells' in row ? row : { cells: [], problem: row.problem }));
}

/** The cells of a row by what their columns are called; a second column of one name keeps a number. */
const recordOf = (header: readonly string[], cells: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    header.map(squeezeLines).flatMap((key, at, keys): [string, string][] => {
      const count = keys.slice(0, at + 1).filter((other) => other === key).length;
      const cell = cells[at]?.trim() ?? '';
      return cell === '' ? [] : [[count === 1 ? key : `${key} ${count}`, cell]];
    }),
  );

/** A table with a header, as spreadsheets and CSV files have it: each row a case. */
export function readRows({ text, limit, format }: Paste): Parsed[] | null {
  const [header, ...rows] = rowsOf(text, format) ?? [];
  if (header === undefined) return null;
  const columns = header.cells;
  // Blank rows, and the line below a header in Markdown, say nothing.
  const filled = rows.filter(
    ({ cells, problem }) =>
      problem !== undefined || cells.some((cell) => !/^[\s:]{0,9}-{0,200}[\s:]{0,9}$/.test(cell)),
  );
  if (filled.length === 0)
    return [refused('The table has a header and no row: paste the rows as well.', BOTH_SIDES)];
  if (filled.length > MAX_ITEMS) return tooMany(filled.length);
  if (!isHeader(columns, format)) {
    const [speaker, said] = turnColumns(columns, format);
    const turns = filled.map(({ cells }) => ({ role: cells[speaker]?.trim(), text: cells[said]?.trim() }));
    return [readForeign({ turns }, format, ['read as a table with a turn in each row'])];
  }
  const readRow = ({ cells, problem }: Row, row: string, hint: string): Parsed => {
    const size = cells.join('').length;
    if (problem !== undefined) return refused(`${problem}.`, BOTH_SIDES);
    if (size > limit) return tooLong(size, limit);
    if (cells.length <= columns.length)
      return readForeign(recordOf(columns, cells), format, [`read as a table: this is ${row}${hint}`]);
    const counts = `${counted(cells.length, 'cell')} for ${counted(columns.length, 'column')}`;
    return refused(`${counts}: put cells that hold a comma in quotes.`, BOTH_SIDES);
  };
  return filled.map((row, index) => {
    const where = `row ${index + 1} of ${filled.length}`;
    const hint = index === 0 ? '; for large tables, see jury dataset import' : '';
    return numbered(readRow(row, where, hint), capital(where));
  });
}
