import * as z from 'zod';

const noValue = { defined: z.literal(false), n: z.number(), why: z.string() };

/** A statistic, or why there is none; `n` is the number of items that counted. */
export const ReportMeasure = z.discriminatedUnion('defined', [
  z.strictObject({ defined: z.literal(true), n: z.number(), value: z.number() }),
  z.strictObject(noValue),
]);
export type ReportMeasure = z.infer<typeof ReportMeasure>;

/** An interval with its method: `wilson` (of a share), `paired` (of the difference of two shares of the same cases), `ranks` (of a median) or `jackknife` (leaving out one case after another). The functions in `statistics` name the sources. */
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
