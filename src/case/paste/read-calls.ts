import type { Words } from '../format/index.ts';
import { isRecord, ToolCall } from '../index.ts';
import { parseJson } from './find-json.ts';
import { isOfTool, textOf, wordOf } from './label-meanings.ts';

/** A call as found in an object of any common form. */
export interface FoundCall {
  id: string | null;
  call: ToolCall;
}

/** What a tool answered, in an object of its own. */
interface FoundResult {
  id: string | null;
  result: unknown;
}

type Kind = 'calls' | 'callName' | 'callArguments' | 'callResult' | 'callId';

/** The value of the first key of a kind, in the order of the words. */
function valueAt(kind: Kind, object: Readonly<Record<string, unknown>>, words: Words): unknown {
  for (const word of words.keys[kind])
    for (const [key, value] of Object.entries(object))
      if (wordOf(key, words) === wordOf(word, words) && value !== undefined && value !== null) return value;
  return undefined;
}

const idOf = (object: Readonly<Record<string, unknown>>, words: Words): string | null => {
  const id = valueAt('callId', object, words);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
};

/** A value that may be written as JSON in a text. */
function unwritten(value: unknown): unknown {
  const parsed = typeof value === 'string' ? parseJson(value) : { value };
  return 'value' in parsed ? parsed.value : value;
}

/** Reads one call: `{name, arguments}`, `{function: {name, arguments: "…"}}`, `{type: "tool_use", name, input}` and the like. */
function callIn(value: unknown, words: Words): FoundCall | null {
  if (!isRecord(value)) return null;
  const inner = Object.values(value).find(
    (one): one is Readonly<Record<string, unknown>> =>
      isRecord(one) && typeof valueAt('callName', one, words) === 'string',
  );
  const named = typeof valueAt('callName', value, words) === 'string' ? value : inner;
  if (named === undefined) return null;
  const given = unwritten(valueAt('callArguments', named, words));
  const result = valueAt('callResult', value, words);
  const { data } = ToolCall.safeParse({
    name: valueAt('callName', named, words),
    ...(given === undefined || given === '' ? {} : { arguments: given }),
    ...(result === undefined ? {} : { result: unwritten(result) }),
  });
  return data === undefined ? null : { id: idOf(value, words), call: data };
}

/** Reads a list of calls, or a single one; null if it is anything else. */
export function toolCallsIn(value: unknown, words: Words): FoundCall[] | null {
  const calls = [value].flat().map((one) => callIn(one, words));
  const found = calls.filter((call) => call !== null);
  return found.length === calls.length ? found : null;
}

const isResult = (value: unknown, words: Words): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && typeof value.type === 'string' && words.keys.results.includes(value.type);

/** Whether an object is a message of a tool: `{role: "tool", tool_call_id, content}`. */
const isOfToolRole = (value: unknown, words: Words): value is Readonly<Record<string, unknown>> =>
  isRecord(value) &&
  words.keys.speaker.some(
    (key) => typeof value[key] === 'string' && words.keys.toolRoles.includes(value[key]),
  );

function resultOf(value: Readonly<Record<string, unknown>>, words: Words): FoundResult {
  const given = valueAt('callResult', value, words);
  const text = Array.isArray(given) ? textOf(given, words) : null;
  return { id: idOf(value, words), result: unwritten(text ?? given) };
}

/** The calls and results among the parts of a text. */
function callsAmong(parts: readonly unknown[], words: Words): { calls: FoundCall[]; results: FoundResult[] } {
  const results = parts.filter((part) => isResult(part, words));
  const calls = parts.filter((part) => !isResult(part, words) && isOfTool(part, words));
  return {
    results: results.map((part) => resultOf(part, words)),
    calls: calls.flatMap((part) => toolCallsIn(part, words) ?? []),
  };
}

/** The calls and results that an object among turns holds, and its keys that hold them. */
export function toolPartsOf(
  value: unknown,
  words: Words,
): { calls: FoundCall[]; results: FoundResult[]; keys: string[]; isWhole: boolean } {
  const none = { calls: [], results: [], keys: [], isWhole: false };
  if (!isRecord(value)) return none;
  if (isResult(value, words) || isOfToolRole(value, words))
    return { ...none, results: [resultOf(value, words)], isWhole: true };
  if (isOfTool(value, words)) {
    const calls = toolCallsIn(value, words);
    return calls === null ? none : { ...none, calls, isWhole: true };
  }
  const found: { calls: FoundCall[]; results: FoundResult[] } = { calls: [], results: [] };
  const keys: string[] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (words.keys.calls.some((word) => wordOf(word, words) === wordOf(key, words))) {
      const calls = inner === null ? [] : toolCallsIn(inner, words);
      if (calls === null) continue;
      found.calls.push(...calls);
      keys.push(key);
    } else if (words.keys.text.includes(key) && Array.isArray(inner)) {
      const among = callsAmong(inner, words);
      found.calls.push(...among.calls);
      found.results.push(...among.results);
    }
  }
  return { ...found, keys, isWhole: false };
}
