import * as z from 'zod';
import type { Verdict } from '../judging/verdict.ts';
import type { VerdictRecord } from './verdict-record.ts';
import { VoteTally } from './vote.ts';

/** What is counted together: all subjects alike of one day. */
export const CountKey = z.strictObject({
  /** Day of the verdict, UTC. */
  day: z.string(),
  channel: z.string(),
  rubric: z.string(),
  method: z.string(),
  /** Models of the panel, sorted, with commas between them. */
  models: z.string(),
  kind: z.enum(['verdict', 'judge', 'criterion']),
  subject: z.string(),
  decision: z.string(),
});
export type CountKey = z.infer<typeof CountKey>;

/**
 * How many subjects of one key have which votes: `items` verdicts with exactly this tally. From these rows every agreement
 * statistic follows, with intervals by verdict, at a cost that does not grow with the number of votes.
 */
export const CountRow = z.strictObject({ key: CountKey, tally: VoteTally, items: z.int() });
export type CountRow = z.infer<typeof CountRow>;

export interface CountStore {
  /** The counts of verdicts whose day (UTC) lies between two days, both included, `2026-11-21`. */
  counts(range: { from: string; to: string }): Promise<CountRow[]>;
}

/** The models of a verdict's panel, as they stand in a key. */
export const panelModels = ({ settings }: Verdict): string =>
  [...new Set(settings.panel.map(({ model }) => model))].sort().join(',');

/**
 * Whether votes can go both ways on what is counted under a key. Of a judge that gave a score they cannot: who disagrees with
 * the panel's score says nothing of that judge's, so that only agreement is counted.
 */
export const isTwoSided = ({ kind, decision }: CountKey): boolean =>
  kind !== 'judge' || decision !== 'scored';

/** The keys under which the subjects of a verdict are counted, in the order of `record.subjects`. */
export function countKeys(record: VerdictRecord): CountKey[] {
  const { verdict, at, source, subjects } = record;
  const day = new Date(at).toISOString().slice(0, 10);
  const models = panelModels(verdict);
  return subjects.map(({ kind, id, decision }) => ({
    day,
    channel: source.channel,
    rubric: verdict.rubric,
    method: verdict.method,
    models,
    kind,
    subject: id,
    decision,
  }));
}
