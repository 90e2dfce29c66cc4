import { contradictionsOf } from '../published/contradictions.ts';
import { numberIn, type PublishedTable, publishedTables } from '../published/published-tables.ts';
import type { SetupReport } from './report.ts';

/** What table B.5 of Habicht et al. prints for the same model and way of judging, on data of their own. */
export interface PublishedResult {
  precision: number | null;
  recall: number | null;
  f1: number | null;
  /** Whether the paper contradicts itself in this row. */
  doubtful: boolean;
}

const methods: Readonly<Record<string, string>> = {
  io: 'I/O',
  'cot-1': 'CoT-1',
  'cot-3': 'CoT-3',
  'cot-5': 'CoT-5',
  'sc-3': 'SC-3',
  'sc-5': 'SC-5',
  mab: 'MAB',
  mad: 'MAD',
  roundtable: 'AR-CoT-5',
};

/** Names under which providers offer the models of the papers. */
const aliases: readonly (readonly [RegExp, string])[] = [
  [/^deepseek-(reasoner|r1)/, 'deepseek-r1'],
  [/^deepseek-(chat|v3)/, 'deepseek-v3'],
  [/^(open-)?mistral-nemo/, 'mistral-nemo'],
  [/^mistral-large(-2|-24\d\d)/, 'mistral-large-2'],
  [/^(meta-)?llama-?3\.1-8b|^llama-8b/, 'llama-8b'],
  [/^(meta-)?llama-?3\.1-405b|^llama-405b/, 'llama-405b'],
];

/** A name that model ids and the papers' names of models share: `openai/gpt-4o-2024-08-06` and `GPT-4o` are one. */
function plainModel(name: string): string {
  const base = name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\s*\(r\)$/, '')
    .replaceAll(' ', '-')
    .replace(/-\d{4}-\d{2}-\d{2}$/, '');
  return aliases.find(([pattern]) => pattern.test(base))?.[1] ?? base;
}

const plainModels = (names: readonly string[]): string => names.map(plainModel).sort().join(', ');

const rowOf = (table: PublishedTable, method: string, models: string): number =>
  table.rows.findIndex(([llm, way]) => way === method && plainModels(String(llm).split(', ')) === models);

/** Null where it prints none. Votes of equal calls and settings that the paper does not have are no printedOf. */
export function publishedResultOf({
  method,
  models,
  equalCallsOf,
}: Pick<SetupReport, 'method' | 'models' | 'equalCallsOf'>): PublishedResult | null {
  const published = methods[method];
  if (published === undefined || equalCallsOf !== null) return null;
  const all = publishedTables();
  const table = all.find(({ id }) => id === 'contextual-b5');
  const row = table === undefined ? -1 : rowOf(table, published, plainModels(models));
  if (table === undefined || row < 0) return null;
  return {
    precision: numberIn(table, row, 'precision'),
    recall: numberIn(table, row, 'recall'),
    f1: numberIn(table, row, 'f1'),
    doubtful: contradictionsOf(table, all).some((one) => one.row === row),
  };
}

/** The papers' heat map of F1: models in their order, methods in theirs. */
export function publishedHeat(): {
  source: string;
  models: string[];
  methods: string[];
  f1: (number | null)[][];
} {
  const table = publishedTables().find(({ id }) => id === 'contextual-fig3');
  if (table === undefined) return { source: '', models: [], methods: [], f1: [] };
  const models = [...new Set(table.rows.map(([model]) => String(model)))];
  const ways = [...new Set(table.rows.map(([, way]) => String(way)))];
  return {
    source: `${table.paper}, ${table.table}`,
    models,
    methods: ways,
    f1: ways.map((way) =>
      models.map((model) =>
        numberIn(
          table,
          table.rows.findIndex(([a, b]) => a === model && b === way),
          'f1',
        ),
      ),
    ),
  };
}
