export type CsvValue = string | number | null;

/** What spreadsheets take for the begin of a formula, their full-width twins too; also behind spaces. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * One cell. Text that a spreadsheet could take for a formula is given an apostrophe in front, which makes it text; numbers
 * are ours and stay as they are.
 */
function cellText(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\r\n\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A record as RFC 4180 has it, with its line break. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cellText).join(',')}\r\n`;
