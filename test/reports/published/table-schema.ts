import * as z from 'zod';
import type { PublishedTable } from '../../../src/reports/published/published-tables.ts';

/** The unit of a column's numbers, and the range in which they lie. */
const bounds = {
  share: [0, 1],
  percent: [0, 100],
  'percentage points': [-100, 100],
  coefficient: [-1, 1],
  points: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  'thousand tokens': [0, Number.POSITIVE_INFINITY],
  'US dollars': [0, Number.POSITIVE_INFINITY],
  tokens: [0, Number.POSITIVE_INFINITY],
  seconds: [0, Number.POSITIVE_INFINITY],
  'seconds per token': [0, Number.POSITIVE_INFINITY],
} as const;

const isUnit = (unit: string): unit is keyof typeof bounds => Object.hasOwn(bounds, unit);
const units = Object.keys(bounds).filter(isUnit);

const named = { id: z.string(), title: z.string(), meaning: z.string() };

const Column = z.discriminatedUnion('unit', [
  z.strictObject({ ...named, unit: z.literal('label') }),
  z.strictObject({
    ...named,
    unit: z.literal(units),
    decimals: z.int().min(0).max(6),
  }),
]);
type Column = z.infer<typeof Column>;

const Contradiction = z.strictObject({
  kind: z.enum(['f1', 'difference', 'quotient', 'counts', 'deviation', 'share-of', 'same-as', 'remark']),
  row: z.int().nullable(),
  columns: z.array(z.string()),
  text: z.string(),
});

/** What a table must be: every cell within the range and with the decimals of its column. */
export const TableSchema = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9-]+$/),
    paper: z.string(),
    table: z.string(),
    place: z.string(),
    title: z.string(),
    columns: z.array(Column),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    contradictions: z.array(Contradiction),
  })
  .superRefine(({ columns, rows }, context) => {
    const report = (message: string) => context.addIssue({ code: 'custom', message });
    for (const [index, row] of rows.entries()) {
      if (row.length !== columns.length)
        report(`row ${index} has ${row.length} cells, not ${columns.length}`);
      else
        for (const [place, column] of columns.entries()) {
          const problem = cellProblem(column, row[place] ?? null);
          if (problem !== null) report(`row ${index}, ${column.id}: ${problem}`);
        }
    }
  });

function cellProblem(column: Column, cell: string | number | null): string | null {
  if (column.unit === 'label') return typeof cell === 'string' ? null : 'must be a text';
  if (cell === null) return null;
  if (typeof cell === 'string') return 'must be a number';
  const [low, high] = bounds[column.unit];
  if (cell < low || cell > high) return `must be from ${low} to ${high}`;
  return Number(cell.toFixed(column.decimals)) === cell ? null : `has more than ${column.decimals} decimals`;
}

/** The labels of a row, in the order of the columns. They identify it. */
export const labelsOf = ({ columns, rows }: PublishedTable, row: number): string[] =>
  columns.flatMap(({ unit }, place) => {
    const cell = rows[row]?.[place];
    return unit === 'label' && typeof cell === 'string' ? [cell] : [];
  });
