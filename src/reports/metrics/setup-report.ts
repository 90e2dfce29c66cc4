import * as z from 'zod';
import { caseBins, countCases } from '../estimates/index.ts';
import type { Setup, TrialFacts } from '../facts/index.ts';
import type { Metric } from './metric.ts';
import { metrics } from './registry.ts';
import { setupHead } from './setup-head.ts';

type AnyMetric = (typeof metrics)[number];
type Shape = { [One in AnyMetric as One['key']]: One['schema'] };
type Values = { [One in AnyMetric as One['key']]: z.infer<One['schema']> };

const isWhole = <Record extends object>(made: Partial<Record>): made is Record =>
  metrics.every(({ key }) => Object.hasOwn(made, key));

/** An object with a value for each metric, by its key. */
function eachMetric<Made extends { [Key in AnyMetric['key']]: unknown }>(
  of: (metric: AnyMetric) => Made[AnyMetric['key']],
): Made {
  const made: Partial<Made> = Object.fromEntries(metrics.map((metric) => [metric.key, of(metric)] as const));
  if (!isWhole(made)) throw new Error('A metric is missing.');
  return made;
}

/** One way of judging with all its repeats: its name, and the value of every metric. */
export const SetupReport = z.strictObject({
  ...setupHead,
  ...eachMetric<Shape>(({ schema }) => schema),
});
export type SetupReport = z.infer<typeof SetupReport>;

/** Every metric, as read from a whole configuration's report. */
export const everyMetric: readonly Metric<string, unknown, SetupReport>[] = metrics;

/** @param facts of all trials of the setup, or of one group of them @param cases number of cases of the run */
export function setupReport(setup: Setup, facts: readonly TrialFacts[], cases: number): SetupReport {
  const { id, method, models, temperature, equalCallsOf, pooledFrom, configurations } = setup;
  const sample = { setup, facts, labeled: caseBins(countCases(facts)) };
  return {
    id,
    run: null,
    method,
    models: [...models],
    temperature,
    equalCallsOf,
    pooledFrom: [...pooledFrom],
    repeats: configurations.length,
    trials: facts.length,
    planned: configurations.length * cases,
    unlabeled: facts.filter(({ truth }) => truth === null).length,
    ...eachMetric<Values>((metric) => metric.of(sample)),
  };
}

/** The configuration with the highest F1, the first of equal ones; null if none has an F1. */
export function highestF1(setups: readonly SetupReport[]): SetupReport | null {
  const f1Of = ({ effectiveness: { f1 } }: SetupReport) => (f1.measure.defined ? f1.measure.value : -1);
  const [best] = [...setups].sort((a, b) => f1Of(b) - f1Of(a));
  return best === undefined || f1Of(best) < 0 ? null : best;
}
