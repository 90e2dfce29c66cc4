import { type OpeningHours, type Place, Recommendation, type Weekday } from '../case.ts';
import type { Field } from '../field.ts';
import { type DeclaredLabels, meaningWith, type VenueField, wordOf } from './labels.ts';
import { weekdayOf } from './moments.ts';
import { joinPlaces, readPlace } from './place.ts';
import { readHours } from './read-hours.ts';
import { excerpt, squeezeLines, stripQuotes } from './text.ts';
import { type Note, readDistanceKm, readDurationMin, readItems, readRating } from './values.ts';

/** One attribute of a venue as it was found: text, or a value out of an object. */
export interface VenueEntry {
  /** A declared field stands for itself. */
  field: VenueField | Field;
  /** As written, for messages. */
  label: string;
  unit?: string;
  value: unknown;
}

/** A list of texts as one text would write it, so that both are read the same way. */
const flat = (value: unknown): unknown =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join(', ') : value;

function readWords(value: unknown): string | null {
  const text = flat(value);
  if (typeof text === 'number') return String(text);
  const words = typeof text === 'string' ? squeezeLines(stripQuotes(text)).replace(/[,;]$/, '') : '';
  return words === '' ? null : stripQuotes(words);
}

const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

const SYMBOLS: readonly string[] = ['low', 'medium', 'high', 'high'];

/** Google's field: 1 to 4, or the names of its newer interface. */
const GOOGLE: Readonly<Record<string, string>> = {
  '1': 'low',
  '2': 'medium',
  '3': 'high',
  '4': 'high',
  PRICE_LEVEL_INEXPENSIVE: 'low',
  PRICE_LEVEL_MODERATE: 'medium',
  PRICE_LEVEL_EXPENSIVE: 'high',
  PRICE_LEVEL_VERY_EXPENSIVE: 'high',
};

/** Cost in words stays as it stands; €, €€ and €€€ (or $), and a price level of 1 to 4, are read, and that is noted. */
export function readCost(value: unknown, note: Note, label = 'cost'): string | null {
  const words = readWords(value);
  if (words === null) return null;
  const symbols = /^([€$£¥])\1{0,3}$/.exec(words);
  const isLevel = wordOf(label) === 'price level' && Object.hasOwn(GOOGLE, words);
  const meaning = isLevel ? GOOGLE[words] : SYMBOLS[(symbols?.[0].length ?? 0) - 1];
  if (meaning !== undefined)
    note(
      isLevel
        ? `${label} ${words} read as ${meaning} (Google's scale, 1 to 4)`
        : `cost ${words} read as ${meaning}`,
    );
  else if (/^\d/.test(words)) note(`cost ${excerpt(words, 40)} kept as it stands: it names no level`);
  return meaning ?? words;
}

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
function daysOfKey(key: string): Weekday[] | null {
  const day = weekdayOf(key.trim());
  if (day) return [day];
  const hours = key.length <= 60 ? readHours(`${key.replaceAll('_', '-')}: closed`, () => {}) : null;
  return hours === null ? null : Object.keys(hours).flatMap((name) => weekdayOf(name) ?? []);
}

/** Hours by day; days that cannot be read are noted and left out. */
function readHoursByDay(value: object, note: Note): OpeningHours | null {
  const hours: OpeningHours = {};
  for (const [key, spans] of Object.entries(value)) {
    const days = daysOfKey(key);
    const text = spansText(spans);
    const read = text === null ? undefined : readHours(`daily ${text}`, note)?.monday;
    if (Array.isArray(spans) && spans.length === 0)
      note(`opening hours of ${excerpt(key, 30)} are an empty list: read as closed`);
    if (days === null || read === undefined)
      note(`opening hours "${excerpt(key, 30)}: ${excerpt(text ?? '', 40)}" not understood: left out`);
    else for (const day of days) hours[day] = read;
  }
  return Object.keys(hours).length === 0 ? null : hours;
}

/** Opening hours from text, a list of lines, or an object by day. */
export function readOpeningHours(value: unknown, note: Note): OpeningHours | null {
  if (typeof value === 'string') return readHours(value.replaceAll(/[[\]"']/g, ' '), note);
  if (Array.isArray(value)) {
    const lines = value.map(spansText);
    return lines.length === 0 || lines.includes(null) ? null : readHours(lines.join('\n'), note);
  }
  if (typeof value !== 'object' || value === null) return null;
  if ('weekdayDescriptions' in value) return readOpeningHours(value.weekdayDescriptions, note);
  const span = spansText(value);
  return span === null ? readHoursByDay(value, note) : readHours(span, note);
}

const FIELDS: Readonly<
  Partial<Record<VenueField, (entry: VenueEntry, note: Note) => Recommendation | null>>
> = {
  name: ({ value }) => wrap('name', readWords(value)),
  cuisine: ({ value }) => wrap('cuisine', readWords(value)),
  cost: ({ value, label }, note) => wrap('cost', readCost(value, note, label)),
  menu: ({ value }) => wrap('menu', readItems(value)),
  rating: ({ value }, note) => wrap('rating', readRating(value, note)),
  hours: ({ value }, note) => wrap('openingHours', readOpeningHours(value, note)),
  distance: ({ value, unit }, note) => wrap('distanceKm', readDistanceKm(value, note, unit)),
  duration: ({ value, unit }, note) => wrap('durationMin', readDurationMin(value, note, unit)),
};

const wrap = <Key extends keyof Recommendation>(
  key: Key,
  value: Recommendation[Key] | null,
): Recommendation | null => (value === null || value === undefined ? null : { [key]: value });

function placeOfEntry({ field, value }: VenueEntry, note: Note): Place | null {
  if (field === 'latitude' || field === 'longitude') return readPlace({ [field]: value }, note);
  return readPlace(value, note);
}

/** Where the venue is: in words its address before other words, in degrees its coordinates before those of its address. */
function placeOf(entries: readonly VenueEntry[], note: Note): Place | null {
  const found = entries.flatMap((entry) => {
    const isOfPlace = typeof entry.field === 'string' && FIELDS[entry.field] === undefined;
    const place = isOfPlace ? placeOfEntry(entry, note) : null;
    return place === null ? [] : [{ place, isAddress: entry.field === 'address' }];
  });
  const ofAddress = found.filter(({ isAddress }) => isAddress).map(({ place }) => place);
  const others = found.filter(({ isAddress }) => !isAddress).map(({ place }) => place);
  const [description, ...more] = new Set(
    [...ofAddress, ...others].flatMap((place) => place.description ?? []),
  );
  for (const words of more)
    note(`not used: the venue's place "${excerpt(words, 60)}" ("${excerpt(description ?? '', 60)}" counts)`);
  const { description: _, ...degrees }: Place = joinPlaces([...others, ...ofAddress], note) ?? {};
  for (const { latitude, longitude } of found.map(({ place }) => place))
    if (latitude !== undefined && longitude !== undefined && degrees.latitude !== undefined)
      if (latitude !== degrees.latitude || longitude !== degrees.longitude)
        note(`not used: other coordinates of the venue (${latitude}, ${longitude})`);
  const place = description === undefined ? degrees : { ...degrees, description };
  return Object.keys(place).length === 0 ? null : place;
}

/** One venue out of what was found. The first value of an attribute counts; what is not used is noted. */
export function readVenue(entries: readonly VenueEntry[], note: Note): Recommendation | null {
  const venue: Recommendation = {};
  for (const entry of entries) {
    const read = typeof entry.field === 'string' ? FIELDS[entry.field] : undefined;
    const shown = isPlain(entry.value) ? ` "${excerpt(String(entry.value), 60)}"` : '';
    if (read === undefined) continue;
    const part = read(entry, note);
    const [key] = Object.keys(part ?? {});
    if (part === null || key === undefined) note(`${entry.label}${shown} not understood: left out`);
    else if (key in venue)
      note(`not used: a second ${entry.label}${shown} (one venue is judged, the first counts)`);
    else Object.assign(venue, part);
  }
  const location = placeOf(entries, note);
  const whole = location ? { ...venue, location } : venue;
  const checked = Recommendation.safeParse(whole);
  return checked.success && Object.keys(checked.data).length > 0 ? checked.data : null;
}

/** Keys under which attributes of a venue are grouped. */
const GROUPS = new Set([
  'travel',
  'route',
  'directions',
  'navigation',
  'attributes',
  'properties',
  'details',
  'info',
  'trip',
]);

/** The attributes of a venue in an object with any usual keys, and the keys that are none. */
export function venueEntries(
  value: object,
  declared: DeclaredLabels,
): { entries: VenueEntry[]; unused: string[] } {
  const entries: VenueEntry[] = [];
  const unused: string[] = [];
  for (const [label, inner] of Object.entries(value)) {
    const found = meaningWith(label, inner, declared);
    const meaning = found?.meaning;
    const unit = found?.unit === undefined ? {} : { unit: found.unit };
    if (inner === null) continue;
    if (meaning?.kind === 'venue' || meaning?.kind === 'place')
      entries.push({ field: meaning.field, label, value: inner, ...unit });
    else if (meaning?.kind === 'venue-or-name' && typeof inner === 'string')
      entries.push({ field: 'name', label, value: inner });
    else if (GROUPS.has(label) && typeof inner === 'object' && !Array.isArray(inner)) {
      const group = venueEntries(inner, declared);
      entries.push(...group.entries);
      unused.push(...group.unused.map((key) => `${label}.${key}`));
    } else unused.push(label);
  }
  return { entries, unused };
}
