import { oncePer } from '../../common/index.ts';
import {
  alternatives,
  clockTime,
  groupsOf,
  namesDaySpan,
  type ReadSpan,
  startsWithDay,
  type Words,
  weekdayNamed,
} from '../format/index.ts';
import { isRecord, type OpeningHours, type Weekday, weekdays } from '../index.ts';
import { excerpt } from './clean-text.ts';
import type { Note, Reading } from './values.ts';

const spanText = ({ from, to }: Pick<ReadSpan, 'from' | 'to'>): string =>
  `${clockTime(from)}-${to % 1440 === 0 ? '24:00' : clockTime(to)}`;

/**
 * Reads opening hours from a text: `Mo–Fr 12–22 Uhr, Sa 18-1, So geschlossen`, `daily 11am–9:30pm`, or one day per line.
 * Hours without a day apply to every day, with a note.
 * @returns null if any part cannot be read
 */
export function readHours(text: string, words: Words, note: Note): OpeningHours | null {
  const hours: OpeningHours = {};
  const notes = new Set<string>();
  const groups = groupsOf(text, words);
  for (const { days, spans, from, to } of groups ?? []) {
    for (const span of spans.filter(({ assumed }) => assumed !== null)) {
      const how = span.assumed === 'half' ? '' : 'on the 24-hour clock ';
      notes.add(`opening hours "${span.says}" read ${how}as ${clockTime(span.from)}-${clockTime(span.to)}`);
    }
    if (days.length === 0)
      notes.add(`opening hours "${text.slice(from, to).trim()}" name no day: read as every day`);
    for (const day of days.length === 0 ? weekdays : days)
      hours[day] = spans.length === 0 ? 'closed' : spans.map(spanText).join(', ');
  }
  for (const assumption of notes) note(assumption);
  return groups === null ? null : hours;
}

/** Whether a line starts with a day and can be read completely as opening hours. Longer lines are text; reading them is slow. */
export const isHoursLine = (line: string, words: Words): boolean =>
  line.length <= 200 && startsWithDay(line, words) && readHours(line, words, () => {}) !== null;

/** Matches a digit or a word for closed. */
const saysSome = oncePer(({ hours }: Words) => new RegExp(`\\d|${alternatives(hours.closed)}`, 'iu'));

/** Whether a line below a header for hours is meant as opening hours, even if it cannot be read: `Sa ab 18 Uhr`. Sentences are not. */
export const isMeantAsHours = (line: string, words: Words): boolean =>
  isHoursLine(line, words) ||
  (line.length <= 60 &&
    startsWithDay(line, words) &&
    saysSome(words).test(line) &&
    !/[.?!] ?$|(?:\p{L}+ ){5}/u.test(line));

/**
 * The hours of a day as text.
 * @param value a text, `{open, close}`, or a list of these; an empty list means closed
 */
function spansText(value: unknown): string | null {
  if (typeof value === 'string') return value.replaceAll(/[[\]"']/g, ' ');
  if (Array.isArray(value)) {
    const parts = value.map(spansText);
    return parts.length === 0 ? 'closed' : parts.includes(null) ? null : parts.join(', ');
  }
  const [open, close] = isRecord(value) ? [value.open, value.close] : [];
  const isPlain = (end: unknown) => typeof end === 'string' || typeof end === 'number';
  return isPlain(open) && isPlain(close) ? `${open} - ${close}` : null;
}

/** The days that a key such as `monday`, `Mo-Fr` or `daily` stands for. */
function daysOfKey(key: string, words: Words): Weekday[] {
  const line = `${key.slice(0, 60).replaceAll('_', '-')}: ${words.hours.closed[0]}`;
  const named = Object.keys(readHours(line, words, () => {}) ?? {});
  return named.flatMap((name) => weekdayNamed(name, words) ?? []);
}

/** Reads hours from an object with a key per day or range of days; days that cannot be read are noted and left out. */
function readHoursByDay(value: object, { format: { words }, note }: Reading): OpeningHours | null {
  const hours: OpeningHours = {};
  for (const [key, spans] of Object.entries(value)) {
    const days = daysOfKey(key, words);
    const text = spansText(spans);
    const read =
      text === null ? undefined : readHours(`${words.hours.everyDay[0]} ${text}`, words, note)?.monday;
    if (Array.isArray(spans) && spans.length === 0)
      note(`opening hours of ${excerpt(key, 30)} are an empty list: read as closed`);
    if (days.length === 0 || read === undefined)
      note(`left out: opening hours "${excerpt(key, 30)}: ${excerpt(text ?? '', 40)}", not understood`);
    else for (const day of days) hours[day] = read;
  }
  return Object.keys(hours).length === 0 ? null : hours;
}

/**
 * Reads hours from a text. If it gives a range of days, one or two days outside it are closed: `Tue-Sun 12-22` means that
 * Monday is.
 */
function readHoursText(text: string, { format: { words }, note }: Reading): OpeningHours | null {
  const hours = readHours(text, words, note);
  const others = weekdays.filter((day) => hours !== null && hours[day] === undefined);
  if (hours === null || others.length === 0 || others.length > 2 || !namesDaySpan(text, words)) return hours;
  for (const day of others) hours[day] = 'closed';
  note(`opening hours "${excerpt(text, 40)}" do not name ${others.join(' and ')}: read as closed`);
  return hours;
}

/** Reads opening hours from a text, a list of lines, or an object by day. Null if they cannot be read. */
export function readOpeningHours(value: unknown, reading: Reading): OpeningHours | null {
  if (isRecord(value) && 'weekdayDescriptions' in value)
    return readOpeningHours(value.weekdayDescriptions, reading);
  const lines = Array.isArray(value) ? value.map(spansText) : [spansText(value)];
  if (lines.length > 0 && !lines.includes(null)) return readHoursText(lines.join('\n'), reading);
  return isRecord(value) ? readHoursByDay(value, reading) : null;
}
