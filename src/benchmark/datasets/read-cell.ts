import { OpeningHours } from '../../case/case.ts';
import { pathOfField } from '../../case/case-format.ts';
import { readFields } from '../../case/paste/attributes.ts';
import { readHours } from '../../case/paste/hours.ts';
import { readDate, readTime } from '../../case/paste/moments.ts';
import { readPlaceText } from '../../case/paste/places.ts';
import {
  type Reading,
  readDistanceKm,
  readDurationMin,
  readLatencyMs,
  readRating,
} from '../../case/paste/values.ts';
import { shortened } from '../../common/text.ts';
import columnNames from './column-names.json' with { type: 'json' };
import { decoded, type Speakers, turnsIn } from './turns.ts';

/** How cells are read, and who speaks in conversations. */
export type CellReading = Reading & { speakers: Speakers };

/** Reads a cell as one field of a case, and notes assumptions. */
type ReadCell = (value: unknown, reading: CellReading) => { value: unknown } | { problem: string };

const textIn = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : (JSON.stringify(value) ?? '');

const quoted = (value: unknown): string => `"${shortened(textIn(value), 60)}"`;

const orProblem = <T>(value: T | null | undefined, what: string, cell: unknown) =>
  value === null || value === undefined ? { problem: `${what}, found ${quoted(cell)}` } : { value };

const { noError } = columnNames.values;

const errorType: ReadCell = (cell, { note }) => {
  const text = textIn(cell);
  const id = text
    .toLowerCase()
    .replace(/[ _-]+error$/, '')
    .replaceAll(/[ _]+/g, '-');
  if (noError.includes(text.toLowerCase())) return { value: undefined };
  if (id !== text) note(`"${text}" read as "${id}"`);
  return { value: id };
};

const number: ReadCell = (cell) => {
  const value = typeof cell === 'number' ? cell : Number(textIn(cell).replace(/^(-?\d+),(\d+)$/, '$1.$2'));
  return orProblem(Number.isFinite(value) ? value : null, 'must be a number', cell);
};

const place: ReadCell = (cell, reading) => {
  const value = decoded(cell);
  return orProblem(
    typeof value === 'string' ? readPlaceText(value, reading) : value,
    'must be a place',
    cell,
  );
};

const hours: ReadCell = (cell, { format, note }) => {
  const value = decoded(cell);
  const read =
    typeof value === 'string' ? readHours(value, format.words, note) : OpeningHours.safeParse(value).data;
  return orProblem(read, 'must be opening hours such as "Mon-Fri 11:30-22:00; Sat closed"', cell);
};

const list: ReadCell = (cell) => {
  const value = decoded(cell);
  if (typeof value !== 'string') return { value };
  const mark = value.includes(';') ? ';' : value.includes('|') ? '|' : ',';
  return { value: value.split(mark).flatMap((item) => (item.trim() === '' ? [] : [item.trim()])) };
};

const documents: ReadCell = (cell) => {
  const value = decoded(cell);
  const each = Array.isArray(value) ? value : [value];
  return { value: each.map((item: unknown) => (typeof item === 'string' ? { text: item } : item)) };
};

const turns: ReadCell = turnsIn;

const json: ReadCell = (cell) => ({ value: decoded(cell) });

const READERS: Readonly<Record<string, ReadCell>> = {
  conversation: turns,
  history: turns,
  documents,
  recommendations: json,
  context: json,
  recommendation: json,
  label: json,
  tags: json,
  'label.criteria': json,
  'context.location': place,
  'recommendation.location': place,
  'recommendation.openingHours': hours,
  'recommendation.menu': list,
  'context.date': (cell, reading) => orProblem(readDate(textIn(cell), reading).date, 'must be a date', cell),
  'context.time': (cell, reading) => orProblem(readTime(textIn(cell), reading), 'must be a time', cell),
  'recommendation.rating': (cell, reading) => orProblem(readRating(cell, reading), 'must be a rating', cell),
  'recommendation.distanceKm': (cell, reading) =>
    orProblem(readDistanceKm(cell, reading, 'km'), 'must be a distance', cell),
  'recommendation.durationMin': (cell, reading) =>
    orProblem(readDurationMin(cell, reading, 'min'), 'must be a duration', cell),
  latencyMs: (cell, reading) => orProblem(readLatencyMs(cell, reading, 'ms'), 'must be a time', cell),
  'label.errorType': errorType,
};

/** Reads a cell for a path of a case. Degrees are plain numbers; unlisted paths are text. */
export function readCell(path: string, cell: unknown, reading: CellReading): ReturnType<ReadCell> {
  const { format, note } = reading;
  const declared = [...format.groups.values()].flat().find((field) => pathOfField(field) === path);
  if (declared !== undefined) {
    const notes: string[] = [];
    const entry = { field: declared, label: path, value: decoded(cell) };
    const read = readFields([entry], { format, note: (assumption) => notes.push(assumption) });
    const value = read[declared.of ?? '']?.[declared.name];
    if (value !== undefined) notes.forEach(note);
    return orProblem(value, `must be ${declared.title}`, cell);
  }
  const reader = READERS[path] ?? (path.endsWith('itude') ? number : null);
  return reader === null ? { value: textIn(cell) } : reader(cell, reading);
}
