import { type OpeningHours, type Weekday, weekdays } from '../case.ts';
import { type Clock, clockTime, type Half, on24, openingOf } from '../opening-hours.ts';
import { daysBetween, weekdayOf } from './moments.ts';
import { excerpt } from './text.ts';
import type { Note } from './values.ts';

type Kind =
  | { type: 'day'; day: Weekday }
  | { type: 'days'; days: readonly Weekday[] }
  | { type: 'time'; hour: number; minute: number; half: Half; isExact: boolean }
  | { type: 'closed' | 'all-day' | 'dash' | 'and' };
/** With where it stands in the text, so that messages quote what was written. */
type Token = Kind & { from: number; to: number };

const NOISE = new Set(
  'uhr open opens geöffnet offen from von ab hours h hrs o clock on am the every jeden jeder only nur'.split(
    ' ',
  ),
);
/** What each word stands for, by all its spellings. */
const spelled = <Value>(table: readonly (readonly [Value, string])[]): ReadonlyMap<string, Value> =>
  new Map(table.flatMap(([value, words]) => words.split(' ').map((word): [string, Value] => [word, value])));

const GROUPS = spelled<readonly Weekday[]>([
  [weekdays, 'daily everyday täglich taeglich day tag'],
  [weekdays.slice(0, 5), 'weekday weekdays'],
  [weekdays.slice(5), 'weekend weekends wochenende wochenends'],
]);
const WORDS = spelled<'closed' | 'all-day' | 'dash' | 'and'>([
  ['closed', 'closed geschlossen ruhetag zu'],
  ['all-day', 'durchgehend'],
  ['dash', 'to bis till until til through thru'],
  ['and', 'and und'],
]);
const TIMES_OF_DAY = spelled([
  [12, 'noon midday mittag'],
  [24, 'midnight mitternacht'],
]);

const TOKEN =
  /(24 ?\/ ?7|(?:open )?24 ?(?:h|hours|hrs|stunden|std)\b(?! ?[-–—])|rund um die uhr|all day)|(\d{1,2})(?:[:.h](\d{2}))?(?: ?([ap])\.? ?m\b\.?)?|(\p{L}{1,12})\.?|([-–—−~])|([,;/&|+\n])|([^\s:()*_`"'])/giu;

function wordToken(word: string): Kind | 'noise' | null {
  const lower = word.toLowerCase();
  const day = weekdayOf(lower);
  if (day) return { type: 'day', day };
  const days = GROUPS.get(lower);
  if (days) return { type: 'days', days };
  const type = WORDS.get(lower);
  if (type) return { type };
  const hour = TIMES_OF_DAY.get(lower);
  if (hour !== undefined) return { type: 'time', hour, minute: 0, half: null, isExact: true };
  return NOISE.has(lower) ? 'noise' : null;
}

function tokenOf(match: RegExpMatchArray): Kind | 'noise' | null {
  const [, allDay, hour, minute, half, word, dash, separator] = match;
  if (allDay !== undefined) return { type: 'all-day' };
  if (hour !== undefined) {
    const token: Kind = {
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
    if (token !== 'noise') tokens.push({ ...token, from: match.index, to: match.index + match[0].length });
  }
  return text.length > 4000 ? null : tokens;
}

type Time = Extract<Token, { type: 'time' }>;

const clockOf = ({ hour, minute, half }: Time): Clock => ({
  minutes: hour * 60 + minute,
  half,
  twelve: hour <= 12,
});

/** `5-10pm` starts in the afternoon, `11-9:30pm` in the morning: the start takes the half that keeps it before the end. */
function spanOf(open: Time, close: Time, says: string, note: Note): string {
  const end = on24(clockOf(close), close.half);
  const start = openingOf(clockOf(open), clockOf(close));
  if (open.half === null && close.half !== null && open.hour <= 12)
    note(`opening hours "${says}" read as ${clockTime(start)}-${clockTime(end)}`);
  else if (open.half === null && close.half === null && !close.isExact && close.hour <= 12 && end <= start)
    note(`opening hours "${says}" read on the 24-hour clock as ${clockTime(start)}-${clockTime(end)}`);
  return `${clockTime(start)}-${end % 1440 === 0 ? '24:00' : clockTime(end)}`;
}

interface Group {
  days: Weekday[];
  spans: string[];
  /** Where its first span begins and its last one ends. */
  from: number;
  to: number;
}

const emptyGroup = (): Group => ({ days: [], spans: [], from: 0, to: 0 });

function addSpan(group: Group, span: string, first: Token, last: Token): void {
  if (group.spans.length === 0) group.from = first.from;
  group.spans.push(span);
  group.to = last.to;
}

/** Reads tokens as groups of days, each followed by its spans; null where they do not have that shape. */
function group(tokens: readonly Token[], text: string, note: Note): Group[] | null {
  const groups: Group[] = [];
  let current = emptyGroup();
  const addDays = (days: readonly Weekday[]) => {
    if (current.spans.length > 0) {
      groups.push(current);
      current = emptyGroup();
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
      const says = text.slice(token.from, second.to).trim();
      addSpan(current, spanOf(token, second, says, note), token, second);
      at += 2;
    } else if (token?.type === 'closed') addSpan(current, 'closed', token, token);
    else if (token?.type === 'all-day') addSpan(current, '00:00-24:00', token, token);
  }
  if (current.spans.length === 0) return null;
  return [...groups, current];
}

/** `00:00-24:00` where the text says so in any way; `closed` only when nothing else is said. */
const joinSpans = (spans: readonly string[]): string => {
  const open = spans.filter((span) => span !== 'closed');
  return open.length === 0 ? 'closed' : open.join(', ');
};

/** The hours of one text of which all can be read, else null. */
function readAll(text: string, note: Note): OpeningHours | null {
  const tokens = tokenize(text);
  const notes: string[] = [];
  const groups =
    tokens && tokens.length > 0 ? group(tokens, text, (assumption) => notes.push(assumption)) : null;
  if (groups === null) return null;
  const hours: OpeningHours = {};
  for (const { days, spans, from, to } of groups) {
    if (days.length === 0)
      notes.push(`opening hours "${text.slice(from, to).trim()}" name no day: read as every day`);
    for (const day of days.length === 0 ? weekdays : days) hours[day] = joinSpans(spans);
  }
  for (const assumption of new Set(notes)) note(assumption);
  return hours;
}

/** The days that a text names, whatever else it says. */
function daysIn(text: string): Weekday[] {
  const kinds = [...text.slice(0, 4000).matchAll(TOKEN)].map(tokenOf);
  return kinds.flatMap((kind, at): Weekday[] => {
    if (kind === null || kind === 'noise') return [];
    const [dash, second] = [kinds[at + 1], kinds[at + 2]];
    const isRange = dash !== null && dash !== 'noise' && dash?.type === 'dash';
    if (kind.type === 'days') return [...kind.days];
    if (kind.type !== 'day') return [];
    return isRange && second !== null && second !== 'noise' && second?.type === 'day'
      ? daysBetween(kind.day, second.day)
      : [kind.day];
  });
}

/** Where a part for other days may begin: after a semicolon or a line end, or after a comma before a day. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (const piece of text.split(/(?<=[;\n,])/)) {
    const last = parts.at(-1);
    const begins = last === undefined || !last.endsWith(',') || startsWithDay(piece);
    if (begins) parts.push(piece);
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
export function readHours(text: string, note: Note): OpeningHours | null {
  const whole = readAll(text, note);
  if (whole !== null || text.length > 4000) return whole;
  const parts = partsOf(text);
  if (parts.length < 2 || parts.length > MAX_PARTS) return null;
  const hours: OpeningHours = {};
  const notes: string[] = [];
  const unread = parts.filter((part) => {
    const read = readAll(part, (assumption) => notes.push(assumption));
    Object.assign(hours, read);
    return read === null;
  });
  for (const day of unread.flatMap(daysIn)) delete hours[day];
  if (Object.keys(hours).length === 0) return null;
  for (const assumption of notes) note(assumption);
  for (const part of unread)
    note(
      `opening hours "${excerpt(part, 40)}" not understood: left out, write Opening hours: Monday 12:00-20:00`,
    );
  return hours;
}

const DAY_FIRST = /^\W{0,6}(\p{L}{2,12})/u;

function startsWithDay(text: string): boolean {
  const word = DAY_FIRST.exec(text.trimStart())?.[1]?.toLowerCase();
  return word !== undefined && (weekdayOf(word) !== null || GROUPS.has(word));
}

/** Whether a line gives the hours of a day or of several: it begins with a day and is readable to its end. */
export const isHoursLine = (line: string): boolean =>
  line.length <= 200 && startsWithDay(line) && readHours(line, () => {}) !== null;

/** Whether a line below a header for hours is meant to give some, readable or not: `Sa ab 18 Uhr`. */
export const isMeantAsHours = (line: string): boolean =>
  isHoursLine(line) ||
  (line.length <= 60 &&
    startsWithDay(line) &&
    /\d|closed|geschlossen|ruhetag/i.test(line) &&
    !/[.?!] ?$|(?:\p{L}+ ){5}/u.test(line));
