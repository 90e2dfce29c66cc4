import { groupedBy } from '../../common/index.ts';
import type { CaseFormat, Condition, TraceReaders } from '../format/index.ts';
import { conversationsIn } from './conversations.ts';
import { findRecords, type InputValue, type UnknownObject } from './find-records.ts';
import { withoutTypes } from './lookup.ts';
import { idsOf } from './session-names.ts';
import { itemsOf, type TraceItem } from './trace-case.ts';

/** How many records became what, and why. */
interface FormatCounts {
  format: string;
  records: number;
  read: number;
  /** Said in another record too, or part of one, such as a call of a tool. */
  folded: number;
  leftOut: { why: string; count: number }[];
  notUnderstood: { why: string; where: string; count: number }[];
}

/** What an input with traces or logs came to. */
export interface TraceReading {
  items: TraceItem[];
  counts: FormatCounts[];
  /** Objects beside the records that no reader knows. */
  unknown: UnknownObject[];
}

function counted<T extends { why: string }>(all: readonly T[]): (T & { count: number })[] {
  return [...groupedBy(all, ({ why }) => why).values()].flatMap((same) =>
    same.slice(0, 1).map((one) => ({ ...one, count: same.length })),
  );
}

/**
 * Reads values as traces or logs: finds the records that a reader knows, joins those of one conversation, and makes a case
 * of each.
 * @returns null if no reader knows any of it
 */
export function readTraces(
  values: readonly InputValue[],
  options: { format: CaseFormat; everyAnswer?: boolean },
): TraceReading | null {
  const { readers } = options.format;
  const plain = values.map(({ value, where }) => ({ value: withoutTypes(value), where }));
  const { records, unknown } = findRecords(plain, readers);
  if (records.length === 0) return null;
  const { conversations, fates } = conversationsIn(records, readers);
  const { everyAnswer = false } = options;
  const ids = idsOf(conversations);
  const items = conversations.flatMap((one) => itemsOf(one, { everyAnswer, id: ids.get(one) ?? null }));
  const counts = [...groupedBy(records, (record) => record.format)].map(([title, own]): FormatCounts => {
    const ends = own.map((record) => ({ where: record.where, fate: fates.get(record) }));
    return {
      format: title,
      records: own.length,
      read: ends.filter(({ fate }) => fate?.is === 'read').length,
      folded: ends.filter(({ fate }) => fate?.is === 'folded').length,
      leftOut: counted(ends.flatMap(({ fate }) => (fate?.is === 'left out' ? [{ why: fate.why }] : []))),
      notUnderstood: counted(
        ends.flatMap(({ fate, where }) =>
          fate === undefined || fate.is === 'not understood'
            ? [{ why: fate?.why ?? 'it belongs to no conversation', where }]
            : [],
        ),
      ),
    };
  });
  return { items, counts, unknown };
}

const wordsOf = ({ has, some, is, like }: Condition): string[][] => {
  const last = (path: string) =>
    path
      .replace(/^\^/, '')
      .split('.')
      .findLast((key) => /[A-Za-z]/.test(key)) ?? path;
  const all = [...has, ...Object.keys(is), ...Object.keys(like)].map((path) => [last(path)]);
  return some.length === 0 ? all : [...all, some.map(last)];
};

/** Whether a text can hold a record of one of the readers: it has the keys of one. Saves parsing texts that have none. */
export function mayHoldTraces(text: string, { files }: TraceReaders): boolean {
  const known = new Map<string, boolean>();
  const holds = (word: string): boolean => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const found = text.includes(word);
    known.set(word, found);
    return found;
  };
  return files.some(
    ({ of, records }) =>
      of === undefined &&
      records.some(({ when }) =>
        when.some((condition) => wordsOf(condition).every((words) => words.some(holds))),
      ),
  );
}
