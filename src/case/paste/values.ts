import type { CaseFormat } from '../case-format.ts';
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

/** `4.6` and `4,6`; what looks like thousands is left to the caller. */
const toNumber = (digits: string): number => Number(digits.replace(',', '.'));

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

/** An amount with the unit that it or its label names, null where that is none of these; without any it has the length 1. */
function measured(value: unknown, unit: string | undefined, kind: Measure, words: Words) {
  const amount = readAmount(value, words);
  const named = amount?.unit || unit;
  const length = named === undefined ? 1 : patterns(words)[kind].get(named);
  return amount === null || length === undefined ? null : { ...amount, named, length };
}

type Measure = 'kilometers' | 'minutes' | 'milliseconds';

/** A distance in km. A bare number counts as km, and that is noted. */
export function readDistanceKm(value: unknown, { format, note }: Reading, unit?: string): number | null {
  const amount = measured(value, unit, 'kilometers', format.words);
  // A bare 4200 is surely no drive of 4200 km, and whether it is meters is a guess.
  if (amount === null || (amount.named === undefined && amount.number >= 100)) return null;
  const { number, digits, named, length, isApproximate } = amount;
  if (named === undefined) note(`distance "${digits}" has no unit: read as km`);
  // "1,200 m" and "1.200 m" are twelve hundred meters, not one and a fifth.
  const isThousands = length === 0.001 && /^\d{1,3}[.,]\d{3}$/.test(digits);
  const km = round((isThousands ? Number(digits.replace(/[.,]/, '')) : number) * length, 3);
  if (length > 1 || isThousands) note(`distance ${digits} ${named} read as ${km} km`);
  if (isApproximate) note(`the distance is approximate: read as ${km} km`);
  return km;
}

/** A drive in minutes: `6 min`, `1 h 5 min`, `1:05 h`. A bare number counts as minutes, and that is noted. */
export function readDurationMin(value: unknown, { format, note }: Reading, unit?: string): number | null {
  const { words } = format;
  const clock = typeof value === 'string' ? patterns(words).clock.exec(squeeze(value)) : null;
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]);
  const amount = measured(value, unit, 'minutes', words);
  if (amount === null || patterns(words).notByCar.test(String(value))) return null;
  if (amount.named === undefined) note(`duration "${amount.digits}" has no unit: read as minutes`);
  const rest = amount.rest.replace(patterns(words).and, '');
  const more = amount.length === 60 ? measured(rest, undefined, 'minutes', words) : null;
  const minutes = round(amount.number * amount.length + (more?.length === 1 ? more.number : 0), 3);
  if (amount.isApproximate) note(`the drive time is approximate: read as ${minutes} min`);
  return minutes;
}

/** A latency in ms. A bare number counts as ms, and that is noted. */
export function readLatencyMs(value: unknown, { format, note }: Reading, unit?: string): number | null {
  const amount = measured(value, unit, 'milliseconds', format.words);
  if (amount === null) return null;
  if (amount.named === undefined) note(`latency "${amount.digits}" has no unit: read as ms`);
  return round(amount.number * amount.length, 3);
}

/** A rating as given, 0 to 10: `4.6`, `4,6`, `4.6/5`, `4.6 stars`. Out of anything but 5 is noted, or not read. */
export function readRating(value: unknown, { format, note }: Reading): number | null {
  const text = typeof value === 'string' ? squeeze(value.replace(/★|⭐|\u{fe0f}/gu, ' ')) : value;
  const amount = readAmount(text, format.words);
  if (amount === null) return null;
  const outOf = typeof text === 'string' ? patterns(format.words).outOf.exec(text)?.[1] : undefined;
  // 4.5 of 10 would look like 4.5 stars.
  if (outOf !== undefined && outOf !== '5' && amount.number <= 5) return null;
  if (outOf !== undefined && outOf !== '5')
    note(`rating ${amount.digits} is out of ${outOf}: kept as it stands`);
  return amount.number <= 10 ? amount.number : null;
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
