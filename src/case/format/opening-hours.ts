import { oncePer } from '../../common/index.ts';
import { type Weekday, weekdays } from '../index.ts';
import { alternatives, type Words } from './words.ts';

/** Minutes since midnight, from inclusive, to exclusive. In a span past midnight, `to` is above 1440. */
export interface Span {
  from: number;
  to: number;
}

/** A day's opening hours. `unreadable` means that nothing is known, not that it is closed. */
export type DayHours =
  | { kind: 'spans'; spans: readonly Span[] }
  | { kind: 'closed' }
  | { kind: 'unreadable' };

const DAY = 1440;
/** Maximum length of a text that is read, in characters. */
const MAX_HOURS = 4000;

/** The weekday of an ISO date; null if the date is invalid. */
export function weekdayOf(date: string): Weekday | null {
  const sundayFirst = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekdays[(sundayFirst + 6) % 7] ?? null;
}

export const neighborDay = (day: Weekday, days: number): Weekday =>
  weekdays[(weekdays.indexOf(day) + days + 7) % 7] ?? day;

/** The days from `first` to `last`, wrapping around the end of the week. */
function daysBetween(first: Weekday, last: Weekday): Weekday[] {
  const length = ((weekdays.indexOf(last) - weekdays.indexOf(first) + 7) % 7) + 1;
  return Array.from({ length }, (_, step) => neighborDay(first, step));
}

const dayNames = oncePer(
  (words: Words): ReadonlyMap<string, Weekday> =>
    new Map(
      weekdays.flatMap((day) => (words.weekdays[day] ?? []).map((name): [string, Weekday] => [name, day])),
    ),
);

/** The weekday that a word names, in full or abbreviated; null if none. */
export const weekdayNamed = (word: string, words: Words): Weekday | null =>
  dayNames(words).get(word.toLowerCase().replace(/\.$/, '')) ?? null;

type Half = 'a' | 'p';
/** The meaning of a word or number in opening hours. */
type Kind =
  | { type: 'days'; days: readonly Weekday[] }
  | {
      type: 'time';
      hour: number;
      minute: number;
      half: Half | null;
      /** On the 12-hour clock (12 or below), so am or pm may be missing. */
      isOfTwelve: boolean;
      /** Whether it shows which clock is used: am or pm, noon, 13 and above, `09`, `12h30`. */
      isSure: boolean;
      /** Written with minutes or a leading zero. */
      isExact: boolean;
    }
  | { type: 'closed' | 'all-day' | 'to' | 'filler' };
/** With its position in the text, so that messages can quote the original. */
type Token = Kind & { from: number; to: number };
type Time = Extract<Token, { type: 'time' }>;

const timeOfDay = (hour: number): Kind => ({
  type: 'time',
  hour,
  minute: 0,
  half: null,
  isOfTwelve: false,
  isSure: true,
  isExact: true,
});

/** Patterns and meanings of the words used in opening hours. */
const vocabulary = oncePer((words: Words) => {
  const { hours, moments, units } = words;
  const meanings = new Map<string, Kind>();
  const add = (spellings: readonly string[], kind: Kind) => {
    for (const word of spellings) if (!meanings.has(word)) meanings.set(word, kind);
  };
  for (const [name, day] of dayNames(words)) add([name], { type: 'days', days: [day] });
  add(hours.everyDay, { type: 'days', days: weekdays });
  add(hours.workdays, { type: 'days', days: weekdays.slice(0, 5) });
  add(hours.weekend, { type: 'days', days: weekdays.slice(5) });
  add(hours.closed, { type: 'closed' });
  add(hours.allDay, { type: 'all-day' });
  add(hours.to, { type: 'to' });
  add(moments.noon, timeOfDay(12));
  add(moments.midnight, timeOfDay(24));
  add([...hours.and, ...hours.filler, ...moments.oClock], { type: 'filler' });
  const phrases = alternatives(hours.allDay.filter((phrase) => phrase.includes(' ')));
  const token = new RegExp(
    String.raw`(?<allDay>24 ?\/ ?7|24 ?${alternatives(units.hours)}(?!\p{L})\.?(?! ?[-–—])|${phrases})|(?<hour>\d{1,2})(?:(?<mark>[:.h])(?<minute>\d{2}))?(?: ?(?<half>[ap])\.? ?m\b\.?)?|(?<word>\p{L}{1,12})\.?|(?<dash>[-‐‑‒–—−~])|(?<separator>[,;/&|+\n])|[^\s:()*_\x60"']`,
    'giu',
  );
  const showsClock = new RegExp(
    String.raw`\d ?(?:h|${alternatives(moments.oClock)})(?!\p{L})|(?<!\d)\d\d[:.]\d\d\s*(?:[-‐‑‒–—−]|${alternatives(hours.to)})\s*\d\d[:.]\d\d`,
    'iu',
  );
  return { meanings, token, showsClock };
});

/** The meaning of one match of the pattern; null for a word that does not belong in opening hours. */
function kindOf(match: RegExpMatchArray, meanings: ReadonlyMap<string, Kind>): Kind | null {
  const { allDay, hour, mark, minute = '0', half, word, dash, separator } = match.groups ?? {};
  if (allDay !== undefined) return { type: 'all-day' };
  if (word !== undefined) return meanings.get(word.toLowerCase()) ?? null;
  if (dash !== undefined) return { type: 'to' };
  if (hour === undefined) return separator === undefined ? null : { type: 'filler' };
  const time = {
    type: 'time' as const,
    hour: Number(hour),
    minute: Number(minute),
    half: half === undefined ? null : half.toLowerCase() === 'p' ? ('p' as const) : ('a' as const),
    isOfTwelve: Number(hour) <= 12,
    isSure: half !== undefined || Number(hour) > 12 || hour.startsWith('0') || mark?.toLowerCase() === 'h',
    isExact: mark !== undefined || hour.startsWith('0'),
  };
  const isClock =
    time.minute < 60 &&
    (time.half !== null ? time.hour >= 1 && time.hour <= 12 : time.hour * 60 + time.minute <= DAY);
  return isClock ? time : null;
}

/** Merges a day, a dash and a day into all days between them. */
function joinDays(tokens: readonly (Token | null)[]): (Token | null)[] {
  const joined: (Token | null)[] = [];
  for (const token of tokens) {
    const [first, dash] = joined.slice(-2);
    if (first?.type === 'days' && dash?.type === 'to' && token?.type === 'days') {
      const [from, ...others] = first.days;
      const [to, ...more] = token.days;
      if (from && to && others.length + more.length === 0) {
        joined.splice(-2, 2, { ...token, from: first.from, days: daysBetween(from, to) });
        continue;
      }
    }
    joined.push(token);
  }
  return joined;
}

/** The text as tokens, with null for each word that does not belong in opening hours. */
function tokensOf(text: string, words: Words): (Token | null)[] {
  const { meanings, token } = vocabulary(words);
  const tokens = [...text.slice(0, MAX_HOURS).matchAll(token)].flatMap((match): (Token | null)[] => {
    const kind = kindOf(match, meanings);
    if (kind?.type === 'filler') return [];
    return [kind && { ...kind, from: match.index, to: match.index + match[0].length }];
  });
  return joinDays(tokens);
}

/** Whether a text has a range of four to six days: `Tue-Sun`. */
export const namesDaySpan = (text: string, words: Words): boolean =>
  tokensOf(text, words).some(
    (token) => token?.type === 'days' && token.days.length > 3 && token.days.length < 7,
  );

export function startsWithDay(text: string, words: Words): boolean {
  const word = /^\W{0,6}(\p{L}{2,12})/u.exec(text.trimStart())?.[1]?.toLowerCase();
  return word !== undefined && vocabulary(words).meanings.get(word)?.type === 'days';
}

const minutesOf = ({ hour, minute }: Time, half: Half | null): number =>
  (half === null ? hour : (hour % 12) + (half === 'p' ? 12 : 0)) * 60 + minute;

/** A span as written, and what had to be assumed about am and pm. */
export interface ReadSpan extends Span {
  assumed: 'half' | '24-hour' | null;
  /** The original text. */
  says: string;
}

/**
 * The span between two times. A start without am or pm takes the half of the day that puts it before the end: `5-10pm`
 * starts in the afternoon, `11-9:30pm` in the morning.
 */
function spanOf(open: Time, close: Time): Omit<ReadSpan, 'says'> {
  const to = minutesOf(close, close.half);
  if (open.half === null && close.half !== null && open.isOfTwelve) {
    const same = minutesOf(open, close.half);
    const from = same < to || close.half === 'a' ? same : minutesOf(open, 'a');
    return { from: from % DAY, to, assumed: 'half' };
  }
  const from = minutesOf(open, open.half);
  const isGuess = !open.half && !close.half && !close.isExact && close.isOfTwelve && to <= from;
  return { from: from % DAY, to, assumed: isGuess ? '24-hour' : null };
}

/** Days and their spans. An empty list of days means every day. */
interface HoursGroup {
  days: Weekday[];
  spans: ReadSpan[];
  isClosed: boolean;
  /** The range in the text from its first span to its last. */
  from: number;
  to: number;
}

const emptyGroup = (): HoursGroup => ({ days: [], spans: [], isClosed: false, from: 0, to: 0 });
const saysHours = ({ spans, isClosed }: HoursGroup): boolean => spans.length > 0 || isClosed;

/** The span whose opening time is the first of these tokens; null if there is none. */
function spanAt([open, to, close]: readonly (Token | null)[], text: string): ReadSpan | null {
  if (open?.type !== 'time' || to?.type !== 'to' || close?.type !== 'time') return null;
  // "11am-9": it is not certain that it closes in the evening.
  if (open.half !== null && close.half === null && close.isOfTwelve) return null;
  return { ...spanOf(open, close), says: text.slice(open.from, close.to).trim() };
}

/** Adds a token's hours to the group: its span, closed, or else all day. */
function addTo(group: HoursGroup, token: Token, span: ReadSpan | null, last: Token): void {
  if (token.type === 'to' || token.type === 'filler') return;
  if (!saysHours(group)) group.from = token.from;
  group.to = last.to;
  if (span) group.spans.push(span);
  else if (token.type === 'closed') group.isClosed = true;
  else if (!group.isClosed) group.spans.push({ from: 0, to: DAY, assumed: null, says: '' });
}

/** Reads a text as groups of days, each followed by its spans; null if the text has a different structure. */
export function groupsOf(text: string, words: Words): HoursGroup[] | null {
  const tokens = text.length > MAX_HOURS ? [null] : tokensOf(text, words);
  const groups: HoursGroup[] = [];
  let current = emptyGroup();
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) return null;
    if (token.type === 'days') {
      if (saysHours(current)) {
        groups.push(current);
        current = emptyGroup();
      }
      current.days.push(...token.days);
      continue;
    }
    const span = token.type === 'time' ? spanAt(tokens.slice(at, at + 3), text) : null;
    if (token.type === 'time' && span === null) return null;
    if (span) at += 2;
    addTo(current, token, span, tokens[at] ?? token);
  }
  return saysHours(current) ? [...groups, current] : null;
}

/**
 * Reads one day's hours: `12:00-14:30, 18:00-01:00`, `12–22`, `11am-9pm`, `closed`, `24h`, `geschlossen`, … Anything that
 * cannot be read completely and unambiguously is unreadable, because a partial reading would be a guess.
 */
export function parseHours(text: string, words: Words): DayHours {
  const clean = text.trim().replace(/[.!]$/, '');
  const [group, ...more] = groupsOf(clean, words) ?? [];
  if (group === undefined || more.length > 0 || group.days.length > 0) return { kind: 'unreadable' };
  if (group.isClosed) return { kind: group.spans.length === 0 ? 'closed' : 'unreadable' };
  const times = tokensOf(clean, words).filter((token) => token?.type === 'time');
  const isSure =
    times.length === 0 || times.some(({ isSure }) => isSure) || vocabulary(words).showsClock.test(clean);
  // "12-1am": it may open at noon or at midnight.
  const isUnclear = times.some(
    ({ half, isOfTwelve }, at) => at % 2 === 0 && half === null && isOfTwelve && times[at + 1]?.half === 'a',
  );
  if (!isSure || isUnclear || group.spans.some(({ from, to }) => from === to)) return { kind: 'unreadable' };
  const spans = group.spans.map(({ from, to }) => ({ from, to: to > from ? to : to + DAY }));
  return { kind: 'spans', spans: spans.sort((a, b) => a.from - b.from) };
}

/** Formats minutes since midnight as `20:05`; values past midnight wrap around. */
export function clockTime(minutes: number): string {
  const within = ((minutes % DAY) + DAY) % DAY;
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`;
}
