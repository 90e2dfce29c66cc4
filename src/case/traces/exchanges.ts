import type { RecordReader, SaidBy, TraceReaders } from '../format/index.ts';
import { isRecord } from '../index.ts';
import { roleOf, type TraceRecord } from './find-records.ts';
import { firstOf, firstText, valueAt } from './lookup.ts';
import { plainText } from './markup.ts';
import { type Call, callsIn, jsonIn, type Messages, messageOf, messagesIn, type Said } from './messages.ts';
import {
  type FoundTurn,
  holds,
  isSame,
  lastRequestAt,
  ofUser,
  overlap,
  type Spoken,
  spokenIn,
  startsWith,
} from './turns.ts';

/** What went into a model, an agent or a whole request, and what came out. */
export interface Exchange {
  record: TraceRecord;
  turns: FoundTurn[];
  /** Where in the turns the last request begins; what is before was said earlier. */
  fresh: number;
  pending: Call[];
  instructions: string;
}

/** An exchange, or why there is none: no messages were recorded (`null`), or they could not be read. */
export type ReadExchange = { exchange: Exchange } | { why: string | null };

const withoutMarkup = (said: readonly Said[], markup: RecordReader['markup']): Messages => ({
  said: said.map((one) => ({ ...one, text: plainText(one.text, markup) })),
});

/** Reads the first of several values that holds messages. */
function messagesAt(record: TraceRecord, side: 'input' | 'output', readers: TraceReaders): Messages {
  let why: string | undefined;
  for (const path of record.reader[side]) {
    const value = valueAt(record.place, path);
    if (value === undefined) continue;
    const texts =
      path.includes('*') && Array.isArray(value)
        ? value.flatMap((one) => (typeof one === 'string' ? [one.trim()] : []))
        : [];
    const read = messagesIn(texts.length > 0 ? texts.join('\n') : value, side, readers.words);
    if ('why' in read) why ??= `${path}: ${read.why}`;
    else if (read.said.length > 0) return withoutMarkup(read.said, record.reader.markup);
  }
  return why === undefined ? { said: [] } : { why };
}

/** Several messages of an output that are alternatives: their number if they differ. */
function choices(said: readonly Said[]): number {
  return new Set(said.map(({ text, calls }) => JSON.stringify([text, calls]))).size;
}

/** Joins what went in and what came out, which may repeat what went in. Null if they do not fit together. */
function joinSides(input: readonly FoundTurn[], output: readonly FoundTurn[]): FoundTurn[] | null {
  if (!output.some(({ role }) => role === 'user')) return [...input, ...output];
  if (input.length === 0 || startsWith(output, input)) return [...output];
  const shared = overlap(input, output);
  if (shared > 0) return [...input, ...output.slice(shared)];
  const [asked, repeated] = [ofUser(input).at(-1), ofUser(output).at(-1)];
  return asked !== undefined && repeated !== undefined && isSame(asked, repeated) ? [...output] : null;
}

function exchangeOf(record: TraceRecord, input: Spoken, output: Spoken, hasOutput: boolean): ReadExchange {
  const turns = joinSides(input.turns, output.turns);
  if (turns === null) return { why: 'what came out repeats other messages than those that went in' };
  const fresh = hasOutput ? lastRequestAt(turns) : 0;
  return {
    exchange: {
      record,
      turns,
      fresh: Math.max(0, fresh),
      pending: [...input.pending, ...output.pending],
      instructions: input.instructions,
    },
  };
}

/** Reads an exchange from its own record and its parts. */
export function readExchange(
  record: TraceRecord,
  parts: readonly TraceRecord[],
  readers: TraceReaders,
): ReadExchange {
  const { reader, place } = record;
  const own = { input: messagesAt(record, 'input', readers), output: messagesAt(record, 'output', readers) };
  const sideOf = (side: 'input' | 'output'): Messages => {
    const messages = own[side];
    if ('why' in messages || messages.said.length > 0) return messages;
    const said = parts.filter((part) => part.reader.side === side).map((part) => partOf(part, readers));
    const wrong = said.indexOf(null);
    return wrong >= 0
      ? { why: 'a message of it could not be read' }
      : { said: said.flatMap((one) => one ?? []) };
  };
  const [input, output] = [sideOf('input'), sideOf('output')];
  if ('why' in input) return input;
  if ('why' in output) return output;
  const beside = reader.calls.flatMap((path) => callsIn(valueAt(place, path) ?? [], readers.words));
  const extra: Said[] =
    beside.length === 0 ? [] : [{ role: 'system', text: '', calls: beside, results: [], others: 0 }];
  const areAlternatives = reader.alternatives || parts.length > 0;
  if (areAlternatives && choices(output.said) > 1)
    return { why: `${output.said.length} answers to choose from, and nothing says which one was given` };
  if (input.said.length === 0 && output.said.length === 0 && extra.length === 0) return { why: null };
  const hasOutput = reader.output.length > 0 || output.said.length > 0;
  return exchangeOf(record, spokenIn(input.said), spokenIn([...extra, ...output.said]), hasOutput);
}

/** A word that stands for each role, for messages that say theirs outside. */
const ROLE_WORDS: Readonly<Record<SaidBy, string>> = {
  user: 'user',
  system: 'assistant',
  instructions: 'developer',
  tool: 'tool',
};

/** The messages in a part; null if they could not be read. */
function partOf(part: TraceRecord, readers: TraceReaders): Said[] | null {
  const role = roleOf(part, readers);
  const paths = part.reader.text.filter((path) => valueAt(part.place, path) !== undefined);
  const outer = role === null ? {} : { role: ROLE_WORDS[role] };
  for (const path of paths) {
    const value = valueAt(part.place, path);
    const whole = typeof value === 'string' ? (jsonIn(value) ?? value) : value;
    if (Array.isArray(whole)) {
      const read = messagesIn(whole, part.reader.side, readers.words);
      if ('said' in read) return read.said;
      continue;
    }
    const said = messageOf(
      isRecord(whole) ? { ...outer, ...whole } : { ...outer, content: whole },
      readers.words,
    );
    if (said !== null) return [said];
  }
  // Without any value, its content was not recorded.
  return paths.length === 0 ? [] : null;
}

/** Whether an exchange says both what was asked and what was answered. */
export const isWhole = ({ turns, fresh }: Exchange): boolean => {
  const asked = turns.findIndex(({ role }, at) => at >= fresh && role === 'user');
  return asked >= 0 && turns.some(({ role }, at) => at > asked && role === 'system');
};

/** The call of a tool that a record holds; null if it has no name. */
export function callIn({ reader, place }: TraceRecord): Call | null {
  const name = firstText(place, reader.tool?.name ?? []);
  if (name === undefined) return null;
  const opened = (value: unknown) => (typeof value === 'string' ? (jsonIn(value) ?? value) : value);
  const id = firstText(place, reader.tool?.id ?? []);
  const result = opened(firstOf(place, reader.tool?.result ?? []));
  return {
    name,
    arguments: opened(firstOf(place, reader.tool?.arguments ?? [])) ?? {},
    ...(id === undefined ? {} : { id }),
    ...(result === undefined ? {} : { result }),
  };
}

/** What came before an exchange: its own earlier turns, or those of a step within it that answers the same request. */
export function earlierTurns(exchange: Exchange, steps: readonly Exchange[]): FoundTurn[] {
  const own = exchange.turns.slice(0, exchange.fresh);
  if (own.length > 0) return own;
  const asked = exchange.turns[exchange.fresh]?.text ?? '';
  const step = steps.find(
    ({ turns, fresh }) =>
      fresh > 0 && turns.slice(fresh).some(({ role, text }) => role === 'user' && holds(text, asked)),
  );
  return step === undefined ? [] : step.turns.slice(0, step.fresh);
}
