import { printedRange, type Range } from './printed-range.ts';
import { numberIn, type PublishedTable, printed } from './published-table.ts';

/** One number of a row, as printed and as what it can stand for. */
interface RowNumber {
  text: string;
  decimals: number;
  range: Range;
}

/** What a check finds in one row: which columns do not fit, and how. */
export interface Finding {
  columns: readonly string[];
  text: string;
}

/** One number of a row; nothing where the paper prints none. */
export function rowNumber(table: PublishedTable, row: number, column: string): RowNumber | undefined {
  const value = numberIn(table, row, column);
  if (value === null) return undefined;
  const text = printed(table, column, value);
  const decimals = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
  return { text, decimals, range: printedRange(value, decimals) };
}

/** Three numbers of a row that a check is about; nothing where one is missing. */
export function rowTriple(
  table: PublishedTable,
  row: number,
  columns: readonly [string, string, string],
): readonly [RowNumber, RowNumber, RowNumber] | undefined {
  const [first, second, third] = columns.map((column) => rowNumber(table, row, column));
  return first === undefined || second === undefined || third === undefined
    ? undefined
    : [first, second, third];
}
