import type { Tracked } from './tracked-text.ts';

/** A value in a text of keys and values, with its position. */
interface Leaf {
  key: string;
  text: string;
  from: Tracked;
  isTaken: boolean;
}

/** Maximum number of a value's words that are searched for. */
const MOST_WORDS = 500;

const UNESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\(?:u([\da-fA-F]{4})|([^u]))/g, (_, code?: string, sign = '') =>
        code === undefined ? (UNESCAPED[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;

/** The position after a quoted text that opens at `at`. */
function endOfString(text: string, at: number): number {
  const quote = text[at];
  for (let index = at + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === quote) return index + 1;
  }
  return text.length;
}

const BARE = /[^\s,:{}[\]"]+/y;
const COLON = /\s*:/y;

const sticky = (pattern: RegExp, text: string, at: number): string | null => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
};

/** The scalar that starts at a position, with or without quotes; null if there is none. */
function scalarAt(json: Tracked, at: number): { from: Tracked; text: string; end: number } | null {
  const { text } = json;
  if (text[at] === '"' || text[at] === "'") {
    const end = endOfString(text, at);
    const from = json.slice(at + 1, Math.max(at + 1, end - 1));
    return { from, text: unescaped(from.text), end };
  }
  const bare = sticky(BARE, text, at);
  if (bare === null) return null;
  return { from: json.slice(at, at + bare.length), text: bare, end: at + bare.length };
}

/** The values in JSON, or in text that is nearly JSON, in order. Values in a list have the list's key. */
function leavesIn(json: Tracked): Leaf[] {
  const leaves: Leaf[] = [];
  const keys: string[] = [];
  let key = '';
  for (let at = 0; at < json.text.length; ) {
    const scalar = scalarAt(json, at);
    if (scalar === null) {
      if (/[{[]/.test(json.text.charAt(at))) keys.push(key);
      else if (/[}\]]/.test(json.text.charAt(at))) key = keys.pop() ?? '';
      at += 1;
      continue;
    }
    const { end, ...value } = scalar;
    if (sticky(COLON, json.text, end) === null) leaves.push({ key, ...value, isTaken: false });
    else key = value.text;
    at = end;
  }
  return leaves;
}

/** The items of a list in JSON, or in text that is nearly JSON. */
export function itemsOf(json: Tracked): Tracked[] {
  const { text } = json;
  const items: Tracked[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '"') at = endOfString(text, at) - 1;
    else if (sign === '{' || sign === '[') {
      depth += 1;
      if (depth === 1) from = at + 1;
    } else if ((sign === '}' || sign === ']' || sign === ',') && depth === 1) {
      items.push(json.slice(from, at).trim());
      from = at + 1;
    }
    if (sign === '}' || sign === ']') depth -= 1;
  }
  return items.filter((item) => item.text !== '');
}

/**
 * The values of objects and tables by their text, to find the position of a value that was read. Each is taken once.
 * Among equal values, those under the given key come first, then the others in order.
 */
export class Leaves {
  readonly #byText = new Map<string, Leaf[]>();
  readonly #all: Leaf[] = [];
  /** Texts whose values can span several lines, as in YAML. */
  readonly #plain: Tracked[] = [];

  addJson(json: Tracked): void {
    for (const leaf of leavesIn(json)) this.#add(leaf);
  }

  /** Adds a YAML text: values on the line of their key, list items, and the whole text to search for the others. */
  addYaml(text: Tracked): void {
    this.#plain.push(text);
    let key = '';
    for (const line of text.lines()) {
      const [lead = '', named] =
        /^\s*(?:- +)?(?:["']?([\w .-]{1,60}?)["']? *:(?= |$))?/.exec(line.text) ?? [];
      if (named !== undefined) key = named;
      const rest = line.slice(lead.length).trim();
      const isList = /^\[.*\]$/.test(rest.text);
      let at = isList ? 1 : 0;
      for (const item of isList ? rest.text.slice(1, -1).split(',') : [rest.text]) {
        const from = rest.slice(at, at + item.length).trim();
        at += item.length + 1;
        const isQuoted = /^(["']).*\1$/.test(from.text);
        const value = isQuoted ? from.slice(1, from.text.length - 1) : from;
        if (value.text !== '') this.addCell(key, value, value.text);
      }
    }
  }

  addCell(key: string, from: Tracked, text: string): void {
    this.#add({ key, text, from, isTaken: false });
  }

  #add(leaf: Leaf): void {
    this.#all.push(leaf);
    const same = this.#byText.get(leaf.text);
    if (same) same.push(leaf);
    else this.#byText.set(leaf.text, [leaf]);
  }

  /** Takes the positions of a value, or of each value in an object or list; empty if not found. */
  take(value: unknown, key?: string): Tracked[] {
    if (Array.isArray(value)) return value.flatMap((item) => this.take(item, key));
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).flatMap(([inner, item]) => this.take(item, inner));
    if (value === undefined || value === null || value === '') return [];
    const same = this.#byText.get(String(value)) ?? [];
    const leaf =
      same.find((one) => !one.isTaken && one.key === key) ?? same.find(({ isTaken }) => !isTaken) ?? same[0];
    if (leaf === undefined) return this.#search(String(value));
    leaf.isTaken = true;
    // Taken leaves move to the end, so that many equal values stay fast.
    if (same[0] === leaf && same.length > 1) same.push(...same.splice(0, 1));
    return [leaf.from];
  }

  /** Takes the positions of a text that may be joined from several values under the given keys. */
  takeText(text: string, keys: readonly string[]): Tracked[] {
    if (this.#byText.has(text)) return this.take(text);
    const parts = this.#all.filter(
      (leaf) =>
        !leaf.isTaken && keys.includes(leaf.key) && leaf.text.trim() !== '' && text.includes(leaf.text),
    );
    for (const part of parts) part.isTaken = true;
    return parts.length > 0 ? parts.map(({ from }) => from) : this.#search(text);
  }

  /** The first position in the YAML texts that has a value's words; they may be folded over several lines. */
  #search(value: string): Tracked[] {
    const words = value.match(/[\p{L}\p{N}]+/gu) ?? [];
    const pattern = new RegExp(words.slice(0, MOST_WORDS).join('[^\\p{L}\\p{N}]{1,40}'), 'u');
    for (const text of words.length === 0 ? [] : this.#plain) {
      const exact = text.text.indexOf(value);
      const match = exact < 0 ? pattern.exec(text.text) : null;
      if (exact >= 0) return [text.slice(exact, exact + value.length)];
      if (match) return [text.slice(match.index, match.index + match[0].length)];
    }
    return [];
  }

  /** The positions of values under the given keys that were not taken. */
  under(keys: readonly string[]): Tracked[] {
    return this.#all.flatMap(({ key, isTaken, from }) => (!isTaken && keys.includes(key) ? [from] : []));
  }

  /** The positions of all values that were not taken. */
  rest(): Tracked[] {
    return this.#all.flatMap(({ isTaken, from }) => (isTaken ? [] : [from]));
  }
}
