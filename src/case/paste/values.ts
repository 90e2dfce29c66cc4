import type { Field } from '../field.ts';
import { excerpt, squeeze, stripQuotes } from './text.ts';

/** Tells the reader of the result what was assumed. */
export type Note = (assumption: string) => void;

/** `4.6` and `4,6`; what looks like thousands is left to the caller. */
const toNumber = (digits: string): number => Number(digits.replace(',', '.'));

const NUMBER = String.raw`(\d{1,9}(?:[.,]\d{1,9})?)`;
const AMOUNT = new RegExp(
  `^(?:about|approx\\.?|approximately|around|circa|ca\\.?|etwa|~|≈)? ?${NUMBER} ?([a-zäöü.]{0,12})`,
  'i',
);

interface Amount {
  number: number;
  digits: string;
  unit: string;
  isApproximate: boolean;
  /** What stands after it. */
  rest: string;
}

function readAmount(value: unknown): Amount | null {
  if (typeof value === 'number')
    return Number.isFinite(value) && value >= 0
      ? { number: value, digits: String(value), unit: '', isApproximate: false, rest: '' }
      : null;
  if (typeof value !== 'string') return null;
  const text = squeeze(value);
  const match = AMOUNT.exec(text);
  if (!match?.[1]) return null;
  return {
    number: toNumber(match[1]),
    digits: match[1],
    unit: (match[2] ?? '').toLowerCase().replace(/\.$/, ''),
    isApproximate: !/^\d/.test(text),
    rest: text.slice(match[0].length).trim(),
  };
}

/** The length of each unit, by all its names. */
const units = (table: readonly (readonly [number, string])[]): ReadonlyMap<string, number> =>
  new Map(
    table.flatMap(([length, names]) => names.split(' ').map((name): [string, number] => [name, length])),
  );

/** In km. */
const KILOMETERS = units([
  [1, 'km kilometer kilometers kilometre kilometres kilometern'],
  [0.001, 'm meter meters metre metres metern'],
  [1.609344, 'mi mile miles meile meilen'],
]);

/** In minutes. */
const MINUTES = units([
  [1, 'min mins minute minutes minuten m'],
  [60, 'h hr hrs hour hours std stunde stunden'],
  [1 / 60, 's sec secs second seconds sekunden'],
]);

const roundTo3 = (value: number): number => Math.round(value * 1000) / 1000;

/** A distance in km. A bare number counts as km, and that is noted. */
export function readDistanceKm(value: unknown, note: Note, unit?: string): number | null {
  const amount = readAmount(value);
  if (amount === null) return null;
  const named = amount.unit || unit;
  const factor = named === undefined ? 1 : KILOMETERS.get(named);
  if (factor === undefined) return null;
  // A bare 4200 is surely no drive of 4200 km, and whether it is meters is a guess.
  if (named === undefined && amount.number >= 100) return null;
  if (named === undefined) note(`distance "${amount.digits}" has no unit: read as km`);
  // "1,200 m" and "1.200 m" are twelve hundred meters, not one and a fifth.
  const isThousands = factor === 0.001 && /^\d{1,3}[.,]\d{3}$/.test(amount.digits);
  const km = roundTo3((isThousands ? Number(amount.digits.replace(/[.,]/, '')) : amount.number) * factor);
  if (factor > 1 || isThousands) note(`distance ${amount.digits} ${named} read as ${km} km`);
  if (amount.isApproximate) note(`the distance is approximate: read as ${km} km`);
  return km;
}

/** A drive in minutes: `6 min`, `1 h 5 min`, `1:05 h`. A bare number counts as minutes, and that is noted. */
export function readDurationMin(value: unknown, note: Note, unit?: string): number | null {
  const clock =
    typeof value === 'string' ? /^(\d{1,2}):(\d{2}) ?(?:h|std|hours?|stunden)\b/i.exec(squeeze(value)) : null;
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]);
  const amount = readAmount(value);
  if (amount === null) return null;
  const named = amount.unit || unit;
  const factor = named === undefined ? 1 : MINUTES.get(named);
  if (factor === undefined) return null;
  if (named === undefined) note(`duration "${amount.digits}" has no unit: read as minutes`);
  const more = factor === 60 ? readAmount(amount.rest.replace(/^(?:and|und) /, '')) : null;
  const extra = more && MINUTES.get(more.unit || 'min') === 1 ? more.number : 0;
  if (amount.isApproximate)
    note(`the drive time is approximate: read as ${roundTo3(amount.number * factor + extra)} min`);
  return roundTo3(amount.number * factor + extra);
}

/** A latency in ms. A bare number counts as ms, and that is noted. */
export function readLatencyMs(value: unknown, note: Note, unit?: string): number | null {
  const amount = readAmount(value);
  if (amount === null) return null;
  const named = amount.unit || unit;
  if (named === undefined) note(`latency "${amount.digits}" has no unit: read as ms`);
  if (named === undefined || /^(?:ms|msec|milliseconds?|millisekunden?)$/.test(named))
    return roundTo3(amount.number);
  return MINUTES.get(named) === 1 / 60 ? roundTo3(amount.number * 1000) : null;
}

/** A rating as given, 0 to 10: `4.6`, `4,6`, `4.6/5`, `4.6 stars`. Out of anything but 5 is noted. */
export function readRating(value: unknown, note: Note): number | null {
  const text =
    typeof value === 'string'
      ? squeeze(value)
          .replace(/★|⭐|\u{fe0f}/gu, ' ')
          .trim()
      : value;
  const amount = readAmount(text);
  if (amount === null) return null;
  const outOf = typeof text === 'string' ? /(?:\/|out of|von) ?(\d{1,3})\b/i.exec(text)?.[1] : undefined;
  if (outOf !== undefined && outOf !== '5')
    note(`rating ${amount.digits} is out of ${outOf}: kept as it stands`);
  return amount.number <= 10 ? amount.number : null;
}

const SIGNS = '[€$£¥]';
const MEASURE = new RegExp(
  `^(?:about|approx\\.?|approximately|around|circa|ca\\.?|etwa|~|≈)? ?(${SIGNS}?) ?(-?\\d{1,9}(?:[.,]\\d{1,9})?) ?(.{0,40})$`,
  'i',
);

interface Written {
  number: number;
  digits: string;
  unit: string;
}

/** `€1.79/l`, `1,79 € / Liter` and `150kW`: the number, and the unit without spaces in lower case. */
function written(text: string): Written | null {
  const match = MEASURE.exec(squeeze(text));
  if (!match?.[2]) return null;
  const unit = `${match[1] ?? ''}${match[3] ?? ''}`.toLowerCase().replaceAll(' ', '').replace(/\.$/, '');
  return { number: Number(match[2].replace(',', '.')), digits: match[2], unit };
}

const plain = (unit: string): string => unit.toLowerCase().replaceAll(' ', '');

const factorOf = (unit: string, { units }: Field): number | undefined =>
  Object.entries(units ?? {}).find(([name]) => plain(name) === unit)?.[1];

/** Whether a value is a number in one of the units that tell this field from others of the same label. */
export function namesUnit(value: string, { byUnit }: Field): boolean {
  const found = value.length > 80 ? null : written(value);
  return found !== null && (byUnit?.units ?? []).some((unit) => plain(unit) === found.unit);
}

const roundTo4 = (value: number): number => Math.round(value * 10_000) / 10_000;

/** The number of a declared field, in its own unit. A bare number counts as that, and that is noted. */
export function readAmountOf(value: unknown, field: Field, note: Note): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const found = typeof value === 'string' ? written(value) : null;
  if (found === null) return null;
  const [own] = Object.keys(field.units ?? {});
  if (found.unit === '') {
    if (own !== undefined) note(`${field.title} "${found.digits}" has no unit: read as ${own}`);
    return found.number;
  }
  const factor = factorOf(found.unit, field);
  if (factor === undefined) return null;
  if (factor !== 1)
    note(`${field.title} "${excerpt(String(value), 40)}" read as ${roundTo4(found.number * factor)} ${own}`);
  return roundTo4(found.number * factor);
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
