import { numberIn, publishedTables } from '../published/published-tables.ts';
import type { SetupReport } from './report.ts';

/** What table B.5 of Habicht et al. prints for the same models and method, measured on their own data. */
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

/** Names that providers use for the models of the papers. */
const aliases: readonly (readonly [RegExp, string])[] = [
  [/^deepseek-(reasoner|r1)/, 'deepseek-r1'],
  [/^deepseek-(chat|v3)/, 'deepseek-v3'],
  [/^(open-)?mistral-nemo/, 'mistral-nemo'],
  [/^mistral-large(-2|-24\d\d)/, 'mistral-large-2'],
  [/^(meta-)?llama-?3\.1-8b|^llama-8b/, 'llama-8b'],
  [/^(meta-)?llama-?3\.1-405b|^llama-405b/, 'llama-405b'],
];

/** The same for a model's id and its name in the papers: `openai/gpt-4o-2024-08-06` and `GPT-4o`. */
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

/** Null if the paper has no such row. It has no votes of equal calls. */
export function publishedResultOf({
  method,
  models,
  equalCallsOf,
}: Pick<SetupReport, 'method' | 'models' | 'equalCallsOf'>): PublishedResult | null {
  const all = publishedTables();
  const table = all.find(({ id }) => id === 'contextual-b5');
  const published = methods[method];
  if (table === undefined || published === undefined || equalCallsOf !== null) return null;
  const row = table.rows.findIndex(
    ([llm, way]) => way === published && plainModels(String(llm).split(', ')) === plainModels(models),
  );
  if (row < 0) return null;
  return {
    precision: numberIn(table, row, 'precision'),
    recall: numberIn(table, row, 'recall'),
    f1: numberIn(table, row, 'f1'),
    doubtful: table.contradictions.some((one) => one.row === row),
  };
}

/** The papers' heat map of F1: models and methods in their order. */
export function publishedHeat() {
  const table = publishedTables().find(({ id }) => id === 'contextual-fig3');
  const rows = (table?.rows ?? []).map(([model, way], row) => ({
    model: String(model),
    way: String(way),
    f1: table === undefined ? null : numberIn(table, row, 'f1'),
  }));
  const models = [...new Set(rows.map(({ model }) => model))];
  const ways = [...new Set(rows.map(({ way }) => way))];
  return {
    source: `${table?.paper}, ${table?.table}`,
    models,
    methods: ways,
    f1: ways.map((way) =>
      models.map((model) => rows.find((row) => row.model === model && row.way === way)?.f1 ?? null),
    ),
  };
}
