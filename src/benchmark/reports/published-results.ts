import names from '../published/names.json' with { type: 'json' };
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

/** The papers' names of methods, by their ids. */
const methods = new Map(Object.entries(names.methods));

/** Names that providers use for the models of the papers. */
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

const plainModels = (models: readonly string[]): string => models.map(plainModel).sort().join(', ');

/** Null if the paper has no such row. It has no votes of equal calls. */
export function publishedResultOf({
  method,
  models,
  equalCallsOf,
}: Pick<SetupReport, 'method' | 'models' | 'equalCallsOf'>): PublishedResult | null {
  const table = publishedTables.find(({ id }) => id === 'contextual-b5');
  const published = methods.get(method);
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
