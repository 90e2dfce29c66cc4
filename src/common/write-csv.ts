import { type Options, stringify } from 'csv-stringify/sync';

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
