import { percent } from '../common/text/index.ts';
import {
  pairedShareChange,
  type Change as ShareChange,
  separateShareChange,
  shareLimits,
} from '../reports/estimates/index.ts';
import type { BenchmarkHistory, BenchmarkRun, JudgesHistory } from '../reports/history/index.ts';
import type { Interval, Share, Trend } from '../statistics/index.ts';
import { type Language, wordsIn } from '../words/index.ts';
import type { LabelTotals, SideCounts } from './digest.ts';

/**
 * Formats a difference in percentage points: `+3.2`.
 * @param difference −1 to 1
 */
function points(difference: number, language: Language): string {
  const tenths = Math.round(difference * 1000) / 10;
  const text = tenths === 0 ? '±0.0' : `${tenths > 0 ? '+' : '−'}${Math.abs(tenths).toFixed(1)}`;
  return wordsIn(language).numbers.written(text);
}

const orWhy = (
  interval: Interval,
  language: Language,
  text: (low: number, high: number) => string,
): string =>
  interval.defined ? text(interval.low, interval.high) : wordsIn(language).digests.noInterval(interval.why);

/** `95 % interval −1.0 to +4.2`, or why there is none. */
const pointsInterval = (interval: Interval, language: Language): string =>
  orWhy(interval, language, (low, high) =>
    wordsIn(language).digests.interval({ low: points(low, language), high: points(high, language) }),
  );

/** `71–90 %`, or why there is none. */
export const shareInterval = (interval: Interval, language: Language): string =>
  orWhy(interval, language, (low, high) => `${Math.round(low * 100)}–${percent(high)}`);

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const MOMENT = { ...DAY, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
/** Where, and in which language, a time is told. */
export interface Place {
  timezone: string;
  language: Language;
}

const formatted = (
  { timezone: timeZone, language }: Place,
  at: number,
  options: Intl.DateTimeFormatOptions,
): string => new Intl.DateTimeFormat(wordsIn(language).digests.locale, { timeZone, ...options }).format(at);

/** `16 Nov 2026` in a time zone. */
export const dayIn = (place: Place, at: number): string => formatted(place, at, DAY);
/** `Monday` in a time zone. */
export const weekdayIn = (place: Place, at: number): string => formatted(place, at, { weekday: 'long' });
/** `16 Nov 2026, 09:00` in a time zone. */
export const momentIn = (place: Place, at: number): string => formatted(place, at, MOMENT);
/** `16 Nov 2026, 9h` in a time zone. */
export const hourIn = (place: Place, at: number): string =>
  wordsIn(place.language).digests.hourOf({
    day: dayIn(place, at),
    hour: Number(momentIn(place, at).slice(-5, -3)),
  });

/** A change in a share. */
export interface Change {
  /** `+3.2`, in percentage points. */
  points: string;
  /** `95 % interval −1.0 to +4.2`. */
  interval: string;
  trend: Trend;
}

const inWords = ({ value, interval, trend }: ShareChange, language: Language): Change => ({
  points: points(value, language),
  interval: pointsInterval(interval, language),
  trend,
});

/** How a benchmark changed since the last digest, on the cases that both runs share; null if there is nothing to compare. */
export const benchmarkChange = ({ compared }: JudgesHistory, language: Language): Change | null =>
  compared === null || compared.n === 0 ? null : inWords(pairedShareChange(compared), language);

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
export function labelChange(
  now: LabelTotals,
  before: LabelTotals,
  language: Language,
): (Change & { since: Share }) | null {
  const [all, old] = [rightShare(now.settled), rightShare(before.settled)];
  const since = { successes: all.successes - old.successes, n: all.n - old.n };
  const taken = since.successes < 0 || since.n < since.successes;
  if (taken || since.n === 0 || old.n === 0) return null;
  return { ...inWords(separateShareChange(since, old), language), since };
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
const TRENDS: readonly Trend[] = ['worse', 'better', 'steady', 'unknown'];
export const urgencyOf = (trend: Trend): number => TRENDS.indexOf(trend);

/** The most urgent headline, with a count of the others that changed; null if there are none. */
export function mostUrgent(all: readonly Headline[], language: Language): Headline | null {
  const { othersTurned } = wordsIn(language).digests;
  const [first, ...others] = all.toSorted((a, b) => urgencyOf(a.trend) - urgencyOf(b.trend));
  if (first === undefined) return null;
  const rest = (['worse', 'better', 'steady'] as const)
    .map((trend) => ({ trend, count: others.filter((one) => one.trend === trend).length }))
    .flatMap(({ trend, count }) => (count === 0 ? [] : [othersTurned[trend](count)]))
    .join(', ');
  if (rest === '') return { ...first, text: `${first.text}.` };
  return { ...first, text: `${first.text}; ${rest}.`, others: rest };
}
