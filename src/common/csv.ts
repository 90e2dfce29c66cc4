import { CsvError, parse } from 'csv-parse/sync';
import { type Options, stringify } from 'csv-stringify/sync';
import { safeText } from './text.ts';

/** A record of a CSV file, or why it could not be read. Records are numbered from 1, including the header. */
export type CsvRow = { row: number; line: number } & ({ cells: readonly string[] } | { problem: string });

const DELIMITERS = [',', ';', '\t', '|'];

/** Line ends of RFC 4180 and others. */
const LINE_ENDS = ['\r\n', '\n', '\r'];
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Number of line ends between two byte offsets. */
function countLines(bytes: Buffer, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at += 1)
    if (bytes[at] === LINE_FEED || (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED)) lines += 1;
  return lines;
}

function skipBlankLines(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN) at += 1;
  return at;
}

/** The end of a record without its line break. */
function withoutLineEnd(bytes: Buffer, end: number): number {
  if (bytes[end - 1] === LINE_FEED) return bytes[end - 2] === CARRIAGE_RETURN ? end - 2 : end - 1;
  return bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
}

/** Bytes of a cell in quotes, with inner quotes doubled. */
const quotedLength = (value: string): number =>
  Buffer.byteLength(value) + value.split('"').length - 1 + '""'.length;

const optionsFor = (delimiter: string) => ({
  delimiter,
  record_delimiter: LINE_ENDS,
  relax_column_count: true,
  // Allows quotes within plain cells. A quote that closes a cell too early then goes unnoticed: see `isWellQuoted`.
  relax_quotes: true,
  skip_empty_lines: true,
});

/**
 * Whether all quoted cells of a record end with their closing quote. If one does not, the parser keeps its quotes, and it is shorter
 * than a cell with escaped quotes would be.
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
 * The records of a CSV file (RFC 4180): quoted cells may contain delimiters, line breaks and doubled quotes; a quote in an unquoted
 * cell is an ordinary character. Blank lines are skipped. A record that cannot be read has a problem; reading continues after it.
 * Linear in the length of the text.
 */
export function readCsv(text: string, delimiter: string, limit = Number.MAX_SAFE_INTEGER): CsvRow[] {
  const bytes = Buffer.from(text);
  const rows: CsvRow[] = [];
  // Start of the current record.
  let at = skipBlankLines(bytes, 0);
  let line = 1 + countLines(bytes, 0, at);
  const add = (content: { cells: readonly string[] } | { problem: string }) =>
    rows.push({ row: rows.length + 1, line, ...content });
  try {
    parse(bytes, {
      ...optionsFor(delimiter),
      to: limit,
      on_record: (cells: string[], { bytes: end }) => {
        const record = bytes.subarray(at, end);
        if (isWellQuoted(record, cells, delimiter)) add({ cells });
        else {
          const more = countLines(bytes, at, withoutLineEnd(bytes, end));
          const where = more > 0 ? ` (lines ${line} to ${line + more})` : '';
          add({
            problem: `there is text after a closing quote${where}: double the quotes within a cell`,
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
    const rest = left > 0 ? `: this line and the ${left} after it were not read` : '';
    add({ problem: `a quote is opened and never closed${rest}` });
  }
  return rows;
}

/** The delimiter that gives the header the most cells; a comma by default. */
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
 * What spreadsheets take for the start of a formula, including full-width variants, and after spaces, which some of them drop
 * (csv-stringify's `escape_formulas` checks the first character only).
 */
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** An apostrophe turns a possible formula into text. */
const cellText = (value: string): string => {
  const safe = safeText(value);
  return FORMULA.test(safe) ? `'${safe}` : safe;
};

const options: Options = {
  record_delimiter: '\r\n',
  // Numbers are ours and stay as they are.
  cast: { string: cellText },
  // Characters that other readers could take for a delimiter, or drop.
  quoted_match: /[;\t\r\n]|^\s|\s$/,
};

/** Records in the format of RFC 4180, each with its line break; no cell can be a formula or hides a character. */
export const csvText = (records: Iterable<readonly CsvValue[]>): string => stringify([...records], options);
