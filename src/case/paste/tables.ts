import { delimiterOf, readCsv } from '../../common/csv.ts';
import { counted } from '../../common/text.ts';
import type { CaseFormat } from '../case-format.ts';
import { answerKeys, meaningOf, wordOf } from './labels.ts';
import { readForeign } from './objects.ts';
import type { Draft, Parsed } from './problems.ts';
import { BOTH_SIDES, MAX_ITEMS, numbered, type Paste, refused, tooLong, tooMany } from './problems.ts';
import { excerpt, squeezeLines } from './text.ts';
import type { VenueEntry } from './venue.ts';

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
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim().replace(/^[*_`]{1,3}|[*_`]{1,3}$/g, ''));

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

/** A table of two columns with labels in the first, as lines: `| Name | Chez Luc |` is `Name: Chez Luc`. */
export function tableLines({ rows }: Table, format: CaseFormat): string[] | null {
  if (rows.length < 2 || rows.some((row) => row.length !== 2)) return null;
  const known = rows.filter(([label = '']) => meaningOf(label, format) !== null);
  if (known.length < 2) return null;
  const [head, ...rest] = rows;
  return (head && meaningOf(head[0] ?? '', format) === null ? rest : rows).map(
    ([label, value]) => `${label}: ${value}`,
  );
}

const ofVenue = (label: string, format: CaseFormat) => {
  const found = meaningOf(label, format);
  const meaning = found?.meaning;
  if (meaning?.kind === 'venue-or-name') return { field: 'name' as const };
  if (meaning?.kind !== 'venue' && meaning?.kind !== 'place') return null;
  return { field: meaning.field, ...(found?.unit === undefined ? {} : { unit: found.unit }) };
};

/** A table with a venue in each row below its header; null where the header names none or fewer than two attributes. */
export function tableVenues({ rows }: Table, draft: Draft): VenueEntry[][] | null {
  const [head = [], ...venues] = rows;
  const fields = head.map((label) => ofVenue(label, draft.format));
  if (venues.length === 0 || fields.filter((field) => field !== null).length < 2) return null;
  draft.unused.push(
    ...head.filter((_, at) => fields[at] === null).map((cell) => `the column "${excerpt(cell, 40)}"`),
  );
  return venues.map((cells) =>
    cells.flatMap((value, at): VenueEntry[] => {
      const field = fields[at];
      return field && !/^[-–—]?$/.test(value) ? [{ ...field, label: head[at] ?? '', value }] : [];
    }),
  );
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

/** What a column is called as a key; a second column of one name keeps a number. */
const keysOf = (header: readonly string[]): string[] =>
  header.map(squeezeLines).map((key, at, all) => {
    const count = all.slice(0, at + 1).filter((other) => other === key).length;
    return count === 1 ? key : `${key} ${count}`;
  });

/** A table with a header, as spreadsheets and CSV files have it: each row a case. */
export function readRows({ text, limit, format }: Paste): Parsed[] | null {
  const [header, ...rows] = rowsOf(text, format) ?? [];
  if (header === undefined) return null;
  const keys = keysOf(header.cells);
  // Blank rows, and the line below a header in Markdown, say nothing.
  const filled = rows.filter(
    ({ cells, problem }) =>
      problem !== undefined || cells.some((cell) => !/^[\s:]{0,9}-{0,200}[\s:]{0,9}$/.test(cell)),
  );
  if (filled.length === 0)
    return [refused('The table has a header and no row: paste the rows as well.', BOTH_SIDES)];
  if (filled.length > MAX_ITEMS) return tooMany(filled.length);
  const [speaker, said] = turnColumns(header.cells, format);
  if (!isHeader(header.cells, format)) {
    const turns = filled.map(({ cells }) => ({ role: cells[speaker]?.trim(), text: cells[said]?.trim() }));
    return [readForeign({ turns }, format, ['read as a table with a turn in each row'])];
  }
  return filled.map(({ cells, problem }, index) => {
    const where = `Row ${index + 1} of ${filled.length}`;
    if (problem !== undefined) return refused(`${where}: ${problem}.`, BOTH_SIDES);
    if (cells.length > keys.length)
      return refused(
        `${where}: ${counted(cells.length, 'cell')} for ${counted(keys.length, 'column')}: put cells that hold a comma in quotes.`,
        BOTH_SIDES,
      );
    const size = cells.join('').length;
    if (size > limit) return numbered(tooLong(size, limit), where);
    const record = Object.fromEntries(
      cells.flatMap((cell, at): [string, string][] =>
        cell.trim() === '' ? [] : [[keys[at] ?? '', cell.trim()]],
      ),
    );
    const hint = index === 0 ? '; for large tables, see jury dataset import' : '';
    return numbered(
      readForeign(record, format, [`read as a table: this is row ${index + 1} of ${filled.length}${hint}`]),
      where,
    );
  });
}
