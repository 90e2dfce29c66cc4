import { DAY_MS } from '../common/index.ts';
import { type Words, wordsIn } from '../words/index.ts';
import { readCron } from './next-digest-time.ts';

const SUNDAY = Date.UTC(2024, 0, 7);

/** Names of the weekdays in a language, starting with Sunday. */
const weekdays = (locale: string, weekday: 'long' | 'short'): string[] => {
  const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, day) => format.format(SUNDAY + day * DAY_MS));
};
const NAMES = ['en', 'de'].flatMap((locale) => [weekdays(locale, 'short'), weekdays(locale, 'long')]);

/** The weekday that a word such as `mon`, `Mondays`, `montags` or `Mo.` names, 0 (Sunday) to 6; null if it names none. */
function dayOf(word: string): number | null {
  const bare = word.replace(/[.s]$/, '');
  const isNamed = (name: string) => {
    const day = name.toLowerCase().replace('.', '');
    return day === word || day === bare || (bare.length > 2 && day.startsWith(bare));
  };
  for (const names of NAMES) {
    const day = names.findIndex(isNamed);
    if (day >= 0) return day;
  }
  return word === 'sonnabend' ? 6 : null;
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const GROUPS: readonly (readonly [words: RegExp, days: readonly number[]])[] = [
  [/^(days?|daily|tage?|täglich)$/, EVERY_DAY],
  [/^(weekdays?|workdays?|werktage?s?|wochentage?s?)$/, [1, 2, 3, 4, 5]],
  [/^(weekends?|wochenenden?)$/, [0, 6]],
];
const FILLERS = new Set("every each on at and the in o'clock am pm jeden jede jedes um und uhr @".split(' '));
const NAMED_TIMES: Readonly<Record<string, string>> = {
  noon: '12:00',
  mittags: '12:00',
  midnight: '0:00',
  mitternachts: '0:00',
};

/** Minutes since midnight; null if the word is not a time. A bare number counts as an hour only where one is expected. */
function timeOf(word: string, next: string, isExpected: boolean): number | null {
  const match = /^(?<hours>\d{1,2})(?:[:.](?<minutes>\d{2}))?(?<suffix>am|pm|h|uhr)?$/.exec(
    NAMED_TIMES[word] ?? word,
  );
  if (match === null) return null;
  const { hours, minutes, suffix } = match.groups ?? {};
  const half = suffix ?? (/^(am|pm|uhr)$/.test(next) ? next : undefined);
  if (minutes === undefined && half === undefined && !isExpected) return null;
  const hour = Number(hours);
  const isTwelve = half === 'am' || half === 'pm';
  if (hour > 23 || Number(minutes ?? 0) > 59 || (isTwelve && (hour < 1 || hour > 12))) return null;
  return (isTwelve ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour) * 60 + Number(minutes ?? 0);
}

const CRON_NAMES = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat';
const CRON_FIELD = new RegExp(`^(\\*|\\d+|${CRON_NAMES})([-,/](\\d+|${CRON_NAMES}))*$`, 'i');
/** 9:00, for a schedule without a time. */
const DEFAULT_TIME = 9 * 60;

/** The schedule described by one word, or by all words so far. */
interface Meaning {
  days: readonly number[];
  time: number | null;
  isHourly: boolean;
}

const nothing: Meaning = { days: [], time: null, isHourly: false };

/** What a word says about a schedule; null if nothing. */
function meaningOf(word: string, next: string, isHourExpected: boolean): Meaning | null {
  const time = timeOf(word, next, isHourExpected);
  if (time !== null) return { ...nothing, time };
  const group = GROUPS.find(([names]) => names.test(word));
  if (group !== undefined) return { ...nothing, days: group[1] };
  if (/^(hours?|hourly|stunde|stündlich)$/.test(word)) return { ...nothing, isHourly: true };
  const day = dayOf(word);
  if (day !== null) return { ...nothing, days: [day] };
  return FILLERS.has(word) ? nothing : null;
}

function cronOf({ days, time, isHourly }: Meaning): string {
  const at = time ?? (isHourly ? 0 : DEFAULT_TIME);
  const on = [...new Set(days)].sort();
  return `${at % 60} ${isHourly ? '*' : Math.floor(at / 60)} * * ${on.length % 7 === 0 ? '*' : on.join(',')}`;
}

/** The cron fields (five or six) at the start, and the words after them; null if there are none. */
function leadingCron(words: readonly string[]): { cron: string; rest: string[] } | null {
  const firstNonCron = words.findIndex((word) => !CRON_FIELD.test(word));
  const count = Math.min(6, firstNonCron < 0 ? words.length : firstNonCron);
  if (count < 5 || !/^[\d*]/.test(words[0] ?? '')) return null;
  return { cron: words.slice(0, count).join(' '), rest: words.slice(count) };
}

/**
 * Reads a schedule in everyday words: `every monday 9am`, `weekdays at 8:30`, `jeden Montag um 9`, `daily at noon`, or cron fields.
 * @returns cron fields, and the words that follow; null if the words do not begin with a time
 */
export function readScheduleWords(given: readonly string[]): { cron: string; rest: string[] } | null {
  const parts = given.flatMap((word) => word.split(/\s+/)).filter((word) => word !== '');
  const fields = leadingCron(parts);
  if (fields !== null) return fields;

  const words = parts.flatMap((word) => word.split(',')).filter((word) => word !== '');
  let schedule = nothing;
  let index = 0;
  for (; index < words.length; index += 1) {
    const [word = '', next = ''] = words.slice(index, index + 2).map((one) => one.toLowerCase());
    const isHourExpected = schedule.days.length > 0 || /^(at|um|@)$/i.test(words[index - 1] ?? '');
    const meaning = meaningOf(word, next, isHourExpected);
    if (meaning === null || (meaning.time !== null && schedule.time !== null)) break;
    schedule = {
      days: [...schedule.days, ...meaning.days],
      time: schedule.time ?? meaning.time,
      isHourly: schedule.isHourly || meaning.isHourly,
    };
  }
  if (schedule.days.length === 0 && schedule.time === null && !schedule.isHourly) return null;
  // "do" on its own is the English verb, not German "Do" (Thursday).
  if (schedule.time === null && words.slice(0, index).every((word) => word.length < 3)) return null;
  return { cron: cronOf(schedule), rest: words.slice(index) };
}

function daysText(days: readonly number[] | null, { schedules: { when }, digests, verdict }: Words): string {
  const group = GROUPS.findIndex(([, groupDays]) => groupDays.join() === (days ?? EVERY_DAY).join());
  const names = weekdays(digests.locale, 'long');
  return (
    [when.groups.all, when.groups.weekdays, when.groups.weekends][group] ??
    verdict.list((days ?? []).map((day) => when.onDay(names[day] ?? '')))
  );
}

/** The schedule in words: `Mondays at 9:00`. Cron fields too complex for that are returned unchanged. */
export function scheduleWords(cron: string, words: Words = wordsIn('en')): string {
  const { when } = words.schedules;
  const { seconds, minutes, hours, daysOfMonth, months, daysOfWeek } = readCron(cron);
  const [minute = 0] = minutes;
  const isPlain = seconds.join() === '0' && minutes.length === 1 && daysOfMonth === null;
  if (!isPlain || months.length < 12) return cron;
  const past = `:${String(minute).padStart(2, '0')}`;
  const days = daysText(daysOfWeek, words);
  if (hours.length === 24) return when.hourly({ past, days: daysOfWeek === null ? null : days });
  return when.at({ days, times: words.verdict.list(hours.map((hour) => `${hour}${past}`)) });
}

/** All time zones, for a list. */
export const timeZones = (): string[] => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

/** The time zone that a word stands for: its name in any case, or the word itself if it looks like a time zone. Null for any other word. */
export function zoneIn(word: string): string | null {
  const named = timeZones().find((zone) => zone.toLowerCase() === word.toLowerCase());
  const isMeant =
    word.includes('/') || zoneOfCity(word) !== null || /^(gmt|utc|[ce]es?t|[ecmp][ds]t)$/i.test(word);
  return named ?? (isMeant ? word : null);
}

/** The time zone of a city: `Europe/Berlin` for `Berlin`. Null if there is none. */
export const zoneOfCity = (word: string): string | null =>
  timeZones().find((zone) => zone.split('/').at(-1)?.toLowerCase() === word.toLowerCase()) ?? null;
