import { groupedBy } from '../../common/index.ts';
import type { TraceReaders } from '../format/index.ts';
import { answerOf, following } from './compare-exchanges.ts';
import { callIn, type Exchange, earlierTurns, type ReadExchange, readExchange } from './exchanges.ts';
import type { TraceRecord } from './find-records.ts';
import type { Call } from './messages.ts';
import {
  isAroundTop,
  isTop,
  isWithinWhole,
  type Nesting,
  nestingOf,
  topAround,
  topOfExchange,
  topOfTool,
} from './nesting.ts';
import { inOrder, type RecordTree } from './record-tree.ts';
import { addCalls, canonical, type FoundTurn, lastRequestAt, ofUser } from './turns.ts';

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

/** A record that may hold an exchange. */
type Step = { record: TraceRecord } & ReadExchange;

/** What is known of one trace. */
interface Trace {
  nesting: Nesting;
  /** The records that are part of each outermost exchange. */
  inside: ReadonlyMap<TraceRecord, TraceRecord[]>;
  fates: Map<TraceRecord, Fate>;
  problems: string[];
}

/** Reads the records of one trace. */
function requestsOfTrace(records: readonly TraceRecord[], { tree, readers, parts, fates }: Shared): Requests {
  const steps = inOrder(records.filter(({ reader }) => reader.as === 'exchange')).map(
    (record): Step => ({ record, ...readExchange(record, parts.get(record) ?? [], readers) }),
  );
  const exchanges = steps.flatMap((step) => ('exchange' in step ? [step.exchange] : []));
  const nesting = nestingOf(exchanges, tree);
  const inside = new Map(nesting.tops.map(({ record }) => [record, [] as TraceRecord[]]));
  const trace: Trace = { nesting, inside, fates, problems: [] };
  const unanswered = placeSteps(steps, trace);
  placeTools(records, trace);
  const answered = answersGiven(trace);
  return {
    requests: [...answered.map((top) => answeredRequest(top, trace)), ...unanswered.map(openRequest)],
    problems: trace.problems,
  };
}

/**
 * Puts each step inside the outermost exchange that it is part of.
 * @returns requests that nothing answers
 */
function placeSteps(steps: readonly Step[], { nesting, inside, fates, problems }: Trace): Exchange[] {
  const unanswered: Exchange[] = [];
  for (const step of steps) {
    const { record } = step;
    if (isTop(record, nesting)) continue;
    const top = 'exchange' in step ? topOfExchange(step.exchange, nesting) : topAround(record, nesting);
    if (top !== undefined) inside.get(top.record)?.push(record);
    const fate =
      'exchange' in step
        ? fateOfExchange(step.exchange, top, nesting)
        : fateOfUnread(record, step.why, nesting);
    fates.set(record, fate);
    if (fate.is === 'not understood') problems.push(`${record.where}: ${fate.why}`);
    if (fate.is === 'read' && 'exchange' in step) unanswered.push(step.exchange);
  }
  return unanswered;
}

/** What becomes of an exchange that is not the outermost: `read` if it is a request that nothing answers. */
function fateOfExchange(exchange: Exchange, top: Exchange | undefined, nesting: Nesting): Fate {
  const { record, turns, fresh } = exchange;
  if (top !== undefined || isAroundTop(record, nesting)) return { is: 'folded' };
  if (ofUser(turns.slice(fresh)).length > 0) return { is: 'read' };
  if (turns.length === 0) return { is: 'left out', why: 'no text was recorded in it' };
  return { is: 'not understood', why: 'it has an answer, and nothing says what was asked' };
}

/** What becomes of a record without a readable exchange: it is missed only if no other record says what was said. */
function fateOfUnread(record: TraceRecord, why: string | null, nesting: Nesting): Fate {
  if (why === null) return { is: 'left out', why: 'no messages were recorded in it' };
  const isSaidElsewhere = isWithinWhole(record, nesting) || isAroundTop(record, nesting);
  return { is: isSaidElsewhere ? 'left out' : 'not understood', why };
}

/** Puts the calls of tools inside the outermost exchanges that they are part of. */
function placeTools(records: readonly TraceRecord[], { nesting, inside, fates }: Trace): void {
  for (const record of records) {
    if (record.reader.as !== 'tool') continue;
    const top = topOfTool(record, nesting);
    if (top !== undefined) inside.get(top.record)?.push(record);
    fates.set(
      record,
      top === undefined ? { is: 'left out', why: 'a call of a tool beside no answer' } : { is: 'folded' },
    );
  }
}

/** The outermost exchanges, one for each answer that the user got. */
function answersGiven(trace: Trace): Exchange[] {
  const given: Exchange[] = [];
  for (const top of trace.nesting.tops) {
    trace.fates.set(top.record, { is: 'read' });
    const before = given.at(-1);
    if (before === undefined) {
      given.push(top);
      continue;
    }
    const how = following(before, top);
    if (how === 'repeats') {
      foldInto(before, top, trace);
      continue;
    }
    if (how === 'replaces') {
      foldInto(top, before, trace);
      given.pop();
    }
    if (how === 'unclear')
      trace.problems.push(
        `${top.record.where}: two answers in one trace, and nothing says which of them the user got: give the spans around them their input and output`,
      );
    given.push(top);
  }
  return given;
}

/** Makes an exchange, and what is inside of it, a part of another one with the same answer. */
function foldInto(kept: Exchange, { record }: Exchange, { inside, fates }: Trace): void {
  fates.set(record, { is: 'folded' });
  inside.get(kept.record)?.push(record, ...(inside.get(record) ?? []));
}

/** A request with its answer, and with what the records inside of it add. */
function answeredRequest(top: Exchange, { nesting, inside }: Trace): Request {
  const { record, turns, fresh } = top;
  const within = inOrder(inside.get(record) ?? []);
  const steps = within.flatMap((one) => nesting.exchanges.get(one) ?? []);
  const whole = giveCalls(turns, fresh, [top.pending, ...steps.map(callsOfStep), callsOfTools(within)]);
  return {
    record,
    earlier: earlierTurns(top, steps),
    turns: whole.slice(fresh),
    pending: [],
    latencyMs: record.latencyMs ?? durationOf(record, steps),
    model: modelOf(top, steps, within),
  };
}

const callsOfStep = ({ turns, fresh, pending }: Exchange): Call[] => [
  ...turns.slice(fresh).flatMap(({ calls }) => calls),
  ...pending,
];

const callsOfTools = (within: readonly TraceRecord[]): Call[] =>
  inOrder(within.filter(({ reader }) => reader.as === 'tool')).flatMap((tool) => callIn(tool) ?? []);

/** The time from the first step of a request to its end. */
function durationOf({ time, end }: TraceRecord, steps: readonly Exchange[]): number | undefined {
  if (time === undefined || end === undefined || end < time) return undefined;
  const began = Math.min(time, ...steps.map(({ record }) => record.time ?? Infinity));
  return Math.round((end - began) * 1000) / 1000;
}

/** The model that gave an answer: the last one inside of it that gave the same, else the last one. */
function modelOf(
  top: Exchange,
  steps: readonly Exchange[],
  within: readonly TraceRecord[],
): string | undefined {
  const isAnswer = (step: Exchange) => answerOf(step) === answerOf(top) && step.record.model !== undefined;
  return (
    top.record.model ??
    steps.findLast(isAnswer)?.record.model ??
    within.findLast(({ model }) => model !== undefined)?.model
  );
}

/** A request that nothing answers. */
const openRequest = ({ record, turns, fresh, pending }: Exchange): Request => ({
  pending,
  record,
  earlier: turns.slice(0, Math.max(fresh, 0)),
  turns: turns.slice(lastRequestAt(turns)),
  latencyMs: undefined,
  model: undefined,
});

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
