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

/** What a column's numbers are. A share lies in 0 to 1, a percentage in 0 to 100, a coefficient in −1 to 1. */
const Unit = z.enum([
  'share',
  'percent',
  'percentage points',
  'coefficient',
  'points',
  'tokens',
  'seconds',
  'seconds per token',
]);

const Column = z.union([
  z.strictObject({ id: z.string(), title: z.string(), meaning: z.string(), unit: z.literal('label') }),
  z.strictObject({
    id: z.string(),
    title: z.string(),
    meaning: z.string(),
    unit: Unit,
    /** How many decimals the paper prints. */
    decimals: z.int().min(0).max(6),
  }),
]);

/** What must hold between numbers of a table, each of which may be rounded or cut off at its last decimal. */
const Check = z.discriminatedUnion('kind', [
  /** F1 is the harmonic mean of precision and recall. */
  z.strictObject({ kind: z.literal('f1'), precision: z.string(), recall: z.string(), f1: z.string() }),
  /** Some number of right and wrong judgements on so many correct and incorrect cases gives all three. */
  z.strictObject({
    kind: z.literal('counts'),
    precision: z.string(),
    recall: z.string(),
    f1: z.string(),
    positives: z.int(),
    negatives: z.int(),
    where: z.string(),
  }),
  /** A percentage is a whole number of so many cases. */
  z.strictObject({
    kind: z.literal('share-of'),
    columns: z.array(z.string()),
    of: z.int(),
    where: z.string(),
  }),
  z.strictObject({
    kind: z.literal('difference'),
    minuend: z.string(),
    subtrahend: z.string(),
    difference: z.string(),
  }),
  z.strictObject({
    kind: z.literal('quotient'),
    dividend: z.string(),
    divisor: z.string(),
    quotient: z.string(),
  }),
  /** Another table prints the same results: rows with the same labels have the same numbers. */
  z.strictObject({ kind: z.literal('same-as'), table: z.string(), columns: z.array(z.string()) }),
]);
export type Check = z.infer<typeof Check>;

/** What a paper's text says and its numbers, or its text elsewhere, do not; found by reading, in our words. */
const Remark = z.strictObject({
  where: z.string(),
  says: z.string(),
  but: z.string(),
  /** The rows it is about, each by labels that they have; none where it is about the table, or about the text alone. */
  rows: z.array(z.record(z.string(), z.string())),
});

/** A table of results from a paper, as printed there. */
export const PublishedTable = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9-]+$/),
    paper: z.string(),
    /** What the paper calls it. */
    table: z.string(),
    /** Section or appendix. */
    place: z.string(),
    title: z.string(),
    columns: z.array(Column),
    /** Cells in the order of the columns; `null` where the paper prints none. */
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    checks: z.array(Check),
    remarks: z.array(Remark),
  })
  .superRefine((table, context) => {
    for (const problem of problemsOf(table)) context.addIssue({ code: 'custom', message: problem });
  });
export type PublishedTable = z.infer<typeof PublishedTable>;
type Column = z.infer<typeof Column>;
type Cell = PublishedTable['rows'][number][number];

const bounds: Partial<Record<Column['unit'], readonly [number, number]>> = {
  share: [0, 1],
  percent: [0, 100],
  coefficient: [-1, 1],
  tokens: [0, Number.POSITIVE_INFINITY],
  seconds: [0, Number.POSITIVE_INFINITY],
};

function cellProblem(column: Column, cell: Cell): string | undefined {
  if (column.unit === 'label') return typeof cell === 'string' ? undefined : 'must be a text';
  if (cell === null) return undefined;
  if (typeof cell === 'string') return 'must be a number';
  const [low, high] = bounds[column.unit] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (cell < low || cell > high) return `must be from ${low} to ${high}`;
  return Number(cell.toFixed(column.decimals)) === cell
    ? undefined
    : `has more than ${column.decimals} decimals`;
}

function problemsOf({ columns, rows }: Pick<PublishedTable, 'columns' | 'rows'>): string[] {
  return rows.flatMap((row, index) => {
    if (row.length !== columns.length) return [`row ${index} has ${row.length} cells, not ${columns.length}`];
    return columns.flatMap((column, place) => {
      const problem = cellProblem(column, row[place] ?? null);
      return problem === undefined ? [] : [`row ${index}, ${column.id}: ${problem}`];
    });
  });
}

/** The number in a row's column; `null` where there is none. */
export function numberIn({ columns, rows }: PublishedTable, row: number, column: string): number | null {
  const cell = rows[row]?.[columns.findIndex(({ id }) => id === column)];
  return typeof cell === 'number' ? cell : null;
}

/** A number as the paper prints it. */
export function printed({ columns }: PublishedTable, column: string, value: number): string {
  const found = columns.find(({ id }) => id === column);
  return value.toFixed(found === undefined || found.unit === 'label' ? undefined : found.decimals);
}

/** Identifies a row by its labels, in the order of the columns. */
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

/** The results that the papers print, to compare one's own with; read and checked when first asked for. */
export function publishedTables(): readonly PublishedTable[] {
  read ??= files.map((file) => PublishedTable.parse(file));
  return read;
}
