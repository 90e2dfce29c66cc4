import { type Field, pathOfField } from '../field.ts';
import { excerpt, squeezeLines, stripQuotes } from './clean-text.ts';
import { readAmountOf } from './read-amount.ts';
import { readItems } from './read-items.ts';
import { readPlace } from './read-place.ts';
import type { Note } from './read-quantity.ts';
import { readOpeningHours } from './read-venue.ts';

/** A declared field as it was found. */
export interface DeclaredEntry {
  field: Field;
  label: string;
  value: unknown;
}

const YES = /^(?:yes|y|true|on|ja|wahr|an|✓|✔|✅|1)$/iu;
const NO = /^(?:no|n|false|off|nein|falsch|aus|✗|✘|❌|0)$/iu;

const NOTHING = /^(?:[-–—]|none|nothing|keine?|nichts|\[ ?\])$/i;

function readWords(value: unknown): string | null {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return readWords(value.join(', '));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const words = typeof value === 'string' ? stripQuotes(squeezeLines(value)) : '';
  return words === '' ? null : words;
}

function readFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim() : String(value);
  return YES.test(word) ? true : NO.test(word) ? false : null;
}

function readList(value: unknown): string[] | null {
  const isEmpty =
    (Array.isArray(value) && value.length === 0) || (typeof value === 'string' && NOTHING.test(value.trim()));
  return isEmpty ? [] : readItems(value);
}

const readers: Record<Field['type'], (value: unknown, field: Field, note: Note) => unknown> = {
  text: readWords,
  number: readAmountOf,
  list: readList,
  boolean: readFlag,
  place: (value, _, note) => readPlace(value, note),
  hours: (value, _, note) => readOpeningHours(value, note),
};

/** Whether a note says that something was not read. */
export const isLoss = (note: string): boolean =>
  /^(?:left out|not used)|(?::|was) left out(?:$|,)/.test(note);

/** The value of a declared field as somebody typed it by itself; null where not all of it could be read. */
export function readDeclaredValue(field: Field, text: string): unknown {
  const notes: string[] = [];
  const value = readers[field.type](text, field, (note) => notes.push(note));
  return notes.some(isLoss) ? null : value;
}

/** Declared fields by the object of the case that holds them, those of the case itself under ''. The first value of each counts. */
export function readDeclared(
  entries: readonly DeclaredEntry[],
  note: Note,
): ReadonlyMap<string, Record<string, unknown>> {
  const found = new Map<string, Record<string, unknown>>();
  const seen = new Set<string>();
  for (const { field, label, value } of entries) {
    const shown =
      typeof value === 'string' || typeof value === 'number' ? ` "${excerpt(String(value), 60)}"` : '';
    const path = pathOfField(field);
    const read = readers[field.type](value, field, note);
    if (seen.has(path)) note(`not used: a second ${label}${shown} (the first counts)`);
    else if (read === null) note(`${label}${shown} not understood: left out`);
    else {
      seen.add(path);
      found.set(field.of ?? '', { ...found.get(field.of ?? ''), [field.name]: read });
    }
  }
  return found;
}
