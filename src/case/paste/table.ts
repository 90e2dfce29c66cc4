import type { CaseFormat } from '../case-format.ts';
import type { Draft } from './draft.ts';
import { meaningOf } from './labels.ts';
import { excerpt } from './text.ts';
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
