import { CsvError, parse } from 'csv-parse/sync';
import { type Options, stringify } from 'csv-stringify/sync';
import { safeText } from './text.ts';

/** A record of a CSV file, or why it could not be read. Records are numbered from 1, including the header. */
export type CsvRow = { row: number; line: number } & ({ cells: readonly string[] } | { problem: string });

const DELIMITERS = [',', ';', '\t', '|'];

/** The line breaks of RFC 4180 and those other programs write. */
const LINE_ENDS = ['\r\n', '\n', '\r'];
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Number of line breaks between two byte offsets. */
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

/** The end offset of a record without its line break. */
function withoutLineEnd(bytes: Buffer, end: number): number {
  if (bytes[end - 1] === LINE_FEED) return bytes[end - 2] === CARRIAGE_RETURN ? end - 2 : end - 1;
  return bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
}

/** Length in bytes of a quoted cell, with inner quotes doubled. */
const quotedLength = (value: string): number =>
  Buffer.byteLength(value) + value.split('"').length - 1 + '""'.length;

const optionsFor = (delimiter: string) => ({
  delimiter,
  record_delimiter: LINE_ENDS,
  relax_column_count: true,
  // Allows quotes inside unquoted cells. The parser then misses a quote that closes a cell too early: see `isWellQuoted`.
  relax_quotes: true,
  skip_empty_lines: true,
});

/**
 * Whether every quoted cell of a record ends with its closing quote. If one does not, the parser leaves its quotes in the value, so
 * the cell is shorter than it would be with escaped quotes.
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
 * Reads the records of a CSV file (RFC 4180). Quoted cells may contain delimiters, line breaks and doubled quotes; a quote in an
 * unquoted cell is an ordinary character. Blank lines are skipped. A record that cannot be read is returned as a problem, and
 * reading continues after it. Runs in linear time.
 */
export function readCsv(text: string, delimiter: string, limit = Number.MAX_SAFE_INTEGER): CsvRow[] {
  const bytes = Buffer.from(text);
  const rows: CsvRow[] = [];
  // Byte offset of the current record.
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

/** The delimiter that splits the header into the most cells; by default a comma. */
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
 * Cell starts that spreadsheets treat as a formula. Includes full-width characters, and leading spaces, which some programs drop
 * (csv-stringify's `escape_formulas` checks only the first character).
 */
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** Prefixes a possible formula with an apostrophe, which makes it text. */
const cellText = (value: string): string => {
  const safe = safeText(value);
  return FORMULA.test(safe) ? `'${safe}` : safe;
};

const options: Options = {
  record_delimiter: '\r\n',
  // Numbers are generated by us, so they need no escaping.
  cast: { string: cellText },
  // Also quote characters that other readers might drop or take for a delimiter.
  quoted_match: /[;\t\r\n]|^\s|\s$/,
};

/** CSV text (RFC 4180), with a line break after each record. No cell can be a formula or contain hidden characters. */
export const csvText = (records: Iterable<readonly CsvValue[]>): string => stringify([...records], options);
