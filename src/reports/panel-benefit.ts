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
  /** Whether they err alike beyond chance, have little in common, or the cases do not tell. */
  inCommon: z.enum(['much', 'little', 'unknown']).default('unknown'),
});
export type SharedErrors = z.infer<typeof SharedErrors>;

/** Judges that are worth at least this share of their number have little in common. */
const NEARLY_ALL = 0.85;

/** Half of the 95 % interval of a normal value, in standard errors. */
const HALF = 1.96;

/** Correlations above this are 1, as if computed exactly. */
const SAME = 1 - 1e-9;

/**
 * What the effective votes of k judges say. The jackknife takes a few errors that never meet for certainty: two judges who each err on
 * three of 40 cases would have little in common in one of eight runs, though their errors correlate by 0.3. So the mean correlation
 * must also be low by as much as that of independent errors may be off by chance, in Fisher's z.
 * @param units groups of cases that belong together, and those of them with any error
 */
function inCommonOf(
  { mean: { measure: mean }, effectiveVotes: { interval } }: Pick<SharedErrors, 'mean' | 'effectiveVotes'>,
  k: number,
  units: { all: number; wrong: number },
): SharedErrors['inCommon'] {
  if (!mean.defined || units.all <= 3) return 'unknown';
  // Errors that are all the same leave no interval.
  if (!interval.defined) return mean.value >= SAME && units.wrong > 1 ? 'much' : 'unknown';
  if (interval.high < k) return 'much';
  const chance = HALF / Math.sqrt((units.all - 3) * pairsOf(k).length);
  const most = (1 / NEARLY_ALL - 1) / (k - 1);
  const isLow = Math.atanh(mean.value) + chance <= Math.atanh(most);
  return interval.low >= NEARLY_ALL * k && isLow ? 'little' : 'unknown';
}

/** @param sums the errors in cases that belong together, one for each such group */
export function sharedErrorsOf(names: readonly string[], sums: readonly ErrorSums[]): SharedErrors {
  const k = names.length;
  const bins = binsOf(
    sums,
    ({ items, errors, squares, shared }) => `${items} ${errors} ${squares} ${shared}`,
  );
  const correlations = errorCorrelations(bins, k);
  const worth = {
    mean: jackknifeEstimate(bins, (some) => meanErrorCorrelation(some, k), 'correlation'),
    effectiveVotes: jackknifeEstimate(bins, (some) => effectiveVotes(some, k), 'positive'),
  };
  const wrong = sums.filter(({ squares }) => squares.some((square) => square > 0)).length;
  return {
    pairs: pairsOf(k).map(([first, second], at) => ({
      first: names[first] ?? '',
      second: names[second] ?? '',
      correlation: correlations[at] ?? unmeasured('there is no such pair', 0),
    })),
    ...worth,
    inCommon: inCommonOf(worth, k, { all: sums.length, wrong }),
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
