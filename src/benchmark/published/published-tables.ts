import * as z from 'zod';
import contextual4 from './contextual-4.json' with { type: 'json' };
import contextualB5 from './contextual-b5.json' with { type: 'json' };
import contextualFig3 from './contextual-fig3.json' with { type: 'json' };
import contextualRq0 from './contextual-rq0.json' with { type: 'json' };
import core8 from './core-8.json' with { type: 'json' };
import core9 from './core-9.json' with { type: 'json' };
import factual2 from './factual-2.json' with { type: 'json' };
import factual3 from './factual-3.json' with { type: 'json' };
import factual5 from './factual-5.json' with { type: 'json' };
import inca2 from './inca-2.json' with { type: 'json' };
import inca3 from './inca-3.json' with { type: 'json' };

/** The unit of a column's numbers, and the range in which they lie. */
const bounds = {
  share: [0, 1],
  percent: [0, 100],
  'percentage points': [-100, 100],
  coefficient: [-1, 1],
  points: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
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
    /** Number of decimals that the paper prints. */
    decimals: z.int().min(0).max(6),
  }),
]);
type Column = z.infer<typeof Column>;

/** A place where a paper contradicts itself, as a test finds it anew by computing it. */
const Contradiction = z.strictObject({
  /** What does not fit: one number with others of its row, another table, or the text. */
  kind: z.enum(['f1', 'difference', 'quotient', 'counts', 'share-of', 'same-as', 'remark']),
  /** Index of the row; null for the whole table or the text alone. */
  row: z.int().nullable(),
  columns: z.array(z.string()),
  /** What contradicts what, with the numbers. */
  text: z.string(),
});
export type Contradiction = z.infer<typeof Contradiction>;

/** A table of results from a paper, as printed there. */
export const PublishedTable = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9-]+$/),
    paper: z.string(),
    /** Its name in the paper. */
    table: z.string(),
    /** Section or appendix. */
    place: z.string(),
    title: z.string(),
    columns: z.array(Column),
    /** Cells in the order of the columns; null where the paper prints none. */
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    /** In the order of the rows. */
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
export type PublishedTable = z.infer<typeof PublishedTable>;

function cellProblem(column: Column, cell: string | number | null): string | null {
  if (column.unit === 'label') return typeof cell === 'string' ? null : 'must be a text';
  if (cell === null) return null;
  if (typeof cell === 'string') return 'must be a number';
  const [low, high] = bounds[column.unit];
  if (cell < low || cell > high) return `must be from ${low} to ${high}`;
  return Number(cell.toFixed(column.decimals)) === cell ? null : `has more than ${column.decimals} decimals`;
}

/** The number in a row's column; null where there is none. */
export function numberIn({ columns, rows }: PublishedTable, row: number, column: string): number | null {
  const cell = rows[row]?.[columns.findIndex(({ id }) => id === column)];
  return typeof cell === 'number' ? cell : null;
}

/** A number as the paper prints it. */
export function printed({ columns }: PublishedTable, column: string, value: number): string {
  const found = columns.find(({ id }) => id === column);
  return value.toFixed(found === undefined || found.unit === 'label' ? undefined : found.decimals);
}

/** The labels of a row, in the order of the columns. They identify it. */
export const labelsOf = ({ columns, rows }: PublishedTable, row: number): string[] =>
  columns.flatMap(({ unit }, place) => {
    const cell = rows[row]?.[place];
    return unit === 'label' && typeof cell === 'string' ? [cell] : [];
  });

const files = [
  contextualB5,
  contextual4,
  contextualFig3,
  contextualRq0,
  factual2,
  factual3,
  factual5,
  inca2,
  inca3,
  core8,
  core9,
];

let read: readonly PublishedTable[] | undefined;

/** The results that the papers print, parsed when first used. */
export function publishedTables(): readonly PublishedTable[] {
  read ??= files.map((file) => PublishedTable.parse(file));
  return read;
}
