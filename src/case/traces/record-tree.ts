import type { TraceRecord } from './find-records.ts';

/** The records by id, and the way from each to those around it. */
export interface RecordTree {
  /** The record that a part belongs to. */
  owner: (part: TraceRecord) => TraceRecord | undefined;
  /** The records around one, from the nearest outward. */
  around: (record: TraceRecord) => readonly TraceRecord[];
}

const keyOf = (trace: string | undefined, id: string): string => `${trace ?? ''}\n${id}`;

export function recordTree(records: readonly TraceRecord[]): RecordTree {
  const byId = new Map<string, TraceRecord>();
  const add = (key: string, record: TraceRecord) => {
    if (!byId.has(key)) byId.set(key, record);
  };
  for (const record of records) {
    if (record.id === undefined || record.reader.as === 'part') continue;
    add(keyOf(record.trace, record.id), record);
    add(record.id, record);
  }
  const parentOf = ({ trace, parent }: TraceRecord): TraceRecord | undefined =>
    parent === undefined ? undefined : (byId.get(keyOf(trace, parent)) ?? byId.get(parent));
  return {
    owner: ({ trace, id }) => (id === undefined ? undefined : byId.get(keyOf(trace, id))),
    around: (record) => {
      const above: TraceRecord[] = [];
      // Ends at a circle.
      for (let at = parentOf(record); at && at !== record && !above.includes(at); at = parentOf(at))
        above.push(at);
      return above;
    },
  };
}

/** By time, if every record has one, else in the order of the input. */
export function inOrder(records: readonly TraceRecord[]): TraceRecord[] {
  const isTimed = records.every(({ time }) => time !== undefined);
  return [...records].sort((a, b) => (isTimed ? (a.time ?? 0) - (b.time ?? 0) : 0) || a.at - b.at);
}
