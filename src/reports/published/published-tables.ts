import { JuryError } from '../../common/index.ts';
import { costOf } from '../../judges/llm/index.ts';
import { type Judgement, totalUsage, type Usage } from '../../judging/verdict/index.ts';
import type { Pricing } from '../facts/index.ts';
import contextual from './contextual.json' with { type: 'json' };
import core from './core.json' with { type: 'json' };
import factual from './factual.json' with { type: 'json' };
import inca from './inca.json' with { type: 'json' };

interface Column {
  id: string;
  title: string;
  meaning: string;
  /** Unit of the numbers; `label` for a text column that identifies the row. */
  unit: string;
  /** Number of decimals printed in the paper. */
  decimals?: number;
}

/** A place where a paper contradicts itself. A test recomputes each one. */
export interface Contradiction {
  /** What doesn't match: a number and others in its row, another table, or the text. */
  kind: string;
  /** Index of the row; null if it concerns the whole table or only the text. */
  row: number | null;
  columns: readonly string[];
  /** The contradiction in words, with the numbers. */
  text: string;
}

/** A table of results exactly as printed in a paper. A test checks that cells match their columns. */
export interface PublishedTable {
  id: string;
  paper: string;
  /** Its name in the paper. */
  table: string;
  /** Section or appendix. */
  place: string;
  title: string;
  columns: readonly Column[];
  /** Cells in column order; null where the paper prints none. */
  rows: readonly (readonly (string | number | null)[])[];
  /** In row order. */
  contradictions: readonly Contradiction[];
}

/** The number in a row's column; null if there is none. */
export function numberIn({ columns, rows }: PublishedTable, row: number, column: string): number | null {
  const cell = rows[row]?.[columns.findIndex(({ id }) => id === column)];
  return typeof cell === 'number' ? cell : null;
}

/** Formats a number as the paper prints it. */
export function printed({ columns }: PublishedTable, column: string, value: number): string {
  const shown = columns.find(({ id }) => id === column);
  return value.toFixed(shown?.decimals);
}

const papers = [contextual, factual, inca, core];

/** All results printed in the papers. */
export const publishedTables: readonly PublishedTable[] = papers.flatMap(({ paper, tables }) =>
  tables.map((table) => ({ paper, ...table })),
);

/** How the results were measured, as recorded in the papers' files. */
export const publishedSettings: readonly unknown[] = papers.flatMap<unknown>(({ settings }) => settings);

/** Models, matched by the names that papers and providers use. */
const MODELS: readonly (readonly [model: string, name: RegExp])[] = [
  ['deepseek-r1', /^deepseek-(reasoner|r1)/],
  ['deepseek-v3', /^deepseek-(chat|v3)/],
  ['mistral-nemo', /^(open-)?mistral-nemo/],
  ['mistral-large-2', /^mistral-large(-2|-24\d\d)/],
  ['llama-8b', /^(meta-)?llama-?3\.1-8b|^llama-8b/],
  ['llama-405b', /^(meta-)?llama-?3\.1-405b|^llama-405b/],
  ['gpt-3.5-davinci', /^(gpt-3\.5-\()?text-davinci-003/],
  ['llama-2-70b', /^(meta-)?llama-?2-70b/],
  ['llama-3-8b', /^(meta-)?llama-?3-(chat-)?8b/],
  ['llama-3-70b', /^(meta-)?llama-?3-70b/],
  ['falcon-180b', /^falcon-180b/],
];

/** A common name for a model's id and its name in a paper, such as `openai/gpt-4o-2024-08-06` and `GPT-4o`. */
export function plainModel(text: string): string {
  const base = text
    .slice(text.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\s*\(r\)$/, '')
    .replaceAll(' ', '-')
    .replace(/-\d{4}-\d{2}-\d{2}$/, '');
  return MODELS.find(([, name]) => name.test(base))?.[0] ?? base;
}

const priced = publishedTables.filter(({ columns }) => columns.some(({ unit }) => unit === 'US dollars'));

/**
 * Pricing by a paper's printed prices (US dollars per million tokens), without discounts for cached prompts.
 * @param id ID of a published table
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
