import { JuryError } from '../../common/errors.ts';
import { costOf } from '../../judges/llm/models.ts';
import { type Judgement, totalUsage, type Usage } from '../../judging/judgement.ts';
import type { Verdict } from '../../judging/verdict.ts';
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
import names from './names.json' with { type: 'json' };

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

const aliases = Object.entries(names.models).map(([model, name]) => ({ model, name: new RegExp(name) }));

/** The same for a model's id and its name in the papers: `openai/gpt-4o-2024-08-06` and `GPT-4o`. */
export function plainModel(name: string): string {
  const base = name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\s*\(r\)$/, '')
    .replaceAll(' ', '-')
    .replace(/-\d{4}-\d{2}-\d{2}$/, '');
  return aliases.find((alias) => alias.name.test(base))?.model ?? base;
}

/** What a verdict would have cost: gives its total, or null where a model has no price or tokens are unknown. */
export type Pricing = (verdict: Verdict) => number | null;

const priced = publishedTables.filter(({ columns }) => columns.some(({ unit }) => unit === 'US dollars'));

/**
 * The prices that a paper prints, in US dollars per million tokens, without discounts for cached prompts.
 *
 * @param id of a published table
 * @throws JuryError `usage` if the table has no prices
 */
export function paperPrices(id: string): Pricing {
  const table = priced.find((one) => one.id === id);
  if (table === undefined)
    throw new JuryError(
      'usage',
      `--prices ${id}: Must be a published table with prices: ${priced.map((one) => one.id).join(', ')}.`,
    );
  const prices = new Map(
    table.rows.map(([name], row) => [
      plainModel(String(name)),
      {
        input: numberIn(table, row, 'input') ?? 0,
        cachedInput: null,
        output: numberIn(table, row, 'output') ?? 0,
      },
    ]),
  );
  const costIn = ({ judge, usage }: Pick<Judgement, 'judge'> & { usage: Usage }): number | null => {
    // Exact checks and cached answers cost nothing, whatever the prices.
    if (usage.attempts === 0) return 0;
    const price = prices.get(plainModel(judge.model));
    const tokens = { prompt: usage.promptTokens, cached: 0, completion: usage.completionTokens };
    return costOf(price ?? null, tokens);
  };
  return ({ judgements, ratings = [] }) =>
    totalUsage([...ratings, ...judgements].map((one) => ({ ...one.usage, costUsd: costIn(one) }))).costUsd;
}
