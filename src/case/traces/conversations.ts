import { counted } from '../../common/text/index.ts';
import type { TraceReaders } from '../format/index.ts';
import { callIn } from './exchanges.ts';
import { roleOf, saidIn, type TraceRecord } from './find-records.ts';
import { valueAt } from './lookup.ts';
import { type Call, callsIn } from './messages.ts';
import { inOrder, recordTree } from './record-tree.ts';
import { type Fate, type Request, requestsIn, withoutCopies } from './requests.ts';
import { joinShortSessions, shortNameOf } from './session-names.ts';
import { type Session, sessionsIn } from './sessions.ts';
import { withoutCovered, withoutUndone } from './taken-back.ts';
import { addCalls, endsWith, type FoundTurn, isSame, ofUser } from './turns.ts';

/** A turn, and the record that says most about it. */
export interface Turn extends FoundTurn {
  record: TraceRecord;
  latencyMs?: number | undefined;
  model?: string | undefined;
}

/** One conversation. */
export interface Conversation {
  /** The id of its session, or of its trace; null if it has none. */
  name: string | null;
  /** A short form of the name, if its format has one. */
  shortName: string | null;
  /** Its place, for messages. */
  where: string;
  format: string;
  turns: Turn[];
  notes: string[];
  /** Why no case can be made of it; null if one can. */
  problem: string | null;
}

/** The conversations in records, and what became of each record. */
export interface Conversations {
  conversations: Conversation[];
  fates: ReadonlyMap<TraceRecord, Fate>;
}

/** Maximum number of people that a message names. */
const MOST_NAMED = 3;

const turnOf = (turn: FoundTurn, { record, latencyMs, model }: Request): Turn => ({
  ...turn,
  record,
  ...(turn.role === 'system' ? { latencyMs, model: model ?? record.model } : {}),
});

/**
 * Takes back a request that is still open if this one is the same: a model that called a tool is asked again with what the
 * tool gave back, and a request that failed is sent again.
 */
function withOpenRequest(request: Request, turns: Turn[]): Request {
  const asked = request.turns.findIndex(({ role }) => role === 'system');
  const own = asked < 0 ? request.turns : request.turns.slice(0, asked);
  const open = turns.slice(turns.length - own.length);
  const first = open[0]?.record;
  if (first === undefined || first.reader.as !== 'exchange' || !endsWith(turns, own)) return request;
  turns.splice(turns.length - own.length);
  const calls = open.flatMap((turn) => turn.calls);
  const last = request.turns.findLastIndex(({ role }) => role === 'system');
  const { record, latencyMs } = request;
  return {
    ...request,
    latencyMs:
      latencyMs !== undefined && first.time !== undefined && record.end !== undefined
        ? Math.round((record.end - first.time) * 1000) / 1000
        : latencyMs,
    turns: request.turns.map((turn, at) => {
      if (at !== last) return turn;
      const all = turn.calls.map((call) => ({ ...call }));
      addCalls(all, calls);
      return { ...turn, calls: all };
    }),
  };
}

/** Adds a request to the turns before it: its record may repeat all of them, the last ones, or none. */
function addRequest(given: Request, conversation: Conversation): void {
  const { turns } = conversation;
  const request = withOpenRequest(given, turns);
  const { earlier, record } = request;
  const own = request.turns.map((turn, at) =>
    turnOf(
      at === request.turns.length - 1 ? { ...turn, calls: [...turn.calls, ...request.pending] } : turn,
      request,
    ),
  );
  const before = earlier.map((turn): Turn => ({ ...turn, record }));
  const isTold = endsWith(turns, earlier);
  if (isTold) {
    // A message of its own says the same: the request that a log keeps beside the exchange.
    const last = turns.at(-1);
    const [first] = own;
    if (
      last !== undefined &&
      first !== undefined &&
      last.record.reader.as === 'message' &&
      isSame(last, first)
    )
      turns.pop();
    turns.push(...own);
    return;
  }
  if (endsWith(earlier, turns)) {
    const more = before.length - turns.length;
    turns.unshift(...before.slice(0, more));
    turns.push(...own);
    return;
  }
  const [asked, kept] = [ofUser(earlier), ofUser(turns)];
  if (endsWith(kept, asked) || endsWith(asked, kept)) {
    conversation.notes.push(
      `${record.where} repeats earlier answers in other words: they were taken from where they were given`,
    );
    if (asked.length > kept.length) turns.unshift(...before.slice(0, before.length - turns.length));
    turns.push(...own);
    return;
  }
  conversation.notes.push(
    `left out: ${counted(turns.length, 'turn')} before ${record.where}, whose record says that others came before it`,
  );
  turns.splice(0, turns.length, ...before, ...own);
}

/** Adds a message, unless it is there already. */
function addMessage(record: TraceRecord, conversation: Conversation, seen: Seen): Fate {
  const role = roleOf(record, seen.readers);
  const text = saidIn(record, seen.readers.words);
  if (role === null) {
    conversation.problem ??= `${record.where}: nothing says who wrote "${text.slice(0, 40)}"`;
    return { is: 'not understood', why: 'nothing says who wrote it' };
  }
  if (role === 'instructions' || role === 'tool')
    return { is: 'left out', why: 'instructions, or of a tool' };
  const made = record.reader.calls.flatMap((path) =>
    callsIn(valueAt(record.place, path) ?? [], seen.readers.words),
  );
  if (role === 'system' && text === '' && made.length > 0) {
    seen.calls.push(...made);
    return { is: 'folded' };
  }
  const turn: Turn = { role, text, calls: role === 'system' ? made : [], record };
  if (role === 'system') turn.latencyMs = record.latencyMs;
  const { id, time, speaker } = record;
  const key = id ?? (time === undefined ? undefined : `${time} ${role} ${text}`);
  const known = key === undefined ? undefined : seen.messages.get(key);
  if (known !== undefined && known.turn.role === role) {
    if (known.turn.text !== text) {
      conversation.notes.push(`${record.where} is a later version of a message: it replaces the earlier one`);
      known.turn.text = text;
    }
    return { is: 'folded' };
  }
  const last = conversation.turns.at(-1);
  const isOfExchange = last !== undefined && last.record.reader.as === 'exchange';
  const exchange = isOfExchange ? conversation.turns.filter((one) => one.record === last.record) : [];
  if (exchange.some((one) => isSame(one, turn))) return { is: 'folded' };
  if (role === 'user' && speaker !== undefined) seen.speakers.add(speaker);
  if (key !== undefined) seen.messages.set(key, { turn });
  conversation.turns.push(turn);
  return { is: 'read' };
}

interface Seen {
  readers: TraceReaders;
  messages: Map<string, { turn: Turn }>;
  speakers: Set<string>;
  /** Calls of tools that wait for the answer that they were made for. */
  calls: Call[];
}

/** The records of parts, each with a record that it belongs to: a span that is not in the input is made up from its parts. */
function withOwners(records: readonly TraceRecord[]): TraceRecord[] {
  const ids = new Set(
    records.flatMap(({ reader, trace, id }) =>
      reader.as === 'part' || id === undefined ? [] : [`${trace} ${id}`],
    ),
  );
  const added = new Map<string, TraceRecord>();
  for (const part of records) {
    if (part.reader.as !== 'part') continue;
    const key = `${part.trace} ${part.id ?? part.container}`;
    const known = added.get(key);
    if (known !== undefined) {
      known.model ??= part.model;
      known.session ??= part.session;
      known.end = Math.max(known.end ?? -Infinity, part.time ?? -Infinity);
      continue;
    }
    if (ids.has(key)) continue;
    const reader = { ...part.reader, as: 'exchange' as const, input: [], output: [], calls: [] };
    added.set(key, {
      ...part,
      reader,
      id: part.id ?? `list ${part.container}`,
      end: undefined,
      place: { value: {}, around: [] },
    });
  }
  // What was said in parts says nothing about how long the answer took.
  for (const record of added.values()) record.end = undefined;
  return [...records, ...added.values()];
}

/** Joins the records into conversations. */
export function conversationsIn(found: readonly TraceRecord[], readers: TraceReaders): Conversations {
  const fates = new Map<TraceRecord, Fate>();
  const records = withoutCopies(withOwners(found), fates);
  joinShortSessions(records);
  const tree = recordTree(records);
  const open = withoutCovered(records, tree, fates);
  const parts = new Map<TraceRecord, TraceRecord[]>();
  for (const part of inOrder(records.filter(({ reader }) => reader.as === 'part'))) {
    const owner = tree.owner(part.id === undefined ? { ...part, id: `list ${part.container}` } : part);
    if (owner !== undefined) {
      parts.set(owner, [...(parts.get(owner) ?? []), part]);
      // A span that is known by its messages alone.
      if (owner.reader.as === 'aside') owner.reader = { ...owner.reader, as: 'exchange' };
    }
    fates.set(part, { is: 'folded' });
  }
  for (const record of open)
    if (record.reader.as === 'aside')
      fates.set(record, { is: 'left out', why: record.reader.why ?? 'no part of a conversation' });
  const shared = { tree, readers, parts, fates };
  const one = (session: Session) => conversationsOf(session, shared);
  return { conversations: sessionsIn(open, tree).flatMap(one), fates };
}

function conversationsOf(
  { name, records: all }: Session,
  shared: Parameters<typeof requestsIn>[1],
): Conversation[] {
  const { readers, fates } = shared;
  const records = withoutUndone(all, fates);
  const { requests, problems } = requestsIn(
    records.filter(({ reader }) => reader.as === 'exchange' || reader.as === 'tool'),
    shared,
  );
  const byRecord = new Map(requests.map((request) => [request.record, request]));
  const seen: Seen = { readers, messages: new Map(), speakers: new Set(), calls: [] };
  const conversations: Conversation[] = [];
  const shortName = shortNameOf(name, records);
  const begin = (record: TraceRecord): Conversation => {
    const { where, format } = record;
    const own = { name, shortName, where, format, turns: [], notes: [], problem: null };
    conversations.push(own);
    return own;
  };
  const isBeside = (record: TraceRecord) =>
    record.reader.as === 'tool' && fates.get(record)?.is === 'left out';
  const spoken = records.filter(
    (record) =>
      record.reader.as === 'message' ||
      record.reader.as === 'break' ||
      byRecord.has(record) ||
      isBeside(record),
  );
  let now: Conversation | undefined;
  for (const record of inOrder(spoken)) {
    if (record.reader.as === 'break') {
      fates.set(record, { is: 'left out', why: 'it begins a conversation' });
      now = undefined;
      continue;
    }
    if (record.reader.as === 'tool') {
      const call = callIn(record);
      if (call !== null) seen.calls.push(call);
      fates.set(record, { is: 'folded' });
      continue;
    }
    now ??= begin(record);
    const request = byRecord.get(record);
    const count = now.turns.length;
    if (request === undefined) fates.set(record, addMessage(record, now, seen));
    else addRequest(request, now);
    const answer = now.turns.slice(count).find(({ role }) => role === 'system');
    // Calls between a request and its answer belong to the answer.
    if (answer !== undefined) answer.calls.unshift(...seen.calls);
    if (now.turns.length > count) seen.calls = [];
  }
  const [first] = records;
  if (problems.length > 0 && conversations.length === 0 && first !== undefined) begin(first);
  const people = [...seen.speakers];
  for (const conversation of conversations) {
    conversation.problem ??= problems[0] ?? null;
    if (people.length > 1)
      conversation.problem ??= `${counted(people.length, 'person', 'people')} write in it (${people.slice(0, MOST_NAMED).join(', ')}), and nothing says which of them talks to the assistant`;
  }
  const nth = (own: string | null, at: number) => (own === null || at === 0 ? own : `${own}-${at + 1}`);
  return conversations.map((one, at) => ({
    ...one,
    name: nth(name, at),
    shortName: nth(shortName, at),
  }));
}
