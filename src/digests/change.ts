import type { BenchmarkHistory, BenchmarkRun } from '../benchmark/benchmark-history.ts';
import type { Interval } from '../statistics/measure.ts';
import {
  differenceInterval,
  pairedDifferenceInterval,
  type Share,
  wilsonInterval,
} from '../statistics/proportions.ts';
import type { DigestTrend, LabelTotals, Settled } from './digest.ts';

/** `82%`. @param share 0 to 1 */
export const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** `+3.2`, in percentage points. @param difference −1 to 1 */
export function points(difference: number): string {
  const tenths = Math.round(difference * 1000) / 10;
  if (tenths === 0) return '±0.0';
  return `${tenths > 0 ? '+' : '−'}${Math.abs(tenths).toFixed(1)}`;
}

/** `95% interval −1.0 to +4.2`, or why there is none. */
export const pointsInterval = (interval: Interval): string =>
  interval.defined
    ? `${percent(interval.level)} interval ${points(interval.low)} to ${points(interval.high)}`
    : `no interval: ${interval.why}`;

/** `71–90%`, or why there is none. */
export const shareInterval = (interval: Interval): string =>
  interval.defined
    ? `${Math.round(interval.low * 100)}–${percent(interval.high)}`
    : `no interval: ${interval.why}`;

/** `16 Nov 2026` in a time zone. */
export const dayIn = (timezone: string, at: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(at);

/** `16 Nov 2026, 09:00` in a time zone. */
export const momentIn = (timezone: string, at: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);

/** `16 Nov 2026, 9h` in a time zone. */
export const hourIn = (timezone: string, at: number): string =>
  `${dayIn(timezone, at)}, ${Number(momentIn(timezone, at).slice(-5, -3))}h`;

/** The change of a share. */
export interface Change {
  /** Now minus before, −1 to 1. */
  difference: number;
  interval: Interval;
  trend: DigestTrend;
}

/** A share is steady if its interval rules out a larger change. */
const STEADY_MARGIN = 0.1;

/** Better or worse only if the interval lies on one side of 0. */
function trendOf(interval: Interval): DigestTrend {
  if (!interval.defined) return 'unknown';
  const { low, high } = interval;
  if (low > 0) return 'better';
  if (high < 0) return 'worse';
  return Math.max(-low, high) <= STEADY_MARGIN ? 'steady' : 'unknown';
}

const change = (difference: number, interval: Interval): Change => ({
  difference,
  interval,
  trend: trendOf(interval),
});

/** The change of a benchmark since the last digest, on the same cases; null if there is nothing to compare with. */
export function benchmarkChange({ compared }: BenchmarkHistory): Change | null {
  if (compared === null || compared.n === 0) return null;
  const { gained, lost, n, cases } = compared;
  const each = cases / n;
  return change((gained - lost) / n, pairedDifferenceInterval(gained * each, lost * each, cases));
}

export const newestRun = ({ runs }: BenchmarkHistory): BenchmarkRun | null => runs.at(-1) ?? null;

export const shareOfRun = ({ correct, n }: BenchmarkRun): number => (n === 0 ? 0 : correct / n);

/** Decisions on one case depend on each other, so n is the number of cases: conservative, never too narrow. Changes too. */
export const intervalOfRun = ({ correct, n, cases }: BenchmarkRun): Interval =>
  wilsonInterval(n === 0 ? 0 : (correct / n) * cases, cases);

/** The best run so far; the earliest among equals. */
export const bestRun = ({ runs }: BenchmarkHistory): BenchmarkRun | null =>
  runs
    .filter(({ n }) => n > 0)
    .reduce<BenchmarkRun | null>(
      (best, run) => (best === null || shareOfRun(run) > shareOfRun(best) ? run : best),
      null,
    );

export const settledShare = ({ right, wrong }: Settled): Share => ({ successes: right, n: right + wrong });

/** What was settled between two totals; null if changed votes on old verdicts make that unknown. */
function settledSince(now: Settled, before: Settled): Settled | null {
  const since = { right: now.right - before.right, wrong: now.wrong - before.wrong, tied: 0 };
  return since.right < 0 || since.wrong < 0 ? null : since;
}

/** The change of the share of verdicts that people agree with: those settled since against all before. */
export function labelChange(now: LabelTotals, before: LabelTotals): (Change & { since: Share }) | null {
  const since = settledSince(now.settled, before.settled);
  if (since === null) return null;
  const [fresh, old] = [settledShare(since), settledShare(before.settled)];
  if (fresh.n === 0 || old.n === 0) return null;
  const difference = fresh.successes / fresh.n - old.successes / old.n;
  return { ...change(difference, differenceInterval(fresh, old)), since: fresh };
}
