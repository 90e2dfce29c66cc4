import { isRecord } from '../../case/index.ts';
import { fold } from '../../common/text/index.ts';
import type { CarArgument, CarTool } from '../../judging/standards/index.ts';
import { plainName, wordsOfName } from './tool-words.ts';

/** Whether two values mean the same. `unsure`: a reader who knows the tool could say. */
export type Likeness = 'same' | 'different' | 'unsure';

/** The worse of several: one difference is enough, and so is one doubt. */
export const worst = (all: readonly Likeness[]): Likeness =>
  all.includes('different') ? 'different' : all.includes('unsure') ? 'unsure' : 'same';

const ROUNDING = 1e-9;

/** What is known of a value. */
interface Known {
  /** How far off numbers may be, by path. */
  tolerance: Readonly<Record<string, number>>;
  /** Whether the tool took the value, so that its type is right. */
  isAccepted: boolean;
  /** Whether keys that are not expected make no difference. */
  isOpen: boolean;
}

/** A number as written in a text, with the unit after it. */
function numberIn(text: string): { value: number; unit: string } | null {
  const [, number, unit = ''] = /^\s*([-+]?\d+(?:[.,]\d+)?)\s*(\D*)$/.exec(text) ?? [];
  return number === undefined ? null : { value: Number(number.replace(',', '.')), unit: fold(unit.trim()) };
}

/** Coordinates of the same place differ by rounding, and by what a search takes for its middle. */
const COORDINATES = /^(?:lat|lon|lng|long|latitude|longitude|latlng|latlon|coordinate|coordinates|location)$/;
const SAME_PLACE = 0.001;
const NEAR_PLACE = 0.05;

const isCoordinate = (path: string): boolean => wordsOfName(path).some((word) => COORDINATES.test(word));

/** Words in the names of arguments that say what a number beside them means. */
const UNITS = /^(?:units?|uom|scale|measure|measurement|currency|system|einheit|einheiten|skala|währung)$/;

const isUnitName = (name: string): boolean => wordsOfName(name).some((word) => UNITS.test(word));

function likenessOfNumbers(expected: number, actual: number, path: string, { tolerance }: Known): Likeness {
  const off = Math.abs(expected - actual) - ROUNDING;
  const allowed = Object.hasOwn(tolerance, path) ? tolerance[path] : undefined;
  if (allowed !== undefined || !isCoordinate(path)) return off <= (allowed ?? 0) ? 'same' : 'different';
  return off <= SAME_PLACE ? 'same' : off <= NEAR_PLACE ? 'unsure' : 'different';
}

/** A number and a text, in either order. */
function likenessOfWritten(number: number, text: string, path: string, known: Known): Likeness {
  const written = numberIn(text);
  // A point before three digits may group thousands.
  if (written === null || written.unit !== '' || /[.,]\d{3}\s*$/.test(text)) return 'unsure';
  const likeness = likenessOfNumbers(number, written.value, path, known);
  return likeness === 'same' && !known.isAccepted ? 'unsure' : likeness;
}

/** Other words may mean the same (`c` and `celsius`, `mother` and `mum`), so they never surely differ. */
const likenessOfTexts = (expected: string, actual: string): Likeness =>
  plainText(expected) === plainText(actual) ? 'same' : 'unsure';

const plainText = (text: string): string => fold(text.trim()).replaceAll(/[\s_-]+/g, ' ');

function likenessOfLists(
  expected: readonly unknown[],
  actual: readonly unknown[],
  path: string,
  known: Known,
) {
  const pairs = expected.map((one, at) => likenessOf(one, actual[at], path, known));
  if (expected.length === actual.length && pairs.every((pair) => pair === 'same')) return 'same';
  // Whether the order of a list matters is up to the tool; that one of them has nothing like an item of the other is not.
  const isFound = (one: unknown, list: readonly unknown[]) =>
    list.some((other) => likenessOf(one, other, path, known) !== 'different');
  const isLike =
    expected.every((one) => isFound(one, actual)) && actual.every((one) => isFound(one, expected));
  return isLike ? 'unsure' : 'different';
}

/** Compares two values of any form. @param path the dotted path of the value, for its tolerance */
function likenessOf(expected: unknown, actual: unknown, path: string, known: Known): Likeness {
  const [one, other] = [expected ?? null, actual ?? null];
  if (one === null || other === null) return one === other ? 'same' : 'unsure';
  if (typeof one === 'number') return likenessToNumber(one, other, path, known);
  if (typeof other === 'number') return likenessToNumber(other, one, path, known);
  if (typeof one === 'string' && typeof other === 'string') return likenessOfTexts(one, other);
  if (typeof one === 'boolean' && typeof other === 'boolean') return one === other ? 'same' : 'different';
  if (Array.isArray(one) && Array.isArray(other)) return likenessOfLists(one, other, path, known);
  return isRecord(one) && isRecord(other) ? likenessOfRecords(one, other, path, known) : 'unsure';
}

/** A number and a value of any form, in either order. */
function likenessToNumber(number: number, value: unknown, path: string, known: Known): Likeness {
  if (typeof value === 'number') return likenessOfNumbers(number, value, path, known);
  return typeof value === 'string' ? likenessOfWritten(number, value, path, known) : 'unsure';
}

function likenessOfRecords(one: Values, other: Values, path: string, known: Known): Likeness {
  const keys = new Set([...Object.keys(one), ...(known.isOpen ? [] : Object.keys(other))]);
  const hasOtherUnit = unitsDiffer(one, other, known);
  return worst(
    [...keys].map((key) => {
      if (!Object.hasOwn(one, key) || !Object.hasOwn(other, key)) return 'unsure';
      const likeness = likenessOf(one[key], other[key], path === '' ? key : `${path}.${key}`, known);
      return hasOtherUnit && isNumeric(one[key]) ? 'unsure' : likeness;
    }),
  );
}

type Values = Readonly<Record<string, unknown>>;

const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && numberIn(value) !== null);

/** Whether a value that says the unit of the others differs, or is given on one side only: then numbers cannot be compared. */
const unitsDiffer = (one: Values, other: Values, known: Known): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].some(
    (key) =>
      isUnitName(key) &&
      likenessOf(
        Object.hasOwn(one, key) ? one[key] : undefined,
        Object.hasOwn(other, key) ? other[key] : undefined,
        key,
        known,
      ) !== 'same',
  );

const TRUE = new Set(['true', 'on', 'yes', 'an', 'ein', 'ja', '1']);
const FALSE = new Set(['false', 'off', 'no', 'aus', 'nein', '0']);

type Meaning = string | number | boolean | null;

/** How each type of argument is read; null if the car has no such value. */
const MEANINGS: Readonly<Record<CarArgument['type'], (value: unknown, argument: CarArgument) => Meaning>> = {
  number: (value, { units }) => {
    if (typeof value !== 'string') return typeof value === 'number' ? value : null;
    const written = numberIn(value);
    if (written === null) return null;
    const isUnit = written.unit === '' || units.some((unit) => fold(unit) === written.unit);
    return isUnit ? written.value : null;
  },
  switch: (value) => {
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string' && typeof value !== 'number') return null;
    const word = fold(String(value));
    return TRUE.has(word) ? true : FALSE.has(word) ? false : null;
  },
  choice: (value, { values = {} }) => {
    if (typeof value !== 'string') return null;
    const isName = (name: string) => plainName(name) === plainName(value);
    const found = Object.entries(values).find(([name, spellings]) => isName(name) || spellings.some(isName));
    return found?.[0] ?? null;
  },
  text: (value) => (typeof value === 'string' ? value : null),
};

/** The value of an argument as the car means it; null if the car has no such value. */
export const meantBy = (value: unknown, argument: CarArgument): Meaning =>
  MEANINGS[argument.type](value, argument);

function likenessOfArgument(
  expected: unknown,
  actual: unknown,
  name: string,
  argument: CarArgument,
  known: Known,
): Likeness {
  const [one, other] = [expected ?? argument.default, actual ?? argument.default];
  // What the tool needs is not there.
  if (one !== undefined && other === undefined) return 'different';
  if (one === undefined) return other === undefined || known.isOpen ? 'same' : 'unsure';
  const [meant, given] = [meantBy(one, argument), meantBy(other, argument)];
  if (meant === null || given === null || argument.type === 'text')
    return likenessOf(one, other, name, { ...known, isAccepted: true }) === 'same' ? 'same' : 'unsure';
  if (typeof meant === 'number' && typeof given === 'number')
    return likenessOfNumbers(meant, given, name, known);
  return meant === given ? 'same' : 'different';
}

/** An argument that is not as expected. */
export interface Difference {
  name: string;
  expected: unknown;
  actual: unknown;
  likeness: Exclude<Likeness, 'same'>;
}

/** The arguments of a call that are not as expected, or not surely. @param tool the car's, if it is known */
export function differencesIn(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  tool: CarTool | undefined,
  known: Known,
): Difference[] {
  const declared = tool?.arguments ?? {};
  const hasOtherUnit = unitsDiffer(expected, actual, known);
  const names = new Set([
    ...Object.keys(expected),
    ...(known.isOpen ? [] : Object.keys(actual)),
    ...Object.keys(declared).filter((name) => !known.isOpen || Object.hasOwn(expected, name)),
  ]);
  return [...names].flatMap((name): Difference[] => {
    const at = (values: Readonly<Record<string, unknown>>) =>
      Object.hasOwn(values, name) ? values[name] : undefined;
    const [one, other] = [at(expected), at(actual)];
    const argument = Object.hasOwn(declared, name) ? declared[name] : undefined;
    const found =
      argument === undefined
        ? likenessOf(one, other, name, known)
        : likenessOfArgument(one, other, name, argument, known);
    const likeness = hasOtherUnit && isNumeric(one) && other !== undefined ? 'unsure' : found;
    return likeness === 'same' ? [] : [{ name, expected: one, actual: other, likeness }];
  });
}

/** Whether two names are of the same tool. One may have the name of its service before it: `climate.set_temperature`. */
export function likenessOfNames(one: string, other: string): Likeness {
  if (plainName(one) === plainName(other)) return 'same';
  const last = (name: string) => plainName(name.split(/[./:]|__/).at(-1) ?? '');
  return last(one) === plainName(other) || last(other) === plainName(one) ? 'unsure' : 'different';
}

/** The paths of a tolerance that belong to no number, so that it means nothing. */
export function uselessTolerances(given: unknown, tolerance: Readonly<Record<string, number>>): string[] {
  const numberAt = (whole: unknown, path: string): boolean => {
    if (!isRecord(whole)) return false;
    if (typeof whole[path] === 'number') return true;
    return Object.keys(whole).some(
      (key) => path.startsWith(`${key}.`) && numberAt(whole[key], path.slice(key.length + 1)),
    );
  };
  return Object.keys(tolerance).filter((path) => !numberAt(given, path));
}
