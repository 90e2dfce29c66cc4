import { counted, percent } from '../common/text/index.ts';
import {
  pairedShareChange,
  type Change as ShareChange,
  separateShareChange,
  shareLimits,
} from '../reports/estimates/index.ts';
import type { BenchmarkHistory, BenchmarkRun, JudgesHistory } from '../reports/history/index.ts';
import type { Interval, Share, Trend } from '../statistics/index.ts';
import type { LabelTotals, SideCounts } from './digest.ts';

/**
 * Formats a difference in percentage points: `+3.2`.
 * @param difference −1 to 1
 */
function points(difference: number): string {
  const tenths = Math.round(difference * 1000) / 10;
  return tenths === 0 ? '±0.0' : `${tenths > 0 ? '+' : '−'}${Math.abs(tenths).toFixed(1)}`;
}

const orWhy = (interval: Interval, text: (low: number, high: number) => string): string =>
  interval.defined ? text(interval.low, interval.high) : `no interval: ${interval.why}`;

/** `95 % interval −1.0 to +4.2`, or why there is none. */
const pointsInterval = (interval: Interval): string =>
  orWhy(interval, (low, high) => `95 % interval ${points(low)} to ${points(high)}`);

/** `71–90 %`, or why there is none. */
export const shareInterval = (interval: Interval): string =>
  orWhy(interval, (low, high) => `${Math.round(low * 100)}–${percent(high)}`);

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const MOMENT = { ...DAY, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const formatted = (timeZone: string, at: number, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(at);

/** `16 Nov 2026` in a time zone. */
export const dayIn = (timezone: string, at: number): string => formatted(timezone, at, DAY);
/** `Monday` in a time zone. */
export const weekdayIn = (timezone: string, at: number): string =>
  formatted(timezone, at, { weekday: 'long' });
/** `16 Nov 2026, 09:00` in a time zone. */
export const momentIn = (timezone: string, at: number): string => formatted(timezone, at, MOMENT);
/** `16 Nov 2026, 9h` in a time zone. */
export const hourIn = (timezone: string, at: number): string =>
  `${dayIn(timezone, at)}, ${Number(momentIn(timezone, at).slice(-5, -3))}h`;

/** A change in a share. */
export interface Change {
  /** `+3.2`, in percentage points. */
  points: string;
  /** `95 % interval −1.0 to +4.2`. */
  interval: string;
  trend: Trend;
}

const inWords = ({ value, interval, trend }: ShareChange): Change => ({
  points: points(value),
  interval: pointsInterval(interval),
  trend,
});

/** How a benchmark changed since the last digest, on the cases that both runs share; null if there is nothing to compare. */
export const benchmarkChange = ({ compared }: JudgesHistory): Change | null =>
  compared === null || compared.n === 0 ? null : inWords(pairedShareChange(compared));

export const newestRun = ({ runs }: BenchmarkHistory): BenchmarkRun | null => runs.at(-1) ?? null;

export const shareOfRun = ({ correct, n }: BenchmarkRun): number => (n === 0 ? 0 : correct / n);

/** Independent cases count, not trials: see {@link benchmarkChange}. */
export const intervalOfRun = ({ correct, n, cases }: BenchmarkRun): Interval =>
  shareLimits({ successes: correct, n }, cases);

export const rightShare = ({ right, wrong }: SideCounts): Share => ({ successes: right, n: right + wrong });

/**
 * How the share of verdicts that people agree with changed: verdicts with a majority of votes since `before` against all earlier ones.
 * Null if either side has none, or if changed votes on old verdicts make the new ones impossible to separate.
 */
export function labelChange(now: LabelTotals, before: LabelTotals): (Change & { since: Share }) | null {
  const [all, old] = [rightShare(now.settled), rightShare(before.settled)];
  const since = { successes: all.successes - old.successes, n: all.n - old.n };
  const taken = since.successes < 0 || since.n < since.successes;
  if (taken || since.n === 0 || old.n === 0) return null;
  return { ...inWords(separateShareChange(since, old)), since };
}

/** One sentence, and the trend it reports. */
export interface Headline {
  text: string;
  trend: Trend;
  /** What it says of further benchmarks: `2 others got worse`. */
  others?: string;
  /** The benchmark whose configurations it is about. */
  of?: string;
}

/** Most urgent first. */
export const TRENDS: Record<Trend, string> = {
  worse: 'Worse',
  better: 'Better',
  steady: 'Steady',
  unknown: 'Not clear yet',
};
export const urgencyOf = (trend: Trend): number => Object.keys(TRENDS).indexOf(trend);

/** The most urgent headline, with a count of the others that changed; null if there are none. */
export function mostUrgent(all: readonly Headline[]): Headline | null {
  const [first, ...others] = all.toSorted((a, b) => urgencyOf(a.trend) - urgencyOf(b.trend));
  if (first === undefined) return null;
  const rest = Object.entries({ worse: 'got worse', better: 'got better', steady: 'held steady' })
    .map(([trend, words]) => [others.filter((one) => one.trend === trend).length, words] as const)
    .flatMap(([count, words]) => (count === 0 ? [] : [`${counted(count, 'other')} ${words}`]))
    .join(', ');
  if (rest === '') return { ...first, text: `${first.text}.` };
  return { ...first, text: `${first.text}; ${rest}.`, others: rest };
}
