import { type CaseFormat, pathOfField } from '../format/index.ts';
import {
  type ContextEntry,
  readFields,
  readSituation,
  readVenuePlace,
  type VenueEntry,
} from './attributes.ts';
import { stripQuotes } from './clean-text.ts';
import type { Draft } from './draft.ts';
import { isHoursLine } from './hours.ts';
import type { Role } from './label-meanings.ts';
import type { Labeled } from './line-labels.ts';
import type { Line } from './lines.ts';
import { withoutAddress } from './mail-header-and-greeting.ts';
import { partsOf } from './read-lines.ts';
import { claim } from './spans.ts';
import { type Range, Tracked } from './tracked-text.ts';

/** A line whose label says what it is, so that no reader may say otherwise. */
export interface LabeledLine {
  /** In the text that was read. */
  range: Range;
  /** What it may be; empty if it is no part of a turn, a document or a field of a place. */
  is: readonly string[];
  /** What the label names, for a message. */
  names: string;
  /** Its value, and how that gets into a case. Absent for labels of turns, whose end only a reader can tell. */
  field?: { value: Range; add: (draft: Draft, value: Tracked) => void };
}

type Entry = Pick<Labeled, 'label' | 'value'> & { unit: string | undefined };
type FieldLine = Pick<LabeledLine, 'is' | 'names'> & { add: (draft: Draft, value: Tracked) => void };

const MOMENTS = ['context.date', 'context.time'];

/** The fields of the contract whose names are not those of their labels. */
const PATHS: Readonly<Record<string, string>> = {
  address: 'recommendation.location',
  latitude: 'recommendation.location',
  longitude: 'recommendation.location',
  distance: 'recommendation.distanceKm',
  duration: 'recommendation.durationMin',
};

/** Whether a value is read in full, without a doubt to note. */
function readsSurely(read: (note: () => void) => unknown): boolean {
  let doubts = 0;
  const value = read(() => {
    doubts += 1;
  });
  return doubts === 0 && value !== null && Object.keys(Object(value)).length > 0;
}

function contextLine(entry: Entry, field: ContextEntry['field'], format: CaseFormat): FieldLine | null {
  const isDeclared = typeof field === 'object';
  const isSure = readsSurely((note) => {
    const [one, reading] = [
      { ...entry, field, from: [] },
      { format, note },
    ];
    return { ...readFields([one], reading), ...readSituation([one], reading) };
  });
  const is = isDeclared
    ? [pathOfField(field)]
    : field === 'location'
      ? ['context.location']
      : field === 'latency'
        ? []
        : MOMENTS;
  return isSure
    ? {
        is,
        names: entry.label,
        add: (draft, value) => draft.context.push({ ...entry, field, from: [value] }),
      }
    : null;
}

function venueLine(entry: Entry, field: VenueEntry['field'], format: CaseFormat): FieldLine | null {
  const isSure = readsSurely((note) => {
    const [one, reading] = [
      { ...entry, field, from: [] },
      { format, note },
    ];
    return { ...readFields([one], reading), ...readVenuePlace([one], reading) };
  });
  const path = typeof field === 'object' ? pathOfField(field) : (PATHS[field] ?? `recommendation.${field}`);
  return isSure
    ? {
        is: [path],
        names: entry.label,
        add: (draft, value) =>
          draft.venue.push({ ...entry, field, from: [value], after: draft.turns.length }),
      }
    : null;
}

/** What was expected, a rubric or an id: no reader says which line that is. */
const caseLine = (entry: Entry, field: 'id' | 'rubric' | 'groundTruth'): FieldLine => ({
  is: [],
  names: entry.label,
  add: ({ fields, claims }, value) => {
    fields[field] ??= stripQuotes(entry.value);
    claims.push(claim({ is: 'field', path: field }, value));
  },
});

const hoursLine = (value: string): FieldLine => ({
  is: ['recommendation.openingHours'],
  names: 'opening hours',
  add: ({ venue, turns }, from) => {
    const open = venue.findLast(({ field }) => field === 'openingHours');
    if (typeof open?.value === 'string') {
      open.from.push(from);
      Object.assign(open, { value: `${open.value}\n${value}` });
      return;
    }
    venue.push({ field: 'openingHours', label: 'Opening hours', value, from: [from], after: turns.length });
  },
});

/** What stands in a line with the label of a field. Null if the label is another, or if its value may be something else. */
function fieldOf(labeled: Labeled, isAnswered: boolean, format: CaseFormat): FieldLine | null {
  const { meaning, label, value, unit, alone } = labeled;
  const entry = { label, value, unit };
  if (alone || value === '') return null;
  if (meaning.kind === 'field') return caseLine(entry, meaning.field);
  if (meaning.kind === 'context') return contextLine(entry, meaning.field, format);
  // Above an answer, "Rating: 4" can be what the user asks for.
  if (!isAnswered) return null;
  if (meaning.kind === 'venue') return venueLine(entry, meaning.field, format);
  return meaning.kind === 'venue-or-name' ? venueLine(entry, 'name', format) : null;
}

function rangeOf(from: Tracked): Range {
  const ranges = from.ranges();
  return [ranges[0]?.[0] ?? 0, ranges.at(-1)?.[1] ?? 0];
}

const isSpeaker = ({ word, alone }: Labeled): boolean => word.length > 1 && !alone;

/**
 * Finds the lines whose labels plain reading is sure of: those of speakers, and of fields where a value follows that can be read.
 * @param speaks who speaks last above a position in the text
 */
export function labeledLines(
  text: string,
  speaks: (at: number) => Role | null,
  format: CaseFormat,
): LabeledLine[] {
  const found: LabeledLine[] = [];
  /** Whether the line above belongs to a place, so that hours without a label are its opening hours. */
  let isBelowField = false;
  const take = (line: Line): void => {
    const { label } = line;
    const range = rangeOf(line.from);
    const isAnswered = speaks(range[0]) === 'system';
    if (label?.meaning.kind === 'role' && isSpeaker(label)) {
      found.push({ range, is: [label.meaning.role], names: `the ${label.meaning.role}` });
      isBelowField = false;
      return;
    }
    const isHours = isBelowField && isAnswered && isHoursLine(line.text, format.words);
    const field = isHours ? hoursLine(line.text.trim()) : label && fieldOf(label, isAnswered, format);
    if (field !== null) {
      const { add, ...about } = field;
      const value = rangeOf(isHours ? line.from.trim() : line.value);
      found.push({ ...about, range, field: { value, add } });
    }
    isBelowField = field !== null || label?.meaning.kind === 'venue';
  };
  for (const line of withoutAddress(Tracked.received(text), format).lines)
    if (line.text.trim() !== '') for (const part of partsOf(line)) take(part);
  return found;
}
