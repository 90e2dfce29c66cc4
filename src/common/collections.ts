/** Groups items by a key, in the order in which keys first appear. */
export function groupedBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** How often each text occurs, most frequent first; ties in code-unit order. */
export const frequencies = (texts: Iterable<string>): Map<string, number> =>
  new Map(
    [...groupedBy(texts, (text) => text)]
      .map(([text, equal]) => [text, equal.length] as const)
      .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)),
  );

/** Wraps a factory so that it runs once, on the first call. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Memoizes a function by key. Its result must depend only on the key. */
export function memoized<A, T>(
  make: (argument: A) => T,
  keyOf: (argument: A) => string = String,
): (argument: A) => T {
  const made = new Map<string, { value: T }>();
  return (argument) => {
    const key = keyOf(argument);
    const entry = made.get(key) ?? { value: make(argument) };
    made.set(key, entry);
    return entry.value;
  };
}

/** A copy of an object with the value set at a dotted path. Anything in the way that is not an object is replaced. */
export function withValue(whole: unknown, path: string, value: unknown): Record<string, unknown> {
  const [key = '', ...rest] = path.split('.');
  const isObject = typeof whole === 'object' && whole !== null && !Array.isArray(whole);
  const copy: Record<string, unknown> = isObject ? { ...whole } : {};
  return { ...copy, [key]: rest.length === 0 ? value : withValue(copy[key], rest.join('.'), value) };
}

/** Turns dotted paths into nested objects: `{"context.date": …}` → `{context: {date: …}}`. Shorter paths are applied first. */
export const nested = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.entries(fields)
    .sort(([one], [other]) => one.split('.').length - other.split('.').length)
    .reduce((whole, [path, value]) => withValue(whole, path, value), {});

/** Memoizes a function of an object. Lazy, because most runs need none of the patterns built from words. */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const cache = new WeakMap<Key, { made: Made }>();
  return (key) => {
    const entry = cache.get(key) ?? { made: make(key) };
    cache.set(key, entry);
    return entry.made;
  };
}
