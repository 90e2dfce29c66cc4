import { Place, Recommendation } from '../case.ts';
import { type Field, pathOfField } from '../field.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import { readOpeningHours } from './hours.ts';
import { meaningOf, type VenueField, wordOf } from './labels.ts';
import { excerpt, listed, squeeze, stripQuotes } from './text.ts';
import {
  type Reading,
  readDistanceKm,
  readDurationMin,
  readItems,
  readRating,
  readWords,
  unreadNote,
} from './values.ts';

const DECIMAL = String.raw`([-+]?\d{1,3}\.\d{1,15})`;
const PAIRS: readonly RegExp[] = [
  new RegExp(`(?<![\\d.])${DECIMAL} ?°? ?([NS])? ?[,;/ ] ?${DECIMAL} ?°? ?([EWO](?![\\p{L}]))?(?!\\d)`, 'iu'),
  /(?<![\d,.])([-+]?\d{1,3},\d{1,15}) ?°? ?([NS])? ?[;/ ] ?([-+]?\d{1,3},\d{1,15}) ?°? ?([EWO](?!\p{L}))?(?!\d)/iu,
  /(?<![\d.])(\d{1,3}) ?°? ?([NS]) ?[,;/ ] ?(\d{1,3}) ?°? ?([EWO])(?!\p{L})/iu,
];

const patterns = oncePer(({ keys, labels, units }: Words) => ({
  seconds: new RegExp(`^[^\\p{L}]{0,20}${alternatives([...units.seconds, ...units.milliseconds])}$`, 'iu'),
  /** What may stand before the words of a place: `Address: …`. */
  lead: new RegExp(`^ {0,20}${alternatives(keys.place)} ?: ?`, 'iu'),
  degrees: new RegExp(
    `(?<!\\p{L})${alternatives([...labels.latitude, ...labels.longitude])}(?!\\p{L}) ?[:=]? ?`,
    'giu',
  ),
}));

const signed = (digits: string, hemisphere: string | undefined): number => {
  const value = Number(digits.replace(',', '.'));
  return hemisphere !== undefined && /[SW]/i.test(hemisphere) ? -value : value;
};

const plausible = (place: Place): boolean => Place.safeParse(place).success;

function withoutPair(text: string, pair: string): string {
  const rest = squeeze(text.replace(pair, ' ').replace(/\( ?\)|\[ ?\]/g, ' '));
  const words = rest.replace(/^[,;:/()@–— -]{1,10}|[,;:/(@–— -]{1,10}$/gu, '');
  return words.includes('(') ? words : words.replace(/\)$/, '').trimEnd();
}

/** A place in words, in degrees, or both: `Prenzlauer Berg, Berlin (52.53, 13.41)`. Null where nothing is said. */
export function readPlaceText(value: string, { format, note }: Reading): Place | null {
  const { lead, degrees } = patterns(format.words);
  const said = value.replaceAll('\n', ', ').replace(lead, '');
  const text = squeeze(stripQuotes(said));
  if (text === '') return null;
  const bare = text.replace(degrees, '');
  for (const pattern of PAIRS) {
    const match = pattern.exec(bare);
    if (!match) continue;
    const place = { latitude: signed(match[1] ?? '', match[2]), longitude: signed(match[3] ?? '', match[4]) };
    if (!plausible(place)) {
      note(`"${match[0]}" is not a latitude and a longitude: kept as the name of the place`);
      return { description: text };
    }
    const description = withoutPair(bare, match[0]);
    return description === '' ? place : { ...place, description };
  }
  return { description: text };
}

const degreesOf = (value: unknown): number | undefined => {
  const number =
    typeof value === 'string' && /^ ?[-+]?\d{1,3}([.,]\d{1,15})?/.test(value)
      ? Number.parseFloat(value.replace(',', '.'))
      : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** What one key of an object says about a place; null where nothing. */
function readPlaceKey(key: string, value: unknown, reading: Reading): Place | null {
  const meaning = meaningOf(key, reading.format)?.meaning;
  const field = meaning?.kind === 'place' ? meaning.field : null;
  if (field === 'location') return readPlace(value, reading);
  if (field !== null) {
    const number = degreesOf(value);
    return number === undefined ? null : { [field]: number };
  }
  const isWords = reading.format.words.keys.place.includes(key.toLowerCase().replaceAll('_', ' '));
  return isWords && typeof value === 'string' && value.trim() !== '' ? { description: value.trim() } : null;
}

function readPlaceObject(value: object, reading: Reading): Place | null {
  const place: Place = {};
  const unused: string[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const part = readPlaceKey(key, inner, reading);
    if (part === null) unused.push(excerpt(key, 40));
    const description = [place.description, part?.description]
      .filter((words) => words !== undefined)
      .join(', ');
    Object.assign(place, part, description === '' ? {} : { description });
  }
  if (unused.length > 0) reading.note(`not used: ${listed(unused, 10)} of a location`);
  return Object.keys(place).length === 0 ? null : place;
}

/** A place as text, `[latitude, longitude]`, or an object with any usual keys. */
export function readPlace(value: unknown, reading: Reading): Place | null {
  if (typeof value === 'string') return readPlaceText(value, reading);
  if (Array.isArray(value)) {
    const [latitude, longitude] = value.map(degreesOf);
    if (value.length !== 2 || latitude === undefined || longitude === undefined) return null;
    reading.note(`location [${latitude}, ${longitude}] read as [latitude, longitude]`);
    return { latitude, longitude };
  }
  return typeof value === 'object' && value !== null ? readPlaceObject(value, reading) : null;
}

/** Several readings of one place put together; the first to say something counts. Null where it is not on Earth. */
export function joinPlaces(places: readonly Place[], { note }: Reading): Place | null {
  const joined: Place = Object.assign({}, ...[...places].reverse());
  if (Object.keys(joined).length === 0) return null;
  if (plausible(joined)) return joined;
  note('left out: a location with a latitude outside -90 to 90 or a longitude outside -180 to 180');
  return joined.description === undefined ? null : { description: joined.description };
}

/** One attribute of a venue as it was found: text, or a value out of an object. */
export interface VenueEntry {
  /** A declared field stands for itself. */
  field: VenueField | Field;
  /** As written, for messages. */
  label: string;
  unit?: string;
  value: unknown;
  /** How many turns stood before it, in a text. */
  after?: number;
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

/** The drive; that seconds were taken for one is said, as they may be how long something else took. */
function readDrive({ value, unit, label }: VenueEntry, reading: Reading): number | null {
  const minutes = readDurationMin(value, reading, unit);
  if (minutes !== null && patterns(reading.format.words).seconds.test(String(value)))
    reading.note(`${label} "${value}" read as a drive of ${minutes} min`);
  return minutes;
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
  duration: ['durationMin', readDrive],
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

/** What entries say by what they are of. The first that can be read counts; what is not used is noted. */
export function readFirst<Of extends string | Field>(
  entries: readonly { label: string; value: unknown; of: Of; read: () => unknown }[],
  reading: Reading,
): Map<Of, unknown> {
  const found = new Map<Of, unknown>();
  for (const { of, label, value, read } of entries) {
    const isPlain = typeof value === 'string' || typeof value === 'number';
    const shown = isPlain ? `${label} "${excerpt(String(value), 60)}"` : label;
    const known = found.has(of) ? undefined : (read() ?? null);
    const path = typeof of === 'string' ? `recommendation.${of}` : pathOfField(of);
    if (known === undefined) reading.note(`not used: a second ${shown} (the first counts)`);
    else if (known === null) reading.note(unreadNote(shown, path, reading));
    else found.set(of, known);
  }
  return found;
}

/** One venue out of what was found. */
export function readVenue(entries: readonly VenueEntry[], reading: Reading): Recommendation | null {
  const own = entries.flatMap((entry) => {
    const [of, read] = (typeof entry.field === 'string' ? READERS[entry.field] : undefined) ?? [];
    return of && read ? [{ ...entry, of, read: () => read(entry, reading) }] : [];
  });
  const venue = Object.fromEntries(readFirst(own, reading));
  const location = placeOf(entries, reading);
  const checked = Recommendation.safeParse(location ? { ...venue, location } : venue);
  return checked.success && Object.keys(checked.data).length > 0 ? checked.data : null;
}
