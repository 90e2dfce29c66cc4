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

/**
 * The records of a CSV file (RFC 4180): cells in quotes may hold delimiters, line breaks and doubled quotes; a quote
 * within a cell that does not begin with one is an ordinary character. Blank lines are no records. What cannot be read
 * is a record with a problem; reading goes on behind it. Linear in the length of the text.
 */
export function readCsv(text: string, delimiter: string): CsvRow[] {
  const rows: CsvRow[] = [];
  const plain = new RegExp(`[^\\r\\n${delimiter === '|' ? '\\|' : delimiter}]*`, 'y');
  let at = 0;
  let line = 1;
  let row = 1;
  while (at < text.length) {
    const start = at;
    const cells: string[] = [];
    let problem: string | null = null;
    for (;;) {
      if (text[at] === '"') {
        const cell = quotedCell(text, at);
        if (cell === null) {
          const left = countLines(text, at, text.length);
          problem = `a quote is opened and never closed${left > 0 ? `: this line and the ${left} behind it were not read` : ''}`;
          at = text.length;
          break;
        }
        cells.push(cell.value);
        at = cell.end;
      } else {
        plain.lastIndex = at;
        const value = plain.exec(text)?.[0] ?? '';
        cells.push(value);
        at += value.length;
      }
      if (text[at] === delimiter) {
        at += 1;
        continue;
      }
      if (at < text.length && text[at] !== '\n' && text[at] !== '\r') {
        const lines = countLines(text, start, at);
        problem = `something stands behind a closing quote${lines > 0 ? ` (lines ${line} to ${line + lines})` : ''}: double the quotes within a cell`;
      }
      break;
    }
    at = nextLine(text, at);
    const isBlank = problem === null && cells.length === 1 && cells[0] === '';
    if (!isBlank) {
      rows.push(problem === null ? { row, line, cells } : { row, line, problem });
      row += 1;
    }
    line += countLines(text, start, at);
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
