import { type Place, Recommendation } from '../case.ts';
import type { CaseFormat } from '../case-format.ts';
import type { Field } from '../field.ts';
import { readOpeningHours } from './hours.ts';
import { meaningOf, type VenueField, wordOf } from './labels.ts';
import { joinPlaces, readPlace } from './place.ts';
import { excerpt } from './text.ts';
import { type Reading, readDistanceKm, readDurationMin, readItems, readRating, readWords } from './values.ts';

/** One attribute of a venue as it was found: text, or a value out of an object. */
export interface VenueEntry {
  /** A declared field stands for itself. */
  field: VenueField | Field;
  /** As written, for messages. */
  label: string;
  unit?: string;
  value: unknown;
}

const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

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

/** How each attribute but the place is read, and where the venue holds it. */
const READERS: Readonly<
  Partial<Record<VenueField, [keyof Recommendation, (entry: VenueEntry, reading: Reading) => unknown]>>
> = {
  name: ['name', ({ value }) => wordsIn(value)],
  cuisine: ['cuisine', ({ value }) => wordsIn(value)],
  cost: ['cost', ({ value, label }, reading) => readCost(value, reading, label)],
  menu: ['menu', ({ value }) => readItems(value)],
  rating: ['rating', ({ value }, reading) => readRating(value, reading)],
  openingHours: ['openingHours', ({ value }, reading) => readOpeningHours(value, reading)],
  distance: ['distanceKm', ({ value, unit }, reading) => readDistanceKm(value, reading, unit)],
  duration: ['durationMin', ({ value, unit }, reading) => readDurationMin(value, reading, unit)],
};

function placeOfEntry({ field, value }: VenueEntry, reading: Reading): Place | null {
  const isDegrees = field === 'latitude' || field === 'longitude';
  return readPlace(isDegrees ? { [field]: value } : value, reading);
}

/** Where the venue is: in words its address before other words, in degrees its coordinates before those of its address. */
function placeOf(entries: readonly VenueEntry[], reading: Reading): Place | null {
  const { note } = reading;
  const found = entries.flatMap((entry) => {
    const isOfPlace = typeof entry.field === 'string' && READERS[entry.field] === undefined;
    const place = isOfPlace ? placeOfEntry(entry, reading) : null;
    return place === null ? [] : [{ place, isAddress: entry.field === 'address' }];
  });
  const ofAddress = found.filter(({ isAddress }) => isAddress).map(({ place }) => place);
  const others = found.filter(({ isAddress }) => !isAddress).map(({ place }) => place);
  const [description, ...more] = new Set(
    [...ofAddress, ...others].flatMap((place) => place.description ?? []),
  );
  for (const words of more)
    note(`not used: the venue's place "${excerpt(words, 60)}" ("${excerpt(description ?? '', 60)}" counts)`);
  const { description: _, ...degrees }: Place = joinPlaces([...others, ...ofAddress], reading) ?? {};
  for (const { latitude, longitude } of found.map(({ place }) => place))
    if (latitude !== undefined && longitude !== undefined && degrees.latitude !== undefined)
      if (latitude !== degrees.latitude || longitude !== degrees.longitude)
        note(`not used: other coordinates of the venue (${latitude}, ${longitude})`);
  const place = description === undefined ? degrees : { ...degrees, description };
  return Object.keys(place).length === 0 ? null : place;
}

/** One venue out of what was found. The first value of an attribute counts; what is not used is noted. */
export function readVenue(entries: readonly VenueEntry[], reading: Reading): Recommendation | null {
  const { note } = reading;
  const venue: Record<string, unknown> = {};
  for (const entry of entries) {
    const [key, read] = (typeof entry.field === 'string' ? READERS[entry.field] : undefined) ?? [];
    if (key === undefined || read === undefined) continue;
    const shown = isPlain(entry.value) ? ` "${excerpt(String(entry.value), 60)}"` : '';
    const value = read(entry, reading) ?? null;
    if (value === null) note(`${entry.label}${shown} not understood: left out`);
    else if (key in venue)
      note(`not used: a second ${entry.label}${shown} (one venue is judged, the first counts)`);
    else venue[key] = value;
  }
  const location = placeOf(entries, reading);
  const checked = Recommendation.safeParse(location ? { ...venue, location } : venue);
  return checked.success && Object.keys(checked.data).length > 0 ? checked.data : null;
}

/** The attributes of a venue in an object with any usual keys, and the keys that are none. */
export function venueEntries(value: object, format: CaseFormat): { entries: VenueEntry[]; unused: string[] } {
  const entries: VenueEntry[] = [];
  const unused: string[] = [];
  for (const [label, inner] of Object.entries(value)) {
    const found = meaningOf(label, format, inner);
    const meaning = found?.meaning;
    const unit = found?.unit === undefined ? {} : { unit: found.unit };
    if (inner === null) continue;
    if (meaning?.kind === 'venue' || meaning?.kind === 'place')
      entries.push({ field: meaning.field, label, value: inner, ...unit });
    else if (meaning?.kind === 'venue-or-name' && typeof inner === 'string')
      entries.push({ field: 'name', label, value: inner });
    else if (
      format.words.keys.venueGroup.includes(label) &&
      typeof inner === 'object' &&
      !Array.isArray(inner)
    ) {
      const group = venueEntries(inner, format);
      entries.push(...group.entries);
      unused.push(...group.unused.map((key) => `${label}.${key}`));
    } else unused.push(label);
  }
  return { entries, unused };
}
