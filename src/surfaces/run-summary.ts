import * as z from 'zod';
import { Subject } from '../benchmark/index.ts';
import { Estimate, ReportMeasure } from '../reports/estimates/index.ts';

/** The result of a run in one number: of the assistant or, with labels, of the best judges; otherwise, of the first configuration. */
export const RunScore = z.strictObject({
  kind: z
    .enum(['f1', 'pass-rate', 'mean-score'])
    .describe('`pass-rate`, `mean-score`: of the answers. `f1`: how well the judges find the wrong answers.'),
  configuration: z.string().describe('Id of the configuration.'),
  ...Estimate.shape,
  coverage: ReportMeasure.describe(
    "The share of its trials, or of the assistant's answers, that got a decision or a score.",
  ),
});
export type RunScore = z.infer<typeof RunScore>;

/** A run in a list. */
export const RunSummary = z.strictObject({
  id: z.string().describe('Its name.'),
  series: z.string().describe('What it belongs to over time.'),
  benchmark: z.string().nullable().describe('Id of its benchmark; null if it belongs to no defined one.'),
  createdAt: z.iso.datetime(),
  subject: Subject.describe('What it measures: an assistant, or the judges themselves.'),
  source: z.string().describe('Where its cases come from.'),
  cases: z.int(),
  configurations: z.int().describe('How many ways of judging it compares.'),
  trials: z.int().describe('Trials that are done: a trial is a case × configuration × repeat.'),
  planned: z.int().describe('Trials in all.'),
  score: RunScore.nullable().describe('Null while it is unknown.'),
});
export type RunSummary = z.infer<typeof RunSummary>;
