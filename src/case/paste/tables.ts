import { capital, counted, delimiterOf, readCsv } from '../../common/text/index.ts';
import type { CaseFormat } from '../format/index.ts';
import { squeezeLines } from './clean-text.ts';
import { answerKeys, meaningOf, wordOf } from './label-meanings.ts';
import { type Line, lineOf } from './lines.ts';
import {
  BOTH_SIDES,
  MAX_ITEMS,
  numbered,
  type Paste,
  type ReadItem,
  refused,
  tooLong,
  tooMany,
} from './problems.ts';
import { readForeign } from './read-objects.ts';
import type { Range, Tracked } from './tracked-text.ts';
import { Leaves } from './value-positions.ts';

/** A table among lines: its rows without dividers, and its number of lines. */
export interface Table {
  rows: Tracked[][];
  length: number;
}

/** Whether a line divides a table's header from its rows: `|---|---|`. */
const isDivider = (line: string): boolean =>
  line.length < 2000 && line.includes('-') && /[|+]/.test(line) && /^[-:|+= \t]+$/.test(line);
const isRow = (line: string): boolean => line.trimStart().startsWith('|') && line.trim().length > 2;

/** Strips emphasis around a cell and unescapes bars in it. */
const withoutEmphasis = (cell: Tracked): Tracked => {
  const trimmed = cell.trim();
  const [lead = ''] = /^[*_`]{1,3}/.exec(trimmed.text) ?? [];
  const [end = ''] = /[*_`]{1,3}$/.exec(trimmed.text.slice(lead.length)) ?? [];
  return trimmed.slice(lead.length, trimmed.text.length - end.length).replace(/\\\|/g, () => [1, 2]);
};

function cellsOf(line: Tracked): Tracked[] {
  const row = line.trim();
  // A table header in Jira is `||a||b||`.
  const bar = /^\|\|.*\|\|$/.test(row.text) ? '||' : '|';
  const from = row.text.startsWith(bar) ? bar.length : 0;
  const to = /(?<!\\)\|$/.test(row.text) ? row.text.length - bar.length : row.text.length;
  const inner = row.slice(from, Math.max(from, to));
  const cells: Tracked[] = [];
  let at = 0;
  for (const text of inner.text.split(bar === '|' ? /(?<!\\)\|/ : bar)) {
    cells.push(withoutEmphasis(inner.slice(at, at + text.length)));
    at += text.length + bar.length;
  }
  return cells;
}

/** The table that starts at a line, if that starts with `|` or has a divider below it. Null if there is none. */
export function tableAt(lines: readonly { from: Tracked }[], at: number): Table | null {
  const textAt = (index: number) => lines[index]?.from.text ?? '';
  const first = textAt(at);
  const isBare = !isRow(first) && !isDivider(first) && first.includes('|') && isDivider(textAt(at + 1));
  if (!isBare && !isRow(first) && !(isDivider(first) && isRow(textAt(at + 1)))) return null;
  const rows: Tracked[][] = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const { from } = lines[end] ?? {};
    if (from === undefined || isDivider(from.text)) continue;
    if (!(isRow(from.text) || (isBare && from.text.includes('|')))) break;
    rows.push(cellsOf(from));
  }
  return rows.length === 0 ? null : { rows, length: end - at };
}

/** Kinds of labels that a venue can have. */
const OF_VENUE = new Set(['venue', 'venue-or-name', 'place']);

/**
 * Turns a table into lines with labels: one with two columns and the labels in the first, or one with a venue in its only
 * row and the labels in its header.
 * @returns `several` if it has several venues, since the recommended one is unknown; null for any other table
 */
export function tableLines({ rows }: Table, format: CaseFormat): Line[] | 'several' | null {
  const [head = [], ...below] = rows;
  const kindOf = (label?: Tracked) => meaningOf(label?.text ?? '', format)?.meaning.kind;
  const pairs = kindOf(head[0]) === undefined ? below : rows;
  if (rows.every((row) => row.length === 2) && rows.filter(([label]) => kindOf(label)).length >= 2)
    return pairs.map(([label = '', value = '']) => lineOf(format, label, ': ', value));
  const [row = [], ...more] = below;
  if (head.filter((label) => OF_VENUE.has(kindOf(label) ?? '')).length < 2 || below.length === 0) return null;
  if (more.length > 0) return 'several';
  return head.flatMap((label, at) => {
    const cell = row[at];
    return cell === undefined || /^[-–—]?$/.test(cell.text) ? [] : [lineOf(format, label, ': ', cell)];
  });
}

interface Row {
  cells: readonly string[];
  problem?: string;
}

/** Whether cells are a header with a column for the user and at least one for the system. Cells of a header are short. */
function isHeader(cells: readonly string[], format: CaseFormat): boolean {
  const roles = cells.map((cell) => {
    const meaning = cell.trim().length > 1 ? meaningOf(cell, format)?.meaning : undefined;
    return meaning?.kind === 'role' ? meaning.role : null;
  });
  const answers = roles.includes('system') || answerKeys(cells, format) !== null;
  return cells.every((cell) => cell.length <= 60) && roles.includes('user') && answers;
}

/** The indexes of the columns for speaker and text in a table with a turn per row; -1 if missing. */
const turnColumns = (cells: readonly string[], { words }: CaseFormat): [number, number] => [
  cells.findIndex((cell) => words.keys.speaker.includes(wordOf(cell, words))),
  cells.findIndex((cell) => words.keys.text.includes(wordOf(cell, words))),
];

/** The rows of a table in Markdown or with separators, such as CSV; null if its first line is not a header. */
function rowsOf(text: Tracked, format: CaseFormat): Row[] | null {
  const [first = ''] = text.text.slice(0, 2000).split('\n', 1);
  const isRead = (cells: readonly string[]) =>
    isHeader(cells, format) || Math.min(...turnColumns(cells, format)) >= 0;
  if (first.trimStart().startsWith('|')) {
    const table = tableAt(
      text.lines().map((from) => ({ from })),
      0,
    );
    const rows = table?.rows.map((cells) => cells.map((cell) => cell.text)) ?? [];
    const [head = []] = rows;
    return isRead(head) ? rows.map((cells) => ({ cells })) : null;
  }
  if (!/[,;\t|]/.test(first)) return null;
  const delimiter = delimiterOf(`${first}\n`);
  const [head] = readCsv(`${first}\n`, delimiter, 1);
  if (head === undefined || !('cells' in head) || !isRead(head.cells)) return null;
  return readCsv(text.text, delimiter).map((row) =>
    'cells' in row ? row : { cells: [], problem: row.problem },
  );
}

/** Finds the positions of a row's cells from `start` on. Cells may be written with escaped quotes or bars. */
function placesOf(cells: readonly string[], text: string, start: number): { places: Range[]; end: number } {
  let end = start;
  const places = cells.map((cell): Range => {
    const plain = cell.trim();
    for (const written of [plain, plain.replaceAll('"', '""'), plain.replaceAll('|', '\\|')]) {
      const at = text.indexOf(written, end);
      if (at < 0) continue;
      end = at + written.length;
      return [at, end];
    }
    return [end, end];
  });
  return { places, end };
}

/** The cells of a row that are not blank: column name, text and index. A second column of the same name gets a number. */
const recordOf = (header: readonly string[], cells: readonly string[]): [string, string, number][] =>
  header.map(squeezeLines).flatMap((key, at, keys): [string, string, number][] => {
    const count = keys.slice(0, at + 1).filter((other) => other === key).length;
    const cell = cells[at]?.trim() ?? '';
    return cell === '' ? [] : [[count === 1 ? key : `${key} ${count}`, cell, at]];
  });

/** Reads a table with a header, as in a spreadsheet, with a case or a turn in each row. Null for any other text. */
export function readRows({ text, limit, format }: Paste): ReadItem[] | null {
  const [header, ...rows] = rowsOf(text, format) ?? [];
  if (header === undefined) return null;
  const columns = header.cells;
  let { end } = placesOf(columns, text.text, 0);
  const placed = rows.map((row) => {
    const places = placesOf(row.cells, text.text, end);
    end = places.end;
    return { ...row, ...places };
  });
  // Blank rows and Markdown dividers are skipped.
  const filled = placed.filter(
    ({ cells, problem }) =>
      problem !== undefined || cells.some((cell) => !/^[\s:]{0,9}-{0,200}[\s:]{0,9}$/.test(cell)),
  );
  if (filled.length === 0)
    return [refused('The table has a header and no row: paste the rows as well.', BOTH_SIDES)];
  if (filled.length > MAX_ITEMS) return tooMany(filled.length);
  const add = (leaves: Leaves, cell: string, key: string, place: Range | undefined) =>
    place && leaves.addCell(key, text.slice(...place), cell);
  if (!isHeader(columns, format)) {
    const [speaker, speech] = turnColumns(columns, format);
    const leaves = new Leaves();
    const turns = filled.map(({ cells, places }) => {
      for (const [at, cell] of cells.entries()) add(leaves, cell.trim(), columns[at] ?? '', places[at]);
      return { role: cells[speaker]?.trim(), text: cells[speech]?.trim() };
    });
    return [readForeign({ turns }, format, ['read as a table with a turn in each row'], leaves)];
  }
  const readRow = (
    { cells, problem, places }: (typeof filled)[number],
    row: string,
    hint: string,
  ): ReadItem => {
    const size = cells.join('').length;
    if (problem !== undefined) return refused(`${problem}.`, BOTH_SIDES);
    if (size > limit) return tooLong(size, limit);
    if (cells.length <= columns.length) {
      const leaves = new Leaves();
      const record = recordOf(columns, cells);
      for (const [key, cell, at] of record) add(leaves, cell, key, places[at]);
      const value = Object.fromEntries(record);
      return readForeign(value, format, [`read as a table: this is ${row}${hint}`], leaves);
    }
    const counts = `${counted(cells.length, 'cell')} for ${counted(columns.length, 'column')}`;
    return refused(`${counts}: put cells that hold a comma in quotes.`, BOTH_SIDES);
  };
  return filled.map((row, index) => {
    const where = `row ${index + 1} of ${filled.length}`;
    const hint = index === 0 ? '; for large tables, see jury dataset import' : '';
    const item = numbered(readRow(row, where, hint), capital(where));
    return index === filled.length - 1 ? item : { ...item, end: text.end(row.end) };
  });
}
