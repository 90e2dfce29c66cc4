import type { Context, EvalCase, Place, Weekday } from '../case.ts';
import { type Field, pathOfField } from '../field.ts';
import type { ContextEntry } from './draft.ts';
import type { ContextField, PlaceField } from './labels.ts';
import { momentHint, readDate, readTime, settleDate } from './moments.ts';
import { joinPlaces, readPlace } from './place.ts';
import { excerpt, squeeze, squeezeLines, stripQuotes } from './text.ts';
import { type Note, readAmountOf, readItems, readLatencyMs } from './values.ts';
import { readOpeningHours } from './venue.ts';

interface Moment {
  date: string | null;
  weekday: Weekday | null;
  time: string | null;
  /** As written, for messages. */
  shown: string;
}

const HOW = {
  date: 'write Date: 2024-03-04',
  time: 'write Time: 20:35',
  when: 'write Date: 2024-03-04 and Time: 20:35',
};

const RELATIVE = /\b(?:today|tonight|tomorrow|yesterday|next week|heute|morgen|übermorgen|gestern)\b/i;

/** A date line may hold a time only where it is unmistakable: `04.03.` is not four minutes past three. */
const showsTime = (text: string): boolean => /\d:\d|\d ?(?:[ap]\.?m\b|uhr\b|h\b)/i.test(text);

type MomentEntry = Omit<ContextEntry, 'field'> & { field: 'date' | 'time' | 'when' };

function readMoment(entry: MomentEntry, note: Note): Moment {
  const text = typeof entry.value === 'string' ? stripQuotes(squeeze(entry.value)) : '';
  const { rest, isUnread, ...day } = readDate(text, note);
  const time = entry.field === 'time' || showsTime(rest) ? readTime(rest, note) : null;
  if (time !== null && /\d ?(?:Z|[+-]\d{2}:?\d{2})$/.test(text))
    note(`the time zone of "${excerpt(text, 40)}" was left out: ${time} is taken as the user's local time`);
  const relative = day.date === null ? RELATIVE.exec(text)?.[0] : undefined;
  if (relative !== undefined && (day.weekday !== null || time !== null))
    note(`"${relative}" names no date: left out, ${HOW.date}`);
  if (day.date === null && day.weekday === null && time === null && !isUnread)
    note(`${entry.label} "${excerpt(text, 40)}" not understood: left out, ${HOW[entry.field]}`);
  return { ...day, time, shown: shownOf(entry) };
}

const LANGUAGES: Readonly<Record<string, string>> = {
  english: 'en',
  englisch: 'en',
  german: 'de',
  deutsch: 'de',
  french: 'fr',
  französisch: 'fr',
  spanish: 'es',
  spanisch: 'es',
  italian: 'it',
  italienisch: 'it',
  dutch: 'nl',
  niederländisch: 'nl',
  chinese: 'zh',
  chinesisch: 'zh',
  japanese: 'ja',
  korean: 'ko',
};

const first = <Value>(values: readonly (Value | null)[]): Value | null =>
  values.find((value) => value !== null) ?? null;

/** What the contract knows of the user's situation. */
type UsualEntry = ContextEntry & { field: ContextField | PlaceField };

const isUsual = (entry: ContextEntry): entry is UsualEntry => typeof entry.field === 'string';

/** What has been read so far. */
interface Reading {
  moments: Moment[];
  places: Place[];
  beside: Pick<EvalCase, 'latencyMs' | 'language'>;
}

const shownOf = ({ label, value }: Pick<ContextEntry, 'label' | 'value'>): string =>
  `${label} "${excerpt(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 40)}"`;

const isMoment = (entry: UsualEntry): entry is MomentEntry =>
  entry.field === 'date' || entry.field === 'time' || entry.field === 'when';

function readPlaceEntry(entry: UsualEntry, reading: Reading, note: Note): void {
  const place = readPlace(entry.field === 'location' ? entry.value : { [entry.field]: entry.value }, note);
  if (place) reading.places.push(place);
  else note(`${shownOf(entry)} not understood: left out, write Location: Prenzlauer Berg, Berlin`);
}

function readBeside(entry: UsualEntry, reading: Reading, note: Note): void {
  if (entry.field === 'language') {
    const words = typeof entry.value === 'string' ? stripQuotes(entry.value) : '';
    if (words !== '') reading.beside.language = LANGUAGES[words.toLowerCase()] ?? words;
    return;
  }
  const latency = readLatencyMs(entry.value, note, entry.unit);
  if (latency === null) note(`${shownOf(entry)} not understood: left out, write Latency: 1800 ms`);
  else reading.beside.latencyMs = latency;
}

function readEntry(entry: UsualEntry, reading: Reading, note: Note): void {
  if (isMoment(entry)) reading.moments.push(readMoment(entry, note));
  else if (entry.field === 'timestamp')
    note(
      `not used: ${shownOf(entry)} (the log's time is not the user's: ${(typeof entry.value === 'string' ? momentHint(entry.value) : null) ?? HOW.when})`,
    );
  else if (entry.field === 'language' || entry.field === 'latency') readBeside(entry, reading, note);
  else readPlaceEntry(entry, reading, note);
}

/** What the entries say about the user's situation; whatever is not certain is noted. The first of a kind counts. */
export function readContext(
  entries: readonly ContextEntry[],
  note: Note,
): Pick<EvalCase, 'context' | 'latencyMs' | 'language'> {
  const reading: Reading = { moments: [], places: [], beside: {} };
  const seen = new Set<string>();
  for (const entry of entries.filter(isUsual)) {
    if (seen.has(entry.field)) note(`not used: a second ${shownOf(entry)}`);
    else readEntry(entry, reading, note);
    seen.add(entry.field);
  }
  const { moments, places, beside } = reading;
  const context: Context = {};
  const days = moments.map((moment) => moment.weekday);
  const date = settleDate(first(moments.map((moment) => moment.date)), first(days), note);
  const time = first(moments.map((moment) => moment.time));
  for (const moment of moments) {
    const isOtherDay = moment.date !== null && moment.date !== date;
    if (isOtherDay || (moment.time !== null && moment.time !== time))
      note(`not used: ${moment.shown}, where ${isOtherDay ? date : time} was given first`);
  }
  const location = joinPlaces(places, note);
  if (date !== null) context.date = date;
  if (time !== null) context.time = time;
  if (location !== null) context.location = location;
  return Object.keys(context).length > 0 ? { context, ...beside } : beside;
}

/** A declared field as it was found. */
export interface DeclaredEntry {
  field: Field;
  label: string;
  value: unknown;
}

const YES = /^(?:yes|y|true|on|ja|wahr|an|✓|✔|✅|1)$/iu;
const NO = /^(?:no|n|false|off|nein|falsch|aus|✗|✘|❌|0)$/iu;

const NOTHING = /^(?:[-–—]|none|nothing|keine?|nichts|\[ ?\])$/i;

function readWords(value: unknown): string | null {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return readWords(value.join(', '));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const words = typeof value === 'string' ? stripQuotes(squeezeLines(value)) : '';
  return words === '' ? null : words;
}

function readFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim() : String(value);
  return YES.test(word) ? true : NO.test(word) ? false : null;
}

function readList(value: unknown): string[] | null {
  const isEmpty =
    (Array.isArray(value) && value.length === 0) || (typeof value === 'string' && NOTHING.test(value.trim()));
  return isEmpty ? [] : readItems(value);
}

const readers: Record<Field['type'], (value: unknown, field: Field, note: Note) => unknown> = {
  text: readWords,
  number: readAmountOf,
  list: readList,
  boolean: readFlag,
  place: (value, _, note) => readPlace(value, note),
  hours: (value, _, note) => readOpeningHours(value, note),
};

/** Whether a note says that something was not read. */
export const isLoss = (note: string): boolean =>
  /^(?:left out|not used)|(?::|was) left out(?:$|,)/.test(note);

/** The value of a declared field as somebody typed it by itself; null where not all of it could be read. */
export function readDeclaredValue(field: Field, text: string): unknown {
  const notes: string[] = [];
  const value = readers[field.type](text, field, (note) => notes.push(note));
  return notes.some(isLoss) ? null : value;
}

/** Declared fields by the object of the case that holds them, those of the case itself under ''. The first value of each counts. */
export function readDeclared(
  entries: readonly DeclaredEntry[],
  note: Note,
): ReadonlyMap<string, Record<string, unknown>> {
  const found = new Map<string, Record<string, unknown>>();
  const seen = new Set<string>();
  for (const { field, label, value } of entries) {
    const shown =
      typeof value === 'string' || typeof value === 'number' ? ` "${excerpt(String(value), 60)}"` : '';
    const path = pathOfField(field);
    const read = readers[field.type](value, field, note);
    if (seen.has(path)) note(`not used: a second ${label}${shown} (the first counts)`);
    else if (read === null) note(`${label}${shown} not understood: left out`);
    else {
      seen.add(path);
      found.set(field.of ?? '', { ...found.get(field.of ?? ''), [field.name]: read });
    }
  }
  return found;
}
