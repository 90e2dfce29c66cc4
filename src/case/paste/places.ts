import { Place } from '../case.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import { meaningOf } from './labels.ts';
import { excerpt, listed, squeeze, stripQuotes } from './text.ts';
import type { Reading } from './values.ts';

const DECIMAL = String.raw`([-+]?\d{1,3}\.\d{1,15})`;
const PAIRS: readonly RegExp[] = [
  new RegExp(`(?<![\\d.])${DECIMAL} ?°? ?([NS])? ?[,;/ ] ?${DECIMAL} ?°? ?([EWO](?![\\p{L}]))?(?!\\d)`, 'iu'),
  /(?<![\d,.])([-+]?\d{1,3},\d{1,15}) ?°? ?([NS])? ?[;/ ] ?([-+]?\d{1,3},\d{1,15}) ?°? ?([EWO](?!\p{L}))?(?!\d)/iu,
  /(?<![\d.])(\d{1,3}) ?°? ?([NS]) ?[,;/ ] ?(\d{1,3}) ?°? ?([EWO])(?!\p{L})/iu,
];

const patterns = oncePer(({ keys, labels }: Words) => ({
  /** What may stand before the words of a place: `Address: …`. */
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

/** A place in words, in degrees, or both: `Prenzlauer Berg, Berlin (52.53, 13.41)`. Null where nothing is said. */
export function readPlaceText(value: string, { format, note }: Reading): Place | null {
  const { lead, degrees } = patterns(format.words);
  const text = squeeze(stripQuotes(value.replaceAll('\n', ', ').replace(lead, '')));
  const bare = text.replace(degrees, '');
  const match = PAIRS.map((pattern) => pattern.exec(bare)).find((found) => found !== null);
  if (text === '' || !match) return text === '' ? null : { description: text };
  const [pair, north, isSouth, east, isWest] = match;
  const place = { latitude: signed(north, isSouth), longitude: signed(east, isWest) };
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

/** What one key of an object says about a place; null where nothing. */
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

/** A place as text, `[latitude, longitude]`, or an object with any usual keys. */
export function readPlace(value: unknown, reading: Reading): Place | null {
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

/** Several readings of one place put together; the first to say something counts. Null where it is not on Earth. */
export function joinPlaces(places: readonly Place[], { note }: Reading): Place | null {
  const joined: Place = Object.assign({}, ...[...places].reverse());
  if (Object.keys(joined).length === 0) return null;
  if (plausible(joined)) return joined;
  note('left out: a location with a latitude outside -90 to 90 or a longitude outside -180 to 180');
  return joined.description === undefined ? null : { description: joined.description };
}
