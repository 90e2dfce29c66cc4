import { type Weekday, weekdays } from '../case.ts';
import { squeeze } from './clean-text.ts';
import { titleOf, weekdayOf, weekdayOfDate } from './days.ts';
import type { Note } from './read-quantity.ts';

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
