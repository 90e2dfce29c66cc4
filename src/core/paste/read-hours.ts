import { type OpeningHours, type Weekday, weekdays } from '../case.ts';
import { daysBetween, weekdayOf } from './days.ts';
import type { Note } from './read-quantity.ts';

type Half = 'a' | 'p';
type Token =
  | { type: 'day'; day: Weekday }
  | { type: 'days'; days: readonly Weekday[] }
  | { type: 'time'; hour: number; minute: number; half: Half | null; isExact: boolean }
  | { type: 'closed' | 'all-day' | 'dash' | 'and' };

const NOISE = new Set([
  'uhr',
  'open',
  'opens',
  'geöffnet',
  'offen',
  'from',
  'von',
  'ab',
  'hours',
  'h',
  'hrs',
  'o',
  'clock',
  'on',
  'am',
  'the',
  'every',
  'jeden',
  'jeder',
  'only',
  'nur',
]);
const GROUPS: Readonly<Record<string, readonly Weekday[]>> = {
  daily: weekdays,
  everyday: weekdays,
  täglich: weekdays,
  taeglich: weekdays,
  day: weekdays,
  tag: weekdays,
  today: [],
  weekdays: weekdays.slice(0, 5),
  weekday: weekdays.slice(0, 5),
  weekend: weekdays.slice(5),
  weekends: weekdays.slice(5),
  wochenende: weekdays.slice(5),
  wochenends: weekdays.slice(5),
};
const WORDS: Readonly<Record<string, Token['type'] & ('closed' | 'all-day' | 'dash' | 'and')>> = {
  closed: 'closed',
  geschlossen: 'closed',
  ruhetag: 'closed',
  zu: 'closed',
  durchgehend: 'all-day',
  to: 'dash',
  bis: 'dash',
  till: 'dash',
  until: 'dash',
  til: 'dash',
  through: 'dash',
  thru: 'dash',
  and: 'and',
  und: 'and',
};
const TIMES_OF_DAY: Readonly<Record<string, number>> = {
  noon: 12,
  midday: 12,
  mittag: 12,
  midnight: 24,
  mitternacht: 24,
};

const TOKEN =
  /(24 ?\/ ?7|(?:open )?24 ?(?:h|hours|hrs|stunden|std)\b(?! ?[-–—])|rund um die uhr|all day)|(\d{1,2})(?:[:.h](\d{2}))?(?: ?([ap])\.? ?m\b\.?)?|(\p{L}{1,12})\.?|([-–—−~])|([,;/&|+\n])|([^\s:()*_`"'])/giu;

function wordToken(word: string): Token | 'noise' | null {
  const lower = word.toLowerCase();
  const day = weekdayOf(lower);
  if (day) return { type: 'day', day };
  const days = Object.hasOwn(GROUPS, lower) ? GROUPS[lower] : undefined;
  if (days) return days.length > 0 ? { type: 'days', days } : null;
  const type = Object.hasOwn(WORDS, lower) ? WORDS[lower] : undefined;
  if (type) return { type };
  const hour = Object.hasOwn(TIMES_OF_DAY, lower) ? TIMES_OF_DAY[lower] : undefined;
  if (hour !== undefined) return { type: 'time', hour, minute: 0, half: null, isExact: true };
  return NOISE.has(lower) ? 'noise' : null;
}

function tokenOf(match: RegExpMatchArray): Token | 'noise' | null {
  const [, allDay, hour, minute, half, word, dash, separator] = match;
  if (allDay !== undefined) return { type: 'all-day' };
  if (hour !== undefined) {
    const token: Token = {
      type: 'time',
      hour: Number(hour),
      minute: Number(minute ?? 0),
      half: half === undefined ? null : half.toLowerCase() === 'p' ? 'p' : 'a',
      isExact: minute !== undefined || hour.startsWith('0'),
    };
    const isValid =
      token.minute < 60 && (token.half ? token.hour >= 1 && token.hour <= 12 : token.hour <= 24);
    return isValid ? token : null;
  }
  if (word !== undefined) return wordToken(word);
  if (dash !== undefined) return { type: 'dash' };
  return separator === undefined ? null : { type: 'and' };
}

/** The text as tokens, or null where it holds a word that is no part of opening hours. */
function tokenize(text: string): Token[] | null {
  const tokens: Token[] = [];
  for (const match of text.slice(0, 4000).matchAll(TOKEN)) {
    const token = tokenOf(match);
    if (token === null) return null;
    if (token !== 'noise') tokens.push(token);
  }
  return text.length > 4000 ? null : tokens;
}

type Time = Extract<Token, { type: 'time' }>;

const minutesOf = (time: Time, half: Half | null): number =>
  (half === null ? time.hour : (time.hour % 12) + (half === 'p' ? 12 : 0)) * 60 + time.minute;

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** `5-10pm` starts in the afternoon, `11-9:30pm` in the morning: the start takes the half that keeps it before the end. */
function spanOf(open: Time, close: Time, note: Note): string {
  const end = minutesOf(close, close.half);
  let start = minutesOf(open, open.half);
  const says = `${open.hour}${open.half ? `${open.half}m` : ''}-${close.hour}${close.half ? `${close.half}m` : ''}`;
  if (open.half === null && close.half !== null && open.hour <= 12) {
    const same = minutesOf(open, close.half);
    start = same < end || close.half === 'a' ? same : minutesOf(open, close.half === 'p' ? 'a' : 'p');
    note(`opening hours "${says}" read as ${clock(start)}-${clock(end)}`);
  } else if (open.half === null && close.half === null && !close.isExact && close.hour <= 12 && end <= start)
    note(`opening hours "${says}" read on the 24-hour clock as ${clock(start)}-${clock(end)}`);
  return `${clock(start % 1440)}-${end === 0 ? '24:00' : clock(end)}`;
}

interface Group {
  days: Weekday[];
  spans: string[];
}

/** Reads tokens as groups of days, each followed by its spans; null where they do not have that shape. */
function group(tokens: readonly Token[], note: Note): Group[] | null {
  const groups: Group[] = [];
  let current: Group = { days: [], spans: [] };
  const addDays = (days: readonly Weekday[]) => {
    if (current.spans.length > 0) {
      groups.push(current);
      current = { days: [], spans: [] };
    }
    current.days.push(...days);
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const [dash, second] = [tokens[at + 1], tokens[at + 2]];
    if (token?.type === 'day' && dash?.type === 'dash' && second?.type === 'day') {
      addDays(daysBetween(token.day, second.day));
      at += 2;
    } else if (token?.type === 'day') addDays([token.day]);
    else if (token?.type === 'days') addDays(token.days);
    else if (token?.type === 'time') {
      if (dash?.type !== 'dash' || second?.type !== 'time') return null;
      current.spans.push(spanOf(token, second, note));
      at += 2;
    } else if (token?.type === 'closed') current.spans.push('closed');
    else if (token?.type === 'all-day') current.spans.push('00:00-24:00');
  }
  if (current.spans.length === 0) return null;
  return [...groups, current];
}

/** `00:00-24:00` where the text says so in any way; `closed` only when nothing else is said. */
const joinSpans = (spans: readonly string[]): string => {
  const open = spans.filter((span) => span !== 'closed');
  return open.length === 0 ? 'closed' : open.join(', ');
};

/**
 * Opening hours in one text: `Mo–Fr 12–22 Uhr, Sa 18-1, So geschlossen`, `daily 11am–9:30pm`, one day a line. Null
 * where any of it cannot be read. Hours without a day hold for every day, and that is noted.
 */
export function readHours(text: string, note: Note): OpeningHours | null {
  const tokens = tokenize(text);
  const notes: string[] = [];
  const groups = tokens && tokens.length > 0 ? group(tokens, (assumption) => notes.push(assumption)) : null;
  if (groups === null) return null;
  const hours: OpeningHours = {};
  for (const { days, spans } of groups) {
    if (days.length === 0) notes.push(`opening hours "${joinSpans(spans)}" name no day: read as every day`);
    for (const day of days.length === 0 ? weekdays : days) hours[day] = joinSpans(spans);
  }
  for (const assumption of new Set(notes)) note(assumption);
  return hours;
}

const DAY_FIRST = /^\W{0,6}(\p{L}{2,12})/u;

/** Whether a line gives the hours of a day or of several: it begins with a day and is readable to its end. */
export function isHoursLine(line: string): boolean {
  const word = DAY_FIRST.exec(line.trimStart())?.[1]?.toLowerCase();
  if (word === undefined || line.length > 200) return false;
  if (weekdayOf(word) === null && !Object.hasOwn(GROUPS, word)) return false;
  return readHours(line, () => {}) !== null;
}
