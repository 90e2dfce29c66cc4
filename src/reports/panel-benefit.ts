import * as z from 'zod';
import { holm, jackknifeEstimate, unmeasured } from '../statistics/index.ts';
import {
  type ErrorSums,
  effectiveVotes,
  errorCorrelations,
  meanErrorCorrelation,
  pairsOf,
} from '../statistics/raters/index.ts';
import { binsOf, Estimate, ReportInterval, ReportMeasure } from './estimates/index.ts';

/** What a panel adds to its best judge. The measure is the panel's own: how often it is right, or how far it is off. */
export const Benefit = z.strictObject({
  /** How much better the panel is. */
  difference: ReportMeasure,
  interval: ReportInterval,
  pValue: ReportMeasure,
  /** Adjusted for the panels of the report (Holm); null for a single one. */
  holm: ReportMeasure.nullable(),
});
export type Benefit = z.infer<typeof Benefit>;

/** What the judges of a panel get wrong together. */
export const SharedErrors = z.strictObject({
  /** Pearson's correlation of the errors of two judges. */
  pairs: z.array(z.strictObject({ first: z.string(), second: z.string(), correlation: ReportMeasure })),
  mean: Estimate,
  /** How many independent judges they are worth. */
  effectiveVotes: Estimate,
});
export type SharedErrors = z.infer<typeof SharedErrors>;

/** @param sums the errors in cases that belong together, one for each such group */
export function sharedErrorsOf(names: readonly string[], sums: readonly ErrorSums[]): SharedErrors {
  const k = names.length;
  const bins = binsOf(
    sums,
    ({ items, errors, squares, shared }) => `${items} ${errors} ${squares} ${shared}`,
  );
  const correlations = errorCorrelations(bins, k);
  return {
    pairs: pairsOf(k).map(([first, second], at) => ({
      first: names[first] ?? '',
      second: names[second] ?? '',
      correlation: correlations[at] ?? unmeasured('there is no such pair', 0),
    })),
    mean: jackknifeEstimate(bins, (some) => meanErrorCorrelation(some, k), 'correlation'),
    effectiveVotes: jackknifeEstimate(bins, (some) => effectiveVotes(some, k), 'positive'),
  };
}

/**
 * A panel beside its best judge, which is chosen on other cases than it is measured on.
 * @param best the judge chosen for each half of the cases; null if all cases belong together, so that nothing is defined
 * @param measure how good the chosen judge is alone, and what the panel adds
 */
export function besideBest<Best extends { chosen: readonly number[] }>(
  names: readonly string[],
  best: Best | null,
  cases: number,
  measure: (best: Best) => { alone: Estimate } & Omit<Benefit, 'holm'>,
): { names: string[]; alone: Estimate; benefit: Benefit } {
  if (best === null) {
    const none = unmeasured('all cases belong together', cases);
    return {
      names: [],
      alone: { measure: none, interval: none },
      benefit: { difference: none, interval: none, pValue: none, holm: null },
    };
  }
  const { alone, ...benefit } = measure(best);
  return {
    names: best.chosen.map((judge) => names[judge] ?? ''),
    alone,
    benefit: { ...benefit, holm: null },
  };
}

/** Adjusts the p-values of several panels for how many there are. */
export function adjusted<Panel extends { best: Benefit }>(panels: readonly Panel[]): Panel[] {
  if (panels.length === 1) return [...panels];
  const values = holm(panels.map(({ best }) => best.pValue));
  return panels.map((panel, at) => ({
    ...panel,
    best: { ...panel.best, holm: values[at] ?? panel.best.pValue },
  }));
}
