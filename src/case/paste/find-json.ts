import { CORE_SCHEMA, load } from 'js-yaml';
import { JSONRepairError, jsonrepair } from 'jsonrepair';

/** Maximum nesting of JSON. Deeper nesting is an attack or an accident, and would overflow the stack. */
export const MAX_DEPTH = 64;

/** The position after a quoted string that opens at `start`. */
function skipString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === text[start]) return at + 1;
  }
  return text.length;
}

/** Whether a string starts here. An apostrophe starts one only where a value can, as in a Python dict. */
const opensString = (text: string, at: number): boolean =>
  text[at] === '"' || (text[at] === "'" && /[{[:,\s]/.test(text[at - 1] ?? ''));

/**
 * Finds the end of the bracket that opens at `start`, in one pass.
 * @returns `end`: the position after it, null if it is not closed; `looked`: where the search stopped
 */
function closeOf(text: string, start: number): { end: number | null; looked: number } {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (opensString(text, at)) at = skipString(text, at) - 1;
    else if (text[at] === '{' || text[at] === '[') depth += 1;
    else if (text[at] === '}' || text[at] === ']') depth -= 1;
    if (depth > MAX_DEPTH) return { end: null, looked: at };
    if (depth === 0) return { end: at + 1, looked: at + 1 };
  }
  return { end: null, looked: text.length };
}

/** Whether brackets outside strings are nested more than {@link MAX_DEPTH} deep. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length && depth <= MAX_DEPTH; at += 1) {
    if (text[at] === '"') at = skipString(text, at) - 1;
    else if (text[at] === '{' || text[at] === '[') depth += 1;
    else if (text[at] === '}' || text[at] === ']') depth -= 1;
  }
  return depth > MAX_DEPTH;
}

/** Parses JSON, or says why it is invalid. */
export function parseJson(text: string): { value: unknown } | { error: string } {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown.message.slice(0, 120) : 'not JSON' };
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The note on repaired JSON. */
export const NOT_STRICT = 'the JSON had a small error that was repaired; check the result';

/** Whether a text is meant as JSON; `[ASR] …` is not. */
export const isJsonLike = (text: string): boolean => /^(?:\{\s{0,40}["'\w{}“]|\[\s{0,40}["'{[\]])/.test(text);

/** Maximum length of a text that is repaired or read as YAML, in characters. */
const MAX_REPAIRED = 100_000;

/** All texts in a value, including keys. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (!isObject(value)) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsIn)];
}

/** JSON without its syntax, so that only keys and values remain. */
const withoutSyntax = (json: string): string =>
  json
    .replace(/\\[nrt]/g, ' ')
    .replace(/\b(?:None|True|False)\b/g, (word) => (word === 'None' ? 'null' : word.toLowerCase()))
    .replace(/["'“”„‘’`{}[\],:;\s\\]/g, '');

/**
 * Repairs text that is nearly JSON: single quotes, missing or trailing commas, unquoted keys, Python's words.
 * @returns null if that is not possible without changing a value
 */
export function repairJson(text: string): object | null {
  if (text.length > MAX_REPAIRED || isTooDeep(text)) return null;
  let repaired: string;
  try {
    repaired = jsonrepair(text);
  } catch (thrown) {
    if (thrown instanceof JSONRepairError) return null;
    throw thrown;
  }
  const parsed = parseJson(repaired);
  if ('error' in parsed || !isObject(parsed.value)) return null;
  const written = text.replaceAll("\\'", "'");
  const isWritten = (value: string) =>
    written.includes(value) || written.includes(JSON.stringify(value).slice(1, -1));
  const isKept = withoutSyntax(repaired) === withoutSyntax(text) && textsIn(parsed.value).every(isWritten);
  return isKept ? parsed.value : null;
}

/** Whether JSON was cut off: its first bracket is never closed. */
export const isCutOff = (text: string): boolean => closeOf(text, 0).end === null && !isTooDeep(text);

/**
 * Where what is incomplete begins in JSON that was cut off: the item of its outermost list that has no end.
 * @returns the end of the text if all items are whole, null if it was not cut off
 */
export function cutIn(text: string): number | null {
  if (isTooDeep(text)) return null;
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') at = skipString(text, at) - 1;
    else if (text[at] === '{' || text[at] === '[') open.push(at);
    else if (text[at] === '}' || text[at] === ']') open.pop();
  }
  if (open.length === 0) return null;
  const list = open.findIndex((at) => text[at] === '[');
  return (list < 0 ? open[0] : open[list + 1]) ?? text.length;
}

/** Reads an object or a list from JSON or from text that is nearly JSON. */
function objectIn(text: string): Pick<Found, 'value' | 'isStrict'> | null {
  const strict = parseJson(text);
  if ('value' in strict) return isObject(strict.value) ? { value: strict.value, isStrict: true } : null;
  const value = repairJson(text);
  const saysSomething = value !== null && !Object.values(value).every((inner) => inner === null);
  return saysSomething ? { value, isStrict: false } : null;
}

/** Whether a text starts with an object or a list that can be read. */
export function beginsWithObject(text: string): boolean {
  const { end } = closeOf(text, 0);
  return end !== null && objectIn(text.slice(0, end)) !== null;
}

/** An object found in a text, with its position. */
export interface Found {
  start: number;
  end: number;
  value: object;
  isStrict: boolean;
}

/** The outermost objects and lists of objects in a text. The work is bounded: many unclosed brackets end the search. */
export function findJson(text: string): Found[] {
  const objects: Found[] = [];
  let budget = text.length * 4 + 1000;
  const opening = /\{|\[(?=[\s]{0,40}\{)/g;
  for (let match = opening.exec(text); match && budget > 0; match = opening.exec(text)) {
    const start = match.index;
    const { end, looked } = closeOf(text, start);
    budget -= looked - start;
    const parsed = end === null ? null : objectIn(text.slice(start, end));
    if (end === null || parsed === null) continue;
    objects.push({ start, end, ...parsed });
    opening.lastIndex = end;
  }
  return objects;
}

/** Parses YAML; null if it is not an object or a list. Aliases are not allowed, because they can expand without limit. */
export function parseYaml(text: string): object | null {
  if (text.length > MAX_REPAIRED || isTooDeep(text)) return null;
  try {
    const value: unknown = load(text.replaceAll('\t', '  '), { schema: CORE_SCHEMA, maxAliases: 0 });
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
