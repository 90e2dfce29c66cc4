import type { Interval } from '../../statistics/measure.ts';
import type { ReportInterval, ReportMeasure } from './report.ts';

/** What stands where there is no number. */
export const NONE = '–';

function fixedNumber(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

export const fixed = (measure: ReportMeasure, digits = 3): string =>
  measure.defined ? fixedNumber(measure.value, digits) : NONE;

/** `0.25–0.75`, and `−0.25 to 0.75` where a sign would be lost beside a dash. */
export function rangeText(interval: Interval, digits = 3): string {
  if (!interval.defined) return NONE;
  const low = fixedNumber(interval.low, digits);
  return `${low}${low.startsWith('−') ? ' to ' : '–'}${fixedNumber(interval.high, digits)}`;
}

export const percent = (measure: ReportMeasure): string =>
  measure.defined ? `${(100 * measure.value).toFixed(1)} %` : NONE;

/** A difference with its sign. */
export const signed = (measure: ReportMeasure, digits = 3): string =>
  measure.defined ? signedNumber(measure.value, digits) : NONE;

const signedNumber = (value: number, digits: number): string => {
  const text = Math.abs(value).toFixed(digits);
  return `${Number(text) === 0 ? '±' : value < 0 ? '−' : '+'}${text}`;
};

export const signedRange = (interval: ReportInterval, digits = 3): string =>
  interval.defined ? `${signedNumber(interval.low, digits)} to ${signedNumber(interval.high, digits)}` : NONE;

/** US dollars with two significant digits below a cent. */
export function usd(value: number): string {
  if (value === 0) return '$0';
  if (value >= 0.995) return `$${value.toFixed(2)}`;
  // 0.00012 rather than 1.2e-4.
  return `$${value.toFixed(Math.min(12, Math.max(3, 1 - Math.floor(Math.log10(value)))))}`;
}

/** Milliseconds as people read them. */
export function duration(ms: number): string {
  if (ms < 1) return ms === 0 ? '0 ms' : '<1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${(ms / 60_000).toFixed(1)} min`;
}

export const grouped = (value: number): string => Math.round(value).toLocaleString('en-US');

/** A measure by one of the formats above, or a dash. */
export const shown = (measure: ReportMeasure, format: (value: number) => string): string =>
  measure.defined ? format(measure.value) : NONE;

/** `1 case`, `2 cases`. */
export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${grouped(n)} ${n === 1 ? one : many}`;

export const pText = (measure: ReportMeasure): string =>
  measure.defined ? (measure.value < 0.001 ? '< 0.001' : measure.value.toFixed(3)) : NONE;
