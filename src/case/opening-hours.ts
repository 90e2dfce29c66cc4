import { fold } from '../common/fold.ts';
import { type OpeningHours, type Weekday, weekdays } from './case.ts';

/** Minutes from the day's midnight; a span past midnight has `to` above 1440. Open from `from` until just before `to`. */
interface Span {
  from: number;
  to: number;
}

/** What a day's opening hours say. `unreadable`: nothing is known, not that it is closed. */
export type DayHours =
  | { kind: 'spans'; spans: readonly Span[] }
  | { kind: 'closed' }
  | { kind: 'unreadable' };

const DAY = 1440;

const CLOSED = /^(?:closed(?: all day)?|geschlossen|ruhetag|zu|shut)$/;
const ALL_DAY =
  /^(?:(?:open|geoffnet|offen)\s*)?(?:24\s*(?:h|hrs?|hours?|std\.?|stunden)|24\s*\/\s*7|around the clock|rund um die uhr|all day|ganztagig)(?:\s*(?:open|geoffnet|offen))?$/;

/**
 * What shows how the hours of a day are counted: am or pm, `Uhr`, `h`, noon, an hour above 12, or one of two digits with
 * a leading zero or with minutes on both sides (`10:00-12:00`). Without any, `11-9` may end in the evening.
 */
const SURELY_READ =
  /\d\s*[ap]\.?m|uhr|\dh|noon|midday|midnight|mittag|mitternacht|(?<![\d:.])(?:0\d|1[3-9]|2[0-4])|(?<!\d)\d\d[:.]\d\d\s*(?:-|to|till|until|bis)\s*\d\d[:.]\d\d/;

const TIME = String.raw`(\d{1,2})(?:[:.h](\d{2}))?\s*(?:uhr|h)?\s*([ap]\.?m\.?)?|(noon|mittag|midday)|(midnight|mitternacht)`;
const SPAN = new RegExp(
  String.raw`^(?:(?:from|von|open|geoffnet)\s+)*(?:${TIME})\s*(?:-|to|till|until|bis)\s*(?:${TIME})(?:\s*uhr)?$`,
);
const SEPARATOR = /\s*(?:[,;|\n/&+]|\band\b|\bund\b)\s*/;

export type Half = 'a' | 'p' | null;
export interface Clock {
  minutes: number;
  half: Half;
  twelve: boolean;
}

/** A time of day from the groups of TIME, or null where no clock shows it. */
function clockOf(groups: readonly (string | undefined)[]): Clock | null {
  const [hours, minutes = '0', meridiem, noon, midnight] = groups;
  if (noon !== undefined) return { minutes: 720, half: null, twelve: false };
  if (midnight !== undefined) return { minutes: 0, half: null, twelve: false };
  const [hour, minute] = [Number(hours), Number(minutes)];
  const half: Half = meridiem === undefined ? null : meridiem.startsWith('a') ? 'a' : 'p';
  if (minute > 59 || hour > 24 || (hour === 24 && minute > 0)) return null;
  if (half !== null && (hour < 1 || hour > 12)) return null;
  return { minutes: hour * 60 + minute, half, twelve: hour <= 12 };
}

/** Minutes from midnight of a time on a dial of twelve hours; of one on 24 hours without a half. */
export const on24 = ({ minutes }: Pick<Clock, 'minutes'>, half: Half): number =>
  half === null ? minutes : (minutes % 720) + (half === 'p' ? 720 : 0);

/** `5-9pm` is 17:00–21:00, `11-9pm` is 11:00–21:00: an opening time without am or pm takes the half that comes before. */
export function openingOf(open: Clock, close: Clock): number {
  if (open.half !== null || close.half === null || !open.twelve) return on24(open, open.half);
  const sameHalf = on24(open, close.half);
  return close.half === 'a' || sameHalf < on24(close, close.half) ? sameHalf : on24(open, 'a');
}

/** `11am-9` and `10-2am`: whether the time without am or pm is one of the morning cannot be told. */
const isAmbiguous = (open: Clock, close: Clock): boolean =>
  (open.half !== null && close.half === null && close.twelve) ||
  (open.half === null && open.twelve && close.half === 'a');

function spanOf(text: string): Span | null {
  const match = SPAN.exec(text);
  if (match === null) return null;
  const [open, close] = [clockOf(match.slice(1, 6)), clockOf(match.slice(6, 11))];
  if (open === null || close === null || isAmbiguous(open, close)) return null;
  const from = openingOf(open, close);
  const to = on24(close, close.half);
  if (from === to || from >= DAY) return null;
  return { from, to: to > from ? to : to + DAY };
}

/**
 * Reads one day's hours: `12:00-14:30, 18:00-01:00`, `12–22`, `11am-9pm`, `closed`, `24h`, `geschlossen`, …
 * What it cannot read in full is unreadable: half a reading would be a guess.
 */
export function parseHours(text: string): DayHours {
  const clean = fold(text)
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]$/, (end) => (/[ap]\.m\.$/.test(fold(text).trim()) ? end : ''));
  if (CLOSED.test(clean)) return { kind: 'closed' };
  if (ALL_DAY.test(clean)) return { kind: 'spans', spans: [{ from: 0, to: DAY }] };
  if (!SURELY_READ.test(clean)) return { kind: 'unreadable' };
  const spans: Span[] = [];
  for (const part of clean.split(SEPARATOR)) {
    const span = spanOf(part);
    if (span === null) return { kind: 'unreadable' };
    spans.push(span);
  }
  return { kind: 'spans', spans: spans.sort((a, b) => a.from - b.from) };
}

/** Minutes are counted from the midnight at which today begins; below 0 is yesterday, above 1440 tomorrow. */
export type OpeningState =
  | { kind: 'open'; span: Span }
  | { kind: 'closed'; lastClosed: number | null; nextOpens: number | null; wholeDay: boolean }
  | { kind: 'unknown'; day: Weekday; text: string | null };

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
