import { type Context, type EvalCase, noteKind, type Place } from '../case.ts';
import type { Field } from '../field.ts';
import { readOpeningHours } from './hours.ts';
import type { ContextField, PlaceField } from './labels.ts';
import { HOW_MOMENT, type Moment, type MomentField, momentHint, readMoment, settleDate } from './moments.ts';
import type { ContextEntry } from './problems.ts';
import { excerpt, stripQuotes } from './text.ts';
import { type Reading, readAmountOf, readFlag, readLatencyMs, readList, readWords } from './values.ts';
import { joinPlaces, readFirst, readPlace } from './venue.ts';

/** What the contract knows of the user's situation. */
type UsualEntry = ContextEntry & { field: ContextField | PlaceField };

const isUsual = (entry: ContextEntry): entry is UsualEntry => typeof entry.field === 'string';

/** What has been read so far. */
interface Situation {
  moments: (Moment & { shown: string })[];
  places: Place[];
  beside: Pick<EvalCase, 'latencyMs' | 'language'>;
}

const shownOf = ({ label, value }: Pick<ContextEntry, 'label' | 'value'>): string =>
  `${label} "${excerpt(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 40)}"`;

const isMoment = (field: UsualEntry['field']): field is MomentField =>
  field === 'date' || field === 'time' || field === 'dateTime';

function readLanguage(value: unknown, { format }: Reading): string | null {
  const words = typeof value === 'string' ? stripQuotes(value) : '';
  const known = Object.entries(format.words.languages);
  const [code] = known.find(([, names]) => names.includes(words.toLowerCase())) ?? [];
  return words === '' ? null : (code ?? words);
}

function readEntry(entry: UsualEntry, into: Situation, reading: Reading): void {
  const { field, label, value } = entry;
  const { format, note } = reading;
  if (isMoment(field))
    into.moments.push({ ...readMoment(field, label, value, reading), shown: shownOf(entry) });
  else if (field === 'timestamp')
    note(
      `not used: ${shownOf(entry)} (the log's time is not the user's: ${momentHint(value, format) ?? HOW_MOMENT})`,
    );
  else if (field === 'language') {
    const language = readLanguage(value, reading);
    if (language !== null) into.beside.language = language;
  } else if (field === 'latency') {
    const latency = readLatencyMs(value, reading, entry.unit);
    if (latency === null) note(`left out: ${shownOf(entry)}, not understood; add "Latency: 1800 ms"`);
    else into.beside.latencyMs = latency;
  } else {
    const place = readPlace(field === 'location' ? value : { [field]: value }, reading);
    if (place) into.places.push(place);
    else note(`left out: ${shownOf(entry)}, not understood; add "Location: Prenzlauer Berg, Berlin"`);
  }
}

const first = <Value>(values: readonly (Value | null)[]): Value | null =>
  values.find((value) => value !== null) ?? null;

/** What the entries say about the user's situation; whatever is not certain is noted. The first of a kind counts. */
export function readContext(
  entries: readonly ContextEntry[],
  reading: Reading,
): Pick<EvalCase, 'context' | 'latencyMs' | 'language'> {
  const { note } = reading;
  const situation: Situation = { moments: [], places: [], beside: {} };
  const seen = new Set<string>();
  for (const entry of entries.filter(isUsual)) {
    if (seen.has(entry.field)) note(`not used: a second ${shownOf(entry)}`);
    else readEntry(entry, situation, reading);
    seen.add(entry.field);
  }
  const { moments, places, beside } = situation;
  const days = moments.map((moment) => moment.weekday);
  const date = settleDate(first(moments.map((moment) => moment.date)), first(days), note);
  const time = first(moments.map((moment) => moment.time));
  for (const moment of moments) {
    const isOtherDay = moment.date !== null && moment.date !== date;
    if (isOtherDay || (moment.time !== null && moment.time !== time))
      note(`not used: ${moment.shown}, where ${isOtherDay ? date : time} was given first`);
  }
  const location = joinPlaces(places, reading);
  const context: Context = {
    ...(date === null ? {} : { date }),
    ...(time === null ? {} : { time }),
    ...(location === null ? {} : { location }),
  };
  return Object.keys(context).length > 0 ? { context, ...beside } : beside;
}

const readers: Record<Field['type'], (value: unknown, field: Field, reading: Reading) => unknown> = {
  text: (value) => (typeof value === 'boolean' ? String(value) : readWords(value)),
  number: readAmountOf,
  list: (value, _, { format }) => readList(value, format.words),
  boolean: (value, _, { format }) => readFlag(value, format.words),
  place: (value, _, reading) => readPlace(value, reading),
  hours: (value, _, reading) => readOpeningHours(value, reading),
};

/** The value of a declared field as it was typed by itself; null where not all of it could be read. */
export function readDeclaredValue(field: Field, text: string, format: Reading['format']): unknown {
  const notes: string[] = [];
  const value = readers[field.type](text, field, { format, note: (note) => notes.push(note) });
  return notes.some((note) => noteKind(note) === 'left out') ? null : value;
}

/** Declared fields by the object of the case that holds them, those of the case itself under ''. The first value of each counts. */
export function readDeclared(
  entries: readonly { field: string | Field; label: string; value: unknown }[],
  reading: Reading,
): ReadonlyMap<string, Record<string, unknown>> {
  const declared = entries.flatMap(({ field, label, value }) =>
    typeof field === 'object'
      ? [{ label, value, of: field, read: () => readers[field.type](value, field, reading) }]
      : [],
  );
  const found = new Map<string, Record<string, unknown>>();
  for (const [field, value] of readFirst(declared, reading))
    found.set(field.of ?? '', { ...found.get(field.of ?? ''), [field.name]: value });
  return found;
}
