import { JuryError } from '../../common/errors.ts';
import { costOf } from '../../judges/llm/models.ts';
import { type Judgement, totalUsage, type Usage } from '../../judging/judgement.ts';
import type { Verdict } from '../../judging/verdict.ts';
import { plainModel } from '../reports/published-results.ts';
import { numberIn, publishedTables } from './published-tables.ts';

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
