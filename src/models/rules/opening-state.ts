import { type OpeningHours, type Weekday, weekdays } from '../../case/case.ts';
import { parseHours, type Span } from './parse-hours.ts';

/** Minutes are counted from the midnight at which today begins; below 0 is yesterday, above 1440 tomorrow. */
export type OpeningState =
  | { kind: 'open'; span: Span }
  | { kind: 'closed'; lastClosed: number | null; nextOpens: number | null; wholeDay: boolean }
  | { kind: 'unknown'; day: Weekday; text: string | null };

const DAY = 1440;

/** The weekday of an ISO date. */
export function weekdayOf(date: string): Weekday | null {
  const sundayFirst = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekdays[(sundayFirst + 6) % 7] ?? null;
}

export const neighborDay = (day: Weekday, days: number): Weekday =>
  weekdays[(weekdays.indexOf(day) + days + 7) % 7] ?? day;

/** `20:05`; a time after midnight is that of the next day. */
export function clockTime(minutes: number): string {
  const within = ((minutes % DAY) + DAY) % DAY;
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`;
}

const spansOn = (hours: OpeningHours, day: Weekday): readonly Span[] | null => {
  const text = hours[day];
  if (text === undefined) return null;
  const read = parseHours(text);
  return read.kind === 'unreadable' ? null : read.kind === 'closed' ? [] : read.spans;
};

/** Spans that touch or overlap become one, so that "closes at midnight" is not said of a place open on. */
function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

/** Up to this time of the night a span of the day before may still run. */
const EARLY = 6 * 60;

/**
 * Whether a place is open at `minute` of `day`. Spans of the day before count where they reach past midnight; the
 * closing minute itself is closed.
 */
export function openingState(hours: OpeningHours, day: Weekday, minute: number): OpeningState {
  const today = spansOn(hours, day);
  const before = neighborDay(day, -1);
  const yesterday = spansOn(hours, before);
  const shift = (spans: readonly Span[] | null, by: number) =>
    (spans ?? []).map((span) => ({ from: span.from + by, to: span.to + by }));
  const timeline = merge([
    ...shift(yesterday, -DAY),
    ...shift(today, 0),
    ...shift(spansOn(hours, neighborDay(day, 1)), DAY),
  ]);
  const span = timeline.find(({ from, to }) => from <= minute && minute < to);
  if (span !== undefined) return { kind: 'open', span };
  if (today === null) return { kind: 'unknown', day, text: hours[day] ?? null };
  if (yesterday === null && minute < EARLY)
    return { kind: 'unknown', day: before, text: hours[before] ?? null };
  const ended = timeline.filter(({ to }) => to <= minute && to > 0);
  const coming = timeline.find(({ from }) => from > minute);
  return {
    kind: 'closed',
    lastClosed: ended.at(-1)?.to ?? null,
    nextOpens: coming?.from ?? null,
    wholeDay: today.length === 0,
  };
}
