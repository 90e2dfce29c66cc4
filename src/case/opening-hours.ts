import { fold } from '../common/fold.ts';

/** Minutes from the day's midnight; a span past midnight has `to` above 1440. Open from `from` until just before `to`. */
export interface Span {
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

type Half = 'a' | 'p' | null;
interface Clock {
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

const on24 = (clock: Clock, half: Half): number =>
  half === null ? clock.minutes : (clock.minutes % 720) + (half === 'p' ? 720 : 0);

/** `5-9pm` is 17:00–21:00, `11-9pm` is 11:00–21:00: an opening time without am or pm takes the half that comes before. */
function openingOf(open: Clock, close: Clock): number {
  if (open.half !== null || close.half === null || !open.twelve) return on24(open, open.half);
  const sameHalf = on24(open, close.half);
  return sameHalf < on24(close, close.half) ? sameHalf : on24(open, close.half === 'p' ? 'a' : 'p');
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
