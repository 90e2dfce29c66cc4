import { CsvError, parse } from 'csv-parse/sync';
import { type Options, stringify } from 'csv-stringify/sync';

/** A record of a CSV file, or why it could not be read. Records are counted from 1, the header included. */
export type CsvRow = { row: number; line: number } & ({ cells: readonly string[] } | { problem: string });

const DELIMITERS = [',', ';', '\t', '|'];

/** Ends of lines as RFC 4180 has them, and as others do; a pair is one end. */
const LINE_ENDS = ['\r\n', '\n', '\r'];
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** How many lines end between two places, in bytes. */
function countLines(bytes: Buffer, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at += 1)
    if (bytes[at] === LINE_FEED || (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED)) lines += 1;
  return lines;
}

/** Where the next record begins: behind blank lines. */
function skipBlankLines(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN) at += 1;
  return at;
}

/** The end of a record without the line break behind it. */
function withoutLineEnd(bytes: Buffer, end: number): number {
  if (bytes[end - 1] === LINE_FEED) return bytes[end - 2] === CARRIAGE_RETURN ? end - 2 : end - 1;
  return bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
}

/** Bytes that a cell takes in quotes, those within it doubled. */
const quotedLength = (value: string): number =>
  Buffer.byteLength(value) + value.split('"').length - 1 + '""'.length;

const optionsFor = (delimiter: string) => ({
  delimiter,
  record_delimiter: LINE_ENDS,
  relax_column_count: true,
  // Quotes within a plain cell are allowed. One that closes a cell too early is then not told: see `isWellQuoted`.
  relax_quotes: true,
  skip_empty_lines: true,
});

/**
 * Whether all quoted cells of a record end with their closing quote. Where one does not, the parser keeps its quotes, and
 * it is shorter than a cell that holds quotes would be.
 */
function isWellQuoted(record: Buffer, cells: readonly string[], delimiter: string): boolean {
  if (!cells.some((cell) => cell.startsWith('"'))) return true;
  let isWell = true;
  let at = 0;
  parse(record, {
    ...optionsFor(delimiter),
    cast: (value, { quoting, bytes: end }) => {
      if (quoting && end - at !== quotedLength(value)) isWell = false;
      at = end + delimiter.length;
      return value;
    },
  });
  return isWell;
}

/**
 * The records of a CSV file (RFC 4180): cells in quotes may hold delimiters, line breaks and doubled quotes; a quote
 * within a cell that does not begin with one is an ordinary character. Blank lines are no records. What cannot be read
 * is a record with a problem; reading goes on behind it. Linear in the length of the text.
 *
 * @param most records that are wanted
 */
export function readCsv(text: string, delimiter: string, most = Number.MAX_SAFE_INTEGER): CsvRow[] {
  const bytes = Buffer.from(text);
  const rows: CsvRow[] = [];
  // Where the record that is being read begins.
  let at = skipBlankLines(bytes, 0);
  let line = 1 + countLines(bytes, 0, at);
  const add = (content: { cells: readonly string[] } | { problem: string }) =>
    rows.push({ row: rows.length + 1, line, ...content });
  try {
    parse(bytes, {
      ...optionsFor(delimiter),
      to: most,
      on_record: (cells: string[], { bytes: end }) => {
        const record = bytes.subarray(at, end);
        if (isWellQuoted(record, cells, delimiter)) add({ cells });
        else {
          const more = countLines(bytes, at, withoutLineEnd(bytes, end));
          const where = more > 0 ? ` (lines ${line} to ${line + more})` : '';
          add({
            problem: `something stands behind a closing quote${where}: double the quotes within a cell`,
          });
        }
        const next = skipBlankLines(bytes, end);
        line += countLines(bytes, at, next);
        at = next;
        return null;
      },
    });
  } catch (thrown) {
    if (!(thrown instanceof CsvError && thrown.code === 'CSV_QUOTE_NOT_CLOSED')) throw thrown;
    const left = countLines(bytes, at, bytes.length);
    const rest = left > 0 ? `: this line and the ${left} behind it were not read` : '';
    add({ problem: `a quote is opened and never closed${rest}` });
  }
  return rows;
}

/** The delimiter that gives the header most cells; a comma where none does. */
export function delimiterOf(text: string): string {
  const head = text.slice(0, 100_000);
  const cellsBy = (delimiter: string): number => {
    const [first] = readCsv(head, delimiter, 1);
    return first !== undefined && 'cells' in first ? first.cells.length : 0;
  };
  return DELIMITERS.reduce((best, delimiter) => (cellsBy(delimiter) > cellsBy(best) ? delimiter : best));
}

export type CsvValue = string | number | null;

/**
 * What spreadsheets take for the begin of a formula, their full-width twins too; also behind spaces, which some of them
 * drop (csv-stringify's `escape_formulas` looks at the first character only).
 */
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

const options: Options = {
  record_delimiter: '\r\n',
  // Text that could be a formula is given an apostrophe in front, which makes it text; numbers are ours and stay as they are.
  cast: { string: (value) => (FORMULA.test(value) ? `'${value}` : value) },
  // What other readers could take for a delimiter, or drop.
  quoted_match: /[;\t\r\n]|^\s|\s$/,
};

/** Records as RFC 4180 has them, each with its line break; no cell can be a formula. */
export const csvText = (records: Iterable<readonly CsvValue[]>): string => stringify([...records], options);
