/** A record of a CSV file, or why it could not be read. Records are counted from 1, the header included. */
export type CsvRow = { row: number; line: number } & ({ cells: readonly string[] } | { problem: string });

const DELIMITERS = [',', ';', '\t', '|'];

/** Ends of lines as RFC 4180 has them, and as others do. */
const LINE_END = /\r\n|\n|\r/g;

const countLines = (text: string, from: number, to: number): number =>
  [...text.slice(from, to).matchAll(LINE_END)].length;

/** Where a quoted cell that begins at `at` ends, and what it holds; null where its quote is never closed. */
function quotedCell(text: string, at: number): { value: string; end: number } | null {
  let from = at + 1;
  const parts: string[] = [];
  for (;;) {
    const close = text.indexOf('"', from);
    if (close < 0) return null;
    if (text[close + 1] !== '"') {
      parts.push(text.slice(from, close));
      return { value: parts.join(''), end: close + 1 };
    }
    parts.push(text.slice(from, close + 1));
    from = close + 2;
  }
}

/** From where on the next record begins: behind the next end of a line. */
function nextLine(text: string, at: number): number {
  const end = /\r\n|\n|\r/g;
  end.lastIndex = at;
  const found = end.exec(text);
  return found === null ? text.length : found.index + found[0].length;
}

type Content = { cells: readonly string[] } | { problem: string };

/** The cell that begins at `at`, quoted or not, and where it ends; null where a quote is never closed. */
function cellAt(text: string, at: number, plain: RegExp): { value: string; end: number } | null {
  if (text[at] === '"') return quotedCell(text, at);
  plain.lastIndex = at;
  const value = plain.exec(text)?.[0] ?? '';
  return { value, end: at + value.length };
}

const isLineEnd = (character: string | undefined): boolean =>
  character === undefined || character === '\n' || character === '\r';

/** The record that begins at `start`, and where reading stopped. `line` is the number of its first line. */
function recordAt(
  text: string,
  start: number,
  line: number,
  delimiter: string,
  plain: RegExp,
): { content: Content; end: number } {
  const cells: string[] = [];
  let at = start;
  for (;;) {
    const cell = cellAt(text, at, plain);
    if (cell === null) {
      const left = countLines(text, at, text.length);
      const rest = left > 0 ? `: this line and the ${left} behind it were not read` : '';
      return { content: { problem: `a quote is opened and never closed${rest}` }, end: text.length };
    }
    cells.push(cell.value);
    at = cell.end;
    if (isLineEnd(text[at])) return { content: { cells }, end: at };
    if (text[at] !== delimiter) {
      const lines = countLines(text, start, at);
      const where = lines > 0 ? ` (lines ${line} to ${line + lines})` : '';
      const problem = `something stands behind a closing quote${where}: double the quotes within a cell`;
      return { content: { problem }, end: at };
    }
    at += 1;
  }
}

const isBlank = (content: Content): boolean =>
  'cells' in content && content.cells.length === 1 && content.cells[0] === '';

/**
 * The records of a CSV file (RFC 4180): cells in quotes may hold delimiters, line breaks and doubled quotes; a quote
 * within a cell that does not begin with one is an ordinary character. Blank lines are no records. What cannot be read
 * is a record with a problem; reading goes on behind it. Linear in the length of the text.
 */
export function readCsv(text: string, delimiter: string): CsvRow[] {
  const rows: CsvRow[] = [];
  const plain = new RegExp(`[^\\r\\n${delimiter}]*`, 'y');
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const { content, end } = recordAt(text, at, line, delimiter, plain);
    if (!isBlank(content)) rows.push({ row: rows.length + 1, line, ...content });
    const next = nextLine(text, end);
    line += countLines(text, at, next);
    at = next;
  }
  return rows;
}

/** The delimiter that gives the header most cells; a comma where none does. */
export function delimiterOf(text: string): string {
  const head = text.slice(0, 100_000);
  const cellsBy = (delimiter: string): number => {
    const [first] = readCsv(head, delimiter);
    return first !== undefined && 'cells' in first ? first.cells.length : 0;
  };
  return DELIMITERS.reduce((best, delimiter) => (cellsBy(delimiter) > cellsBy(best) ? delimiter : best));
}
