import { oncePer } from '../../common/index.ts';
import { alternatives, type CaseFormat, type Field, lineFor, type Words } from '../format/index.ts';
import { excerpt, squeeze, squeezeLines, stripQuotes } from './clean-text.ts';

/** Adds a note on something that was assumed. */
export type Note = (assumption: string) => void;

/** What every reader of a value needs: the vocabulary and fields, and a way to note what it assumed. */
export interface Reading {
  format: CaseFormat;
  note: Note;
}

/** The note on a value that was not read. Ends with an example line for its path, if there is one. */
export function unreadNote(shown: string, path: string, { format }: Reading): string {
  const line = lineFor(path, format);
  const isOne = line !== null && /: [\d.]+(?: \S+)?$/.test(line);
  const how = line === null ? '' : `; write ${isOne ? 'one number, such as' : 'it as'} “${line}”`;
  return `left out: ${shown}, not understood${how}`;
}

/** Whether a separator may mark thousands: `1,200`, `1.200`. In meters it always does, since no one gives millimeters. */
export const readsAsThousands = (digits: string): boolean => /^\d{1,3}[.,]\d{3}$/.test(digits);

/** Reads `1,200` and `1.200` as twelve hundred. */
export const thousands = (digits: string): number => Number(digits.replace(/[.,]/, ''));

const toNumber = (digits: string): number => Number(digits.replace(',', '.'));
const round = (value: number, places: 3 | 4): number => Math.round(value * 10 ** places) / 10 ** places;

/** Maps each name of a unit to the size of the unit. */
const lengths = (...units: [length: number, names: readonly string[]][]): ReadonlyMap<string, number> =>
  new Map(units.flatMap(([length, names]) => names.map((name): [string, number] => [name, length])));

const patterns = oncePer(({ units, values, hours }: Words) => {
  const about = `^${alternatives(values.about)}? ?`;
  const number = String.raw`\d{1,9}(?:[.,]\d{1,9})?`;
  return {
    /** A range, in which neither number counts, or a clock time: `10-15 min`, `18:45`. */
    several: new RegExp(`${about}${number} ?(?:[-–—:] ?|${alternatives(hours.to)} )\\d`, 'iu'),
    notByCar: new RegExp(`(?<!\\p{L})${alternatives(values.notByCar)}(?!\\p{L})`, 'iu'),
    amount: new RegExp(`${about}(?<digits>${number}) ?(?<unit>[\\p{L}.]{0,12})`, 'iu'),
    /** Another number and the word after it, unless it is a number of reviews, a scale, a price, a road or a time. */
    further: new RegExp(
      `(?<![\\p{L}\\d.,:/€$£])(?<!${alternatives(values.outOf)} ?)(?<digits>${number})(?![.,]?\\d|[:%]| %|k(?!\\p{L})| ?${alternatives(values.reviews)})(?: ?(?<unit>[\\p{L}/]+))?`,
      'giu',
    ),
    /** A former value or a number of ratings: `was 3.8`, `(312)`. */
    beside: new RegExp(`${alternatives(values.formerly)} ${number}|\\(\\d+(?:[.,]\\d{3})?\\)`, 'giu'),
    /** A number with a currency before it and any unit after it. */
    measure: new RegExp(`${about}(?<currency>[€$£¥]?) ?(?<digits>-?${number}) ?(?<unit>.{0,40})$`, 'iu'),
    clock: new RegExp(
      String.raw`^(?<hour>\d{1,2}):(?<minute>\d{2}) ?${alternatives(units.hours)}(?!\p{L})`,
      'iu',
    ),
    outOf: new RegExp(String.raw`${alternatives(values.outOf)} ?(?<scale>\d{1,3})(?!\d)`, 'iu'),
    and: new RegExp(`^${alternatives(hours.and)} `, 'iu'),
    distance: lengths([1, units.kilometers], [0.001, units.meters], [1.609344, units.miles]),
    duration: lengths([60, units.hours], [1, units.minutes], [1 / 60, units.seconds]),
    latency: lengths([1, units.milliseconds], [1000, units.seconds]),
  };
});

/** The unit of a bare number, also in words; the number from which a bare one is not read; and the name in messages. */
const MEASURES = {
  // A bare 4200 cannot be km, and meters would be a guess.
  distance: { unit: 'km', bare: 'km', mostBare: 100, called: 'distance' },
  duration: { unit: 'min', bare: 'minutes', mostBare: Number.POSITIVE_INFINITY, called: 'drive time' },
  // A bare number may be seconds or milliseconds.
  latency: { unit: 'ms', bare: 'ms', mostBare: 0, called: 'latency' },
} as const;

interface Amount {
  number: number;
  digits: string;
  unit: string;
  isApproximate: boolean;
  /** The text after it. */
  rest: string;
}

function readAmount(value: unknown, words: Words): Amount | null {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0)
    return { number: value, digits: String(value), unit: '', isApproximate: false, rest: '' };
  if (typeof value !== 'string') return null;
  const text = squeeze(value);
  const match = patterns(words).several.test(text) ? null : patterns(words).amount.exec(text);
  const { digits, unit = '' } = match?.groups ?? {};
  if (!match || !digits) return null;
  return {
    number: toNumber(digits),
    digits,
    unit: unit.toLowerCase().replace(/\.$/, ''),
    isApproximate: !/^\d/.test(text),
    rest: text.slice(match[0].length).trim(),
  };
}

/** Whether another value follows a value: then neither counts. */
const hasOther = (rest: string, words: Words, isOther: (number: number, unit: string) => boolean): boolean =>
  [...rest.replace(patterns(words).beside, '').matchAll(patterns(words).further)].some(
    ({ groups: { digits = '', unit = '' } = {} }) =>
      isOther(readsAsThousands(digits) ? thousands(digits) : toNumber(digits), unit.toLowerCase()),
  );

/** Two lengths that differ by up to a twentieth may be the same one, rounded in two units: `9 km (5.6 miles)`. */
const ROUNDED = 0.05;

/**
 * Reads an amount in the measure's own unit, and notes what it assumed.
 * @param unit the unit if the value names none, such as that of its label
 * @returns null if the unit is unknown, or missing where it is needed, or if another amount follows
 */
function readMeasure(
  measure: keyof typeof MEASURES,
  value: unknown,
  { format: { words }, note }: Reading,
  unit?: string,
): number | null {
  const { [measure]: lengths, and } = patterns(words);
  const amount = readAmount(value, words);
  const named = amount?.unit || unit;
  const length = named === undefined ? 1 : lengths.get(named);
  if (amount === null || length === undefined) return null;
  const { digits } = amount;
  if (named === undefined && amount.number >= MEASURES[measure].mostBare) return null;
  // "1,200 m" and "1.200 m" are twelve hundred meters, not one and a fifth.
  const isThousands = length === 0.001 && readsAsThousands(digits);
  let total = (isThousands ? thousands(digits) : amount.number) * length;
  let { rest } = amount;
  // "1 h 5 min 30 s"
  for (let last = length; measure === 'duration'; ) {
    const more = readAmount(rest.replace(and, ''), words);
    const part = more === null ? undefined : lengths.get(more.unit);
    if (more === null || part === undefined || part >= last) break;
    total += more.number * part;
    [last, rest] = [part, more.rest];
  }
  const isOther = (number: number, other: string) => {
    const part = other === '' ? length : lengths.get(other);
    return part !== undefined && Math.abs(number * part - total) > ROUNDED * total;
  };
  if (hasOther(rest, words, isOther)) return null;
  const read = round(total, 3);
  const { unit: ownUnit, bare, called } = MEASURES[measure];
  if (named === undefined) note(`${measure} "${digits}" has no unit: read as ${bare}`);
  if (isThousands || (measure === 'distance' && length > 1))
    note(`distance ${digits} ${named} read as ${read} km`);
  if (amount.isApproximate) note(`the ${called} is approximate: read as ${read} ${ownUnit}`);
  return read;
}

/** Reads a distance in km; null if it cannot. A bare number below 100 counts as km, with a note. */
export const readDistanceKm = (value: unknown, reading: Reading, unit?: string): number | null =>
  readMeasure('distance', value, reading, unit);

/**
 * Reads a drive time in minutes: `6 min`, `1 h 5 min 30 s`, `1:05 h`. A bare number counts as minutes, with a note. Null if
 * it cannot be read, or is not by car.
 */
export function readDurationMin(value: unknown, reading: Reading, unit?: string): number | null {
  const { clock, notByCar } = patterns(reading.format.words);
  const watch = clock.exec(squeeze(String(value)))?.groups;
  if (watch) return Number(watch.hour) * 60 + Number(watch.minute);
  return notByCar.test(String(value)) ? null : readMeasure('duration', value, reading, unit);
}

/** Reads a latency in ms; null if it has no unit or cannot be read. */
export const readLatencyMs = (value: unknown, reading: Reading, unit?: string): number | null =>
  readMeasure('latency', value, reading, unit);

/**
 * Reads a rating from 0 to 10 as given: `4.6`, `4,6`, `4.6/5`, `4.6 stars`. A scale other than 5 is noted.
 * @returns null if there are two ratings, or if a rating on another scale is 5 or less and so would look like stars
 */
export function readRating(value: unknown, { format: { words }, note }: Reading): number | null {
  const text = typeof value === 'string' ? squeeze(value.replace(/★|⭐|\u{fe0f}/gu, ' ')) : value;
  const amount = readAmount(text, words);
  if (amount === null) return null;
  const { outOf, distance, duration } = patterns(words);
  const scale = outOf.exec(String(text))?.groups?.scale ?? '5';
  if (amount.number > 10 || (scale !== '5' && amount.number <= 5)) return null;
  if (scale !== '5') note(`rating ${amount.digits} is out of ${scale}: kept as it stands`);
  const isOther = (number: number, unit: string) =>
    number <= 10 && number !== amount.number && !distance.has(unit) && !duration.has(unit);
  const rest = String(text).split(amount.digits).slice(1).join(amount.digits);
  return hasOther(rest, words, isOther) ? null : amount.number;
}

/** Normalizes a unit for comparison: no spaces, lower case. */
const plainUnit = (unit: string): string => unit.toLowerCase().replaceAll(' ', '').replace(/\.$/, '');

/** The digits and the normalized unit of `€1.79/l`, `1,79 € / Liter` or `150kW`; null for any other value. */
function written(value: unknown, words: Words): { digits: string; unit: string } | null {
  const found = typeof value === 'string' ? patterns(words).measure.exec(squeeze(value)) : null;
  const { currency, digits, unit } = found?.groups ?? {};
  return digits === undefined ? null : { digits, unit: plainUnit(`${currency}${unit}`) };
}

/** Whether a value has one of the units that tell this field from others with the same label. */
export const namesUnit = (value: string, { byUnit }: Field, words: Words): boolean =>
  (byUnit?.units ?? []).some((unit) => plainUnit(unit) === written(value.slice(0, 80), words)?.unit);

/**
 * Reads the number of a declared field in its own unit; null if it cannot. Conversions are noted, and so is a missing unit,
 * unless the field allows several.
 */
export function readAmountOf(value: unknown, field: Field, { format, note }: Reading): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const quantity = written(value, format.words);
  if (quantity === null) return null;
  const number = toNumber(quantity.digits);
  // "0 of 4", "2/4 free"
  if (field.units === undefined && /^(?:(?:out)?of|von|\/)\d+(?:free|frei)?$/.test(quantity.unit))
    return number;
  const units = Object.entries(field.units ?? {});
  const [baseUnit] = units[0] ?? [];
  if (quantity.unit === '') {
    if (baseUnit) note(`${field.title} "${quantity.digits}" has no unit: read as ${baseUnit}`);
    return number;
  }
  const factor = units.find(([name]) => plainUnit(name) === quantity.unit)?.[1];
  if (factor === undefined) return null;
  const amount = round(number * factor, 4);
  if (factor !== 1) note(`${field.title} "${excerpt(String(value), 40)}" read as ${amount} ${baseUnit}`);
  return amount;
}

/** Reads words as one line, from a text, a number or a list of texts; null if there are none. */
export function readWords(value: unknown): string | null {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return readWords(value.join(', '));
  if (typeof value === 'number') return String(value);
  return (typeof value === 'string' ? squeezeLines(stripQuotes(value)) : '') || null;
}

/** Reads yes or no, in any language of the vocabulary; null for anything else. */
export function readFlag(value: unknown, { values }: Words): boolean | null {
  const word = String(value).trim().toLowerCase();
  return values.yes.includes(word) ? true : values.no.includes(word) ? false : null;
}

const itemOf = (item: unknown): string => {
  if (typeof item === 'object' && item !== null && 'name' in item) return itemOf(item.name);
  return typeof item === 'string' ? stripQuotes(squeeze(item).replace(/^[-•*–·] /, '')) : '';
};

/** Reads items from a list, or from a text: one per line, or separated by semicolons or commas. Null if there are none. */
export function readItems(value: unknown): string[] | null {
  const text = typeof value === 'string' ? value.trim().replace(/^\[(.*)\]$/s, '$1') : '';
  const mark = text.includes('\n') ? /[\n;]/ : text.includes(';') ? ';' : ',';
  const named = (Array.isArray(value) ? value : text.split(mark)).map(itemOf).filter((item) => item !== '');
  return named.length === 0 ? null : named;
}

/** Reads items like {@link readItems}, but an empty list or a word for nothing is an empty list. */
export function readList(value: unknown, { values }: Words): string[] | null {
  const saysNone = Array.isArray(value)
    ? value.length === 0
    : typeof value === 'string' && values.nothing.includes(value.trim().toLowerCase());
  return saysNone ? [] : readItems(value);
}
