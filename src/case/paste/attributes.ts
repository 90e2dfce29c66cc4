import { oncePer } from '../../common/index.ts';
import { alternatives, type Field, pathOfField, type Words } from '../format/index.ts';
import { type Context, noteKind, Place } from '../index.ts';
import { excerpt, listed, squeeze, stripQuotes } from './clean-text.ts';
import { dateToJudgeBy, HOW_MOMENT, type Moment, momentHint, readMoment } from './dates-and-times.ts';
import { readOpeningHours } from './hours.ts';
import { type ContextField, meaningOf, type PlaceField, type VenueField, wordOf } from './label-meanings.ts';
import type { Tracked } from './tracked-text.ts';
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

const DECIMAL = String.raw`[-+]?\d{1,3}\.\d{1,15}`;
const PAIRS: readonly RegExp[] = [
  new RegExp(
    `(?<![\\d.])(?<latitude>${DECIMAL}) ?°? ?(?<north>[NS])? ?[,;/ ] ?(?<longitude>${DECIMAL}) ?°? ?(?<east>[EWO](?![\\p{L}]))?(?!\\d)`,
    'iu',
  ),
  /(?<![\d,.])(?<latitude>[-+]?\d{1,3},\d{1,15}) ?°? ?(?<north>[NS])? ?[;/ ] ?(?<longitude>[-+]?\d{1,3},\d{1,15}) ?°? ?(?<east>[EWO](?!\p{L}))?(?!\d)/iu,
  /(?<![\d.])(?<latitude>\d{1,3}) ?°? ?(?<north>[NS]) ?[,;/ ] ?(?<longitude>\d{1,3}) ?°? ?(?<east>[EWO])(?!\p{L})/iu,
];

const patterns = oncePer(({ keys, labels }: Words) => ({
  /** A key before the name of a place: `Address: …`. */
  lead: new RegExp(`^ {0,20}${alternatives(keys.place)} ?: ?`, 'iu'),
  degrees: new RegExp(
    `(?<!\\p{L})${alternatives([...labels.latitude, ...labels.longitude])}(?!\\p{L}) ?[:=]? ?`,
    'giu',
  ),
}));

const signed = (digits = '', hemisphere = ''): number =>
  Number(digits.replace(',', '.')) * (/[SW]/i.test(hemisphere) ? -1 : 1);

const plausible = (place: Place): boolean => Place.safeParse(place).success;

function withoutPair(text: string, pair: string): string {
  const rest = squeeze(text.replace(pair, ' ').replace(/\( ?\)|\[ ?\]/g, ' '));
  const words = rest.replace(/^[,;:/()@–— -]{1,10}|[,;:/(@–— -]{1,10}$/gu, '');
  return words.includes('(') ? words : words.replace(/\)$/, '').trimEnd();
}

/**
 * Reads a place given by name, by coordinates in degrees, or both: `Prenzlauer Berg, Berlin (52.53, 13.41)`. Coordinates
 * out of range are noted and stay part of the name.
 * @returns null if the text is empty
 */
export function readPlaceText(value: string, { format, note }: Reading): Place | null {
  const { lead, degrees } = patterns(format.words);
  const text = squeeze(stripQuotes(value.replaceAll('\n', ', ').replace(lead, '')));
  const bare = text.replace(degrees, '');
  const match = PAIRS.map((pattern) => pattern.exec(bare)).find((match) => match !== null);
  if (text === '' || !match) return text === '' ? null : { description: text };
  const [pair] = match;
  const { latitude, north, longitude, east } = match.groups ?? {};
  const place = { latitude: signed(latitude, north), longitude: signed(longitude, east) };
  if (!plausible(place)) {
    note(`"${pair}" is not a latitude and a longitude: kept as the name of the place`);
    return { description: text };
  }
  const description = withoutPair(bare, pair);
  return description === '' ? place : { ...place, description };
}

const degreesOf = (value: unknown): number | undefined => {
  const isText = typeof value === 'string' && /^ ?[-+]?\d{1,3}([.,]\d{1,15})?/.test(value);
  const number = isText ? Number.parseFloat(value.replace(',', '.')) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** Reads one key of an object that describes a place; null if the key says nothing about it. */
function readPlaceKey(key: string, value: unknown, reading: Reading): Place | null {
  const meaning = meaningOf(key, reading.format)?.meaning;
  if (meaning?.kind === 'place' && meaning.field === 'location') return readPlace(value, reading);
  if (meaning?.kind === 'place') {
    const number = degreesOf(value);
    return number === undefined ? null : { [meaning.field]: number };
  }
  const isWords = reading.format.words.keys.place.includes(key.toLowerCase().replaceAll('_', ' '));
  return isWords && typeof value === 'string' && value.trim() !== '' ? { description: value.trim() } : null;
}

/** Reads a place from a text, `[latitude, longitude]`, or an object with common keys; null if there is none. */
function readPlace(value: unknown, reading: Reading): Place | null {
  if (typeof value === 'string') return readPlaceText(value, reading);
  if (Array.isArray(value)) {
    const [latitude, longitude] = value.map(degreesOf);
    if (value.length !== 2 || latitude === undefined || longitude === undefined) return null;
    reading.note(`location [${latitude}, ${longitude}] read as [latitude, longitude]`);
    return { latitude, longitude };
  }
  if (typeof value !== 'object' || value === null) return null;
  const parts = Object.entries(value).map(([key, inner]) => ({
    key,
    part: readPlaceKey(key, inner, reading),
  }));
  const unused = parts.flatMap(({ key, part }) => (part === null ? excerpt(key, 40) : []));
  if (unused.length > 0) reading.note(`not used: ${listed(unused, 10)} of a location`);
  const description = parts.flatMap(({ part }) => part?.description ?? []).join(', ');
  const place: Place = Object.assign(
    {},
    ...parts.map(({ part }) => part),
    description === '' ? {} : { description },
  );
  return Object.keys(place).length === 0 ? null : place;
}

/** Merges several readings of one place; earlier ones win. Coordinates out of range are noted and dropped. */
function joinPlaces(places: readonly Place[], { note }: Reading): Place | null {
  const joined: Place = Object.assign({}, ...[...places].reverse());
  if (Object.keys(joined).length === 0) return null;
  if (plausible(joined)) return joined;
  note('left out: a location with a latitude outside -90 to 90 or a longitude outside -180 to 180');
  return joined.description === undefined ? null : { description: joined.description };
}

/** One attribute as found in the input. */
interface Entry<Of> {
  /** The name of a field of the contract, or a declared field itself. */
  field: Of | Field;
  /** As written, for messages. */
  label: string;
  unit?: string | undefined;
  /** A text, or a value from an object. */
  value: unknown;
  /** The position of the value in the paste; empty if unknown. */
  from: Tracked[];
}

/** Called with each entry that was used and the path of the field that it set. */
type OnUsed<Of> = (entry: Of, path: string) => void;
/** An attribute of the user's situation. */
export type ContextEntry = Entry<ContextField | PlaceField>;
/** An attribute of the venue, or of what the system did. */
export interface VenueEntry extends Entry<VenueField> {
  /** The number of turns before it; undefined if it comes from an object. */
  after?: number;
}

/** Words without the comma or semicolon that separated them from the next attribute. */
const wordsIn = (value: unknown): string | null => readWords(readWords(value)?.replace(/[,;]$/, ''));

/** The price levels of `€`, `€€`, `€€€` and `€€€€`. */
const SYMBOLS: readonly string[] = ['low', 'medium', 'high', 'high'];

/**
 * Reads a cost. Currency signs and price levels of map services become low, medium or high, with a note; words stay as
 * given.
 */
function readCost(value: unknown, { format, note }: Reading, label = 'cost'): string | null {
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

/** Reads a drive time in minutes. A value in seconds is noted, because it may be the duration of something else. */
function readDrive({ value, unit, label }: Omit<Entry<unknown>, 'from'>, reading: Reading): number | null {
  const minutes = readDurationMin(value, reading, unit);
  if (minutes !== null && inSeconds(reading.format.words).test(String(value)))
    reading.note(`${label} "${value}" read as a drive of ${minutes} min`);
  return minutes;
}

function readLanguage(value: unknown, { languages }: Words): string | null {
  const words = typeof value === 'string' ? stripQuotes(value) : '';
  const [code] = Object.entries(languages).find(([, names]) => names.includes(words.toLowerCase())) ?? [];
  return code ?? (words || null);
}

type Read = (entry: Omit<Entry<unknown>, 'from'>, reading: Reading) => unknown;

/** The path and the reader of each field of the contract, except places and moments, which take several entries. */
const OWN: Readonly<Partial<Record<ContextField | VenueField, readonly [path: string, read: Read]>>> = {
  name: ['recommendation.name', ({ value }) => wordsIn(value)],
  cuisine: ['recommendation.cuisine', ({ value }) => wordsIn(value)],
  cost: ['recommendation.cost', ({ value, label }, reading) => readCost(value, reading, label)],
  menu: ['recommendation.menu', ({ value }) => readItems(value)],
  rating: ['recommendation.rating', ({ value }, reading) => readRating(value, reading)],
  openingHours: ['recommendation.openingHours', ({ value }, reading) => readOpeningHours(value, reading)],
  distance: ['recommendation.distanceKm', ({ value, unit }, reading) => readDistanceKm(value, reading, unit)],
  duration: ['recommendation.durationMin', readDrive],
  latency: ['latencyMs', ({ value, unit }, reading) => readLatencyMs(value, reading, unit)],
  language: ['language', ({ value }, { format }) => readLanguage(value, format.words)],
};

/** The reader for each type of declared field. */
const DECLARED: Record<Field['type'], (value: unknown, field: Field, reading: Reading) => unknown> = {
  text: (value) => (typeof value === 'boolean' ? String(value) : readWords(value)),
  number: readAmountOf,
  list: (value, _, { format }) => readList(value, format.words),
  boolean: (value, _, { format }) => readFlag(value, format.words),
  place: (value, _, reading) => readPlace(value, reading),
  hours: (value, _, reading) => readOpeningHours(value, reading),
};

/** Reads the value of a declared field from a text that holds nothing else; null if any part of it could not be read. */
export function readDeclaredValue(field: Field, text: string, format: Reading['format']): unknown {
  const notes: string[] = [];
  const value = DECLARED[field.type](text, field, { format, note: (note) => notes.push(note) });
  return notes.some((note) => noteKind(note) === 'left out') ? null : value;
}

/**
 * Reads the values of entries, except places and moments. Per field, the first entry that can be read counts; the others
 * are noted.
 * @returns the values by field, grouped by the object of the case that holds them; '' is the case itself
 */
export function readFields(
  entries: readonly (ContextEntry | VenueEntry)[],
  reading: Reading,
  onUsed: OnUsed<ContextEntry | VenueEntry> = () => {},
): Readonly<Record<string, Record<string, unknown>>> {
  const fieldsOf: Record<string, Record<string, unknown>> = {};
  for (const entry of entries) {
    const { field, label, value } = entry;
    const [path = '', read] =
      typeof field === 'string'
        ? (OWN[field] ?? [])
        : [pathOfField(field), () => DECLARED[field.type](value, field, reading)];
    if (read === undefined) continue;
    const [name = '', of = ''] = path.split('.').reverse();
    const isPlain = typeof value === 'string' || typeof value === 'number';
    const shown = isPlain ? `${label} "${excerpt(String(value), 60)}"` : label;
    const readValue = fieldsOf[of]?.[name] === undefined ? (read(entry, reading) ?? null) : undefined;
    if (readValue === undefined) reading.note(`not used: a second ${shown} (the first counts)`);
    else if (readValue === null) reading.note(unreadNote(shown, path, reading));
    else {
      fieldsOf[of] = { ...fieldsOf[of], [name]: readValue };
      onUsed(entry, path);
    }
  }
  return fieldsOf;
}

/**
 * Reads where the venue is. The address comes first for the description, the other entries for the coordinates. What is
 * not used is noted.
 */
export function readVenuePlace(
  entries: readonly VenueEntry[],
  reading: Reading,
  onUsed: (entry: VenueEntry) => void = () => {},
): Place | null {
  const places = entries.flatMap((entry) => {
    const { field, value } = entry;
    if (typeof field === 'object' || OWN[field] !== undefined) return [];
    const isDegrees = field === 'latitude' || field === 'longitude';
    const place = readPlace(isDegrees ? { [field]: value } : value, reading);
    if (place !== null) onUsed(entry);
    return place === null ? [] : [{ place, isAddress: field === 'address' }];
  });
  const of = (isAddress: boolean) =>
    places.filter((one) => one.isAddress === isAddress).map(({ place }) => place);
  const descriptions = [...of(true), ...of(false)].flatMap(({ description }) => description ?? []);
  const [description, ...more] = new Set(descriptions);
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

/** Merges the dates and times of several lines. The first ones count; contradictions are noted. */
function momentOf(
  moments: readonly (Moment & { shown: string })[],
  { note }: Reading,
): Pick<Context, 'date' | 'time'> {
  const first = <Key extends 'date' | 'time' | 'weekday'>(key: Key) =>
    moments.map((moment) => moment[key]).find((value) => value !== null) ?? null;
  const date = dateToJudgeBy(first('date'), first('weekday'), note);
  const time = first('time');
  for (const moment of moments) {
    const isOtherDay = moment.date !== null && moment.date !== date;
    if (isOtherDay || (moment.time !== null && moment.time !== time))
      note(`not used: ${moment.shown}, where ${isOtherDay ? date : time} was given first`);
  }
  return { ...(date === null ? {} : { date }), ...(time === null ? {} : { time }) };
}

/** The path that a moment sets: `context.date`, `context.time`, or `context` for both; null if nothing was read. */
function pathOfMoment({ date, weekday, time }: Moment): string | null {
  const isDay = date !== null || weekday !== null;
  if (isDay) return time === null ? 'context.date' : 'context';
  return time === null ? null : 'context.time';
}

const shownOf = ({ label, value }: ContextEntry): string =>
  `${label} "${excerpt(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 40)}"`;

/** Reads where and when the user is. The first entry of each kind counts; others, and anything uncertain, are noted. */
export function readSituation(
  entries: readonly ContextEntry[],
  reading: Reading,
  onUsed: OnUsed<ContextEntry> = () => {},
): Context {
  const { note, format } = reading;
  const moments: (Moment & { shown: string })[] = [];
  const places: Place[] = [];
  const read = (entry: ContextEntry, shown: string): void => {
    const { field, value } = entry;
    const hint = () => momentHint(value, format) ?? HOW_MOMENT;
    if (field === 'timestamp') note(`not used: ${shown} (the log's time is not the user's: ${hint()})`);
    else if (field === 'date' || field === 'time' || field === 'dateTime') {
      const moment = readMoment(field, entry.label, value, reading);
      moments.push({ ...moment, shown });
      const path = pathOfMoment(moment);
      if (path !== null) onUsed(entry, path);
    } else if (typeof field === 'string') {
      const place = readPlace(field === 'location' ? value : { [field]: value }, reading);
      if (place === null) note(unreadNote(shown, 'context.location', reading));
      else {
        places.push(place);
        onUsed(entry, 'context.location');
      }
    }
  };
  const seen = new Set<ContextEntry['field']>();
  for (const entry of entries) {
    const { field } = entry;
    if (typeof field === 'object' || OWN[field] !== undefined) continue;
    if (seen.has(field)) note(`not used: a second ${shownOf(entry)}`);
    else read(entry, shownOf(entry));
    seen.add(field);
  }
  const location = joinPlaces(places, reading);
  return { ...momentOf(moments, reading), ...(location ? { location } : {}) };
}
