import type { OpeningHours, Weekday } from './case.ts';
import { neighborDay, parseHours, type Span } from './opening-hours.ts';
import type { Words } from './words.ts';

const DAY = 1440;

/** Minutes are counted from the midnight at which today begins; below 0 is yesterday, above 1440 tomorrow. */
export type OpeningState =
  | { kind: 'open'; span: Span }
  | { kind: 'closed'; lastClosed: number | null; nextOpens: number | null; wholeDay: boolean }
  | { kind: 'unknown'; day: Weekday; text: string | null };

const spansOn = (hours: OpeningHours, day: Weekday, words: Words): readonly Span[] | null => {
  const text = hours[day];
  if (text === undefined) return null;
  const read = parseHours(text, words);
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
export function openingState(hours: OpeningHours, day: Weekday, minute: number, words: Words): OpeningState {
  const today = spansOn(hours, day, words);
  const before = neighborDay(day, -1);
  const yesterday = spansOn(hours, before, words);
  const shift = (spans: readonly Span[] | null, by: number) =>
    (spans ?? []).map((span) => ({ from: span.from + by, to: span.to + by }));
  const timeline = merge([
    ...shift(yesterday, -DAY),
    ...shift(today, 0),
    ...shift(spansOn(hours, neighborDay(day, 1), words), DAY),
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
