import { groupedBy } from '../../common/index.ts';
import type { TraceReaders } from '../format/index.ts';
import { callIn, type Exchange, earlierTurns, isWhole, readExchange } from './exchanges.ts';
import type { TraceRecord } from './find-records.ts';
import type { Call } from './messages.ts';
import { inOrder, type RecordTree } from './record-tree.ts';
import {
  addCalls,
  canonical,
  endsWith,
  type FoundTurn,
  holds,
  lastRequestAt,
  ofUser,
  startsWith,
} from './turns.ts';

/** What became of a record. */
export type Fate =
  | { is: 'read' | 'folded' }
  | { is: 'left out'; why: string }
  | { is: 'not understood'; why: string };

/** One request to the system and its answer, as the outermost record says that has both. */
export interface Request {
  record: TraceRecord;
  /** What was said before, if a record says so. */
  earlier: readonly FoundTurn[];
  turns: readonly FoundTurn[];
  /** Calls that were made without an answer yet. */
  pending: readonly Call[];
  latencyMs: number | undefined;
  model: string | undefined;
}

/** The requests in the records of one conversation. */
export interface Requests {
  requests: Request[];
  problems: string[];
}

interface Shared {
  tree: RecordTree;
  readers: TraceReaders;
  parts: ReadonlyMap<TraceRecord, readonly TraceRecord[]>;
  fates: Map<TraceRecord, Fate>;
}

const asked = (exchange: Exchange): string =>
  ofUser(exchange.turns.slice(exchange.fresh))
    .map(({ text }) => text)
    .join('\n');

const isSameRequest = (one: Exchange, other: Exchange): boolean =>
  holds(asked(one), asked(other)) || holds(asked(other), asked(one));

const answer = ({ turns }: Exchange): string =>
  (turns.findLast(({ role }) => role === 'system')?.text ?? '').replace(/\s+/g, ' ').trim();

/** How an exchange follows the one before it in the same trace; `unclear` if nothing says so. */
function following(before: Exchange, exchange: Exchange): 'replaces' | 'repeats' | 'follows' | 'unclear' {
  const fresh = exchange.turns.slice(exchange.fresh);
  if (endsWith(exchange.turns.slice(0, exchange.fresh), before.turns.slice(before.fresh))) return 'follows';
  if (isSameRequest(before, exchange)) {
    if (
      startsWith(fresh, before.turns.slice(before.fresh)) &&
      fresh.length > before.turns.length - before.fresh
    )
      return 'replaces';
    return answer(before) === answer(exchange) ? 'repeats' : 'unclear';
  }
  const areNamed = [before, exchange].every(({ record }) => record.session !== undefined);
  const areRoots = [before, exchange].every(({ record }) => record.parent === undefined);
  return (areNamed || areRoots) && before.instructions === exchange.instructions ? 'follows' : 'unclear';
}

/**
 * Gives the calls of a request to its last answer, where its messages do not have them.
 * @param sources lists of calls that may each have the same ones
 */
function giveCalls(
  turns: readonly FoundTurn[],
  fresh: number,
  sources: readonly (readonly Call[])[],
): FoundTurn[] {
  const given = turns.map((turn) => ({ ...turn, calls: turn.calls.map((call) => ({ ...call })) }));
  const systemTurns = given.filter(({ role }, at) => at >= fresh && role === 'system');
  const last = systemTurns.at(-1);
  if (last === undefined) return given;
  const known = systemTurns.flatMap((turn) => turn.calls);
  const all = [...known];
  for (const calls of sources) addCalls(all, calls);
  last.calls.push(...all.slice(known.length));
  return given;
}

/** Reads the records of one trace. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the records of a trace
function requestsOfTrace(records: readonly TraceRecord[], { tree, readers, parts, fates }: Shared): Requests {
  const problems: string[] = [];
  const read = inOrder(records.filter(({ reader }) => reader.as === 'exchange')).map((record) => ({
    record,
    ...readExchange(record, parts.get(record) ?? [], readers),
  }));
  const exchanges = new Map<TraceRecord, Exchange>(
    read.flatMap((one) => ('exchange' in one ? [[one.record, one.exchange] as const] : [])),
  );
  const wholes = new Map([...exchanges].filter(([, exchange]) => isWhole(exchange)));
  const wholeAround = (record: TraceRecord) => tree.around(record).findLast((above) => wholes.has(above));
  const tops = [...wholes.values()].filter(({ record }) => wholeAround(record) === undefined);
  const below = new Map(tops.map((top) => [top.record, [] as TraceRecord[]]));
  const topOf = (record: TraceRecord): Exchange | undefined => {
    const around = wholeAround(record);
    const own = tops.find((top) => top.record === around);
    if (own !== undefined) return own;
    const exchange = exchanges.get(record);
    const same = exchange === undefined ? undefined : tops.find((top) => isSameRequest(top, exchange));
    if (exchange !== undefined) return same;
    // A tool stands beside the exchanges: its call is part of the one that began before it and ended after it.
    const { time } = record;
    return (
      tops.find(
        ({ record: top }) =>
          time !== undefined && (top.time ?? Infinity) <= time && (top.end ?? -Infinity) >= time,
      ) ??
      tops.find(({ record: top }) => time !== undefined && (top.time ?? -Infinity) >= time) ??
      tops.at(-1)
    );
  };
  const open: Exchange[] = [];
  for (const one of read) {
    const { record } = one;
    if (tops.some((top) => top.record === record)) continue;
    const around = wholeAround(record);
    const isBelow = around !== undefined;
    const isAround = tops.some((top) => tree.around(top.record).includes(record));
    if ('why' in one) {
      const why = one.why ?? 'no messages were recorded in it';
      fates.set(record, { is: one.why === null || isBelow || isAround ? 'left out' : 'not understood', why });
      if (one.why !== null && !isBelow && !isAround) problems.push(`${record.where}: ${why}`);
      if (isBelow && around !== undefined) below.get(around)?.push(record);
      continue;
    }
    const top = topOf(record);
    if (top !== undefined) {
      below.get(top.record)?.push(record);
      fates.set(record, { is: 'folded' });
    } else if (isAround) fates.set(record, { is: 'folded' });
    else if (ofUser(one.exchange.turns.slice(one.exchange.fresh)).length > 0) {
      fates.set(record, { is: 'read' });
      open.push(one.exchange);
    } else if (one.exchange.turns.length === 0)
      fates.set(record, { is: 'left out', why: 'no text was recorded in it' });
    else {
      fates.set(record, { is: 'not understood', why: 'it has an answer, and nothing says what was asked' });
      problems.push(`${record.where}: it has an answer, and nothing says what was asked`);
    }
  }
  for (const record of records) {
    if (record.reader.as !== 'tool') continue;
    const top = topOf(record);
    if (top === undefined) fates.set(record, { is: 'left out', why: 'a call of a tool beside no answer' });
    else {
      below.get(top.record)?.push(record);
      fates.set(record, { is: 'folded' });
    }
  }
  const kept: Exchange[] = [];
  for (const top of tops) {
    fates.set(top.record, { is: 'read' });
    const before = kept.at(-1);
    const how = before === undefined ? 'follows' : following(before, top);
    if (before !== undefined && (how === 'repeats' || how === 'replaces')) {
      fates.set((how === 'repeats' ? top : before).record, { is: 'folded' });
      const from = how === 'repeats' ? top : before;
      const to = how === 'repeats' ? before : top;
      below.get(to.record)?.push(from.record, ...(below.get(from.record) ?? []));
      if (how === 'replaces') kept.pop();
    }
    if (how === 'unclear')
      problems.push(
        `${top.record.where}: two answers in one trace, and nothing says which of them the user got: give the spans around them their input and output`,
      );
    if (how !== 'repeats') kept.push(top);
  }
  const requests = kept.map((top): Request => {
    const { record, turns, fresh } = top;
    const inside = below.get(record) ?? [];
    const steps = inOrder(inside).flatMap((one) => exchanges.get(one) ?? []);
    const toolCalls = inOrder(inside.filter(({ reader }) => reader.as === 'tool')).flatMap(
      (tool) => callIn(tool) ?? [],
    );
    const ofSteps = steps.map((step) => [
      ...step.turns.slice(step.fresh).flatMap(({ calls }) => calls),
      ...step.pending,
    ]);
    const whole = giveCalls(turns, fresh, [top.pending, ...ofSteps, toolCalls]);
    const began = Math.min(
      ...[record, ...steps.map((step) => step.record)].map(({ time }) => time ?? Infinity),
    );
    const duration =
      record.time === undefined || record.end === undefined || record.end < record.time
        ? undefined
        : Math.round((record.end - began) * 1000) / 1000;
    const bySame = steps.findLast((step) => answer(step) === answer(top) && step.record.model !== undefined);
    return {
      record,
      earlier: earlierTurns(top, steps),
      turns: whole.slice(fresh),
      pending: [],
      latencyMs: record.latencyMs ?? duration,
      model:
        record.model ??
        bySame?.record.model ??
        inOrder(inside).findLast(({ model }) => model !== undefined)?.model,
    };
  });
  const unanswered = open.map(
    ({ record, turns, fresh, pending }): Request => ({
      pending,
      record,
      earlier: turns.slice(0, Math.max(fresh, 0)),
      turns: turns.slice(lastRequestAt(turns)),
      latencyMs: undefined,
      model: undefined,
    }),
  );
  return { requests: [...requests, ...unanswered], problems };
}

/** Reads the exchanges and tools of one conversation, trace by trace. */
export function requestsIn(records: readonly TraceRecord[], shared: Shared): Requests {
  const { tree } = shared;
  const groups = groupedBy(records, (record) => {
    const root = tree.around(record).at(-1) ?? record;
    return record.trace ?? root.trace ?? `record ${root.at}`;
  });
  const read = [...groups.values()].map((group) => requestsOfTrace(group, shared));
  return {
    requests: read.flatMap(({ requests }) => requests),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** The records without copies of the same one, as when an exporter sends a batch twice. */
export function withoutCopies(records: readonly TraceRecord[], fates: Map<TraceRecord, Fate>): TraceRecord[] {
  const byId = new Map<string, string>();
  return records.filter((record) => {
    if (record.id === undefined || record.reader.as === 'part') return true;
    const key = `${record.trace ?? ''}\n${record.id}\n${record.reader.as}`;
    const content = canonical(record.place.value);
    const isCopy = byId.get(key) === content;
    if (isCopy) fates.set(record, { is: 'folded' });
    else byId.set(key, content);
    return !isCopy;
  });
}
