import { delimiterOf, readCsv } from '../../common/csv.ts';
import { counted } from '../../common/text.ts';
import type { CaseFormat } from '../case-format.ts';
import type { Parsed } from './draft.ts';
import { readForeign } from './json-cases.ts';
import { meaningOf } from './labels.ts';
import { BOTH_SIDES, MAX_ITEMS, numbered, type Paste, refused, tooLong, tooMany } from './problems.ts';
import { tableAt } from './table.ts';
import { squeezeLines } from './text.ts';

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
  return cells.every((cell) => cell.length <= 60) && roles.includes('user') && roles.includes('system');
}

/** The rows of a table, be it in Markdown, with tabs, or as CSV; null where its first line is no header. */
function rowsOf(text: string, format: CaseFormat): Row[] | null {
  const [first = ''] = text.slice(0, 2000).split('\n', 1);
  if (first.trimStart().startsWith('|')) {
    const table = tableAt(text.split('\n'), 0);
    const [head = []] = table?.rows ?? [];
    return table && isHeader(head, format) ? table.rows.map((cells) => ({ cells })) : null;
  }
  if (!/[,;\t|]/.test(first)) return null;
  const delimiter = delimiterOf(`${first}\n`);
  const [head] = readCsv(`${first}\n`, delimiter, 1);
  if (head === undefined || !('cells' in head) || !isHeader(head.cells, format)) return null;
  return readCsv(text, delimiter).map((row) => ('cells' in row ? row : { cells: [], problem: row.problem }));
}

/** What a column is called as a key; a second column of one name keeps a number. */
function keysOf(header: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return header.map((cell) => {
    const key = squeezeLines(cell);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? key : `${key} ${count}`;
  });
}

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
