import { oncePer } from '../../common/index.ts';
import { alternatives, type CaseFormat, type Field, lineFor, type Words } from '../format/index.ts';
import { excerpt, squeeze, squeezeLines, stripQuotes } from './text.ts';

/** Tells the reader of the result what was assumed. */
export type Note = (assumption: string) => void;

/** What every reader of a value needs: the words and fields that it may meet, and where to say what it assumed. */
export interface Reading {
  format: CaseFormat;
  note: Note;
}

/** Says that a value was not read, and how to write one: the last words are the line for its path. */
export function unreadNote(shown: string, path: string, { format }: Reading): string {
  const line = lineFor(path, format);
  const isOne = line !== null && /: [\d.]+(?: \S+)?$/.test(line);
  const how = line === null ? '' : `; write ${isOne ? 'one number, such as' : 'it as'} “${line}”`;
  return `left out: ${shown}, not understood${how}`;
}

/** Whether these may be thousands: `1,200` and `1.200`. Of meters they are, since thousandths of a meter are never given. */
export const readsAsThousands = (digits: string): boolean => /^\d{1,3}[.,]\d{3}$/.test(digits);

/** `1,200` and `1.200` as twelve hundred. */
export const thousands = (digits: string): number => Number(digits.replace(/[.,]/, ''));

const toNumber = (digits: string): number => Number(digits.replace(',', '.'));
const round = (value: number, places: 3 | 4): number => Math.round(value * 10 ** places) / 10 ** places;

/** The length of each unit by all its names. */
const lengths = (...units: [length: number, names: readonly string[]][]): ReadonlyMap<string, number> =>
  new Map(units.flatMap(([length, names]) => names.map((name): [string, number] => [name, length])));

const patterns = oncePer(({ units, values, hours }: Words) => {
  const about = `^${alternatives(values.about)}? ?`;
  const number = String.raw`\d{1,9}(?:[.,]\d{1,9})?`;
  return {
    /** Two numbers, of which neither counts: `10-15 min`, and a time of day or of a watch: `18:45`. */
    several: new RegExp(`${about}${number} ?(?:[-–—:] ?|${alternatives(hours.to)} )\\d`, 'iu'),
    notByCar: new RegExp(`(?<!\\p{L})${alternatives(values.notByCar)}(?!\\p{L})`, 'iu'),
    amount: new RegExp(`${about}(${number}) ?([\\p{L}.]{0,12})`, 'iu'),
    /** A further number, with the word behind it; none that counts reviews or names a scale, a price, a road or a time of day. */
    further: new RegExp(
      `(?<![\\p{L}\\d.,:/€$£])(?<!${alternatives(values.outOf)} ?)(${number})(?![.,]?\\d|[:%]| %|k(?!\\p{L})| ?${alternatives(values.reviews)})(?: ?([\\p{L}/]+))?`,
      'giu',
    ),
    /** What a value was before, and how many have rated: `was 3.8`, `(312)`. */
    beside: new RegExp(`${alternatives(values.formerly)} ${number}|\\(\\d+(?:[.,]\\d{3})?\\)`, 'giu'),
    /** With a currency before the number and any unit behind it. */
    measure: new RegExp(`${about}([€$£¥]?) ?(-?${number}) ?(.{0,40})$`, 'iu'),
    clock: new RegExp(String.raw`^(\d{1,2}):(\d{2}) ?${alternatives(units.hours)}(?!\p{L})`, 'iu'),
    outOf: new RegExp(String.raw`${alternatives(values.outOf)} ?(\d{1,3})(?!\d)`, 'iu'),
    and: new RegExp(`^${alternatives(hours.and)} `, 'iu'),
    distance: lengths([1, units.kilometers], [0.001, units.meters], [1.609344, units.miles]),
    duration: lengths([60, units.hours], [1, units.minutes], [1 / 60, units.seconds]),
    latency: lengths([1, units.milliseconds], [1000, units.seconds]),
  };
});

/** What counts where a measure has no unit, from which number on nothing does, and what messages call it. */
const MEASURES = {
  // A bare 4200 is surely no drive of 4200 km, and whether it is meters is a guess.
  distance: { unit: 'km', bare: 'km', mostBare: 100, called: 'distance' },
  duration: { unit: 'min', bare: 'minutes', mostBare: Number.POSITIVE_INFINITY, called: 'drive time' },
  // A bare 9.4 may be seconds or milliseconds.
  latency: { unit: 'ms', bare: 'ms', mostBare: 0, called: 'latency' },
} as const;

interface Amount {
  number: number;
  digits: string;
  unit: string;
  isApproximate: boolean;
  /** What stands after it. */
  rest: string;
}

function readAmount(value: unknown, words: Words): Amount | null {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0)
    return { number: value, digits: String(value), unit: '', isApproximate: false, rest: '' };
  if (typeof value !== 'string') return null;
  const text = squeeze(value);
  const match = patterns(words).several.test(text) ? null : patterns(words).amount.exec(text);
  if (!match?.[1]) return null;
  return {
    number: toNumber(match[1]),
    digits: match[1],
    unit: (match[2] ?? '').toLowerCase().replace(/\.$/, ''),
    isApproximate: !/^\d/.test(text),
    rest: text.slice(match[0].length).trim(),
  };
}

/** Whether another value stands behind one: of two, neither counts. */
const hasOther = (rest: string, words: Words, isOther: (number: number, unit: string) => boolean): boolean =>
  [...rest.replace(patterns(words).beside, '').matchAll(patterns(words).further)].some(
    ([, digits = '', unit = '']) =>
      isOther(readsAsThousands(digits) ? thousands(digits) : toNumber(digits), unit.toLowerCase()),
  );

/** The same length in another unit is rounded by this share at most: `9 km (5.6 miles)`. */
const ROUNDED = 0.05;

/** An amount in the measure's own unit. What it took for granted is noted; null for any other unit, and where another amount follows. */
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
  const { unit: own, bare, called } = MEASURES[measure];
  if (named === undefined) note(`${measure} "${digits}" has no unit: read as ${bare}`);
  if (isThousands || (measure === 'distance' && length > 1))
    note(`distance ${digits} ${named} read as ${read} km`);
  if (amount.isApproximate) note(`the ${called} is approximate: read as ${read} ${own}`);
  return read;
}

/** A distance in km. A bare number counts as km, and that is noted. */
export const readDistanceKm = (value: unknown, reading: Reading, unit?: string): number | null =>
  readMeasure('distance', value, reading, unit);

/** A drive in minutes: `6 min`, `1 h 5 min 30 s`, `1:05 h`. A bare number counts as minutes, and that is noted. */
export function readDurationMin(value: unknown, reading: Reading, unit?: string): number | null {
  const { clock, notByCar } = patterns(reading.format.words);
  const watch = clock.exec(squeeze(String(value)));
  if (watch) return Number(watch[1]) * 60 + Number(watch[2]);
  return notByCar.test(String(value)) ? null : readMeasure('duration', value, reading, unit);
}

/** A latency in ms; null where no unit says what the number is. */
export const readLatencyMs = (value: unknown, reading: Reading, unit?: string): number | null =>
  readMeasure('latency', value, reading, unit);

/** A rating as given, 0 to 10: `4.6`, `4,6`, `4.6/5`, `4.6 stars`. Out of anything but 5 is noted, or not read; of two neither is. */
export function readRating(value: unknown, { format: { words }, note }: Reading): number | null {
  const text = typeof value === 'string' ? squeeze(value.replace(/★|⭐|\u{fe0f}/gu, ' ')) : value;
  const amount = readAmount(text, words);
  if (amount === null) return null;
  const { outOf, distance, duration } = patterns(words);
  const scale = outOf.exec(String(text))?.[1] ?? '5';
  // 4.5 of 10 would look like 4.5 stars.
  if (amount.number > 10 || (scale !== '5' && amount.number <= 5)) return null;
  if (scale !== '5') note(`rating ${amount.digits} is out of ${scale}: kept as it stands`);
  const isOther = (number: number, unit: string) =>
    number <= 10 && number !== amount.number && !distance.has(unit) && !duration.has(unit);
  const rest = String(text).split(amount.digits).slice(1).join(amount.digits);
  return hasOther(rest, words, isOther) ? null : amount.number;
}

/** A unit as units are compared: without spaces, in lower case. */
const plainUnit = (unit: string): string => unit.toLowerCase().replaceAll(' ', '').replace(/\.$/, '');

/** `€1.79/l`, `1,79 € / Liter` and `150kW`: the digits, and the unit as it is compared. */
function written(value: unknown, words: Words): { digits: string; unit: string } | null {
  const [, currency, digits, unit] =
    (typeof value === 'string' ? patterns(words).measure.exec(squeeze(value)) : null) ?? [];
  return digits === undefined ? null : { digits, unit: plainUnit(`${currency}${unit}`) };
}

/** Whether a value is a number in one of the units that tell this field from others of the same label. */
export const namesUnit = (value: string, { byUnit }: Field, words: Words): boolean =>
  (byUnit?.units ?? []).some((unit) => plainUnit(unit) === written(value.slice(0, 80), words)?.unit);

/** The number of a declared field, in its own unit. A bare number counts as that, and that is noted, unless the field has several. */
export function readAmountOf(value: unknown, field: Field, { format, note }: Reading): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const found = written(value, format.words);
  if (found === null) return null;
  const number = toNumber(found.digits);
  // "0 of 4", "2/4 free"
  if (field.units === undefined && /^(?:(?:out)?of|von|\/)\d+(?:free|frei)?$/.test(found.unit)) return number;
  const units = Object.entries(field.units ?? {});
  const [own] = units[0] ?? [];
  if (found.unit === '') {
    if (own) note(`${field.title} "${found.digits}" has no unit: read as ${own}`);
    return number;
  }
  const factor = units.find(([name]) => plainUnit(name) === found.unit)?.[1];
  if (factor === undefined) return null;
  const amount = round(number * factor, 4);
  if (factor !== 1) note(`${field.title} "${excerpt(String(value), 40)}" read as ${amount} ${own}`);
  return amount;
}

/** Words in one line: text, or a list of texts as one text would write it; null where there are none. */
export function readWords(value: unknown): string | null {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return readWords(value.join(', '));
  if (typeof value === 'number') return String(value);
  return (typeof value === 'string' ? squeezeLines(stripQuotes(value)) : '') || null;
}

/** Yes or no, in any of the words for it; null for all else. */
export function readFlag(value: unknown, { values }: Words): boolean | null {
  const word = String(value).trim().toLowerCase();
  return values.yes.includes(word) ? true : values.no.includes(word) ? false : null;
}

const itemOf = (item: unknown): string => {
  if (typeof item === 'object' && item !== null && 'name' in item) return itemOf(item.name);
  return typeof item === 'string' ? stripQuotes(squeeze(item).replace(/^[-•*–·] /, '')) : '';
};

/** Items from a list, from bullets, one a line, or separated by commas or semicolons. Null where there are none. */
export function readItems(value: unknown): string[] | null {
  const text = typeof value === 'string' ? value.trim().replace(/^\[(.*)\]$/s, '$1') : '';
  const mark = text.includes('\n') ? /[\n;]/ : text.includes(';') ? ';' : ',';
  const named = (Array.isArray(value) ? value : text.split(mark)).map(itemOf).filter((item) => item !== '');
  return named.length === 0 ? null : named;
}

/** The same, where words for nothing say that there are none. */
export function readList(value: unknown, { values }: Words): string[] | null {
  const saysNone = Array.isArray(value)
    ? value.length === 0
    : typeof value === 'string' && values.nothing.includes(value.trim().toLowerCase());
  return saysNone ? [] : readItems(value);
}
