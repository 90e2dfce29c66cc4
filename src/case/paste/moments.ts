import { type Weekday, weekdays } from '../case.ts';
import { squeeze } from './text.ts';
import type { Note } from './values.ts';

const NAMES: Readonly<Record<Weekday, string>> = {
  monday: 'monday mondays mon montag montags mo',
  tuesday: 'tuesday tuesdays tue tues tu dienstag dienstags di',
  wednesday: 'wednesday wednesdays wed weds we mittwoch mittwochs mi',
  thursday: 'thursday thursdays thu thur thurs th donnerstag donnerstags do',
  friday: 'friday fridays fri fr freitag freitags',
  saturday: 'saturday saturdays sat samstag samstags sonnabend sa',
  sunday: 'sunday sundays sun su sonntag sonntags so',
};

const BY_NAME: ReadonlyMap<string, Weekday> = new Map(
  weekdays.flatMap((day) => NAMES[day].split(' ').map((name): [string, Weekday] => [name, day])),
);

/** The weekday that a word names in English or German, full or short. */
export const weekdayOf = (word: string): Weekday | null =>
  BY_NAME.get(word.toLowerCase().replace(/\.$/, '')) ?? null;

/** Day by its number from Monday, 0 to 6, whatever whole number is given. */
const dayAt = (index: number): Weekday => weekdays[((index % 7) + 7) % 7] ?? 'monday';

/** The days from one to another; over the end of the week where the second is earlier. */
export function daysBetween(first: Weekday, last: Weekday): Weekday[] {
  const from = weekdays.indexOf(first);
  const length = ((weekdays.indexOf(last) - from + 7) % 7) + 1;
  return Array.from({ length }, (_, step) => dayAt(from + step));
}

/** The weekday of a calendar date `2024-03-04`. */
const weekdayOfDate = (date: string): Weekday => dayAt(new Date(`${date}T00:00:00Z`).getUTCDay() - 1);

/** `Monday` for `monday`. */
const titleOf = (day: Weekday): string => day.charAt(0).toUpperCase() + day.slice(1);

const MONTHS = [
  'january jan januar jänner',
  'february feb februar',
  'march mar märz mär maerz mrz',
  'april apr',
  'may mai',
  'june jun juni',
  'july jul juli',
  'august aug',
  'september sep sept',
  'october oct oktober okt',
  'november nov',
  'december dec dezember dez',
].map((names) => names.split(' '));

const monthOf = (word: string): number => MONTHS.findIndex((names) => names.includes(word.toLowerCase())) + 1;

const HOW = 'write Date: 2024-03-04';

function calendarDate(year: number, month: number, day: number): string | null {
  const iso = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const parsed = new Date(`${iso}T00:00:00Z`);
  return month >= 1 && month <= 12 && !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(iso)
    ? iso
    : null;
}

/** A date was found (with its text), or one was found that cannot be read (why), or there is none. */
type Found = { date: string; text: string } | { unread: string } | null;

const found = (date: string | null, text: string): Found =>
  date === null
    ? { unread: `date "${text}" is not a day of the calendar: left out, ${HOW}` }
    : { date, text };

/** `03/04/2024` has two readings; only where one is impossible is the other taken. */
function slashed(text: string, first: number, second: number, year: number): Found {
  if (first > 12 || first === second) return found(calendarDate(year, second, first), text);
  if (second > 12) return found(calendarDate(year, first, second), text);
  return { unread: `date "${text}" could be day/month or month/day: left out, ${HOW}` };
}

const fullYear = (year: string): number => (year.length === 2 ? 2000 + Number(year) : Number(year));

const NUMERIC: readonly (readonly [RegExp, (match: RegExpExecArray) => Found])[] = [
  [
    /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/,
    (match) => found(calendarDate(Number(match[1]), Number(match[2]), Number(match[3])), match[0]),
  ],
  [
    /(?<![\d.])(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d{2})(?![\d:.])/,
    (match) => found(calendarDate(fullYear(match[3] ?? ''), Number(match[2]), Number(match[1])), match[0]),
  ],
  [
    /(?<!\d)(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})(?!\d)/,
    (match) => slashed(match[0], Number(match[1]), Number(match[2]), fullYear(match[3] ?? '')),
  ],
];

const DAY_FIRST = /(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.)?(?: of)? ?(\p{L}{3,10})\.?,?(?: (\d{4}))?(?!\d)/gu;
const MONTH_FIRST = /(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?(?![\d:])/gu;

function named(text: string): Found {
  for (const [pattern, monthAt, dayAt] of [
    [DAY_FIRST, 2, 1],
    [MONTH_FIRST, 1, 2],
  ] as const) {
    for (const match of text.matchAll(pattern)) {
      const month = monthOf(match[monthAt] ?? '');
      if (month === 0) continue;
      if (match[3] === undefined) return { unread: `date "${match[0]}" has no year: left out, ${HOW}` };
      return found(calendarDate(Number(match[3]), month, Number(match[dayAt])), match[0]);
    }
  }
  return null;
}

function findDate(text: string): Found {
  for (const [pattern, read] of NUMERIC) {
    const match = pattern.exec(text);
    if (match) return read(match);
  }
  return named(text);
}

/** Of two letters only the German ones, in capitals: "we" and "so" are words. */
const SHORT_DAYS = new Set(['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So']);

function findWeekday(text: string): Weekday | null {
  for (const [word] of text.matchAll(/(?<![\p{L}\d])\p{L}{2,12}(?!\p{L})/gu)) {
    const day = word.length > 2 || SHORT_DAYS.has(word) ? weekdayOf(word) : null;
    if (day) return day;
  }
  return null;
}

export interface ReadDate {
  date: string | null;
  weekday: Weekday | null;
  /** The text without the date, in which a time may stand. */
  rest: string;
  /** Whether a date was there that could not be read; what and why is noted. */
  isUnread: boolean;
}

/** The date and the weekday in a text. What cannot be read for certain is noted and left out, never guessed. */
export function readDate(value: string, note: Note): ReadDate {
  const text = squeeze(value.slice(0, 200));
  const hit = findDate(text);
  if (hit === null) return { date: null, weekday: findWeekday(text), rest: text, isUnread: false };
  if ('unread' in hit) {
    note(hit.unread);
    return {
      date: null,
      weekday: null,
      rest: text.replace(/\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}/, ' '),
      isUnread: true,
    };
  }
  if (/(?<!\d)\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2}$/.test(hit.text))
    note(`date "${hit.text}" read as ${hit.date}`);
  const rest = text.replace(hit.text, ' ').replace(/^ ?T(?=\d)/, ' ');
  return { date: hit.date, weekday: findWeekday(rest), rest, isUnread: false };
}

/** The date to judge by, from a date and a weekday that may come from different lines. */
export function settleDate(date: string | null, weekday: Weekday | null, note: Note): string | null {
  if (date === null) {
    if (weekday === null) return null;
    const stand = `2024-01-0${weekdays.indexOf(weekday) + 1}`;
    note(`day given as ${titleOf(weekday)} without a date: judged as ${titleOf(weekday)}, ${stand}`);
    return stand;
  }
  const actual = weekdayOfDate(date);
  if (weekday !== null && weekday !== actual)
    note(`${date} is a ${titleOf(actual)}, not a ${titleOf(weekday)}: the date counts`);
  return date;
}

const CLOCK =
  /(?<![\d.,:])(\d{1,2})(?:[:h]| ?\. ?)(\d{2})(?::\d{2}(?:[.,]\d{1,6})?)?(?!\d)(?: ?([ap])\.? ?m\b\.?| ?(uhr|h)\b)?/i;
const HOUR = /(?<![\d.,:])(\d{1,2}) ?(?:([ap])\.? ?m\b\.?|(uhr|h)\b)/i;
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:noon|midday)\b|\bmittags?\b/i, '12:00'],
  [/\bmidnight\b|\bmitternacht\b/i, '00:00'],
];

const pad = (value: number): string => String(value).padStart(2, '0');

function toClock(hour: number, minute: number, half: string | undefined): string | null {
  if (minute > 59 || hour > 23) return null;
  if (half === undefined) return `${pad(hour)}:${pad(minute)}`;
  if (hour < 1 || hour > 12) return null;
  return `${pad((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0))}:${pad(minute)}`;
}

/** The time of day in a text, as `HH:MM` on the 24-hour clock, or null. `8:35` without am or pm is noted. */
export function readTime(value: string, note: Note): string | null {
  const text = squeeze(value);
  const match = CLOCK.exec(text);
  if (match) {
    const [, hour = '', minute = '', half, clock] = match;
    const time = toClock(Number(hour), Number(minute), half);
    if (time && half === undefined && clock === undefined && /^[1-9]$/.test(hour))
      note(`time "${match[0].trim()}" has neither am nor pm: read on the 24-hour clock as ${time}`);
    return time;
  }
  const full = HOUR.exec(text);
  if (full) return toClock(Number(full[1]), 0, full[2]);
  return WORDS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

const CLOCK_IN_LINE =
  /(?<![\d.:])(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,6})?)?(?: ?[ap]\.?m\b\.?)?|\d{1,2}(?:\.\d{2})? ?(?:[ap]\.?m\b\.?|uhr\b))(?:Z\b|[+-]\d{2}:?\d{2})?/i;
/** From one time of day to another: hours of a place, no moment, and no offset of a time zone either. */
const SPAN = /\d{1,2}[:.]\d{2} ?[-–—] ?\d{1,2}[:.]\d{2}/;
const NOISE = /^(?:uhr|um|am|at|on|the|den|der|ca|h|t)$/i;
const quiet = () => {};

/** Whether a line is a date, or a time of day, and nothing else: `Mo 04.03.24, 22:15`. */
export function momentLine(line: string): 'date' | 'time' | null {
  if (line.length > 80 || !/\d/.test(line)) return null;
  const text = squeeze(line.replace(/[*_`"“”„()[\]]/g, ' '));
  const { date, weekday, rest, isUnread } = readDate(text, quiet);
  if (date === null && weekday !== null && SPAN.test(rest)) return null;
  const timeless = rest.replace(CLOCK_IN_LINE, ' ');
  const words = timeless.replace(/\p{L}{1,12}/gu, (word) =>
    weekdayOf(word) || NOISE.test(word) ? '' : word,
  );
  if (/[\p{L}\p{N}]/u.test(words)) return null;
  const hasTime = timeless !== rest;
  if (date !== null || isUnread || (weekday !== null && hasTime)) return 'date';
  return hasTime ? 'time' : null;
}

/** How to use a moment that was left out, such as that of a log; null where the text holds none. */
export function momentHint(text: string): string | null {
  const { date, rest } = readDate(text, quiet);
  const time = CLOCK_IN_LINE.test(rest) ? readTime(rest, quiet) : null;
  const lines = [date === null ? [] : [`Date: ${date}`], time === null ? [] : [`Time: ${time}`]].flat();
  return lines.length === 0 ? null : `add ${lines.join(' and ')} if that was the moment of the request`;
}
