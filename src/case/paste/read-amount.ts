import type { Field } from '../field.ts';
import { excerpt, squeeze } from './clean-text.ts';
import type { Note } from './read-quantity.ts';

const SIGNS = '[€$£¥]';
const AMOUNT = new RegExp(
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
  const match = AMOUNT.exec(squeeze(text));
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

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

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
    note(`${field.title} "${excerpt(String(value), 40)}" read as ${round(found.number * factor)} ${own}`);
  return round(found.number * factor);
}
