import { type CaseFormat, lineFor } from '../case-format.ts';
import type { Field } from '../field.ts';
import { alternatives, oncePer, type Words } from '../words.ts';
import { excerpt, squeeze, stripQuotes } from './text.ts';

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

/** `4.6` and `4,6`; see `readsAsThousands`. */
const toNumber = (digits: string): number => Number(digits.replace(',', '.'));

/** Whether these may be thousands: `1,200` and `1.200`. Of meters they are, since thousandths of a meter are never given. */
export const readsAsThousands = (digits: string): boolean => /^\d{1,3}[.,]\d{3}$/.test(digits);

/** `1,200` and `1.200` as twelve hundred. */
export const thousands = (digits: string): number => Number(digits.replace(/[.,]/, ''));

const round = (value: number, places: 3 | 4): number => Math.round(value * 10 ** places) / 10 ** places;

/** The length of each unit by all its names. */
const lengths = (table: readonly (readonly [number, readonly string[]])[]): ReadonlyMap<string, number> =>
  new Map(table.flatMap(([length, names]) => names.map((name): [string, number] => [name, length])));

const patterns = oncePer(({ units, values, hours, prose }: Words) => {
  const about = `^${alternatives(values.about)}? ?`;
  const number = String.raw`\d{1,9}(?:[.,]\d{1,9})?`;
  return {
    /** Two numbers, of which neither counts: `10-15 min`, and a time of day or of a watch: `18:45`. */
    several: new RegExp(`${about}${number} ?(?:[-–—:] ?|${alternatives(hours.to)} )\\d`, 'iu'),
    notByCar: new RegExp(`(?<!\\p{L})${alternatives(prose.notByCar)}(?!\\p{L})`, 'iu'),
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
    kilometers: lengths([
      [1, units.kilometers],
      [0.001, units.meters],
      [1.609344, units.miles],
    ]),
    minutes: lengths([
      [60, units.hours],
      [1, units.minutes],
      [1 / 60, units.seconds],
    ]),
    milliseconds: lengths([
      [1, units.milliseconds],
      [1000, units.seconds],
    ]),
  };
});

interface Amount {
  number: number;
  digits: string;
  unit: string;
  isApproximate: boolean;
  /** What stands after it. */
  rest: string;
}

function readAmount(value: unknown, words: Words): Amount | null {
  if (typeof value === 'number')
    return Number.isFinite(value) && value >= 0
      ? { number: value, digits: String(value), unit: '', isApproximate: false, rest: '' }
      : null;
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

/** The further numbers in what stands behind a value, with the word behind each. */
const furtherIn = (rest: string, words: Words): [number: number, word: string][] =>
  [...rest.replace(patterns(words).beside, '').matchAll(patterns(words).further)].map(
    ([, digits = '', word = '']) => [
      readsAsThousands(digits) ? thousands(digits) : toNumber(digits),
      word.toLowerCase(),
    ],
  );

type Measure = 'kilometers' | 'minutes' | 'milliseconds';

/** The same length in another unit is rounded by this share at most: `9 km (5.6 miles)`. */
const ROUNDED = 0.05;

/** An amount with the unit that it or its label names; null where that is none of these, and where another amount follows. */
function measured(value: unknown, unit: string | undefined, kind: Measure, words: Words) {
  const lengths = patterns(words)[kind];
  const amount = readAmount(value, words);
  const named = amount?.unit || unit;
  const length = named === undefined ? 1 : lengths.get(named);
  if (amount === null || length === undefined) return null;
  // "1,200 m" and "1.200 m" are twelve hundred meters, not one and a fifth.
  const isThousands = length === 0.001 && readsAsThousands(amount.digits);
  let total = (isThousands ? thousands(amount.digits) : amount.number) * length;
  let { rest } = amount;
  // "1 h 5 min 30 s"
  for (let last = length; kind === 'minutes'; ) {
    const more = readAmount(rest.replace(patterns(words).and, ''), words);
    const part = more === null ? undefined : lengths.get(more.unit);
    if (more === null || part === undefined || part >= last) break;
    total += more.number * part;
    [last, rest] = [part, more.rest];
  }
  const isOther = ([number, word]: [number, string]) => {
    const part = word === '' ? length : lengths.get(word);
    return part !== undefined && Math.abs(number * part - total) > ROUNDED * total;
  };
  return furtherIn(rest, words).some(isOther) ? null : { ...amount, named, length, isThousands, total };
}

/** A distance in km. A bare number counts as km, and that is noted. */
export function readDistanceKm(value: unknown, { format, note }: Reading, unit?: string): number | null {
  const amount = measured(value, unit, 'kilometers', format.words);
  // A bare 4200 is surely no drive of 4200 km, and whether it is meters is a guess.
  if (amount === null || (amount.named === undefined && amount.number >= 100)) return null;
  const { total, digits, named, length, isThousands, isApproximate } = amount;
  if (named === undefined) note(`distance "${digits}" has no unit: read as km`);
  const km = round(total, 3);
  if (length > 1 || isThousands) note(`distance ${digits} ${named} read as ${km} km`);
  if (isApproximate) note(`the distance is approximate: read as ${km} km`);
  return km;
}

/** A drive in minutes: `6 min`, `1 h 5 min 30 s`, `1:05 h`. A bare number counts as minutes, and that is noted. */
export function readDurationMin(value: unknown, { format, note }: Reading, unit?: string): number | null {
  const { words } = format;
  const clock = typeof value === 'string' ? patterns(words).clock.exec(squeeze(value)) : null;
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]);
  const amount = measured(value, unit, 'minutes', words);
  if (amount === null || patterns(words).notByCar.test(String(value))) return null;
  if (amount.named === undefined) note(`duration "${amount.digits}" has no unit: read as minutes`);
  const minutes = round(amount.total, 3);
  if (amount.isApproximate) note(`the drive time is approximate: read as ${minutes} min`);
  return minutes;
}

/** A latency in ms. A bare number counts as ms, and that is noted. */
export function readLatencyMs(value: unknown, { format, note }: Reading, unit?: string): number | null {
  const amount = measured(value, unit, 'milliseconds', format.words);
  if (amount === null) return null;
  if (amount.named === undefined) note(`latency "${amount.digits}" has no unit: read as ms`);
  return round(amount.total, 3);
}

/** A rating as given, 0 to 10: `4.6`, `4,6`, `4.6/5`, `4.6 stars`. Out of anything but 5 is noted, or not read; of two neither is. */
export function readRating(value: unknown, { format, note }: Reading): number | null {
  const text = typeof value === 'string' ? squeeze(value.replace(/★|⭐|\u{fe0f}/gu, ' ')) : value;
  const amount = readAmount(text, format.words);
  if (amount === null) return null;
  const outOf = typeof text === 'string' ? patterns(format.words).outOf.exec(text)?.[1] : undefined;
  // 4.5 of 10 would look like 4.5 stars.
  if (outOf !== undefined && outOf !== '5' && amount.number <= 5) return null;
  if (outOf !== undefined && outOf !== '5')
    note(`rating ${amount.digits} is out of ${outOf}: kept as it stands`);
  const { kilometers, minutes } = patterns(format.words);
  const isOther = ([number, word]: [number, string]) =>
    number <= 10 && number !== amount.number && !kilometers.has(word) && !minutes.has(word);
  const rest = String(text).split(amount.digits).slice(1).join(amount.digits);
  return amount.number > 10 || furtherIn(rest, format.words).some(isOther) ? null : amount.number;
}

/** A unit as units are compared: without spaces, in lower case. */
const plainUnit = (unit: string): string => unit.toLowerCase().replaceAll(' ', '');

/** `€1.79/l`, `1,79 € / Liter` and `150kW`: the number, and the unit as it is compared. */
function written(text: string, words: Words): { number: number; digits: string; unit: string } | null {
  const match = patterns(words).measure.exec(squeeze(text));
  if (!match?.[2]) return null;
  const unit = plainUnit(`${match[1] ?? ''}${match[3] ?? ''}`).replace(/\.$/, '');
  return { number: toNumber(match[2]), digits: match[2], unit };
}

/** Whether a value is a number in one of the units that tell this field from others of the same label. */
export function namesUnit(value: string, { byUnit }: Field, words: Words): boolean {
  const found = value.length > 80 ? null : written(value, words);
  return found !== null && (byUnit?.units ?? []).some((unit) => plainUnit(unit) === found.unit);
}

/** The number of a declared field, in its own unit. A bare number counts as that, and that is noted, unless the field has several. */
export function readAmountOf(value: unknown, field: Field, { format, note }: Reading): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const found = typeof value === 'string' ? written(value, format.words) : null;
  if (found === null) return null;
  // "0 of 4", "2/4 free"
  if (field.units === undefined && /^(?:(?:out)?of|von|\/)\d+(?:free|frei)?$/.test(found.unit))
    return found.number;
  const units = Object.entries(field.units ?? {});
  const [own] = Object.keys(field.units ?? {});
  if (found.unit === '') {
    if (own) note(`${field.title} "${found.digits}" has no unit: read as ${own}`);
    return found.number;
  }
  const factor = units.find(([name]) => plainUnit(name) === found.unit)?.[1];
  if (factor === undefined) return null;
  const amount = round(found.number * factor, 4);
  if (factor !== 1) note(`${field.title} "${excerpt(String(value), 40)}" read as ${amount} ${own}`);
  return amount;
}

/** Words in one line: text, or a list of texts as one text would write it; null where there are none. */
export function readWords(value: unknown): string | null {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return readWords(value.join(', '));
  if (typeof value === 'number') return String(value);
  const words =
    typeof value === 'string'
      ? stripQuotes(value)
          .replace(/[ \t\n]+/g, ' ')
          .trim()
      : '';
  return words === '' ? null : words;
}

/** Yes or no, in any of the words for it; null for all else. */
export function readFlag(value: unknown, { values }: Words): boolean | null {
  if (typeof value === 'boolean') return value;
  const word = (typeof value === 'string' ? value.trim() : String(value)).toLowerCase();
  return values.yes.includes(word) ? true : values.no.includes(word) ? false : null;
}

const itemOf = (item: unknown): string => {
  if (typeof item === 'object' && item !== null && 'name' in item) return itemOf(item.name);
  return typeof item === 'string' ? stripQuotes(squeeze(item).replace(/^[-•*–·] /, '')) : '';
};

function split(text: string): string[] {
  const bare = text.trim();
  const list = bare.startsWith('[') && bare.endsWith(']') ? bare.slice(1, -1) : bare;
  if (list.includes('\n')) return list.split('\n').flatMap((line) => line.split(';'));
  return list.split(list.includes(';') ? ';' : ',');
}

/** Items from a list, from bullets, one a line, or separated by commas or semicolons. Null where there are none. */
export function readItems(value: unknown): string[] | null {
  const items = Array.isArray(value) ? value : typeof value === 'string' ? split(value) : [];
  const named = items.map(itemOf).filter((item) => item !== '');
  return named.length === 0 ? null : named;
}

/** The same, where words for nothing say that there are none. */
export function readList(value: unknown, { values }: Words): string[] | null {
  const saysNone =
    (Array.isArray(value) && value.length === 0) ||
    (typeof value === 'string' && values.nothing.includes(value.trim().toLowerCase()));
  return saysNone ? [] : readItems(value);
}
