import { type OpeningHours, type Weekday, weekdays } from '../case.ts';
import {
  clockTime,
  daysIn,
  groupsOf,
  MAX_HOURS,
  namesDaySpan,
  type ReadSpan,
  startsWithDay,
  weekdayNamed,
} from '../opening-hours.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import { excerpt } from './text.ts';
import type { Note, Reading } from './values.ts';

const spanText = ({ from, to }: Pick<ReadSpan, 'from' | 'to'>): string =>
  `${clockTime(from)}-${to % 1440 === 0 ? '24:00' : clockTime(to)}`;

/** The hours of one text of which all can be read, else null. */
function readAll(text: string, words: Words, note: Note): OpeningHours | null {
  const groups = groupsOf(text, words);
  if (groups === null) return null;
  const hours: OpeningHours = {};
  const notes = new Set<string>();
  for (const { days, spans, from, to } of groups) {
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
  return hours;
}

/** Where a part for other days may begin: after a semicolon or a line end, or after a comma before a day. */
function partsOf(text: string, words: Words): string[] {
  const parts: string[] = [];
  for (const piece of text.split(/(?<=[;\n,])/)) {
    const last = parts.at(-1);
    if (last === undefined || !last.endsWith(',') || startsWithDay(piece, words)) parts.push(piece);
    else parts[parts.length - 1] += piece;
  }
  return parts.map((part) => part.replace(/[;,\s]$/, '').trim()).filter((part) => part !== '');
}

/** Most parts that are read one by one. */
const MAX_PARTS = 40;

/**
 * Opening hours in one text: `Mo–Fr 12–22 Uhr, Sa 18-1, So geschlossen`, `daily 11am–9:30pm`, one day a line. A part
 * that cannot be read is noted, and its days are left out; null where nothing can be read. Hours without a day hold
 * for every day, and that is noted.
 */
export function readHours(text: string, words: Words, note: Note): OpeningHours | null {
  const whole = readAll(text, words, note);
  if (whole !== null || text.length > MAX_HOURS) return whole;
  const parts = partsOf(text, words);
  if (parts.length < 2 || parts.length > MAX_PARTS) return null;
  const hours: OpeningHours = {};
  const notes: string[] = [];
  const unread = parts.filter((part) => {
    const read = readAll(part, words, (assumption) => notes.push(assumption));
    Object.assign(hours, read);
    return read === null;
  });
  for (const day of unread.flatMap((part) => daysIn(part, words))) delete hours[day];
  if (Object.keys(hours).length === 0) return null;
  for (const assumption of notes) note(assumption);
  for (const part of unread)
    note(
      `left out: opening hours "${excerpt(part, 40)}", not understood; add "Opening hours: Monday 12:00-20:00"`,
    );
  return hours;
}

/** Whether a line gives the hours of a day or of several: it begins with a day and is readable to its end. */
export const isHoursLine = (line: string, words: Words): boolean =>
  line.length <= 200 && startsWithDay(line, words) && readHours(line, words, () => {}) !== null;

/** A number, or a word for closed. */
const saysSome = oncePer(({ hours }: Words) => new RegExp(`\\d|${alternatives(hours.closed)}`, 'iu'));

/** Whether a line below a header for hours is meant to give some, readable or not: `Sa ab 18 Uhr`. */
export const isMeantAsHours = (line: string, words: Words): boolean =>
  isHoursLine(line, words) ||
  (line.length <= 60 &&
    startsWithDay(line, words) &&
    saysSome(words).test(line) &&
    !/[.?!] ?$|(?:\p{L}+ ){5}/u.test(line));

const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** The spans of a day as text: a text, `{open, close}`, or a list of either. No span at all means closed. */
function spansText(value: unknown): string | null {
  if (typeof value === 'string') return value.replaceAll(/[[\]"']/g, ' ');
  if (Array.isArray(value)) {
    const parts = value.map(spansText);
    return parts.length === 0 ? 'closed' : parts.includes(null) ? null : parts.join(', ');
  }
  const isSpan = typeof value === 'object' && value !== null && 'open' in value && 'close' in value;
  return isSpan && isPlain(value.open) && isPlain(value.close) ? `${value.open} - ${value.close}` : null;
}

/** Days of a key such as `monday`, `Mo-Fr` or `daily`. */
function daysOfKey(key: string, { format }: Reading): Weekday[] | null {
  const day = weekdayNamed(key.trim(), format.words);
  if (day) return [day];
  const closed = format.words.hours.closed[0] ?? '';
  const line = `${key.replaceAll('_', '-')}: ${closed}`;
  const hours = key.length <= 60 ? readHours(line, format.words, () => {}) : null;
  return hours === null ? null : Object.keys(hours).flatMap((name) => weekdayNamed(name, format.words) ?? []);
}

/** Hours by day; days that cannot be read are noted and left out. */
function readHoursByDay(value: object, reading: Reading): OpeningHours | null {
  const { format, note } = reading;
  const hours: OpeningHours = {};
  for (const [key, spans] of Object.entries(value)) {
    const days = daysOfKey(key, reading);
    const text = spansText(spans);
    const daily = `${format.words.hours.everyDay[0] ?? ''} ${text}`;
    const read = text === null ? undefined : readHours(daily, format.words, note)?.monday;
    if (Array.isArray(spans) && spans.length === 0)
      note(`opening hours of ${excerpt(key, 30)} are an empty list: read as closed`);
    if (days === null || read === undefined)
      note(`left out: opening hours "${excerpt(key, 30)}: ${excerpt(text ?? '', 40)}", not understood`);
    else for (const day of days) hours[day] = read;
  }
  return Object.keys(hours).length === 0 ? null : hours;
}

/** `Tue-Sun 12-22` says that Monday is closed: where a span of days is given, those outside it are. */
function closeOthers(
  hours: OpeningHours | null,
  text: string,
  { format, note }: Reading,
): OpeningHours | null {
  const others = weekdays.filter((day) => hours !== null && hours[day] === undefined);
  const isWeek = others.length > 0 && others.length <= 2 && namesDaySpan(text, format.words);
  if (hours === null || !isWeek || groupsOf(text, format.words) === null) return hours;
  for (const day of others) hours[day] = 'closed';
  note(`opening hours "${excerpt(text, 40)}" do not name ${others.join(' and ')}: read as closed`);
  return hours;
}

/** Opening hours from text, a list of lines, or an object by day. */
export function readOpeningHours(value: unknown, reading: Reading): OpeningHours | null {
  const read = (text: string) =>
    closeOthers(readHours(text, reading.format.words, reading.note), text, reading);
  if (typeof value === 'string') return read(value.replaceAll(/[[\]"']/g, ' '));
  if (Array.isArray(value)) {
    const lines = value.map(spansText);
    return lines.length === 0 || lines.includes(null) ? null : read(lines.join('\n'));
  }
  if (typeof value !== 'object' || value === null) return null;
  if ('weekdayDescriptions' in value) return readOpeningHours(value.weekdayDescriptions, reading);
  const span = spansText(value);
  return span === null ? readHoursByDay(value, reading) : read(span);
}
