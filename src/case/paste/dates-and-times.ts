import { oncePer } from '../../common/index.ts';
import { capital } from '../../common/text/index.ts';
import {
  alternatives,
  type CaseFormat,
  months,
  type Words,
  weekdayNamed,
  weekdayOf,
} from '../format/index.ts';
import { isCalendarDate, type Weekday, weekdays } from '../index.ts';
import { excerpt, squeeze, stripQuotes } from './clean-text.ts';
import type { Note, Reading } from './values.ts';

const CLOCK_TIME = String.raw`(?<hour>\d{1,2})(?:[:h]| ?\. ?)(?<minute>\d{2})(?::\d{2}(?:[.,]\d{1,6})?)?(?!\d)`;
const HALF = String.raw`(?<half>[ap])\.? ?m\b\.?`;

const patterns = oncePer(({ moments, months: names }: Words) => {
  const oClock = `(?:${alternatives(moments.oClock)}|h)(?![\\p{L}\\d])`;
  const word = (words: readonly string[]) => new RegExp(`(?<!\\p{L})${alternatives(words)}(?!\\p{L})`, 'iu');
  return {
    months: new Map(
      months.flatMap((month, at) => (names[month] ?? []).map((name): [string, number] => [name, at + 1])),
    ),
    relative: word(moments.relative),
    noon: word(moments.noon),
    midnight: word(moments.midnight),
    /** An unmistakable time in a date line: `04.03.` is not three minutes past four. */
    showsTime: new RegExp(String.raw`\d:\d|\d ?(?:[ap]\.?m\b|${oClock})`, 'iu'),
    clock: new RegExp(String.raw`(?<![\d.,:])${CLOCK_TIME}(?: ?${HALF}| ?(?<oClock>${oClock}))?`, 'iu'),
    hour: new RegExp(String.raw`(?<![\d.,:])(?<hour>\d{1,2}) ?(?:${HALF}|${oClock})`, 'iu'),
    inLine: new RegExp(
      String.raw`(?<![\d.:])(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,6})?)?(?: ?[ap]\.?m\b\.?)?|\d{1,2}(?:\.\d{2})? ?(?:[ap]\.?m\b\.?|${alternatives(moments.oClock)}(?!\p{L})))(?:Z\b|[+-]\d{2}:?\d{2})?`,
      'iu',
    ),
    filler: new Set([...moments.filler, ...moments.oClock, 'h']),
  };
});

const HOW_TO: Readonly<Record<MomentField, string>> = {
  date: 'add "Date: 2026-03-02"',
  time: 'add "Time: 20:35"',
  dateTime: 'add "Date: 2026-03-02" and "Time: 20:35"',
};
export const HOW_MOMENT = HOW_TO.dateTime;

const pad = (value: number): string => String(value).padStart(2, '0');

function calendarDate(year: number, month: number, day: number): string | null {
  const iso = `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`;
  return isCalendarDate(iso) ? iso : null;
}

/** Patterns of dates. `first` and `second` are the day and the month, in either order. */
const DATES: readonly RegExp[] = [
  /(?<!\d)(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?!\d)/gu,
  /(?<![\d.])(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4}|\d{2})(?![\d:.])/gu,
  /(?<!\d)(?<first>\d{1,2})[/-](?<second>\d{1,2})[/-](?<year>\d{4}|\d{2})(?!\d)/gu,
  /(?<!\d)(?<day>\d{1,2})(?:st|nd|rd|th|\.)?(?: of)? ?(?<month>\p{L}{3,10})\.?,?(?: (?<year>\d{4}))?(?!\d)/gu,
  /(?<month>\p{L}{3,10})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\d{4}))?(?![\d:])/gu,
];

/** The parts of a date as written, by the names of the groups in {@link DATES}. */
type DateParts = Readonly<Record<string, string | undefined>>;

/** Which part is the day and which the month; null if both readings are possible, as in `03/04/2026`. */
function dayAndMonth({
  day,
  month,
  first = '',
  second = '',
}: DateParts): { day: string; month: string } | null {
  if (day !== undefined && month !== undefined) return { day, month };
  if (Number(first) > 12 || Number(first) === Number(second)) return { day: first, month: second };
  return Number(second) > 12 ? { day: second, month: first } : null;
}

/** A date as written and as ISO date. If `date` is null, `why` is the rest of a sentence that says why. */
interface FoundDate {
  said: string;
  date: string | null;
  why: string;
}

/** Builds a date from its parts; null if the word for the month is not one. */
function dateOf(said: string, parts: DateParts, words: Words): FoundDate | null {
  const { year = '' } = parts;
  const found = dayAndMonth(parts);
  if (found === null) return { said, date: null, why: 'which could be day/month or month/day' };
  const { day, month } = found;
  const named = /^\d/.test(month) ? Number(month) : patterns(words).months.get(month.toLowerCase());
  if (named === undefined) return null;
  if (year === '') return { said, date: null, why: 'which has no year' };
  const date = calendarDate(Number(year) + (year.length === 2 ? 2000 : 0), named, Number(day));
  return { said, date, why: 'not a day of the calendar' };
}

/** The first date in a text. */
function findDate(text: string, words: Words): FoundDate | null {
  for (const pattern of DATES)
    for (const { 0: dateText, groups = {} } of text.matchAll(pattern)) {
      const date = dateOf(dateText, groups, words);
      if (date) return date;
    }
  return null;
}

function findWeekday(text: string, words: Words): Weekday | null {
  for (const [word] of text.matchAll(/(?<![\p{L}\d])\p{L}{2,12}(?!\p{L})/gu)) {
    const counts = word.length > 2 || words.moments.shortWeekdays.includes(word);
    const day = counts ? weekdayNamed(word, words) : null;
    if (day) return day;
  }
  return null;
}

interface ReadDate {
  date: string | null;
  weekday: Weekday | null;
  /** The text without the date; it may hold a time. */
  rest: string;
  /** Whether there is a date that could not be read, as noted. */
  isUnread: boolean;
}

/** Reads the date and weekday in a text (its first 200 characters). Unclear or invalid dates are noted, never guessed. */
export function readDate(value: string, { format: { words }, note }: Reading): ReadDate {
  const text = squeeze(value.slice(0, 200));
  const { said, date, why } = findDate(text, words) ?? { said: '', date: null, why: '' };
  const isUnread = said !== '' && date === null;
  if (isUnread) note(`left out: date "${said}", ${why}; ${HOW_TO.date}`);
  if (date !== null && /(?<!\d)\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2}$/.test(said))
    note(`date "${said}" read as ${date}`);
  const rest = isUnread
    ? text.replace(/\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}/, ' ')
    : text.replace(said, ' ').replace(/^ {1,2}T(?=\d)/, ' ');
  return { date, weekday: isUnread ? null : findWeekday(rest, words), rest, isUnread };
}

/**
 * The ISO date to judge by, from a date and a weekday that may come from different lines. A weekday alone stands for a
 * day in January 2024; if the two contradict each other, the date counts. Both are noted.
 */
export function dateToJudgeBy(date: string | null, weekday: Weekday | null, note: Note): string | null {
  if (date === null) {
    if (weekday === null) return null;
    const stand = `2024-01-0${weekdays.indexOf(weekday) + 1}`;
    note(`only the weekday is given: judged as ${capital(weekday)}, ${stand}`);
    return stand;
  }
  const actual = weekdayOf(date);
  if (weekday !== null && actual !== null && weekday !== actual)
    note(`${date} is a ${capital(actual)}, not a ${capital(weekday)}: the date counts`);
  return date;
}

function toClock(hour: number, minute: number, half: string | undefined): string | null {
  if (minute > 59 || hour > 23) return null;
  if (half === undefined) return `${pad(hour)}:${pad(minute)}`;
  if (hour < 1 || hour > 12) return null;
  return `${pad((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0))}:${pad(minute)}`;
}

/** Reads a time of day as `HH:MM` on the 24-hour clock; null if there is none. `8:35` without am or pm is noted. */
export function readTime(value: string, { format, note }: Reading): string | null {
  const { clock, hour: whole, noon, midnight } = patterns(format.words);
  const text = squeeze(value);
  const match = clock.exec(text);
  if (match) {
    const { hour = '', minute = '', half, oClock } = match.groups ?? {};
    const time = toClock(Number(hour), Number(minute), half);
    if (time && half === undefined && oClock === undefined && /^[1-9]$/.test(hour))
      note(`time "${match[0].trim()}" has neither am nor pm: read on the 24-hour clock as ${time}`);
    return time;
  }
  const full = whole.exec(text)?.groups;
  if (full) return toClock(Number(full.hour), 0, full.half);
  return noon.test(text) ? '12:00' : midnight.test(text) ? '00:00' : null;
}

/** What a line can give: a date, a time or both. */
export type MomentField = 'date' | 'time' | 'dateTime';

export interface Moment {
  date: string | null;
  weekday: Weekday | null;
  time: string | null;
}

/** Reads the date and time after a label. Notes what was not understood and how to write it. */
export function readMoment(field: MomentField, label: string, value: unknown, reading: Reading): Moment {
  const { relative, showsTime } = patterns(reading.format.words);
  const { note } = reading;
  const text = typeof value === 'string' ? stripQuotes(squeeze(value)) : '';
  const { date, weekday, rest, isUnread } = readDate(text, reading);
  const time = field === 'time' || showsTime.test(rest) ? readTime(rest, reading) : null;
  if (time !== null && /\d ?(?:Z|[+-]\d{2}:?\d{2})$/.test(text))
    note(`the time zone of "${excerpt(text, 40)}" does not count: ${time} is taken as the user's local time`);
  const day = date === null ? relative.exec(text)?.[0] : undefined;
  if (day !== undefined && (weekday !== null || time !== null))
    note(`left out: "${day}", which names no date; ${HOW_TO.date}`);
  if (date === null && weekday === null && time === null && !isUnread)
    note(`left out: ${label} "${excerpt(text, 40)}", not understood; ${HOW_TO[field]}`);
  return { date, weekday, time };
}

/** A range of times: opening hours, not a time with an offset. */
const SPAN = /\d{1,2}[:.]\d{2} ?[-–—] ?\d{1,2}[:.]\d{2}/;
const silent = (format: CaseFormat): Reading => ({ format, note: () => {} });

/** Whether a line holds nothing but a date (`date`, with or without a time) or a time (`time`): `Mo 04.03.24, 22:15`. */
export function momentLine(line: string, format: CaseFormat): 'date' | 'time' | null {
  // The longest date with weekday, time and markup is shorter.
  if (line.length > 80 || !/\d/.test(line)) return null;
  const { words } = format;
  const { inLine, filler } = patterns(words);
  const text = squeeze(line.replace(/[*_`"“”„()[\]]/g, ' '));
  const { date, weekday, rest, isUnread } = readDate(text, silent(format));
  if (date === null && weekday !== null && SPAN.test(rest)) return null;
  const timeless = rest.replace(inLine, ' ');
  const others = timeless.replace(/\p{L}{1,12}/gu, (word) =>
    weekdayNamed(word, words) || filler.has(word.toLowerCase()) ? '' : word,
  );
  if (/[\p{L}\p{N}]/u.test(others)) return null;
  const hasTime = timeless !== rest;
  if (date !== null || isUnread || (weekday !== null && hasTime)) return 'date';
  return hasTime ? 'time' : null;
}

/** A hint on how to use a date or time that was left out, such as a log's; null if the text has none. */
export function momentHint(text: unknown, format: CaseFormat): string | null {
  if (typeof text !== 'string') return null;
  const { date, rest } = readDate(text, silent(format));
  const time = patterns(format.words).inLine.test(rest) ? readTime(rest, silent(format)) : null;
  const lines = [
    ...(date === null ? [] : [`"Date: ${date}"`]),
    ...(time === null ? [] : [`"Time: ${time}"`]),
  ];
  return lines.length === 0 ? null : `add ${lines.join(' and ')} if that was the moment of the request`;
}
