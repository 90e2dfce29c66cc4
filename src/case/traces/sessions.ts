import { groupedBy } from '../../common/index.ts';
import type { TraceRecord } from './find-records.ts';
import type { RecordTree } from './record-tree.ts';

/** The records of one conversation. */
export interface Session {
  /** The id of the session, or of the trace; null if there is none. */
  name: string | null;
  records: readonly TraceRecord[];
}

const TURNS: readonly string[] = ['message', 'break'];

/** What records of one conversation have in common. */
interface Name {
  kind: 'session' | 'trace' | 'list' | 'record';
  name: string;
}

/**
 * Says which records belong to one conversation: those with its id; then those in a trace, or below a record, that has it;
 * then those of one trace; then messages in one list.
 */
export function sessionsIn(records: readonly TraceRecord[], tree: RecordTree): Session[] {
  const names = namesOf(records, tree);
  const groups = groupedBy(records, (record) => {
    const { kind, name } = names.get(record) ?? { kind: 'record', name: '' };
    return `${kind} ${name}`;
  });
  return [...groups.values()].map((group) => {
    const first = group[0] === undefined ? undefined : names.get(group[0]);
    const isOwn = first?.kind === 'session' || first?.kind === 'trace';
    return { name: first !== undefined && isOwn ? first.name : null, records: group };
  });
}

/** The name of each record's conversation. A record that only follows a message has its conversation, and its time if it has none. */
function namesOf(records: readonly TraceRecord[], tree: RecordTree): Map<TraceRecord, Name> {
  const ofTraces = sessionsOfTraces(records);
  const names = new Map<TraceRecord, Name>();
  const last = new Map<number, TraceRecord>();
  let latest: TraceRecord | undefined;
  for (const record of records) {
    const { trace, reader, container } = record;
    const before = reader.follows ? (last.get(container) ?? latest) : undefined;
    const known = before === undefined ? undefined : names.get(before);
    names.set(record, nameOf(record, tree.around(record), ofTraces.get(trace ?? ''), known));
    if (before !== undefined) record.time ??= before.time;
    if (TURNS.includes(reader.as)) {
      last.set(container, record);
      latest = record;
    }
  }
  return names;
}

/** The session of each trace whose records name exactly one. */
function sessionsOfTraces(records: readonly TraceRecord[]): Map<string, string> {
  const all = new Map<string, Set<string>>();
  for (const { trace, session } of records)
    if (trace !== undefined && session !== undefined)
      all.set(trace, (all.get(trace) ?? new Set<string>()).add(session));
  return new Map(
    [...all].flatMap(([trace, [only, ...more]]): [string, string][] =>
      only === undefined || more.length > 0 ? [] : [[trace, only]],
    ),
  );
}

/** @param before the name of the message that the record follows, where its place alone says what it belongs to */
function nameOf(
  record: TraceRecord,
  above: readonly TraceRecord[],
  ofTrace: string | undefined,
  before: Name | undefined,
): Name {
  const { trace, session, reader, container, at } = record;
  const own = session ?? above.find((one) => one.session !== undefined)?.session ?? ofTrace;
  if (own !== undefined) return { kind: 'session', name: own };
  if (before !== undefined) return before;
  if (trace !== undefined) return { kind: 'trace', name: trace };
  if (TURNS.includes(reader.as)) return { kind: 'list', name: String(container) };
  return { kind: 'record', name: String(above.at(-1)?.at ?? at) };
}
