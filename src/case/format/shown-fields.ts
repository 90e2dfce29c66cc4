import type * as z from 'zod';
import { capital } from '../../common/text/index.ts';
import {
  callsText,
  ExpectedCalls,
  expectedText,
  isRecord,
  Place,
  placeText,
  State,
  stateText,
  ToolCalls,
  weekdays,
} from '../index.ts';

/** A titled part of a case for display. */
export interface ShownPart {
  title: string;
  text: string;
}

/** A line of a paste that sets the field at a path; null if there is none. */
type LineFor = (path: string) => string | null;

/** Unit suffixes in the names of numeric fields. */
const UNITS: Readonly<Record<string, string>> = { Km: 'km', Kw: 'kW', Min: 'min', Ms: 'ms' };
const ENDING = new RegExp(`(?:${Object.keys(UNITS).join('|')})$`);

const NOUNS: Readonly<Record<string, string>> = {
  durationMin: 'drive time',
  dateTime: 'date and time',
  context: 'situation',
};

/** The name of a field in a sentence: `recommendation.openingHours` is `opening hours`, `distanceKm` is `distance`. */
export function nounOf(path: string): string {
  const key = path.split('.').at(-1) ?? path;
  const words = key.replace(ENDING, '').replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ');
  return NOUNS[key] ?? words.toLowerCase();
}

/** The unit of a number: from its field name, otherwise from its line in a paste, such as `Charging power: 5 kW`. */
function unitOf(key: string, line: string | null): string | undefined {
  const [ending = ''] = ENDING.exec(key) ?? [];
  return UNITS[ending] ?? / [\d.]+ (\S+)$/.exec(line ?? '')?.[1];
}

const isFlat = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** `daily 12:00-23:00` if all seven days have the same hours, otherwise null. */
function dailyText(entries: readonly (readonly [string, unknown])[]): string | null {
  const [first] = entries;
  const isWeek =
    entries.length === weekdays.length && weekdays.every((day) => entries.some(([key]) => key === day));
  return isWeek && entries.every(([, hours]) => hours === first?.[1]) ? `daily ${first?.[1]}` : null;
}

/** Any value as readable text: lists of simple values on one line, objects with one line per field. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    return value.map(textOf).join(value.every(isFlat) ? ', ' : '\n');
  }
  if (!isRecord(value)) return String(value);
  const place = Place.safeParse(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  if (place.success && entries.length > 0) return placeText(place.data);
  return (
    dailyText(entries) ??
    entries
      .map(([key, inner]) => partOf(key, inner, null))
      .map(lineOf)
      .join('\n')
  );
}

/** The text of a value if it fits the schema, otherwise null. */
const textBy =
  <Value>(schema: z.ZodType<Value>, text: (value: Value) => string) =>
  (value: unknown): string | null => {
    const { data } = schema.safeParse(value);
    return data === undefined ? null : text(data);
  };

/** Fields of a case whose names and values are a tool's, shown as they are. */
const OF_TOOLS: Readonly<Record<string, (value: unknown) => string | null>> = {
  toolCalls: textBy(ToolCalls, callsText),
  expectedCalls: textBy(ExpectedCalls, expectedText),
  initialState: textBy(State, stateText),
  expectedState: textBy(State, stateText),
};

const lineOf = ({ title, text }: ShownPart): string => `${title}: ${text}`;

function partOf(key: string, value: unknown, line: string | null): ShownPart {
  const unit = typeof value === 'number' ? unitOf(key, line) : undefined;
  const label = Object.hasOwn(NOUNS, key) ? undefined : line?.split(':')[0];
  const title = label ?? capital(nounOf(key));
  return { title, text: unit === undefined ? textOf(value) : `${value} ${unit}` };
}

/**
 * A field of a case for display: `Drive time`, `5 min`. Context and recommendation yield one part per field, everything
 * else a single part.
 * @param lineFor gives the labels and units of declared fields; by default, none
 */
export function shownFields(key: string, value: unknown, lineFor: LineFor = () => null): ShownPart[] {
  if (value === undefined) return [];
  const ofTools = OF_TOOLS[key]?.(value);
  if (typeof ofTools === 'string') return [{ title: capital(nounOf(key)), text: ofTools }];
  const isSplit = isRecord(value) && (key === 'context' || key === 'recommendation');
  if (!isSplit) return [partOf(key, value, lineFor(key))];
  return Object.entries(value).flatMap(([inner, part]: [string, unknown]) =>
    part === undefined ? [] : [partOf(inner, part, lineFor(`${key}.${inner}`))],
  );
}
