import * as z from 'zod';
import type { Alpha } from '../labels/index.ts';
import type { Interval, Measure, Range } from '../statistics/index.ts';
import {
  accuracy,
  type BinaryCounts,
  balancedAccuracy,
  f1,
  mcc,
  precision,
  recall,
} from '../statistics/raters/index.ts';

/** A score of decisions against labels. `pass` is the positive class: the response is right. */
interface Score {
  /** Its title in tables. */
  title: string;
  of: (counts: BinaryCounts) => Measure;
  /** Whether terminals leave it out. */
  pageOnly?: boolean;
  /** The share from which the score follows as a rising function (default: the share itself), for Wilson's interval. */
  share?: (counts: BinaryCounts) => { hits: number; of: number };
  ofShare?: (share: number) => number;
  /** Its possible values; default 0 to 1. */
  range?: Range;
}

/** Every score, in the order of reports. Tables, CSV files, comparisons and thresholds follow from this list. */
const registry = {
  f1: {
    title: 'F1',
    of: f1,
    // F1 grows with the share of true positives among all but the true negatives (Jaccard's index): F1 = 2J / (1 + J).
    share: ({ tp, fp, fn }) => ({ hits: tp, of: tp + fp + fn }),
    ofShare: (jaccard) => (2 * jaccard) / (1 + jaccard),
  },
  precision: { title: 'Precision', of: precision, share: ({ tp, fp }) => ({ hits: tp, of: tp + fp }) },
  recall: { title: 'Recall', of: recall, share: ({ tp, fn }) => ({ hits: tp, of: tp + fn }) },
  accuracy: {
    title: 'Accuracy',
    of: accuracy,
    share: ({ tp, fp, fn, tn }) => ({ hits: tp + tn, of: tp + fp + fn + tn }),
  },
  balancedAccuracy: { title: 'Balanced accuracy', of: balancedAccuracy, pageOnly: true },
  mcc: { title: 'MCC', of: mcc, range: 'correlation', pageOnly: true },
} satisfies Record<string, Score>;

export type ScoreName = keyof typeof registry;

export const scores: Readonly<Record<ScoreName, Score>> = registry;

const isScoreName = (name: string): name is ScoreName => Object.hasOwn(registry, name);

export const scoreNames: readonly ScoreName[] = Object.keys(registry).filter(isScoreName);

const isWhole = <T>(made: Partial<Record<ScoreName, T>>): made is Record<ScoreName, T> =>
  scoreNames.every((name) => Object.hasOwn(made, name));

/** An object with a value for each score. */
export function eachScore<T>(of: (name: ScoreName) => T): Record<ScoreName, T> {
  const made: Partial<Record<ScoreName, T>> = Object.fromEntries(scoreNames.map((name) => [name, of(name)]));
  if (!isWhole(made)) throw new Error('A score is missing.');
  return made;
}

const noValue = { defined: z.literal(false), n: z.number(), why: z.string() };

/** A statistic, or why there is none; `n` is the number of items that counted. */
export const ReportMeasure = z.discriminatedUnion('defined', [
  z.strictObject({ defined: z.literal(true), n: z.number(), value: z.number() }),
  z.strictObject(noValue),
]);
export type ReportMeasure = z.infer<typeof ReportMeasure>;

/**
 * An interval with its method: `wilson` (of a share), `paired` (of the difference of two shares of the same cases), `ranks`
 * (of a median) or `jackknife` (leaving out one case after another). The functions in `statistics` name the sources.
 */
export const ReportInterval = z.discriminatedUnion('defined', [
  z.strictObject({
    defined: z.literal(true),
    n: z.number(),
    low: z.number(),
    high: z.number(),
    level: z.number(),
    by: z.enum(['wilson', 'paired', 'ranks', 'jackknife']),
  }),
  z.strictObject(noValue),
]);
export type ReportInterval = z.infer<typeof ReportInterval>;

/** The least share of trials with a decision or a score for what is ranked by those alone, and for thresholds. */
export const LEAST_COVERAGE = 0.9;

/** A statistic with its 95 % interval. */
export const Estimate = z.strictObject({ measure: ReportMeasure, interval: ReportInterval });
export type Estimate = z.infer<typeof Estimate>;

/** A statistic of two setups on the cases that both judged. */
export const Difference = z.strictObject({
  first: ReportMeasure,
  second: ReportMeasure,
  /** Second minus first. */
  difference: ReportMeasure,
  interval: ReportInterval,
});
export type Difference = z.infer<typeof Difference>;

/** Trials without a decision, by what was missing. */
export const gapCounts = { undecided: z.int(), 'no-quorum': z.int(), unanswered: z.int() };

export const Gaps = z.strictObject({ n: z.int(), ...gapCounts });
export type Gaps = z.infer<typeof Gaps>;

/** Two setups on the cases that both judged. */
export const PairReport = z.strictObject({
  first: z.string(),
  second: z.string(),
  cases: z.int(),
  /** A trial without a decision counts as the wrong one. */
  scores: z.record(z.enum(scoreNames), Difference),
  /** The same on the cases that both decided. */
  decided: z.strictObject({ cases: z.int(), scores: z.record(z.enum(scoreNames), Difference) }),
  /** On all cases that both judged, with labels or without; a trial without a decision does not pass. */
  decisions: z.strictObject({
    cases: z.int(),
    passRate: Difference,
    /** On the cases that both decided. */
    decided: z.strictObject({ cases: z.int(), passRate: Difference }),
  }),
  gaps: z.strictObject({ first: Gaps, second: Gaps }),
  /**
   * Cases that only one of them got right, by their most common outcome (no decision is not right), and McNemar's exact
   * two-sided p-value, or that of clusters (`signFlipTest`).
   */
  onlyFirst: z.int(),
  onlySecond: z.int(),
  pValue: ReportMeasure,
  /** The same adjusted for several comparisons in one report (Holm); null for a single one. */
  holm: ReportMeasure.nullable(),
  /** Mean calls per trial. */
  calls: z.strictObject({ first: ReportMeasure, second: ReportMeasure }),
  /** On the cases that both scored; null if there are none. */
  points: z
    .strictObject({
      cases: z.int(),
      mean: Difference,
      /** On cases with a score as label; null if there are none. */
      against: z.strictObject({ spearman: Difference, meanAbsoluteError: Difference }).nullable(),
      /** Number of cases with a higher, a lower and the same score in the second. */
      up: z.int(),
      down: z.int(),
      same: z.int(),
    })
    .nullable(),
});
export type PairReport = z.infer<typeof PairReport>;

/** How the scores of criteria correlate. */
export const CriterionCorrelations = z.strictObject({
  /** Id of the setup; null for the scores of labels. */
  setup: z.string().nullable(),
  criteria: z.array(z.string()),
  /** Every pair of criteria, in the order of the criteria. */
  pairs: z.array(z.strictObject({ first: z.string(), second: z.string(), pearson: ReportMeasure })),
  /** Over the pairs that have one; `n` counts them. */
  mean: ReportMeasure,
});
export type CriterionCorrelations = z.infer<typeof CriterionCorrelations>;

/** The values of a group, in the order of the dimensions; null where cases have no value. */
export const GroupValues = z.array(z.string().nullable());
export type GroupValues = z.infer<typeof GroupValues>;

/** How often what the user wanted was recommended, in cases of one group or, without values, in all. */
export const Recall = z.strictObject({
  values: GroupValues,
  /** Its run, if a report is about several with different cases; otherwise null. */
  run: z.string().nullable().default(null),
  cases: z.int(),
  at: z.array(
    z.strictObject({
      /** Number of items, from the first, that count. */
      cutoff: z.int(),
      recall: Estimate,
      /** With the scores of labels. */
      spearman: ReportMeasure,
      kendall: ReportMeasure,
    }),
  ),
});
export type Recall = z.infer<typeof Recall>;

/** Shown in place of a missing number. */
export const NONE = '–';

function fixedNumber(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

export const fixed = (measure: ReportMeasure, digits = 3): string =>
  measure.defined ? fixedNumber(measure.value, digits) : NONE;

/** `0.25–0.75`, or `−0.25 to 0.75` if a sign would be hard to see next to a dash. */
export function rangeText(interval: Interval, digits = 3): string {
  if (!interval.defined) return NONE;
  const low = fixedNumber(interval.low, digits);
  return `${low}${low.startsWith('−') ? ' to ' : '–'}${fixedNumber(interval.high, digits)}`;
}

export const percent = (measure: ReportMeasure): string =>
  measure.defined ? `${(100 * measure.value).toFixed(1)} %` : NONE;

/** `6.7–35.9 %`. */
export const percentRange = (interval: Interval): string =>
  interval.defined ? `${(100 * interval.low).toFixed(1)}–${(100 * interval.high).toFixed(1)} %` : NONE;

/** `0.161 (0.134–0.189)`: alpha with its 95 % interval. */
export const alphaText = (alpha: Alpha): string =>
  alpha.defined ? `${fixed(alpha)}${alpha.interval.defined ? ` (${rangeText(alpha.interval)})` : ''}` : NONE;

/** A difference with its sign. */
export const signed = (measure: ReportMeasure, digits = 3): string =>
  measure.defined ? signedNumber(measure.value, digits) : NONE;

const signedNumber = (value: number, digits: number): string => {
  const text = Math.abs(value).toFixed(digits);
  return `${Number(text) === 0 ? '±' : value < 0 ? '−' : '+'}${text}`;
};

export const signedRange = (interval: ReportInterval, digits = 3): string =>
  interval.defined ? `${signedNumber(interval.low, digits)} to ${signedNumber(interval.high, digits)}` : NONE;

/** Milliseconds in a readable form. */
export function duration(ms: number): string {
  if (ms < 1) return ms === 0 ? '0 ms' : '<1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${(ms / 60_000).toFixed(1)} min`;
}

/** A measure by one of the formats above, or a dash. */
export const shown = (measure: ReportMeasure, format: (value: number) => string): string =>
  measure.defined ? format(measure.value) : NONE;

export const pText = (measure: ReportMeasure): string =>
  measure.defined ? (measure.value < 0.001 ? '< 0.001' : measure.value.toFixed(3)) : NONE;

/** A p-value, followed by the one adjusted for several comparisons. */
export const pTexts = ({ pValue, holm }: Pick<PairReport, 'pValue' | 'holm'>): string =>
  `p ${pText(pValue)}${holm === null ? '' : `, Holm ${pText(holm)}`}`;
