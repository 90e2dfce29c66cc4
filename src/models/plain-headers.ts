/** What stands around a value is no part of it. */
const AROUND = /^[\t\n\r ]+|[\t\n\r ]+$/g;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What no value may hold: line breaks, the zero character, and what is beyond a byte. */
const NO_VALUE = /[\0\n\r]|[^\0-\u00FF]/;
/** The one header whose values are never joined. */
const COOKIE = 'set-cookie';

/** The name as it is kept. Messages never quote values: they may hold keys. */
function nameOf(name: unknown): string {
  const text = String(name);
  if (!NAME.test(text)) throw new TypeError('This is no name of a header.');
  return text.toLowerCase();
}

function textOf(value: unknown): string {
  const text = String(value).replace(AROUND, '');
  if (NO_VALUE.test(text))
    throw new TypeError('A header holds a line break or a character that cannot be sent.');
  return text;
}

const isIterable = (given: object): given is Iterable<Iterable<unknown>> => Symbol.iterator in given;

/**
 * `Headers` by themselves. Node's own come with all of its `fetch`, the loading of which takes a fifth of a command's start; and the
 * `openai` client makes several for each request (`npm run bench:overhead`). In the built program they stand in the place of the
 * global ones. Behaves like these (https://fetch.spec.whatwg.org/#headers-class), which is tested.
 */
export class PlainHeaders implements Headers {
  readonly #values = new Map<string, string[]>();

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
    const values = this.#values.get(key);
    if (values === undefined) this.#values.set(key, [text]);
    else values.push(text);
  }

  delete(name: string): void {
    this.#values.delete(nameOf(name));
  }

  get(name: string): string | null {
    return this.#values.get(nameOf(name))?.join(', ') ?? null;
  }

  getSetCookie(): string[] {
    return [...(this.#values.get(COOKIE) ?? [])];
  }

  has(name: string): boolean {
    return this.#values.has(nameOf(name));
  }

  set(name: string, value: string): void {
    this.#values.set(nameOf(name), [textOf(value)]);
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

  /** By name, cookies each by itself. */
  #pairs(): [string, string][] {
    const pairs: [string, string][] = [];
    for (const name of [...this.#values.keys()].sort()) {
      const values = this.#values.get(name) ?? [];
      if (name !== COOKIE) pairs.push([name, values.join(', ')]);
      else for (const value of values) pairs.push([name, value]);
    }
    return pairs;
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}
