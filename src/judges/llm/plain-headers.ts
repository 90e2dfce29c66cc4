const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Nearly all values: printable ASCII with no space around. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;
/** What stands around a value is no part of it. */
const AROUND = '\t\n\r ';
/** What no value may hold: line breaks, the zero character, and what is beyond a byte. */
const NO_VALUE = /[\0\n\r]|[^\0-\u00FF]/;
/** The one header whose values are never joined where all are told. */
const COOKIE = 'set-cookie';

/** The name as it is kept. Messages never quote what was given: values may hold keys. */
function nameOf(name: unknown): string {
  const text = String(name);
  if (!NAME.test(text)) throw new TypeError('This is no name of a header.');
  return text.toLowerCase();
}

/** By places and not by an expression, which may look at a long row of spaces again for each of them. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && AROUND.includes(text.charAt(from))) from += 1;
  while (to > from && AROUND.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function textOf(value: unknown): string {
  const given = String(value);
  if (PLAIN.test(given)) return given;
  const text = trimmed(given);
  if (NO_VALUE.test(text))
    throw new TypeError('A header holds a line break or a character that cannot be sent.');
  return text;
}

const isIterable = (given: object): given is Iterable<Iterable<unknown>> => Symbol.iterator in given;

/**
 * `Headers` by themselves, which the `openai` client makes and reads: Node's own come with all of its `fetch`, the loading of which
 * takes a fifth of a command's start (`npm run bench:overhead`). In the built program they stand in the place of the global ones. Behaves like these (https://fetch.spec.whatwg.org/#headers-class), which is tested; but a value that is not there
 * (`undefined`) is refused.
 */
export class PlainHeaders implements Headers {
  readonly #values = new Map<string, string>();
  #cookies: string[] = [];
  /** Names in their order; null since one came or went. */
  #names: string[] | null = null;

  /** @throws TypeError for a name or a value that no header may have */
  constructor(given?: RequestInit['headers']) {
    if (given === undefined) return;
    for (const pair of isIterable(given) ? given : Object.entries(given)) {
      const [name, value, ...more] = pair;
      if (value === undefined || more.length > 0)
        throw new TypeError('A header is a pair of a name and a value.');
      this.append(String(name), String(value));
    }
  }

  append(name: string, value: string): void {
    const key = nameOf(name);
    const text = textOf(value);
    const before = this.#values.get(key);
    this.#keep(key, before === undefined ? text : `${before}, ${text}`);
    if (key === COOKIE) this.#cookies.push(text);
  }

  delete(name: string): void {
    const key = nameOf(name);
    if (this.#values.delete(key)) this.#names = null;
    if (key === COOKIE) this.#cookies = [];
  }

  get(name: string): string | null {
    return this.#values.get(nameOf(name)) ?? null;
  }

  getSetCookie(): string[] {
    return [...this.#cookies];
  }

  has(name: string): boolean {
    return this.#values.has(nameOf(name));
  }

  set(name: string, value: string): void {
    const key = nameOf(name);
    const text = textOf(value);
    this.#keep(key, text);
    if (key === COOKIE) this.#cookies = [text];
  }

  forEach(each: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) each.call(self, value, name, this);
  }

  entries(): IterableIterator<[string, string]> {
    return this.#pairs().values();
  }

  keys(): IterableIterator<string> {
    return this.#pairs()
      .map(([name]) => name)
      .values();
  }

  values(): IterableIterator<string> {
    return this.#pairs()
      .map(([, value]) => value)
      .values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }

  #keep(key: string, text: string): void {
    if (!this.#values.has(key)) this.#names = null;
    this.#values.set(key, text);
  }

  /** By name, cookies each by itself. */
  #pairs(): [string, string][] {
    this.#names ??= [...this.#values.keys()].sort();
    const pairs: [string, string][] = [];
    for (const name of this.#names) {
      if (name !== COOKIE) pairs.push([name, this.#values.get(name) ?? '']);
      else for (const cookie of this.#cookies) pairs.push([name, cookie]);
    }
    return pairs;
  }
}
