import type { Interval } from '../statistics/measure.ts';

/** `82%`. @param share 0 to 1 */
export const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** `+3.2`, in percentage points; a minus sign for what fell. @param difference −1 to 1 */
export function points(difference: number): string {
  const tenths = Math.round(difference * 1000) / 10;
  if (tenths === 0) return '±0.0';
  return `${tenths > 0 ? '+' : '−'}${Math.abs(tenths).toFixed(1)}`;
}

/** `95% interval −1.0 to +4.2`; says so where there is none. */
export const pointsInterval = (interval: Interval): string =>
  interval.defined
    ? `${percent(interval.level)} interval ${points(interval.low)} to ${points(interval.high)}`
    : `no interval: ${interval.why}`;

/** `71–90%`, or why there is none. */
export const shareInterval = (interval: Interval): string =>
  interval.defined
    ? `${Math.round(interval.low * 100)}–${percent(interval.high)}`
    : `no interval: ${interval.why}`;

/** `$0.42`; small sums with what counts of them. */
export const dollars = (usd: number): string =>
  `$${usd === 0 || usd >= 0.01 ? usd.toFixed(2) : usd.toPrecision(1)}`;

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

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
