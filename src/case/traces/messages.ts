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
  };
});

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

/** What a tool gave back, as a value: JSON in a text is opened, and parts of text are joined. */
function resultOf(part: unknown, words: MessageWords): Result {
  const id = textUnder(part, words.callId);
  const name = textUnder(part, words.callName);
  const value = opened(firstUnder(part, words.resultValue));
  return { value, ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) };
}

/** Reads the content of a message: a text, a part, or a list of parts. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the forms of a message are told apart in one place
function contentOf(value: unknown, role: SaidBy, words: MessageWords): Said {
  if (value === undefined || value === null) return nothing(role);
  if (typeof value === 'string') {
    const json = jsonIn(value);
    const areParts =
      Array.isArray(json) &&
      json.length > 0 &&
      json.every((part) => isRecord(part) && typeOf(part, words) !== '');
    return areParts ? contentOf(json, role, words) : { ...nothing(role), text: value };
  }
  if (Array.isArray(value))
    return joinSaid(
      role,
      value.map((part) => contentOf(part, role, words)),
    );
  if (!isRecord(value)) return { ...nothing(role), text: String(value) };
  const sets = lookups(words);
  const type = typeOf(value, words);
  if (sets.silent.has(type)) return nothing(role);
  if (sets.call.has(type)) {
    const call = callOf(value, words);
    return call === null ? { ...nothing(role), others: 1 } : { ...nothing(role), calls: [call] };
  }
  if (sets.result.has(type)) return { ...nothing(role), results: [resultOf(value, words)] };
  for (const key of words.around) {
    const inner = value[key];
    if (isRecord(inner) || Array.isArray(inner)) return contentOf(inner, role, words);
  }
  const made = under(value, 'functionCall') ?? under(value, 'function_call');
  if (made !== undefined && type === '') return { ...nothing(role), calls: callsIn(made, words) };
  const gave = under(value, 'functionResponse') ?? under(value, 'function_response');
  if (gave !== undefined) return { ...nothing(role), results: [resultOf(gave, words)] };
  const inner = firstUnder(value, words.text);
  return inner === undefined ? { ...nothing(role), others: 1 } : contentOf(inner, role, words);
}

/** Reads one message in any form; null if a value is none. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the forms of a message are told apart in one place
export function messageOf(value: unknown, words: MessageWords): Said | null {
  if (Array.isArray(value)) {
    // A pair of role and text, as LangChain has it.
    const [role, text, ...more] = value;
    const named = roleNamed(role, words);
    return named !== null && typeof text === 'string' && more.length === 0
      ? { ...nothing(named), text }
      : null;
  }
  if (!isRecord(value)) return null;
  const sets = lookups(words);
  const roles = words.role.flatMap((key) => {
    const found = under(value, key);
    return roleNamed(found, words) ?? [];
  });
  const [role] = roles;
  if (role === undefined) {
    const inner = words.around.map((key) => opened(value[key])).find(isRecord);
    const message = inner === undefined ? null : messageOf(inner, words);
    if (message !== null) return message;
    const type = typeOf(value, words);
    if (sets.silent.has(type)) return nothing('system');
    if (sets.call.has(type)) return contentOf(value, 'system', words);
    return sets.result.has(type) ? contentOf(value, 'tool', words) : null;
  }
  const holder =
    firstUnder(value, words.text) === undefined
      ? (words.around.map((key) => opened(value[key])).find((inner) => isRecord(inner)) ?? value)
      : value;
  const content = firstUnder(holder, words.text);
  const said = contentOf(content, role, words);
  const calls = words.calls.flatMap((key) => callsIn(under(holder, key) ?? [], words));
  if (role === 'tool') {
    const id = textUnder(holder, words.callId);
    const name = textUnder(holder, words.callName);
    const results =
      said.results.length > 0
        ? said.results
        : [
            {
              value: opened(said.text),
              ...(id === undefined ? {} : { id }),
              ...(name === undefined ? {} : { name }),
            },
          ];
    return { ...nothing('tool'), results };
  }
  // What a tool gave back can stand in a message of the user.
  const isOfTools = role === 'user' && said.results.length > 0 && said.text.trim() === '';
  return { ...said, role: isOfTools ? 'tool' : role, calls: [...said.calls, ...uniqueCalls(calls)] };
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

/** Where the messages of an object are, one after the other: earlier ones, then what was asked or answered. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the forms of a message are told apart in one place
function messagesOfObject(
  value: Readonly<Record<string, unknown>>,
  side: 'input' | 'output',
  words: MessageWords,
  depth: number,
): Messages {
  const read = (inner: unknown): Messages => messagesIn(inner, side, words, depth + 1);
  const own = messageOf(value, words);
  if (own !== null) return { said: [own] };
  const alternatives = side === 'output' ? firstUnder(value, words.alternatives) : undefined;
  if (alternatives !== undefined) return alternativesIn(alternatives, words, depth);
  const lists = words.messages.flatMap((key) => {
    const list = opened(value[key]);
    return Array.isArray(list) && list.length > 0 ? [list] : [];
  });
  const earlier = words.history.flatMap((key) => {
    const list = opened(value[key]);
    return Array.isArray(list) && list.length > 0 ? [list] : [];
  });
  const keys = side === 'input' ? words.asked : words.answered;
  const texts = keys.flatMap((key) => {
    const inner = value[key];
    if (inner === undefined || inner === null || inner === '') return [];
    const found = read(inner);
    return 'said' in found && found.said.length > 0 ? [found] : [];
  });
  const wholes = lists.map(read);
  const [whole] = wholes;
  if (wholes.length > 1) return { why: 'several lists of messages' };
  const [text] = texts;
  const different = new Set(texts.map((one) => JSON.stringify(one.said)));
  if (whole !== undefined && 'why' in whole) return whole;
  if (whole !== undefined && text === undefined) return whole;
  if (different.size > 1)
    return {
      why: `several of its keys may hold what was ${side === 'input' ? 'asked' : 'answered'} (keys: ${listed(value)})`,
    };
  if (text !== undefined) {
    const befores = [...earlier.map(read), ...(whole === undefined ? [] : [whole])];
    const wrong = befores.find((before) => 'why' in before);
    if (wrong !== undefined) return wrong;
    return { said: [...befores.flatMap((before) => ('said' in before ? before.said : [])), ...text.said] };
  }
  if (earlier.length === 1 && side === 'output') return read(earlier[0]);
  const inner = words.around
    .map((key) => opened(value[key]))
    .filter((one) => isRecord(one) || Array.isArray(one) || typeof one === 'string');
  const found = inner.map(read).filter((one) => 'said' in one && one.said.length > 0);
  if (found.length > 1) return { why: `several of its keys may hold what was said (keys: ${listed(value)})` };
  return (
    found[0] ?? {
      why: `no key says what was ${side === 'input' ? 'asked' : 'answered'} (keys: ${listed(value)})`,
    }
  );
}

/** One of several answers of a model; more than one that differ are not told apart. */
function alternativesIn(value: unknown, words: MessageWords, depth: number): Messages {
  const list = opened(value);
  const items = Array.isArray(list) ? list : [list];
  const read = items.map((item) => messagesIn(item, 'output', words, depth + 1));
  const [first] = read;
  if (first === undefined) return { said: [] };
  const different = new Set(read.map((one) => JSON.stringify(one)));
  return different.size > 1
    ? { why: `${items.length} answers to choose from, and nothing says which one was given` }
    : first;
}

/** Maximum nesting of payloads. */
const MAX_DEPTH = 12;

/** Reads what went into an exchange or came out of it: a text, a message, a list of messages, or an object around them. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the forms of a message are told apart in one place
export function messagesIn(
  value: unknown,
  side: 'input' | 'output',
  words: MessageWords,
  depth = 0,
): Messages {
  if (depth > MAX_DEPTH) return { why: 'it is nested too deep' };
  if (value === undefined || value === null) return { said: [] };
  const role = side === 'input' ? 'user' : 'system';
  if (typeof value === 'string') {
    const json = jsonIn(value);
    if (json === undefined) return { said: value.trim() === '' ? [] : [{ ...nothing(role), text: value }] };
    return messagesIn(json, side, words, depth + 1);
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return { said: [] };
    const pair = messageOf(value, words);
    if (pair !== null) return { said: [pair] };
    const said = value.map((item) => (typeof item === 'string' ? null : messageOf(item, words)));
    if (said.every((one) => one !== null)) return { said };
    const [only, ...more] = value;
    if (more.length === 0) return messagesIn(only, side, words, depth + 1);
    const areParts = value.every(
      (part) => isRecord(part) && typeOf(part, words) !== '' && messageOf(part, words) === null,
    );
    if (areParts) return { said: [contentOf(value, role, words)] };
    return { why: 'a list with items that are no messages' };
  }
  if (!isRecord(value)) return { why: `${String(value).slice(0, 20)} is no text` };
  // A part by itself, such as {"type": "text", "text": "…"}.
  if (typeOf(value, words) === 'text' && messageOf(value, words) === null)
    return { said: [contentOf(value, role, words)] };
  return messagesOfObject(value, side, words, depth);
}
