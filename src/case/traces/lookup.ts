import { memoized } from '../../common/index.ts';
import { isRecord } from '../index.ts';

const pathOf = memoized((path: string) => {
  const isOuter = path.startsWith('^');
  return { isOuter, keys: path.slice(isOuter ? 1 : 0).split('.') };
});

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

const index = (key: string): number | null => (/^-?\d{1,6}$/.test(key) ? Number(key) : null);

/** Keys with dots as objects and lists: `{"0.role": "user"}` becomes `[{"role": "user"}]`. */
function nested(flat: readonly (readonly [path: string, value: unknown])[]): unknown {
  const own = flat.find(([path]) => path === '');
  if (own !== undefined) return own[1];
  const groups = new Map<string, [string, unknown][]>();
  for (const [path, value] of flat) {
    const [key = '', ...rest] = path.split('.');
    const group = groups.get(key) ?? [];
    group.push([rest.join('.'), value]);
    groups.set(key, group);
  }
  const entries = [...groups].map(([key, group]): [string, unknown] => [key, nested(group)]);
  if (!entries.every(([key]) => /^\d{1,6}$/.test(key))) return Object.fromEntries(entries);
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value);
}

/** The value at a path of keys. Keys may hold dots: `attributes.llm.model` finds `{"attributes": {"llm.model": …}}`. */
function lookup(value: unknown, keys: readonly string[]): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (key === '*') {
    const items = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
    const found = items.flatMap((item) => {
      const inner = lookup(item, rest);
      return isNothing(inner) ? [] : Array.isArray(inner) ? inner : [inner];
    });
    return found.length === 0 ? undefined : found;
  }
  if (Array.isArray(value)) {
    const at = index(key);
    return at === null ? undefined : lookup(value.at(at), rest);
  }
  if (!isRecord(value)) return undefined;
  for (let count = 1; count <= keys.length; count += 1) {
    const name = keys.slice(0, count).join('.');
    if (!Object.hasOwn(value, name)) continue;
    const found = lookup(value[name], keys.slice(count));
    if (!isNothing(found)) return found;
  }
  const prefix = `${keys.join('.')}.`;
  const flat = Object.entries(value).flatMap(([name, inner]): [string, unknown][] =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), inner]] : [],
  );
  return flat.length === 0 ? undefined : nested(flat);
}

/** An object, and the objects around it, from the nearest outward. */
export interface Place {
  value: unknown;
  around: readonly unknown[];
}

/** The value at a path from an object on; undefined if there is none. Null and empty texts count as none. */
export function valueAt({ value, around }: Place, path: string): unknown {
  const { isOuter, keys } = pathOf(path);
  if (!isOuter) {
    const found = lookup(value, keys);
    return isNothing(found) ? undefined : found;
  }
  for (const outer of around) {
    const found = lookup(outer, keys);
    if (!isNothing(found)) return found;
  }
  return undefined;
}

/** The first value that is there. */
export function firstOf(place: Place, paths: readonly string[]): unknown {
  for (const path of paths) {
    const found = valueAt(place, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first value that is text, a number or a boolean, as text. */
export function firstText(place: Place, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const found = valueAt(place, path);
    const [only, ...more] = Array.isArray(found) ? found : [found];
    if (more.length === 0 && ['string', 'number', 'boolean'].includes(typeof only) && only !== '')
      return String(only).trim() || undefined;
  }
  return undefined;
}

/** The value at a key with or without dots. */
export const under = (value: unknown, key: string): unknown => valueAt({ value, around: [] }, key);

/** Keys of typed values, as JSON or a dump in Python has them. */
const TYPED = /^(?:string|int|double|bool|bytes)(?:Value|_value)$/;
const LIST = /^array(?:Value|_value)$/;
const OBJECT = /^kvlist(?:Value|_value)$/;

/** A typed value of OpenTelemetry as a plain one. */
function plain(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const [[type = '', inner] = [], ...more] = Object.entries(value);
  if (more.length > 0) return value;
  if (TYPED.test(type)) return inner;
  const held = isRecord(inner) ? (inner.values ?? []) : inner;
  if (LIST.test(type) && Array.isArray(held)) return held.map(plain);
  if (OBJECT.test(type) && Array.isArray(held)) return keyValues(held) ?? {};
  return value;
}

/** A list of `{"key": …, "value": {"stringValue": …}}` as an object; null for any other list. */
function keyValues(list: readonly unknown[]): Record<string, unknown> | null {
  const entries: [string, unknown][] = [];
  for (const item of list) {
    if (!isRecord(item) || typeof item.key !== 'string') return null;
    const { value = null } = item;
    if (value !== null && (!isRecord(value) || (plain(value) === value && Object.keys(value).length > 0)))
      return null;
    entries.push([item.key, plain(value)]);
  }
  return Object.fromEntries(entries);
}

/** Replaces the typed values of OpenTelemetry by plain ones, wherever they are. */
export function withoutTypes(value: unknown): unknown {
  if (Array.isArray(value))
    return (value.length > 0 ? keyValues(value) : null) ?? value.map((item) => withoutTypes(item));
  if (!isRecord(value)) return value;
  const own = plain(value);
  if (own !== value) return own;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutTypes(inner)]));
}

const UNITS = { s: 1000, ms: 1, us: 0.001, ns: 0.000001 } as const;

/** A duration in milliseconds; undefined if it is none. A text such as `1.2s` has its own unit. */
export function millisecondsIn(value: unknown, unit: keyof typeof UNITS): number | undefined {
  const [, number, own] =
    /^\s*(\d+(?:\.\d+)?)\s*(s|ms|us|ns)?\s*$/.exec(
      typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '',
    ) ?? [];
  if (number === undefined) return undefined;
  const key = own === 's' || own === 'ms' || own === 'us' || own === 'ns' ? own : unit;
  return Math.round(Number(number) * UNITS[key] * 1000) / 1000;
}

const ISO = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s?(?:Z|UTC|[+-]\d{2}:?\d{2})?$/;

/** The largest seconds, milliseconds and microseconds since 1970 that are told apart by their size: the year 2286. */
const EPOCHS: readonly (readonly [most: number, unit: number])[] = [
  [1e10, 1000],
  [1e13, 1],
  [1e16, 0.001],
  [1e19, 0.000001],
];

/** A moment in milliseconds since 1970. A moment without a time zone is taken as UTC. Undefined if it is none. */
export function momentIn(value: unknown): number | undefined {
  if (isRecord(value))
    return value.$date !== undefined
      ? momentIn(value.$date)
      : value.seconds !== undefined
        ? momentIn(Number(value.seconds) + Number(value.nanos ?? 0) / 1e9)
        : undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = String(value).trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const number = Number(text);
    // Before September 2001, a number is no moment but a count.
    const unit = number < 1e9 ? undefined : EPOCHS.find(([most]) => number < most)?.[1];
    return unit === undefined ? undefined : number * unit;
  }
  if (!ISO.test(text)) return undefined;
  const iso = text
    .replace(' UTC', 'Z')
    .replace(/^(\S{10}) /, '$1T')
    .replace(' ', '')
    .replace(',', '.')
    .replace(/(\.\d{3})\d+/, '$1');
  const time = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(iso.slice(16)) ? iso : `${iso}Z`);
  return Number.isNaN(time) ? undefined : time;
}
