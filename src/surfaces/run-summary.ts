import * as z from 'zod';
import { Subject } from '../benchmark/index.ts';
import { RunScore } from '../reports/history/index.ts';

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
