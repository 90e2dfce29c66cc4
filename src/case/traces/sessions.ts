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

/**
 * Says which records belong to one conversation: those with its id; then those in a trace, or below a record, that has it;
 * then those of one trace; then messages in one list.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the records
export function sessionsIn(records: readonly TraceRecord[], tree: RecordTree): Session[] {
  const ofTrace = new Map<string, Set<string>>();
  for (const { trace, session } of records)
    if (trace !== undefined && session !== undefined)
      ofTrace.set(trace, (ofTrace.get(trace) ?? new Set<string>()).add(session));
  const named = new Map<TraceRecord, { kind: 'session' | 'trace' | 'list' | 'record'; name: string }>();
  const last = new Map<number, TraceRecord>();
  let latest: TraceRecord | undefined;
  for (const record of records) {
    const { trace, session, reader, container, at } = record;
    const above = tree.around(record);
    const [only, ...more] = ofTrace.get(trace ?? '') ?? [];
    const own = session ?? above.find((one) => one.session !== undefined)?.session;
    const before = reader.follows ? (last.get(container) ?? latest) : undefined;
    const known = before && own === undefined ? named.get(before) : undefined;
    const isTurn = TURNS.includes(reader.as);
    if (own !== undefined) named.set(record, { kind: 'session', name: own });
    else if (only !== undefined && more.length === 0) named.set(record, { kind: 'session', name: only });
    else if (known !== undefined) named.set(record, known);
    else if (trace !== undefined) named.set(record, { kind: 'trace', name: trace });
    else if (isTurn) named.set(record, { kind: 'list', name: String(container) });
    else named.set(record, { kind: 'record', name: String(above.at(-1)?.at ?? at) });
    if (before !== undefined) record.time ??= before.time;
    if (isTurn) {
      last.set(container, record);
      latest = record;
    }
  }
  const groups = groupedBy(records, (record) => {
    const { kind, name } = named.get(record) ?? { kind: 'record', name: '' };
    return `${kind} ${name}`;
  });
  return [...groups.values()].map((group) => {
    const first = group[0] === undefined ? undefined : named.get(group[0]);
    const isOwn = first?.kind === 'session' || first?.kind === 'trace';
    return { name: first !== undefined && isOwn ? first.name : null, records: group };
  });
}
