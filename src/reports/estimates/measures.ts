import * as z from 'zod';
import type { Alpha } from '../../labels/index.ts';
import type { Interval } from '../../statistics/index.ts';

const noValue = { defined: z.literal(false), n: z.number(), why: z.string() };

/** A statistic, or why there is none; `n` is the number of items that counted. */
export const ReportMeasure = z.discriminatedUnion('defined', [
  z.strictObject({ defined: z.literal(true), n: z.number(), value: z.number() }),
  z.strictObject(noValue),
]);
export type ReportMeasure = z.infer<typeof ReportMeasure>;

/**
 * An interval with its method: `wilson` (of a share), `paired` (of the difference of two shares of the same cases), `newcombe` (of
 * the difference of two shares if some cases, or all, are others), `ranks` (of a median), `jackknife` (leaving out one case after another) or `corrected` (of a share that allows for judges' errors). The functions in `statistics` name the sources.
 */
export const ReportInterval = z.discriminatedUnion('defined', [
  z.strictObject({
    defined: z.literal(true),
    n: z.number(),
    low: z.number(),
    high: z.number(),
    level: z.number(),
    by: z.enum(['wilson', 'paired', 'newcombe', 'ranks', 'jackknife', 'corrected']),
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

/** @param joint between the limits */
export const signedRange = (interval: ReportInterval, digits = 3, joint = ' to '): string =>
  interval.defined
    ? `${signedNumber(interval.low, digits)}${joint}${signedNumber(interval.high, digits)}`
    : NONE;

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
