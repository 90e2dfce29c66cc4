import { Place } from '../case.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import { meaningOf } from './labels.ts';
import { excerpt, squeeze, stripQuotes } from './text.ts';
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

/** Whether a line says in words where a place is: `Address: …`. */
export const describesPlace = (line: string, words: Words): boolean => patterns(words).lead.test(line);

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
  const more = unused.length > 10 ? ` and ${unused.length - 10} more` : '';
  if (unused.length > 0) reading.note(`not used: ${unused.slice(0, 10).join(', ')}${more} of a location`);
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
  note('a location with a latitude outside -90 to 90 or a longitude outside -180 to 180 was left out');
  return joined.description === undefined ? null : { description: joined.description };
}
