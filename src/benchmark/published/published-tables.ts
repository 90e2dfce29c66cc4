import contextual2 from './contextual-2.json' with { type: 'json' };
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

interface Column {
  id: string;
  title: string;
  meaning: string;
  /** Of the numbers; `label` for a column of texts, which identify the row. */
  unit: string;
  /** Number of decimals that the paper prints. */
  decimals?: number;
}

/** A place where a paper contradicts itself, as a test finds it anew by computing it. */
export interface Contradiction {
  /** What does not fit: one number with others of its row, another table, or the text. */
  kind: string;
  /** Index of the row; null for the whole table or the text alone. */
  row: number | null;
  columns: readonly string[];
  /** What contradicts what, with the numbers. */
  text: string;
}

/** A table of results from a paper, as printed there. A test checks that cells fit their columns. */
export interface PublishedTable {
  id: string;
  paper: string;
  /** Its name in the paper. */
  table: string;
  /** Section or appendix. */
  place: string;
  title: string;
  columns: readonly Column[];
  /** Cells in the order of the columns; null where the paper prints none. */
  rows: readonly (readonly (string | number | null)[])[];
  /** In the order of the rows. */
  contradictions: readonly Contradiction[];
}

/** The number in a row's column; null where there is none. */
export function numberIn({ columns, rows }: PublishedTable, row: number, column: string): number | null {
  const cell = rows[row]?.[columns.findIndex(({ id }) => id === column)];
  return typeof cell === 'number' ? cell : null;
}

/** A number as the paper prints it. */
export function printed({ columns }: PublishedTable, column: string, value: number): string {
  const found = columns.find(({ id }) => id === column);
  return value.toFixed(found?.decimals);
}

/** The results that the papers print. */
export const publishedTables: readonly PublishedTable[] = [
  contextual2,
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
