import type { Fields } from './scene.ts';

/** Values by dotted path as nested objects: `{"context.date": …}` → `{context: {date: …}}`. */
export function nested(fields: Fields): Record<string, unknown> {
  const inner = new Map<string, Record<string, unknown>>();
  const whole: [string, unknown][] = [];
  for (const [path, value] of Object.entries(fields)) {
    const dot = path.indexOf('.');
    if (dot < 0) whole.push([path, value]);
    else {
      const root = path.slice(0, dot);
      inner.set(root, { ...inner.get(root), [path.slice(dot + 1)]: value });
    }
  }
  return Object.fromEntries([...whole, ...[...inner].map(([root, rest]) => [root, nested(rest)] as const)]);
}
