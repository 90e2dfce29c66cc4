import { fits, type TraceRecord } from './find-records.ts';
import { inOrder, type RecordTree } from './record-tree.ts';
import type { Fate } from './requests.ts';

type Fates = Map<TraceRecord, Fate>;

/** The records without those below one that leaves out all that is below it. */
export function withoutCovered(
  records: readonly TraceRecord[],
  tree: RecordTree,
  fates: Fates,
): readonly TraceRecord[] {
  if (!records.some(({ reader }) => reader.covers)) return records;
  return records.filter((record) => {
    const cover = tree.around(record).find(({ reader }) => reader.covers);
    if (cover !== undefined)
      fates.set(record, { is: 'left out', why: cover.reader.why ?? 'part of one left out' });
    return cover === undefined;
  });
}

/** What a record takes back of those before it. */
function takenBack({ id, reader }: TraceRecord, before: readonly TraceRecord[]): TraceRecord[] {
  const { since } = reader;
  if (since === undefined) return before.filter((one) => id !== undefined && one.id === id);
  const at = before.findLastIndex(({ place }) => fits(since, place));
  return at < 0 ? [] : before.slice(at);
}

/** The records of a conversation without those that a later one takes back. */
export function withoutUndone(records: readonly TraceRecord[], fates: Fates): readonly TraceRecord[] {
  if (!records.some(({ reader }) => reader.as === 'undo')) return records;
  const undone = new Set<TraceRecord>();
  const before: TraceRecord[] = [];
  for (const record of inOrder(records)) {
    if (record.reader.as !== 'undo') {
      before.push(record);
      continue;
    }
    undone.add(record);
    fates.set(record, { is: 'left out', why: 'it takes back what was said before' });
    for (const one of takenBack(record, before)) {
      undone.add(one);
      fates.set(one, { is: 'left out', why: 'a later record takes it back' });
      before.splice(before.indexOf(one), 1);
    }
  }
  return records.filter((record) => !undone.has(record));
}
