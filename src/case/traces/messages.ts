import { oncePer } from '../../common/index.ts';
import type { MessageWords, SaidBy } from '../format/index.ts';
import { isRecord } from '../index.ts';
import { under } from './lookup.ts';

/** A call of a tool, with what it gave back, if that is known. */
export interface Call {
  id?: string;
  name: string;
  arguments: unknown;
  result?: unknown;
}

/** What a tool gave back, by the id of the call or the name of the tool. */
interface Result {
  id?: string;
  name?: string;
  value: unknown;
}

/** One message as found in a record. */
export interface Said {
  role: SaidBy;
  text: string;
  calls: Call[];
  results: Result[];
  /** How many parts are neither text nor of a tool, such as pictures. */
  others: number;
}

/** Messages, or why a value holds none. */
export type Messages = { said: Said[] } | { why: string };

type Fields = Readonly<Record<string, unknown>>;

const plainWord = (word: string): string => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const lookups = oncePer((words: MessageWords) => {
  const set = (list: readonly string[]) => new Set(list.map(plainWord));
  const roles = Object.entries(words.roles).flatMap(([role, names]) =>
    names.map((name): [string, string] => [plainWord(name), role]),
  );
  return {
    roles: new Map(roles),
    call: set(words.call),
    result: set(words.result),
    silent: set(words.silent),
    media: set(words.media),
    redacted: set(words.redacted),
  };
});

/** Marks around a word that stands for a text, or nothing but marks that hide one. */
const MARKED = /^(?:[[<({*_#]{1,10} ?[^\n]{1,60}[\])>}*_#]{1,10}|[A-Z _-]{1,60})$/;
const HIDDEN = /^[*█■▇]{3,1000}$/;

/** Whether a text is only what stands for one that was not kept: `__REDACTED__`, `[redacted]`, `***`. */
export function isRedacted(text: string, words: MessageWords): boolean {
  const trimmed = text.trim();
  return HIDDEN.test(trimmed) || (MARKED.test(trimmed) && lookups(words).redacted.has(plainWord(trimmed)));
}

const isRole = (role: string | undefined): role is SaidBy =>
  role === 'user' || role === 'system' || role === 'instructions' || role === 'tool';

/** The role that a word stands for: `assistant`, `MessageRole.USER`, `AIMessage`. */
export function roleNamed(word: unknown, words: MessageWords): SaidBy | null {
  if (typeof word !== 'string' || word.length > 60) return null;
  const { roles } = lookups(words);
  const role = roles.get(plainWord(word)) ?? roles.get(plainWord(word.split('.').at(-1) ?? ''));
  return isRole(role) ? role : null;
}

/** JSON in a text, as its value; undefined for any other text. */
export function jsonIn(text: string): unknown {
  const trimmed = text.trim();
  if (!/^(?:\{[\s\S]*\}|\[[\s\S]*\]|"[\s\S]*")$/.test(trimmed)) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    return value;
  } catch {
    return undefined;
  }
}

const opened = (value: unknown): unknown => (typeof value === 'string' ? (jsonIn(value) ?? value) : value);

function firstUnder(value: unknown, keys: readonly string[]): unknown {
  for (const key of keys) {
    const found = under(value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

const textUnder = (value: unknown, keys: readonly string[]): string | undefined => {
  const found = firstUnder(value, keys);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
};

/** Reads a call of a tool; null if it has no name. */
function callOf(value: unknown, words: MessageWords): Call | null {
  const name = textUnder(value, words.callName);
  if (name === undefined) return null;
  const id = textUnder(value, words.callId);
  const given = opened(firstUnder(value, words.callArguments)) ?? {};
  return { name, arguments: given, ...(id === undefined ? {} : { id }) };
}

/** Reads calls given as a list, as one object, or as an object with numbers as keys. */
export function callsIn(value: unknown, words: MessageWords): Call[] {
  const list = opened(value);
  if (Array.isArray(list)) return list.flatMap((item) => callsIn(item, words));
  const call = callOf(list, words);
  return call === null ? [] : [call];
}

const nothing = (role: SaidBy): Said => ({ role, text: '', calls: [], results: [], others: 0 });

const joinTexts = (texts: readonly string[]): string => texts.filter((text) => text.trim() !== '').join('\n');

function joinSaid(role: SaidBy, parts: readonly Said[]): Said {
  return {
    role,
    text: joinTexts(parts.map(({ text }) => text)),
    calls: parts.flatMap(({ calls }) => calls),
    results: parts.flatMap(({ results }) => results),
    others: parts.reduce((sum, { others }) => sum + others, 0),
  };
}

const typeOf = (part: unknown, words: MessageWords): string => {
  const type = firstUnder(part, words.kind);
  return typeof type === 'string' ? plainWord(type) : '';
};

/** Which call or tool gave a result. */
function toolOfResult(value: unknown, words: MessageWords): Omit<Result, 'value'> {
  const id = textUnder(value, words.callId);
  const name = textUnder(value, words.callName);
  return { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) };
}

/** What a tool gave back, as a value: JSON in a text is opened, and parts of text are joined. */
const resultOf = (part: unknown, words: MessageWords): Result => ({
  value: opened(firstUnder(part, words.resultValue)),
  ...toolOfResult(part, words),
});

/** Reads the content of a message: a text, a part, or a list of parts. */
function contentOf(value: unknown, role: SaidBy, words: MessageWords): Said {
  if (value === undefined || value === null) return nothing(role);
  if (typeof value === 'string') {
    if (isRedacted(value, words)) return { ...nothing(role), others: 1 };
    const parts = jsonIn(value);
    return arePartsWithTypes(parts, words)
      ? contentOf(parts, role, words)
      : { ...nothing(role), text: value };
  }
  if (Array.isArray(value))
    return joinSaid(
      role,
      value.map((part) => contentOf(part, role, words)),
    );
  if (!isRecord(value)) return { ...nothing(role), text: String(value) };
  return partWithType(value, role, words) ?? partWithKeys(value, role, words);
}

const arePartsWithTypes = (value: unknown, words: MessageWords): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((part) => isRecord(part) && typeOf(part, words) !== '');

/** Reads a part whose type says what it is; null for any other one. */
function partWithType(part: Fields, role: SaidBy, words: MessageWords): Said | null {
  const { silent, media, call, result } = lookups(words);
  const type = typeOf(part, words);
  if (silent.has(type)) return nothing(role);
  if (media.has(type)) return { ...nothing(role), others: 1 };
  if (call.has(type)) {
    const made = callOf(part, words);
    return made === null ? { ...nothing(role), others: 1 } : { ...nothing(role), calls: [made] };
  }
  return result.has(type) ? { ...nothing(role), results: [resultOf(part, words)] } : null;
}

/** Reads a part whose keys say what it is. */
function partWithKeys(part: Fields, role: SaidBy, words: MessageWords): Said {
  const around = words.around.map((key) => part[key]).find((one) => isRecord(one) || Array.isArray(one));
  if (around !== undefined) return contentOf(around, role, words);
  const made = under(part, 'functionCall') ?? under(part, 'function_call');
  if (made !== undefined && typeOf(part, words) === '')
    return { ...nothing(role), calls: callsIn(made, words) };
  const gave = under(part, 'functionResponse') ?? under(part, 'function_response');
  if (gave !== undefined) return { ...nothing(role), results: [resultOf(gave, words)] };
  const text = firstUnder(part, words.text);
  return text === undefined ? { ...nothing(role), others: 1 } : contentOf(text, role, words);
}

/** Reads one message in any form; null if a value is none. */
export function messageOf(value: unknown, words: MessageWords): Said | null {
  if (Array.isArray(value)) return pairOf(value, words);
  if (!isRecord(value)) return null;
  const [role] = words.role.flatMap((key) => roleNamed(under(value, key), words) ?? []);
  if (role === undefined) return messageWithoutRole(value, words);
  const holder = firstUnder(value, words.text) === undefined ? (recordAround(value, words) ?? value) : value;
  const said = contentOf(firstUnder(holder, words.text), role, words);
  if (role === 'tool') return messageOfTool(holder, said, words);
  const calls = words.calls.flatMap((key) => callsIn(under(holder, key) ?? [], words));
  // What a tool gave back can stand in a message of the user.
  const isOfTools = role === 'user' && said.results.length > 0 && said.text.trim() === '';
  return { ...said, role: isOfTools ? 'tool' : role, calls: [...said.calls, ...uniqueCalls(calls)] };
}

/** Reads a pair of role and text, as LangChain has it. */
function pairOf([role, text, ...more]: readonly unknown[], words: MessageWords): Said | null {
  const named = roleNamed(role, words);
  return named !== null && typeof text === 'string' && more.length === 0 ? { ...nothing(named), text } : null;
}

/** The object that another one is only wrapped around. */
const recordAround = (value: Fields, words: MessageWords): Fields | undefined =>
  words.around.map((key) => opened(value[key])).find(isRecord);

/** A message that is wrapped in an object, or that is of a tool by its type. */
function messageWithoutRole(value: Fields, words: MessageWords): Said | null {
  const inner = recordAround(value, words);
  const message = inner === undefined ? null : messageOf(inner, words);
  if (message !== null) return message;
  const { silent, call, result } = lookups(words);
  const type = typeOf(value, words);
  if (silent.has(type)) return nothing('system');
  if (call.has(type)) return contentOf(value, 'system', words);
  return result.has(type) ? contentOf(value, 'tool', words) : null;
}

/** A message with what a tool gave back: its parts say it, or it is the content. */
function messageOfTool(message: Fields, { text, results }: Said, words: MessageWords): Said {
  if (results.length > 0) return { ...nothing('tool'), results };
  return { ...nothing('tool'), results: [{ value: opened(text), ...toolOfResult(message, words) }] };
}

/** Calls without those that are there twice under other keys. */
function uniqueCalls(calls: readonly Call[]): Call[] {
  const seen = new Set<string>();
  return calls.filter((call) => {
    const key = call.id ?? JSON.stringify([call.name, call.arguments]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

const listed = (value: object): string => Object.keys(value).slice(0, 6).join(', ') || 'none';

/** What was done on a side, which is also the name of the keys that hold it. */
const DONE = { input: 'asked', output: 'answered' } as const;

type Side = keyof typeof DONE;

/** Who says what has no role. */
const ROLE_OF: Readonly<Record<Side, SaidBy>> = { input: 'user', output: 'system' };

/** Where the messages of an object are, one after the other: earlier ones, then what was asked or answered. */
function messagesOfObject(value: Fields, side: Side, words: MessageWords, depth: number): Messages {
  const read = (inner: unknown): Messages => messagesIn(inner, side, words, depth + 1);
  const own = messageOf(value, words);
  if (own !== null) return { said: [own] };
  const alternatives = side === 'output' ? firstUnder(value, words.alternatives) : undefined;
  if (alternatives !== undefined) return alternativesIn(alternatives, words, depth);
  const lists = listsUnder(value, words.messages).map(read);
  const [list] = lists;
  if (lists.length > 1) return { why: 'several lists of messages' };
  if (list !== undefined && 'why' in list) return list;
  const texts = words[DONE[side]].map((key) => read(value[key])).filter(saysAny);
  const [text] = texts;
  const earlier = listsUnder(value, words.history);
  if (text === undefined && list !== undefined) return list;
  if (text === undefined)
    return earlier.length === 1 && side === 'output'
      ? read(earlier[0])
      : messagesAround(value, side, words, depth);
  if (areDifferent(texts))
    return { why: `several of its keys may hold what was ${DONE[side]} (keys: ${listed(value)})` };
  return joinMessages([...earlier.map(read), ...lists, text]);
}

const listsUnder = (value: Fields, keys: readonly string[]): unknown[][] =>
  keys.flatMap((key) => {
    const list = opened(value[key]);
    return Array.isArray(list) && list.length > 0 ? [list] : [];
  });

const saysAny = (messages: Messages): boolean => 'said' in messages && messages.said.length > 0;

const areDifferent = (all: readonly Messages[]): boolean =>
  new Set(all.map((one) => JSON.stringify(one))).size > 1;

/** Messages one after the other, if all of them can be read. */
function joinMessages(all: readonly Messages[]): Messages {
  const wrong = all.find((one) => 'why' in one);
  return wrong ?? { said: all.flatMap((one) => ('said' in one ? one.said : [])) };
}

/** The messages of an object that is only wrapped around them. */
function messagesAround(value: Fields, side: Side, words: MessageWords, depth: number): Messages {
  const [found, ...more] = words.around
    .map((key) => opened(value[key]))
    .filter((inner) => isRecord(inner) || Array.isArray(inner) || typeof inner === 'string')
    .map((inner) => messagesIn(inner, side, words, depth + 1))
    .filter(saysAny);
  if (more.length > 0) return { why: `several of its keys may hold what was said (keys: ${listed(value)})` };
  return found ?? { why: `no key says what was ${DONE[side]} (keys: ${listed(value)})` };
}

/** One of several answers of a model; more than one that differ are not told apart. */
function alternativesIn(value: unknown, words: MessageWords, depth: number): Messages {
  const list = opened(value);
  const items = Array.isArray(list) ? list : [list];
  const read = items.map((item) => messagesIn(item, 'output', words, depth + 1));
  const [first] = read;
  if (first === undefined) return { said: [] };
  return areDifferent(read)
    ? { why: `${items.length} answers to choose from, and nothing says which one was given` }
    : first;
}

/** Maximum nesting of payloads. */
const MAX_DEPTH = 12;

/** Reads what went into an exchange or came out of it: a text, a message, a list of messages, or an object around them. */
export function messagesIn(value: unknown, side: Side, words: MessageWords, depth = 0): Messages {
  if (depth > MAX_DEPTH) return { why: 'it is nested too deep' };
  if (value === undefined || value === null) return { said: [] };
  if (typeof value === 'string') {
    const json = jsonIn(value);
    if (json !== undefined) return messagesIn(json, side, words, depth + 1);
    const isSaid = value.trim() !== '' && !isRedacted(value, words);
    return { said: isSaid ? [{ ...nothing(ROLE_OF[side]), text: value }] : [] };
  }
  if (Array.isArray(value)) return messagesOfList(value, side, words, depth);
  if (!isRecord(value)) return { why: `${String(value).slice(0, 20)} is no text` };
  // A part by itself, such as {"type": "text", "text": "…"}.
  if (typeOf(value, words) === 'text' && messageOf(value, words) === null)
    return { said: [contentOf(value, ROLE_OF[side], words)] };
  return messagesOfObject(value, side, words, depth);
}

/** Reads a list: a pair of role and text, messages, one value, or the parts of one message. */
function messagesOfList(list: readonly unknown[], side: Side, words: MessageWords, depth: number): Messages {
  if (list.length === 0) return { said: [] };
  const pair = pairOf(list, words);
  if (pair !== null) return { said: [pair] };
  const said = list.map((item) => messageOf(item, words));
  if (said.every((one) => one !== null)) return { said };
  if (list.length === 1) return messagesIn(list[0], side, words, depth + 1);
  return arePartsWithTypes(list, words) && said.every((one) => one === null)
    ? { said: [contentOf(list, ROLE_OF[side], words)] }
    : { why: 'a list with items that are no messages' };
}
