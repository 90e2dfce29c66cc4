import { type Context, type EvalCase, noteKind, type Place, Recommendation } from '../case.ts';
import { type Field, pathOfField } from '../case-format.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import { readOpeningHours } from './hours.ts';
import { type ContextField, type PlaceField, type VenueField, wordOf } from './labels.ts';
import { HOW_MOMENT, momentHint, readMoment, settleDate } from './moments.ts';
import { joinPlaces, readPlace } from './places.ts';
import { excerpt, stripQuotes } from './text.ts';
import {
  type Reading,
  readAmountOf,
  readDistanceKm,
  readDurationMin,
  readFlag,
  readItems,
  readLatencyMs,
  readList,
  readRating,
  readWords,
  unreadNote,
} from './values.ts';

/** One attribute as it was found: text, or a value out of an object. */
interface Entry<Of> {
  /** A declared field stands for itself. */
  field: Of | Field;
  /** As written, for messages. */
  label: string;
  unit?: string | undefined;
  value: unknown;
}
/** Something known about the user's situation. */
export type ContextEntry = Entry<ContextField | PlaceField>;
/** Something known about the venue, or about what the system did. */
export interface VenueEntry extends Entry<VenueField> {
  /** How many turns stood before it, in a text. */
  after?: number;
}

const shownOf = ({ label, value }: ContextEntry): string =>
  `${label} "${excerpt(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 40)}"`;

/** What entries say by the path of a case that they are of. The first that can be read counts; what is not used is noted. */
function readFirst(
  entries: readonly { label: string; value: unknown; path: string; read: () => unknown }[],
  reading: Reading,
): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const { path, label, value, read } of entries) {
    const isPlain = typeof value === 'string' || typeof value === 'number';
    const shown = isPlain ? `${label} "${excerpt(String(value), 60)}"` : label;
    const known = found.has(path) ? undefined : (read() ?? null);
    if (known === undefined) reading.note(`not used: a second ${shown} (the first counts)`);
    else if (known === null) reading.note(unreadNote(shown, path, reading));
    else found.set(path, known);
  }
  return found;
}

/** Words without the comma or semicolon that parted them from what followed. */
const wordsIn = (value: unknown): string | null => readWords(readWords(value)?.replace(/[,;]$/, ''));

/** What `€`, `€€`, `€€€` and `€€€€` stand for. */
const SYMBOLS: readonly string[] = ['low', 'medium', 'high', 'high'];

/** Cost in words stays as it stands; €, €€ and €€€ (or $), and price levels of map services, are read, and that is noted. */
export function readCost(value: unknown, { format, note }: Reading, label = 'cost'): string | null {
  const { labelKinds, priceLevels } = format.words;
  const words = wordsIn(value);
  if (words === null) return null;
  const isLevel = labelKinds.priceLevel.includes(wordOf(label, format.words));
  const [level] = Object.entries(priceLevels).find(([, names]) => isLevel && names.includes(words)) ?? [];
  const symbols = /^([€$£¥])\1{0,3}$/.exec(words);
  const meaning = level ?? SYMBOLS[(symbols?.[0].length ?? 0) - 1];
  if (level !== undefined) note(`${label} ${words} read as ${level} (Google's scale, 1 to 4)`);
  else if (meaning !== undefined) note(`cost ${words} read as ${meaning}`);
  else if (/^\d/.test(words)) note(`cost ${excerpt(words, 40)} kept as it stands: it names no level`);
  return meaning ?? words;
}

const inSeconds = oncePer(
  ({ units }: Words) =>
    new RegExp(`^[^\\p{L}]{0,20}${alternatives([...units.seconds, ...units.milliseconds])}$`, 'iu'),
);

/** The drive; that seconds were taken for one is said, as they may be how long something else took. */
function readDrive({ value, unit, label }: VenueEntry, reading: Reading): number | null {
  const minutes = readDurationMin(value, reading, unit);
  if (minutes !== null && inSeconds(reading.format.words).test(String(value)))
    reading.note(`${label} "${value}" read as a drive of ${minutes} min`);
  return minutes;
}

type Read = (entry: VenueEntry, reading: Reading) => unknown;

/** How each attribute of a venue but the place is read, and where the venue holds it. */
const ATTRIBUTES: Readonly<Partial<Record<VenueField, [keyof Recommendation, Read]>>> = {
  name: ['name', ({ value }) => wordsIn(value)],
  cuisine: ['cuisine', ({ value }) => wordsIn(value)],
  cost: ['cost', ({ value, label }, reading) => readCost(value, reading, label)],
  menu: ['menu', ({ value }) => readItems(value)],
  rating: ['rating', ({ value }, reading) => readRating(value, reading)],
  openingHours: ['openingHours', ({ value }, reading) => readOpeningHours(value, reading)],
  distance: ['distanceKm', ({ value, unit }, reading) => readDistanceKm(value, reading, unit)],
  duration: ['durationMin', readDrive],
};

/** How the value of a declared field is read. */
const DECLARED: Record<Field['type'], (value: unknown, field: Field, reading: Reading) => unknown> = {
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
  const value = DECLARED[field.type](text, field, { format, note: (note) => notes.push(note) });
  return notes.some((note) => noteKind(note) === 'left out') ? null : value;
}

/** Declared fields by the object of the case that holds them, those of the case itself under ''. The first value of each counts. */
export function readDeclared(
  entries: readonly { field: string | Field; label: string; value: unknown }[],
  reading: Reading,
): ReadonlyMap<string, Record<string, unknown>> {
  const fields = new Map<string, Field>();
  const declared = entries.flatMap(({ field, label, value }) => {
    if (typeof field === 'string') return [];
    const path = pathOfField(field);
    fields.set(path, field);
    return [{ label, value, path, read: () => DECLARED[field.type](value, field, reading) }];
  });
  const found = new Map<string, Record<string, unknown>>();
  for (const [path, value] of readFirst(declared, reading)) {
    const { of = '', name = path } = fields.get(path) ?? {};
    found.set(of, { ...found.get(of), [name]: value });
  }
  return found;
}

/** Where the venue is: in words its address before other words, in degrees its coordinates before those of its address. */
function placeOf(entries: readonly VenueEntry[], reading: Reading): Place | null {
  const found = entries.flatMap(({ field, value }) => {
    if (typeof field === 'object' || ATTRIBUTES[field] !== undefined) return [];
    const isDegrees = field === 'latitude' || field === 'longitude';
    const place = readPlace(isDegrees ? { [field]: value } : value, reading);
    return place === null ? [] : [{ place, isAddress: field === 'address' }];
  });
  const of = (isAddress: boolean) =>
    found.filter((one) => one.isAddress === isAddress).map(({ place }) => place);
  const said = [...of(true), ...of(false)].flatMap(({ description }) => description ?? []);
  const [description, ...more] = new Set(said);
  for (const words of more)
    reading.note(
      `not used: the venue's place "${excerpt(words, 60)}" ("${excerpt(description ?? '', 60)}" counts)`,
    );
  const { description: _, ...degrees }: Place = joinPlaces([...of(false), ...of(true)], reading) ?? {};
  for (const { latitude = degrees.latitude, longitude = degrees.longitude } of of(true).concat(of(false)))
    if (degrees.latitude !== undefined && (latitude !== degrees.latitude || longitude !== degrees.longitude))
      reading.note(`not used: other coordinates of the venue (${latitude}, ${longitude})`);
  const place = description === undefined ? degrees : { ...degrees, description };
  return Object.keys(place).length === 0 ? null : place;
}

/** One venue out of what was found. */
export function readVenue(entries: readonly VenueEntry[], reading: Reading): Recommendation | null {
  const own = entries.flatMap((entry) => {
    const [key, read] = (typeof entry.field === 'string' ? ATTRIBUTES[entry.field] : undefined) ?? [];
    return key && read ? [{ ...entry, path: `recommendation.${key}`, read: () => read(entry, reading) }] : [];
  });
  const attributes = [...readFirst(own, reading)].map(([path, value]) => [path.split('.')[1], value]);
  const venue = Object.fromEntries(attributes);
  const location = placeOf(entries, reading);
  const checked = Recommendation.safeParse(location ? { ...venue, location } : venue);
  return checked.success && Object.keys(checked.data).length > 0 ? checked.data : null;
}

function readLanguage(value: unknown, { format }: Reading): string | null {
  const words = typeof value === 'string' ? stripQuotes(value) : '';
  const known = Object.entries(format.words.languages);
  const [code] = known.find(([, names]) => names.includes(words.toLowerCase())) ?? [];
  return code ?? (words || null);
}

/** What has been read of the user's situation so far. */
interface Situation {
  moments: (ReturnType<typeof readMoment> & { shown: string })[];
  places: Place[];
  beside: Pick<EvalCase, 'latencyMs' | 'language'>;
}

function readEntry(entry: ContextEntry, { moments, places, beside }: Situation, reading: Reading): void {
  const { field, label, value, unit } = entry;
  const { note, format } = reading;
  const shown = shownOf(entry);
  const orNote = <Value>(read: Value | null, example: string): Value | undefined => {
    if (read === null) note(`left out: ${shown}, not understood; add "${example}"`);
    return read ?? undefined;
  };
  if (field === 'date' || field === 'time' || field === 'dateTime')
    moments.push({ ...readMoment(field, label, value, reading), shown });
  else if (field === 'timestamp')
    note(`not used: ${shown} (the log's time is not the user's: ${momentHint(value, format) ?? HOW_MOMENT})`);
  else if (field === 'language') beside.language = readLanguage(value, reading) ?? undefined;
  else if (field === 'latency')
    beside.latencyMs = orNote(readLatencyMs(value, reading, unit), 'Latency: 1800 ms');
  else if (typeof field === 'string') {
    const place = readPlace(field === 'location' ? value : { [field]: value }, reading);
    places.push(orNote(place, 'Location: Prenzlauer Berg, Berlin') ?? {});
  }
}

/** The date and the time of day that several lines give; the first counts, and what contradicts it is noted. */
function momentOf(moments: Situation['moments'], { note }: Reading): Pick<Context, 'date' | 'time'> {
  const first = <Key extends 'date' | 'time' | 'weekday'>(key: Key) =>
    moments.map((moment) => moment[key]).find((value) => value !== null) ?? null;
  const date = settleDate(first('date'), first('weekday'), note);
  const time = first('time');
  for (const moment of moments) {
    const isOtherDay = moment.date !== null && moment.date !== date;
    if (isOtherDay || (moment.time !== null && moment.time !== time))
      note(`not used: ${moment.shown}, where ${isOtherDay ? date : time} was given first`);
  }
  return { ...(date === null ? {} : { date }), ...(time === null ? {} : { time }) };
}

/** What the entries say about the user's situation; whatever is not certain is noted. The first of a kind counts. */
export function readContext(
  entries: readonly ContextEntry[],
  reading: Reading,
): Pick<EvalCase, 'context' | 'latencyMs' | 'language'> {
  const situation: Situation = { moments: [], places: [], beside: {} };
  const seen = new Set<ContextEntry['field']>();
  for (const entry of entries.filter(({ field }) => typeof field === 'string')) {
    if (seen.has(entry.field)) reading.note(`not used: a second ${shownOf(entry)}`);
    else readEntry(entry, situation, reading);
    seen.add(entry.field);
  }
  const location = joinPlaces(situation.places, reading);
  const context: Context = { ...momentOf(situation.moments, reading), ...(location ? { location } : {}) };
  return Object.keys(context).length > 0 ? { context, ...situation.beside } : situation.beside;
}
