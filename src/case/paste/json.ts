import { CORE_SCHEMA, load } from 'js-yaml';
import { JSONRepairError, jsonrepair } from 'jsonrepair';

/** How deep JSON may be nested; what is deeper is an attack or an accident, and recursion would not survive it. */
export const MAX_DEPTH = 64;

/** The position after a quoted string that opens at `start`. */
function skipString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === text[start]) return at + 1;
  }
  return text.length;
}

/** An apostrophe begins a string only where a value may begin, as in Python's way of writing a dict. */
const opensString = (text: string, at: number): boolean =>
  text[at] === '"' || (text[at] === "'" && /[{[:,\s]/.test(text[at - 1] ?? ''));

/** Where the brackets that open at `start` are closed, and at which position that was clear; one pass. */
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

/** Whether brackets outside of strings nest deeper than anything that we read. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length && depth <= MAX_DEPTH; at += 1) {
    if (text[at] === '"') at = skipString(text, at) - 1;
    else if (text[at] === '{' || text[at] === '[') depth += 1;
    else if (text[at] === '}' || text[at] === ']') depth -= 1;
  }
  return depth > MAX_DEPTH;
}

/** JSON as a value, or why it is none. */
export function parseJson(text: string): { value: unknown } | { error: string } {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown.message.slice(0, 120) : 'not JSON' };
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What is said of JSON that was repaired. */
export const NOT_STRICT = 'the JSON had a small error that was repaired; check the result';

/** Whether a text means to be JSON: `[ASR] …` does not. */
export const isJsonLike = (text: string): boolean => /^(?:\{\s{0,40}["'\w{}“]|\[\s{0,40}["'{[\]])/.test(text);

/** Longest text that is repaired, in characters. */
const MAX_REPAIRED = 100_000;

/** Every text within a value, keys included. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (!isObject(value)) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsIn)];
}

/** JSON without what it is written with around its values. */
const withoutSyntax = (json: string): string =>
  json
    .replace(/\\[nrt]/g, ' ')
    .replace(/\b(?:None|True|False)\b/g, (word) => (word === 'None' ? 'null' : word.toLowerCase()))
    .replace(/["'“”„‘’`{}[\],:;\s\\]/g, '');

/**
 * A text that is nearly JSON (single quotes, missing or trailing commas, unquoted keys, Python's words), repaired; null
 * where it cannot be without a change to what its values say.
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

/** Whether JSON ends within a text, or before all brackets are closed: then something was cut off. */
export const isCutOff = (text: string): boolean => closeOf(text, 0).end === null && !isTooDeep(text);

/** An object or a list of objects, read from JSON or from what is nearly JSON. */
function objectIn(text: string): Pick<Found, 'value' | 'isStrict'> | null {
  const strict = parseJson(text);
  if ('value' in strict) return isObject(strict.value) ? { value: strict.value, isStrict: true } : null;
  const value = repairJson(text);
  const saysSomething = value !== null && !Object.values(value).every((inner) => inner === null);
  return saysSomething ? { value, isStrict: false } : null;
}

/** Whether a text begins with an object that can be read. */
export function beginsWithObject(text: string): boolean {
  const { end } = closeOf(text, 0);
  return end !== null && objectIn(text.slice(0, end)) !== null;
}

/** An object found in text, and where. */
export interface Found {
  start: number;
  end: number;
  value: object;
  isStrict: boolean;
}

/** The outermost objects and lists of objects in a text. Looks at no more than a few times the length of the text. */
export function findJson(text: string): Found[] {
  const found: Found[] = [];
  let budget = text.length * 4 + 1000;
  const opening = /\{|\[(?=[\s]{0,40}\{)/g;
  for (let match = opening.exec(text); match && budget > 0; match = opening.exec(text)) {
    const start = match.index;
    const { end, looked } = closeOf(text, start);
    budget -= looked - start;
    const parsed = end === null ? null : objectIn(text.slice(start, end));
    if (end === null || parsed === null) continue;
    found.push({ start, end, ...parsed });
    opening.lastIndex = end;
  }
  return found;
}

/** An object in YAML, without aliases, which can grow without end; null where the text is none. */
export function parseYaml(text: string): object | null {
  if (text.length > MAX_REPAIRED || isTooDeep(text)) return null;
  try {
    const value: unknown = load(text.replaceAll('\t', '  '), { schema: CORE_SCHEMA, maxAliases: 0 });
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
